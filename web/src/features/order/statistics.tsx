import { FAULTS, OrderDays, orderCalls } from '@mooring/contract/order/calls';
import type { ReactNode } from 'react';
import { useDict } from '../../kit/choices.ts';
import { CallFailed } from '../../kit/dead-end.tsx';
import { useCall } from '../../kit/queries.ts';
import { chooseSearch, searchNow, useView } from '../../kit/view.ts';
import { Chart } from '../../ui/chart.tsx';
import type { ChartData } from '../../ui/chart-data.ts';
import { Select } from '../../ui/controls.tsx';
import { Bone, Empty, Loading } from '../../ui/states.tsx';
import { useFormat, useT } from '../../ui/words.ts';

function Panel({ title, data, kind = 'bar', note }: { title: string; data: ChartData; kind?: 'bar' | 'stack'; note?: ReactNode }) {
  return (
    <section className="m-panel">
      <div className="m-panel-head">
        <h2 className="m-grow">{title}</h2>
        {note}
      </div>
      <div className="m-panel-body">
        <Chart label={title} kind={kind} data={data} />
      </div>
    </section>
  );
}

function Period({ days }: { days: (typeof OrderDays.options)[number] }) {
  const t = useT();
  const view = useView();
  const choose = (next: string | undefined) => {
    const search = searchNow(view);
    search.set('days', next ?? '90');
    chooseSearch(view, search);
  };
  const options = OrderDays.options.map((one) => ({ value: one, label: t(`order.days.${one}`) }));
  return <Select label={t('order.days')} width={180} value={days} options={options} onChange={choose} />;
}

/** Orders by time, fault and product. */
export function OrderStatistics() {
  const t = useT();
  const format = useFormat();
  const view = useView();
  const days = OrderDays.catch('90').parse(view.search.get('days'));
  const asked = useCall(orderCalls.statistic, { days }, { keep: true, every: 60 });
  const faults = useDict(FAULTS, '');
  if (asked.error) return <CallFailed part error={asked.error} onRetry={asked.retry} />;
  if (!asked.data)
    return (
      <Loading>
        <Bone height={320} />
      </Loading>
    );
  const { times, averageDays } = asked.data;
  const period = <Period days={days} />;
  if (times.every(({ made }) => made === 0))
    return (
      <section className="m-panel">
        <div className="m-panel-head">{period}</div>
        <Empty icon="order" title={t('order.statistic.none')} />
      </section>
    );
  const nameOf = (fault: string) => faults.choices.find(({ value }) => value === fault)?.label.text ?? fault;
  const byCount = (rows: readonly { name: string; count: number }[]): ChartData => ({
    categories: rows.map(({ name }) => name || '–'),
    series: [{ key: 'count', name: t('order.title'), values: rows.map(({ count }) => count) }],
  });
  return (
    <div className="m-stack">
      <Panel
        title={t('order.statistic.time')}
        kind="stack"
        note={period}
        data={{
          categories: times.map(({ from }) => format.moment(from, 'date', 'UTC')),
          series: [
            { key: 'closed', name: t('life.order.closed'), values: times.map(({ closed }) => closed) },
            { key: 'open', name: t('order.statistic.open'), values: times.map(({ made, closed, cancelled }) => made - closed - cancelled) },
            { key: 'cancelled', name: t('life.order.cancelled'), values: times.map(({ cancelled }) => cancelled) },
          ],
        }}
      />
      {averageDays === null ? null : <p className="m-muted">{t('order.statistic.average', { days: format.number(averageDays, 1) })}</p>}
      <Panel
        title={t('order.statistic.fault')}
        data={byCount(asked.data.faults.map(({ fault, count }) => ({ name: nameOf(fault), count })))}
      />
      <Panel title={t('order.statistic.product')} data={byCount(asked.data.products)} />
    </div>
  );
}
