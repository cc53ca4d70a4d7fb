import type { TextKey } from '@mooring/contract/texts';
import { Facts } from '../../kit/detail/detail-page.tsx';
import { useFormat, useT } from '../../ui/words.ts';
import type { Detail } from './task-head.tsx';

/** What was agreed for the release, as it was written. */
export function TaskSettings({ row }: { row: Detail }) {
  const t = useT();
  const format = useFormat();
  const { delivery, scope } = row;
  const none = '–';
  const number = (value: number | null) => (value === null ? none : format.number(value));
  const window = delivery.window;
  const rows: readonly (readonly [TextKey, string])[] = [
    ['firmware.task.scope', t(`firmware.task.scope.${scope.releaseScope}`)],
    ...(scope.releaseScope === '2' ? [['firmware.task.sns', t('firmware.task.snsCount', { count: scope.sns.length })] as const] : []),
    ...(scope.releaseScope === '1'
      ? [
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
    ['firmware.task.timeout', number(delivery.timeoutMinutes)],
    ['firmware.task.halt', number(delivery.haltPercent)],
  ];
  return <Facts row={row} facts={rows.map(([title, text], at) => ({ key: `_${at}` as const, title, cell: () => text }))} />;
}
