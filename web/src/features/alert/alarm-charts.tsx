import { AlarmDays, alarmCalls } from '@mooring/contract/alert/alarm';
import type { ReactNode } from 'react';
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

/** How many alarms there were, by day, rule and product. */
export function AlarmCharts() {
  const t = useT();
  const format = useFormat();
  const view = useView();
  const days = AlarmDays.catch('30').parse(view.search.get('days'));
  const asked = useCall(alarmCalls.statistic, { days }, { keep: true, every: 60 });
  const choose = (next: string | undefined) => {
    const search = searchNow(view);
    search.set('days', next ?? '30');
    chooseSearch(view, search);
  };
  const period = (
    <Select
      label={t('alarm.days')}
      width={160}
      value={days}
      options={AlarmDays.options.map((one) => ({ value: one, label: t(`alarm.days.${one}`) }))}
      onChange={choose}
    />
  );
  const named = (rows: readonly { name: string; count: number }[]): ChartData => ({
    categories: rows.map(({ name }) => name || t('alarm.ruleGone')),
    series: [{ key: 'count', name: t('alarm.title'), values: rows.map(({ count }) => count) }],
  });
  const body = () => {
    if (asked.error) return <CallFailed part error={asked.error} onRetry={asked.retry} />;
    if (!asked.data)
      return (
        <Loading>
          <Bone height={320} />
        </Loading>
      );
    const { days: byDay, rules, products } = asked.data;
    if (byDay.every(({ high, medium, low }) => high + medium + low === 0))
      return (
        <section className="m-panel">
          <div className="m-panel-head">{period}</div>
          <Empty icon="done" title={t('alarm.none')} />
        </section>
      );
    const series = (['high', 'medium', 'low'] as const).map((key, at) => ({
      key,
      name: t(`alert.priority.${(['1', '2', '3'] as const)[at] ?? '3'}`),
      values: byDay.map((one) => one[key]),
    }));
    return (
      <>
        <Panel
          title={t('alarm.perDay')}
          kind="stack"
          note={period}
          data={{ categories: byDay.map(({ day }) => format.moment(day, 'date', 'UTC')), series }}
        />
        <Panel title={t('alarm.perRule')} data={named(rules)} />
        {products.length > 0 ? <Panel title={t('alarm.perProduct')} data={named(products)} /> : null}
      </>
    );
  };
  return <div className="m-stack">{body()}</div>;
}
