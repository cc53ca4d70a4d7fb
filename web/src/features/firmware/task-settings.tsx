import type { TextKey } from '@mooring/contract/texts';
import type { ReactNode } from 'react';
import { Facts } from '../../kit/detail/detail-page.tsx';
import { useFormat, useT } from '../../ui/words.ts';
import { DeptNames, RingRules } from './ring-rules.tsx';
import type { Detail } from './task-head.tsx';

type Agreed = Pick<Detail, 'delivery' | 'scope'>;
interface Props {
  row: Agreed;
  /** What is said first: of a release that isn't there yet, all that its page has in its head. */
  first?: readonly (readonly [TextKey, string])[];
}

/** What was agreed for the release, as it was written; or as it is about to be. */
export function TaskSettings({ row, first = [] }: Props) {
  const t = useT();
  const format = useFormat();
  const { delivery, scope } = row;
  const none = '–';
  const number = (value: number | null) => (value === null ? none : format.number(value));
  const window = delivery.window;
  const rows: readonly (readonly [TextKey, ReactNode])[] = [
    ...first,
    ['firmware.task.scope', t(`firmware.task.scope.${scope.releaseScope}`)],
    ...(scope.releaseScope === '2' ? [['firmware.task.sns', t('firmware.task.snsCount', { count: scope.sns.length })] as const] : []),
    ...(scope.releaseScope === '1'
      ? [
          ['firmware.task.depts', <DeptNames key="depts" ids={scope.deptIds} />] as const,
          ['firmware.task.versions', scope.firmware.join(', ') || none] as const,
          ['firmware.task.tags', scope.tags.join(', ') || none] as const,
        ]
      : []),
    [
      'firmware.task.window',
      window ? `${window.days.map((day) => t(`firmware.task.day.${day as 1}`)).join(', ')} ${window.from}–${window.to}` : none,
    ],
    ['firmware.task.download', t(`firmware.task.download.${delivery.download}`)],
    ['firmware.task.install', t(`firmware.task.install.${delivery.install}`)],
    ['firmware.task.network', t(`firmware.task.network.${delivery.network}`)],
    ['firmware.task.onBusy', t(`firmware.task.onBusy.${delivery.onBusy}`)],
    ['firmware.task.pacePerMinute', number(delivery.pacePerMinute)],
    ['firmware.task.paceAtOnce', number(delivery.paceAtOnce)],
    ['firmware.task.retries', number(delivery.retries)],
    ['firmware.task.retryWait', number(delivery.retryWaitSeconds)],
    ['firmware.task.jitter', number(delivery.jitterSeconds)],
    ['firmware.task.timeout', number(delivery.timeoutMinutes)],
    ['ring.title', <RingRules key="rings" rings={delivery.rings} />],
    ['firmware.task.halt', delivery.haltPercent === null ? none : format.percent(delivery.haltPercent / 100)],
    ...(delivery.haltPercent === null ? [] : [['firmware.task.haltAfter', number(delivery.haltAfter)] as const]),
    ['firmware.task.allowDowngrade', t(delivery.allowDowngrade ? 'kit.yes' : 'kit.no')],
  ];
  return <Facts row={row} facts={rows.map(([title, text], at) => ({ key: `_${at}` as const, title, cell: () => text }))} />;
}
