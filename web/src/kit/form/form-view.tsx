import type { Call } from '@mooring/contract/kit/call';
import { type ReactNode, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { useT } from '../../ui/words.ts';
import { messageOf } from '../client.ts';
import { isCallError } from '../outcome.ts';
import { useAct } from '../queries.ts';
import { FieldGrid } from './field-grid.tsx';
import { FormFrame } from './form-frame.tsx';
import type { FieldSpec, Section, Values } from './types.ts';
import type { Form } from './use-form.ts';

/** Sends a form's values; what the server refuses goes to its fields. */
export function useSubmit(
  form: Form,
  call: Call,
  { input, done }: { input?: ((values: Values) => unknown) | undefined; done: (output: unknown) => void },
) {
  const [failure, setFailure] = useState<string>();
  const act = useAct(call, { hidden: true });
  // Known at once, where `busy` comes with the next drawing: one click, one Enter counts.
  const running = useRef(false);
  const submit = async () => {
    if (running.current) return;
    setFailure(undefined);
    if (!form.check()) return;
    running.current = true;
    try {
      const output = await act.ask((input ? input(form.tidied) : form.tidied) as never);
      form.finish();
      done(output);
    } catch (error) {
      if (!isCallError(error)) throw error;
      if (!form.refuse(error)) setFailure(messageOf(error));
    } finally {
      running.current = false;
    }
  };
  return { submit, busy: act.busy, failure, refused: act.error };
}

export interface FormViewProps {
  form: Form;
  sections: readonly Section[];
  submitLabel: string;
  onSubmit: () => void;
  onCancel?: (() => void) | undefined;
  busy: boolean;
  failure: string | undefined;
  danger?: boolean;
  aside?: ReactNode;
  /** For whoever may look at it alone. */
  readOnly?: boolean;
}

/** Fields that show what is there, and take nothing. */
export const fixedFields = (fields: readonly FieldSpec[]): readonly FieldSpec[] => fields.map((field) => ({ ...field, fixed: true }));

export function FormView({ form, sections, submitLabel, onSubmit, onCancel, busy, failure, danger, readOnly = false }: FormViewProps) {
  const t = useT();
  return (
    <FormFrame form={form} onSubmit={() => readOnly || onSubmit()} problems={form.tried > 0 ? form.problems() : []} message={failure}>
      {sections
        .filter((section) => section.when?.(form.values) ?? true)
        .map((section, at) => (
          <section key={section.title ?? at} className="m-panel m-panel-body m-stack">
            {section.title || section.text ? (
              <div className="m-stack-tight">
                {section.title ? <h2>{t(section.title)}</h2> : null}
                {section.text ? <p className="m-muted">{t(section.text)}</p> : null}
              </div>
            ) : null}
            <FieldGrid form={form} fields={readOnly ? fixedFields(section.fields) : section.fields} />
            {section.below}
          </section>
        ))}
      {readOnly ? null : (
        <div className="m-form-foot">
          {onCancel ? (
            <Button onClick={onCancel} disabled={busy}>
              {t('kit.cancel')}
            </Button>
          ) : null}
          <Button look="primary" submit busy={busy} danger={danger ?? false}>
            {submitLabel}
          </Button>
          <span className="m-faint m-small m-only-wide">
            <bdi dir="ltr">
              <span className="m-kbd">Ctrl</span> <span className="m-kbd">Enter</span>
            </bdi>
          </span>
        </div>
      )}
    </FormFrame>
  );
}
