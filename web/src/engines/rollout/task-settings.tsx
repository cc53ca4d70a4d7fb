import type { TaskDetail } from '@mooring/contract/engines/rollout/task-calls';
import type { TextKey } from '@mooring/contract/texts';
import type { ReactNode } from 'react';
import { Facts } from '../../kit/detail/detail-page.tsx';
import { useFormat, useT } from '../../ui/words.ts';
import type { ReleaseKind } from './release-kind.ts';
import { DeptNames, GroupNames, RingRules } from './ring-rules.tsx';
import { scopeText } from './scope-name.tsx';
import { pacePerMinute } from './task-delivery.tsx';
import { UpdatedBy } from './updated-by.tsx';

type Agreed = Pick<TaskDetail, 'delivery' | 'scope' | 'productId'>;
interface Props {
  kind: ReleaseKind;
  row: Agreed;
  /** What is said first: of a release that isn't there yet, all that its page has in its head. */
  first?: readonly (readonly [TextKey, ReactNode])[];
}

/** What was agreed for the release, as it was written; or as it is about to be. */
export function TaskSettings({ kind, row, first = [] }: Props) {
  const t = useT();
  const format = useFormat();
  const { delivery, scope } = row;
  const none = '–';
  const number = (value: number | null) => (value === null ? none : format.number(value));
  const window = delivery.window;
  const rows: readonly (readonly [TextKey, ReactNode])[] = [
    ...first,
    ['firmware.task.scope', t(scopeText(scope.releaseScope, row.productId !== null || kind.packages !== undefined))],
    ...(scope.releaseScope === '2' ? [['firmware.task.sns', t('firmware.task.snsCount', { count: scope.sns.length })] as const] : []),
    ...(scope.releaseScope === '1'
      ? [
          ...(scope.updatedBy ? [['firmware.task.updatedBy', <UpdatedBy key="by" by={scope.updatedBy} />] as const] : []),
          ['firmware.task.depts', <DeptNames key="depts" ids={scope.deptIds} />] as const,
          ['firmware.task.groups', <GroupNames key="groups" ids={scope.groupIds ?? []} />] as const,
          ['firmware.task.versions', scope.firmware.join(', ') || none] as const,
          ['firmware.task.tags', scope.tags.join(', ') || none] as const,
        ]
      : []),
    [
      'firmware.task.window',
      window ? `${window.days.map((day) => t(`firmware.task.day.${day as 1}`)).join(', ')} ${window.from}–${window.to}` : none,
    ],
    ...(window && window.blackout.length > 0 ? [['window.blackout', window.blackout.join(', ')] as const] : []),
    ...(kind.packages ? [['firmware.task.download', t(`firmware.task.download.${delivery.download}`)] as const] : []),
    ['firmware.task.install', t(`firmware.task.install.${delivery.install}`)],
    ['firmware.task.network', t(`firmware.task.network.${delivery.network}`)],
    ['firmware.task.onBusy', t(`firmware.task.onBusy.${delivery.onBusy}`)],
    [pacePerMinute(kind), number(delivery.pacePerMinute)],
    ['firmware.task.paceAtOnce', number(delivery.paceAtOnce)],
    ['firmware.task.retries', number(delivery.retries)],
    ['firmware.task.retryWait', number(delivery.retryWaitSeconds)],
    ['firmware.task.jitter', number(delivery.jitterSeconds)],
    ['firmware.task.timeout', number(delivery.timeoutMinutes)],
    ['window.waitingDays', number(delivery.waitingDays)],
    ['release.laterMembers', t(delivery.laterMembers ? 'kit.yes' : 'kit.no')],
    ['ring.title', <RingRules key="rings" rings={delivery.rings} />],
    ['firmware.task.halt', delivery.haltPercent === null ? none : format.percent(delivery.haltPercent / 100)],
    ...(delivery.haltPercent === null ? [] : [['firmware.task.haltAfter', number(delivery.haltAfter)] as const]),
    ...(kind.packages ? [['firmware.task.allowDowngrade', t(delivery.allowDowngrade ? 'kit.yes' : 'kit.no')] as const] : []),
  ];
  return <Facts row={row} facts={rows.map(([title, text], at) => ({ key: `_${at}` as const, title, cell: () => text }))} />;
}
