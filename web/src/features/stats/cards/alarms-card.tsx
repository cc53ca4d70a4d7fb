import { alarmCalls } from '@mooring/contract/alert/alarm';
import { alertRuleCalls } from '@mooring/contract/alert/rule';
import { Link } from '../../../kit/link.tsx';
import { Offer } from '../../../kit/offer.tsx';
import { useCall } from '../../../kit/queries.ts';
import { useSession } from '../../../kit/session.ts';
import { Stat } from '../../../ui/figures.tsx';
import { Empty } from '../../../ui/states.tsx';
import { useFormat, useT } from '../../../ui/words.ts';
import type { Asked } from '../use-asked.ts';
import { Answered, Card } from './card.tsx';

const ALARMS = '/device/alertPush';

/** How many alarms somebody should act on, and the newest of them. */
export function AlarmsCard({ asked: { where, days } }: { asked: Asked }) {
  const t = useT();
  const format = useFormat();
  const leads = useSession().platform === 'centre';
  const dept = where.deptId === undefined ? '' : `&a.below=${where.deptId}`;
  const filter = `${dept}${where.productId === undefined ? '' : `&a.productId=${where.productId}`}`;
  const asked = useCall(alarmCalls.summary, { ...where, days }, { every: 30, keep: true });
  return (
    <Card title={t('alarm.title')} note={leads ? <Link to={`${ALARMS}?${filter.slice(1)}`}>{t('alarm.card.all')}</Link> : null}>
      <Answered of={asked} height={160}>
        {({ open, acknowledged, capped, newest, raised }) =>
          newest.length === 0 ? (
            <Empty
              icon="done"
              title={t('alarm.empty')}
              text={`${t('alarm.emptyText')} ${t('home.alarms.raised', { days: t(`home.days.${days}`) })}: ${raised ? format.total(raised.total, raised.capped) : '–'}`}
            >
              {leads ? (
                <Offer call={alertRuleCalls.page} to={`${ALARMS}?tab=rules`}>
                  {t('home.rules.open')}
                </Offer>
              ) : null}
            </Empty>
          ) : (
            <>
              <div className="m-panel-body m-stats">
                <Stat label={t('alarm.card.open')} value={format.total(open, capped)} tone={open > 0 ? 'bad' : 'idle'} />
                <Stat label={t('alarm.card.acknowledged')} value={format.total(acknowledged, capped)} />
                {raised ? (
                  <Stat
                    label={t('home.alarms.raised', { days: t(`home.days.${days}`) })}
                    value={format.total(raised.total, raised.capped)}
                  />
                ) : null}
              </div>
              <ul className="m-home-rows">
                {newest.map((row) => (
                  <li key={row.id}>
                    <Link to={`${ALARMS}?a.row=${row.id}${filter}`} className="m-home-row">
                      <span className="m-grow m-stack-none">
                        <span className="m-mono">{row.label}</span>
                        <span className="m-small m-muted">{t(`alert.what.${row.kind}`, row.about)}</span>
                      </span>
                      <span className="m-small m-muted">{format.ago(String(row.openedAt))}</span>
                    </Link>
                  </li>
                ))}
              </ul>
            </>
          )
        }
      </Answered>
    </Card>
  );
}
