import type { Call, InputOf, OutputOf } from '@mooring/contract/kit/call';
import { type ReactNode, useMemo, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { toast } from '../../ui/toast.tsx';
import { type TextKey, useT } from '../../ui/words.ts';
import { NotPublic } from '../not-public.tsx';
import { FieldGrid } from './field-grid.tsx';
import { FormFrame } from './form-frame.tsx';
import { useSubmit } from './form-view.tsx';
import { LeaveConfirm } from './leave-confirm.tsx';
import type { FieldSpec, Values } from './types.ts';
import { nameIn, useForm } from './use-form.ts';

export interface FormDialogProps<C extends Call> {
  title: TextKey;
  /** What the title's act is about, by its name: Edit “Ann Smith”. */
  of?: string;
  call: C;
  fields: readonly FieldSpec<InputOf<C>>[];
  initial?: Partial<InputOf<C>>;
  /** What is sent of it; else the values as they are. */
  input?: (values: Values) => Values;
  submit: TextKey;
  /** What was done; gets `{name}`. Left out where `onDone` says it. */
  successText?: TextKey | ((output: OutputOf<C>) => TextKey);
  /** Above the fields. */
  about?: ReactNode;
  /** It can't be done now; `about` says why. */
  blocked?: boolean;
  /** Fields in two columns, where there are many. */
  wide?: boolean;
  onClose: () => void;
  onDone?: (output: OutputOf<C>, values: Values) => void;
}

/** A short form over a list. */
export function FormDialog<C extends Call>({
  title,
  of,
  call,
  fields,
  initial,
  input,
  submit: label,
  successText,
  about,
  blocked = false,
  wide = false,
  onClose,
  onDone,
}: FormDialogProps<C>) {
  const t = useT();
  // biome-ignore lint/correctness/useExhaustiveDependencies: what the dialog opened with
  const start = useMemo(() => (initial ?? {}) as Values, []);
  const specs = fields as unknown as readonly FieldSpec[];
  const form = useForm({ schema: call.input, initial: start, fields: specs, guard: true });
  const { submit, busy, failure, refused } = useSubmit(form, call, {
    ...(input ? { input } : {}),
    done: (output) => {
      const said = typeof successText === 'function' ? successText(output as OutputOf<C>) : successText;
      if (said) toast('done', t(said, { name: nameIn(output, form.values) || (of ?? '') }));
      onDone?.(output as OutputOf<C>, form.values);
      onClose();
    },
  });
  // Escape, the cross and a click beside it are answered: what was typed is asked about first.
  const [asking, setAsking] = useState(false);
  const leave = () => (form.dirty ? setAsking(true) : onClose());
  return (
    <Dialog
      open
      title={of === undefined ? t(title) : t('kit.act.named', { act: t(title), name: of })}
      onClose={leave}
      busy={busy}
      width={wide ? 760 : 560}
      footer={
        <>
          <Button onClick={onClose} disabled={busy}>
            {t('kit.cancel')}
          </Button>
          <Button look="primary" busy={busy} disabled={blocked} onClick={() => void submit()}>
            {t(label)}
          </Button>
        </>
      }
    >
      <FormFrame short form={form} onSubmit={() => blocked || void submit()} problems={[]} message={failure} above={about}>
        <NotPublic refused={refused} />
        <FieldGrid form={form} fields={specs} />
        <button type="submit" hidden />
      </FormFrame>
      <LeaveConfirm open={asking} onStay={() => setAsking(false)} onLeave={onClose} />
    </Dialog>
  );
}
