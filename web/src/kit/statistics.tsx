import type { Call, InputOf, OutputOf } from '@mooring/contract/kit/call';
import type { z } from 'zod';
import { Chart } from '../ui/chart.tsx';
import type { ChartData } from '../ui/chart-data.ts';
import { Select } from '../ui/controls.tsx';
import type { IconName } from '../ui/icon.tsx';
import { Bone, Empty, Loading } from '../ui/states.tsx';
import { type TextKey, useT } from '../ui/words.ts';
import { CallFailed } from './dead-end.tsx';
import { useCall } from './queries.ts';
import { chooseSearch, searchNow, useView } from './view.ts';

interface Figure {
  readonly title: TextKey;
  readonly kind?: 'stack';
  readonly data: ChartData;
  /** A sentence below it. */
  readonly said?: string | undefined;
}
interface Props<C extends Call, D extends string> {
  readonly call: C;
  /** What the call is asked beside the days. */
  readonly more?: Omit<InputOf<C>, 'days'>;
  /** How many days back, and what is shown where the address says none; `order.days.90` names them. */
  readonly days: z.ZodEnum<Record<D, D>>;
  readonly usual: NoInfer<D>;
  readonly names: 'alarm.days' | 'order.days';
  readonly none: { readonly icon: IconName; readonly title: TextKey; readonly when: (found: OutputOf<C>) => boolean };
  readonly figures: (found: OutputOf<C>) => readonly Figure[];
}

/** Rows that are counted, as bars. */
export const counted = (name: string, unnamed: string, rows: readonly { readonly name: string; readonly count: number }[]): ChartData => ({
  categories: rows.map((row) => row.name || unnamed),
  series: [{ key: 'count', name, values: rows.map(({ count }) => count) }],
});

/** What was counted over some days, which the address holds; the days are chosen beside the first chart. */
export function Statistics<C extends Call, D extends string>({ call, more, days: offered, usual, names, none, figures }: Props<C, D>) {
  const t = useT();
  const view = useView();
  const days = offered.catch(usual as never).parse(view.search.get('days')) as string;
  const asked = useCall(call, { ...more, days } as InputOf<C>, { keep: true, every: 60 });
  const choose = (next: string = usual) => {
    const search = searchNow(view);
    search.set('days', next);
    chooseSearch(view, search);
  };
  if (asked.error) return <CallFailed part error={asked.error} onRetry={asked.retry} />;
  if (asked.data === undefined)
    return (
      <Loading>
        <Bone height={320} />
      </Loading>
    );
  const options = offered.options.map((one) => ({ value: String(one), label: t(`${names}.${one as '90'}`) }));
  const period = <Select label={t(names)} width={180} value={days} options={options} onChange={choose} />;
  if (none.when(asked.data))
    return (
      <section className="m-panel">
        <div className="m-panel-head">{period}</div>
        <Empty icon={none.icon} title={t(none.title)} />
      </section>
    );
  return (
    <div className="m-stack">
      {figures(asked.data).flatMap(({ title, kind, data, said }, at) => [
        <section key={title} className="m-panel">
          <div className="m-panel-head">
            <h2 className="m-grow">{t(title)}</h2>
            {at === 0 ? period : null}
          </div>
          <div className="m-panel-body">
            <Chart label={t(title)} kind={kind ?? 'bar'} data={data} />
          </div>
        </section>,
        said === undefined ? null : (
          <p key={`${title} said`} className="m-muted">
            {said}
          </p>
        ),
      ])}
    </div>
  );
}
