import type { Call } from '@mooring/contract/kit/call';
import { shapeOf } from '@mooring/contract/kit/issue-words';
import type { ReactNode } from 'react';
import { hasText, type TextKey, t, useT } from '../../ui/words.ts';
import { FormDialog } from '../form/form-dialog.tsx';
import type { ActForm, RowAction } from '../list/types.ts';
import { seenOf } from '../seen-of.ts';
import { actField } from './act-field.ts';
import { Acted } from './acted.ts';

function aboutOf<R>(act: TextKey, { about = `${act}.about` as TextKey }: ActForm<R>, row: R, name: string): ReactNode {
  if (typeof about === 'function') return about(row);
  return hasText(about) ? t(about, { name }) : undefined;
}

interface Props<R> {
  readonly action: RowAction<R> & { readonly call: Call };
  readonly form: ActForm<R>;
  readonly row: R;
  readonly name: string;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** What an act on a row asks for: it begins with what was seen of the row. */
export function ActDialog<R>({ action, form, row, name, onDone, onClose }: Props<R>) {
  // Its texts are those of the language that is chosen meanwhile.
  useT();
  const { call, label, input } = action;
  const { id, ...seen } = seenOf(call, row);
  const about = aboutOf(label, form, row, name);
  return (
    <Acted value={row}>
      <FormDialog
        title={form.title ?? label}
        of={name}
        submit={form.submit ?? label}
        call={call}
        fields={form.fields.map((one) => actField(label, call, one)) as never}
        initial={{ ...('id' in shapeOf(call.input) ? { id } : {}), ...seen, ...(input?.(row) as object | undefined) } as never}
        wide={form.wide ?? false}
        about={about === undefined ? null : <p className="m-muted">{about}</p>}
        onClose={onClose}
        onDone={onDone}
      />
    </Acted>
  );
}
