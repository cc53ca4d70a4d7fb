import { iotCustomerCalls } from '@mooring/contract/customer/customer';
import { CallFailed } from '../../kit/dead-end.tsx';
import { useCall } from '../../kit/queries.ts';
import { Chart } from '../../ui/chart.tsx';
import { Stat, Timeline } from '../../ui/figures.tsx';
import { Bone, Empty, Loading } from '../../ui/states.tsx';
import { useFormat, useLooseT, useT } from '../../ui/words.ts';

const EVERY_SECONDS = 30;

/** What waits, what went out in the last day, and why it last failed. */
export function Overview({ row }: { row: { readonly id: number } }) {
  const t = useT();
  const loose = useLooseT();
  const format = useFormat();
  const asked = useCall(iotCustomerCalls.overview, { id: row.id }, { keep: true, every: EVERY_SECONDS });
  if (asked.error) return <CallFailed part error={asked.error} onRetry={asked.retry} />;
  if (!asked.data)
    return (
      <Loading>
        <Bone height={320} />
      </Loading>
    );
  const { waiting, capped, oldestAt, hours, faults } = asked.data;
  const sum = (key: 'sent' | 'refused' | 'dropped') => hours.reduce((total, one) => total + one[key], 0);
  const series = (['sent', 'refused', 'dropped'] as const).map((key) => ({
    key,
    name: t(`iotCustomer.${key}`),
    values: hours.map((one) => one[key]),
    ...(key === 'sent' ? {} : { tone: key === 'refused' ? ('bad' as const) : ('ended' as const) }),
  }));
  return (
    <div className="m-stack">
      <div className="m-stats">
        <Stat
          label={t('iotCustomer.waiting')}
          value={format.total(waiting, capped)}
          note={oldestAt ? `${t('iotCustomer.oldest')}: ${format.moment(oldestAt)}` : undefined}
        />
        <Stat label={`${t('iotCustomer.sent')} · ${t('iotCustomer.today')}`} value={format.number(sum('sent'))} />
        <Stat label={`${t('iotCustomer.refused')} · ${t('iotCustomer.today')}`} value={format.number(sum('refused'))} />
        <Stat label={`${t('iotCustomer.dropped')} · ${t('iotCustomer.today')}`} value={format.number(sum('dropped'))} />
      </div>
      <section className="m-panel">
        <div className="m-panel-head">
          <h2 className="m-grow">{t('iotCustomer.today')}</h2>
        </div>
        <div className="m-panel-body">
          <Chart
            label={t('iotCustomer.today')}
            kind="stack"
            data={{ categories: hours.map(({ hour }) => format.moment(hour, 'clock')), series }}
          />
        </div>
      </section>
      <section className="m-panel">
        <div className="m-panel-head">
          <h2 className="m-grow">{t('iotCustomer.faults')}</h2>
        </div>
        <div className="m-panel-body">
          {faults.length === 0 ? (
            <Empty icon="done" title={t('iotCustomer.noFaults')} />
          ) : (
            <Timeline entries={faults.map(({ at, reason }) => ({ key: at, at, tone: 'bad', title: loose(`fault.${reason}`, reason) }))} />
          )}
        </div>
      </section>
    </div>
  );
}
