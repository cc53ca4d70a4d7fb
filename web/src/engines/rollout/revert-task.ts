import type { TaskDetail, TaskDeviceCalls } from '@mooring/contract/engines/rollout/task-calls';
import { api } from '../../kit/client.ts';
import type { RowAction, RowOf } from '../../kit/list/types.ts';
import { mayCall } from '../../kit/session.ts';
import { goOnFromHere } from '../../kit/view.ts';
import { toast } from '../../ui/toast.tsx';
import { t } from '../../ui/words.ts';
import type { PackageRelease } from './release-kind.ts';
import { type BackOf, backAddress } from './task-copies.ts';

const BACK = ['3', '6'];

async function wayBack(kind: PackageRelease, row: Pick<TaskDetail, 'id'>, of: BackOf & { readonly deviceId?: number }): Promise<void> {
  const { sn: _sn, ...which } = of;
  const goOn = goOnFromHere();
  const before = await api(kind.calls.tasks.previous, { id: row.id, ...which }).catch(() => undefined);
  const to = before?.find((one) => one.packageId !== null);
  if (before && to?.packageId) {
    // One package for all, also for those that ran another version, or one of which there is no package.
    const versions = before.map(({ version, count }) => t('firmware.task.ranBefore', { version, count })).join(', ');
    if (before.length > 1) toast('warning', t('firmware.task.backTo', { version: to.version, versions }));
    goOn(backAddress(kind.of.screens.task, row, to.packageId, of));
  } else if (before) toast('warning', t('firmware.task.noWayBack', { versions: before.map((one) => one.version).join(', ') || '–' }));
}

/** The updated terminals get the version that most of them ran before: as a release of its own, to be looked at first. */
export const revertTask = (kind: PackageRelease): RowAction<TaskDetail> => ({
  key: 'revert',
  label: 'firmware.task.revert',
  icon: 'back',
  when: (row) => mayCall(kind.calls.tasks.add) && BACK.some((code) => (row.tally[code] ?? 0) > 0),
  run: (row) => void wayBack(kind, row, {}),
});

/** The same for a ring of it. */
export const mayRevertRing = (kind: PackageRelease, ring: TaskDetail['rings'][number]): boolean =>
  mayCall(kind.calls.tasks.add) && BACK.some((code) => (ring.tally[code] ?? 0) > 0);
export const revertRing = (kind: PackageRelease, row: Pick<TaskDetail, 'id'>, ring: number): void => void wayBack(kind, row, { ring });

/** And for one terminal of it. */
export const revertDevice = (kind: PackageRelease, row: Pick<TaskDetail, 'id'>): RowAction<RowOf<TaskDeviceCalls['page']>> => ({
  key: 'revert',
  label: 'firmware.task.revert',
  icon: 'back',
  when: ({ state }) => mayCall(kind.calls.tasks.add) && BACK.includes(state),
  run: ({ deviceId, sn }) => void wayBack(kind, row, { deviceId, sn }),
});
