import type { TaskCalls } from '@mooring/contract/engines/rollout/task-calls';
import type { InputOf } from '@mooring/contract/kit/call';
import { useEffect } from 'react';
import { FieldGrid } from '../../kit/form/field-grid.tsx';
import type { FieldSpec } from '../../kit/form/types.ts';
import type { Form } from '../../kit/form/use-form.ts';
import { useCall } from '../../kit/queries.ts';
import { givenFiles } from '../../kit/upload/given-files.tsx';

/** What goes with a release to those who approve it. */
export const handInFields = [{ name: 'comment', label: 'approval.comment', kind: 'area', wide: true }, givenFiles] as const;

interface Props {
  readonly call: TaskCalls['preview'];
  readonly input: InputOf<TaskCalls['preview']>;
  readonly form: Form;
}
/** Asked only where the release is handed in: elsewhere nothing would keep it. */
export function HandInFields({ call, input, form }: Props) {
  const { data } = useCall(call, input);
  const isKnown = data !== undefined;
  const isAsked = data?.approval === true && form.values.release === true && 'files' in form.shape;
  const { set, values } = form;
  useEffect(() => {
    if (!isKnown || isAsked) return;
    if (values.comment) set('comment', '');
    if (Array.isArray(values.files) && values.files.length > 0) set('files', []);
  }, [isKnown, isAsked, set, values.comment, values.files]);
  return isAsked ? <FieldGrid form={form} fields={handInFields as readonly FieldSpec[]} /> : null;
}
