import type { TaskDetail } from '@mooring/contract/engines/rollout/task-calls';
import { api } from '../../kit/client.ts';
import type { RowAction } from '../../kit/list/types.ts';
import { mayCall } from '../../kit/session.ts';
import { go } from '../../kit/view.ts';
import { toast } from '../../ui/toast.tsx';
import { t } from '../../ui/words.ts';
import type { PackageRelease } from './release-kind.ts';

async function wayBack(kind: PackageRelease, row: TaskDetail): Promise<void> {
  const before = await api(kind.calls.tasks.previous, { id: row.id }).catch(() => undefined);
  const to = before?.find((one) => one.packageId !== null);
  if (to) go(`${kind.of.screens.task}/new?copy=${row.id}&back=${to.packageId}`);
  else if (before) toast('warning', t('firmware.task.noWayBack', { versions: before.map((one) => one.version).join(', ') || '–' }));
}

/** The updated terminals get the version that most of them ran before: as a release of its own, to be looked at first. */
export const revertTask = (kind: PackageRelease): RowAction<TaskDetail> => ({
  key: 'revert',
  label: 'firmware.task.revert',
  icon: 'back',
  when: (row) => mayCall(kind.calls.tasks.add) && ['3', '6'].some((code) => (row.tally[code] ?? 0) > 0),
  run: (row) => void wayBack(kind, row),
});
