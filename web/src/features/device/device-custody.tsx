import type { DeviceDetail } from '@mooring/contract/device/schemas';
import { custodyCalls } from '@mooring/contract/inventory/stock';
import type { OutputOf } from '@mooring/contract/kit/call';
import { dayOf } from '@mooring/contract/shared/date-range';
import { CallFailed } from '../../kit/dead-end.tsx';
import { useNewestFirst } from '../../kit/older-pages.ts';
import { useCall } from '../../kit/queries.ts';
import { Button } from '../../ui/button.tsx';
import { Timeline } from '../../ui/figures.tsx';
import { Empty, PageSkeleton } from '../../ui/states.tsx';
import { useFormat, useT } from '../../ui/words.ts';

type Entry = OutputOf<typeof custodyCalls.ofDevice>['content'][number];

/** To the day it ends, in the words of today. */
export function Warranty({ row }: { row: Pick<DeviceDetail, 'id'> }) {
  const t = useT();
  const format = useFormat();
  const { data } = useCall(custodyCalls.ofDevice, { deviceId: row.id }, { keep: true });
  if (!data?.warranty) return '–';
  const { until } = data.warranty;
  if (until === null) return t('custody.warranty.none');
  return t(until < dayOf(new Date(), format.timeZone) ? 'custody.warranty.ended' : 'custody.warranty.until', {
    day: format.moment(until, 'date', 'UTC'),
  });
}

/** Through whose hands it went, newest first. */
export function DeviceCustody({ row }: { row: DeviceDetail }) {
  const t = useT();
  const format = useFormat();
  const { asked, entries, busy, hasOlder, goFurther } = useNewestFirst(custodyCalls.ofDevice, { deviceId: row.id }, ({ id }) => id);
  const { data } = asked;
  if (asked.error && !data) return <CallFailed part error={asked.error} onRetry={asked.retry} />;
  if (!data) return <PageSkeleton />;
  if (data.content.length === 0) return <Empty title={t('custody.empty')} icon="swap" />;
  const wayOf = ({ from, to }: Entry) => (from === '' ? to : `${from} → ${to}`);
  const textOf = (entry: Entry) =>
    [
      wayOf(entry),
      entry.entryType ? t(`entry.type.${entry.entryType}`) : '',
      entry.document ? t('custody.document', { document: entry.document }) : '',
      entry.by,
      entry.remark,
    ]
      .filter(Boolean)
      .join(' · ');
  const { warranty } = data;
  return (
    <div className="m-panel m-panel-body m-stack">
      {warranty ? (
        <p>
          {t('custody.soldTo', { buyer: warranty.buyer, day: format.moment(warranty.soldAt, 'date', 'UTC') })} ·{' '}
          {t('custody.document', { document: warranty.document })}
        </p>
      ) : null}
      <Timeline
        entries={entries.map((entry) => ({
          key: String(entry.id),
          at: String(entry.at),
          tone: entry.entryType ? ('kept' as const) : ('busy' as const),
          title: t(`custody.${entry.event}`),
          text: textOf(entry),
        }))}
      />
      {hasOlder ? (
        <div>
          <Button busy={busy} onClick={goFurther}>
            {t('custody.older')}
          </Button>
        </div>
      ) : null}
    </div>
  );
}
