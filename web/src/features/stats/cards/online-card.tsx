import { deviceCalls } from '@mooring/contract/device/calls';
import { homeCalls } from '@mooring/contract/stats/calls';
import { Offer } from '../../../kit/offer.tsx';
import { useCall } from '../../../kit/queries.ts';
import { useSession } from '../../../kit/session.ts';
import { Chart } from '../../../ui/chart.tsx';
import { Stat } from '../../../ui/figures.tsx';
import { Empty } from '../../../ui/states.tsx';
import { useFormat, useT } from '../../../ui/words.ts';
import { type Asked, listOf } from '../use-asked.ts';
import { Answered, Card } from './card.tsx';
import { Difference } from './difference.tsx';

/** Terminals online over the period, beside the one before it. */
export function OnlineCard({ asked: { where, days } }: { asked: Asked }) {
  const t = useT();
  const format = useFormat();
  const { platform } = useSession();
  const asked = useCall(homeCalls.online, { ...where, days }, { every: 30, keep: true });
  const nameOf = (at: string) => (days === '1' ? format.moment(at, 'clock') : format.moment(at, 'date', 'UTC'));
  return (
    <Card title={t('home.online')} note={<span className="m-muted">{t(`home.days.${days}`)}</span>}>
      <Answered of={asked} height={330}>
        {({ now, points, average, averageBefore }) => (
          <div className="m-panel-body m-stack-tight">
            <div className="m-stats">
              <Stat label={t('home.online.now')} value={format.number(now)} tone="good" />
              <Stat
                label={t('home.online.average')}
                value={average === null ? '–' : format.number(average, average < 10 ? 1 : 0)}
                note={<Difference now={average} before={averageBefore} />}
              />
            </div>
            {points.every((one) => one.online === null && one.before === null) ? (
              <Empty icon="clock" title={t('home.online.none')} text={t('home.online.none.text')}>
                <Offer call={deviceCalls.page} to={listOf(platform, where)}>
                  {t('home.terminals.open')}
                </Offer>
              </Empty>
            ) : (
              <Chart
                label={`${t('home.online')}, ${t(`home.days.${days}`)}`}
                kind="area"
                data={{
                  categories: points.map((one) => nameOf(one.at as string)),
                  series: [
                    { key: 'this', name: t('home.online.this'), values: points.map((one) => one.online), tone: 'good' },
                    { key: 'before', name: t('home.online.before'), values: points.map((one) => one.before), tone: 'ended' },
                  ],
                }}
              />
            )}
          </div>
        )}
      </Answered>
    </Card>
  );
}
