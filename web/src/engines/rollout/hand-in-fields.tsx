import type { TaskCalls } from '@mooring/contract/engines/rollout/task-calls';
import type { InputOf } from '@mooring/contract/kit/call';
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
/**
 * Asked only where the release is handed in: elsewhere nothing would keep it, and nothing of it is sent. What was typed stays for as long as
 * the wizard is open, whatever is thought over meanwhile.
 */
export function HandInFields({ call, input, form }: Props) {
  const { data } = useCall(call, input, { keep: true });
  const isAsked = data?.approval === true && form.values.release === true && 'files' in form.shape;
  return isAsked ? <FieldGrid form={form} fields={handInFields as readonly FieldSpec[]} /> : null;
}
