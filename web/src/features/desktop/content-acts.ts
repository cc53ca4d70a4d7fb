import { advertCalls } from '@mooring/contract/desktop/advert';
import { storeAdvertSpaceKind } from '@mooring/contract/desktop/kinds';
import type { TaskKind } from '@mooring/contract/engines/rollout/task-kind';
import type { Call } from '@mooring/contract/kit/call';
import type { RowAction } from '../../kit/list/types.ts';
import { session } from '../../kit/session.ts';
import { t } from '../../ui/words.ts';

interface Row {
  readonly id: number;
  readonly name: string;
  readonly state: string;
}
export const moves = {
  publish: { successText: 'done.published', confirm: { text: 'content.publish.about' }, icon: 'send' },
  withdraw: { successText: 'content.done.withdrawn', confirm: { text: 'content.withdraw.about' } },
} as const;

/** A draft of one's own; offered to whoever may add one. */
export const copyOf = (copy: Call): RowAction<Row> => ({
  key: 'copy',
  label: 'content.copy',
  icon: 'copy',
  call: copy,
  input: ({ id, name }) => ({ id, name: t('content.copy.name', { name }).slice(0, 64) }),
  successText: 'content.done.copied',
});
