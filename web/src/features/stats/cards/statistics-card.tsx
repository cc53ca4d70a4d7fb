import { deviceCalls } from '@mooring/contract/device/calls';
import { taskCalls } from '@mooring/contract/firmware/task-calls';
import { type DayRange, dayOf, statisticRange } from '@mooring/contract/shared/date-range';
import { statisticCalls } from '@mooring/contract/stats/calls';
import { measures, type Trend } from '@mooring/contract/stats/schemas';
import { useState } from 'react';
import { Offer } from '../../../kit/offer.tsx';
import { useCall } from '../../../kit/queries.ts';
import { useSession } from '../../../kit/session.ts';
import { Chart } from '../../../ui/chart.tsx';
import { Select } from '../../../ui/controls.tsx';
import { Empty } from '../../../ui/states.tsx';
import { StatisticRange } from '../../../ui/statistic-range.tsx';
import { useFormat, useT } from '../../../ui/words.ts';
import { type Asked, listOf } from '../use-asked.ts';
import { Answered, Card } from './card.tsx';

type Measure = (typeof measures)[number];
interface Over {
  readonly range: DayRange;
  readonly step: '1' | '2';
}

function dataOf(trend: Trend, measure: Measure, names: { readonly all: string; readonly good: string; readonly bad: string }) {
  const good = {
    key: 'good',
    name: measure === 'results' ? names.good : names.all,
    values: trend.entries.map((one) => one.totalCnt),
    tone: 'good' as const,
  };
  const bad = { key: 'bad', name: names.bad, values: trend.entries.map((one) => one.failedCnt), tone: 'bad' as const };
  return { categories: trend.entries.map((one) => one.summaryDate), series: measure === 'results' ? [good, bad] : [good] };
}

function TrendChart({ measure, over, where }: { measure: Measure; over: Over; where: Asked['where'] }) {
  const t = useT();
  const format = useFormat();
  const { from, to } = over.range;
  const summaryDate = { ...(from ? { greaterThanOrEqual: from } : {}), ...(to ? { lessThanOrEqual: to } : {}) };
  const asked = useCall(statisticCalls.trend, { measure, tendencyType: over.step, summaryDate, ...where }, { every: 300, keep: true });
  const { platform } = useSession();
  const title = t(`home.trend.${measure}`);
  const write = (value: number) =>
    measure === 'bytes' ? format.size(value) : format.number(value, measure === 'online' && value < 10 ? 1 : 0);
  return (
    <Answered of={asked} height={310}>
      {(trend) => {
        const { cnt, failedCnt } = trend.totalSummary;
        return (
          <section className="m-stack-tight" aria-label={title}>
            <div className="m-row m-row-wrap">
              <h3 className="m-grow">{title}</h3>
              {cnt + failedCnt === 0 ? null : (
                <span className="m-muted">
                  {t(measure === 'online' ? 'home.trend.average' : 'home.trend.total', { count: write(cnt + failedCnt) })}
                </span>
              )}
            </div>
            {cnt + failedCnt === 0 ? (
              <Empty icon="inbox" title={t('home.trend.none')} text={t('home.trend.none.text')}>
                {measure === 'activated' || measure === 'online' ? (
                  <Offer call={deviceCalls.page} to={listOf(platform, where)}>
                    {t('home.terminals.open')}
                  </Offer>
                ) : (
                  <Offer call={taskCalls.page} to="/device/fota">
                    {t('home.releases.open')}
                  </Offer>
                )}
              </Empty>
            ) : (
              <Chart
                label={title}
                kind={measure === 'online' ? 'area' : 'stack'}
                write={write}
                data={dataOf(trend, measure, { all: title, good: t('home.trend.succeeded'), bad: t('home.trend.failed') })}
              />
            )}
          </section>
        );
      }}
    </Answered>
  );
}

/** Trends by day and month over the ranges of the specification; each with its numbers as a table and as a file. */
export function StatisticsCard({ asked: { where } }: { asked: Asked }) {
  const t = useT();
  const today = dayOf(Date.now(), useFormat().timeZone);
  const [range, setRange] = useState<DayRange>(() => statisticRange('last30', today));
  const [step, setStep] = useState<Over['step']>('1');
  return (
    <Card
      title={t('home.statistics')}
      note={
        <div className="m-row m-row-wrap">
          <span className="m-small m-muted">{t('home.statistics.utc')}</span>
          <StatisticRange label={t('home.statistics.range')} value={range} onChange={setRange} />
          <Select
            label={t('home.statistics.step')}
            width={120}
            value={step}
            onChange={(value = '1') => setStep(value)}
            options={[
              { value: '1', label: t('home.statistics.daily') },
              { value: '2', label: t('home.statistics.monthly') },
            ]}
          />
        </div>
      }
    >
      <div className="m-panel-body m-home-trends">
        {measures.map((measure) => (
          <TrendChart key={measure} measure={measure} over={{ range, step }} where={where} />
        ))}
      </div>
    </Card>
  );
}
