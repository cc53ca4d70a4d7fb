import { alarmCalls } from '@mooring/contract/alert/alarm';
import { Link } from '../../../kit/link.tsx';
import { useCall } from '../../../kit/queries.ts';
import { useSession } from '../../../kit/session.ts';
import { Stat } from '../../../ui/figures.tsx';
import { Empty } from '../../../ui/states.tsx';
import { useFormat, useT } from '../../../ui/words.ts';
import type { Asked } from '../use-asked.ts';
import { Answered, Card } from './card.tsx';

const ALARMS = '/device/alertPush';

/** How many alarms somebody should act on, and the newest of them. */
export function AlarmsCard({ asked: { where } }: { asked: Asked }) {
  const t = useT();
  const format = useFormat();
  const leads = useSession().platform === 'centre';
  const dept = where.deptId === undefined ? '' : `&a.deptId=${where.deptId}`;
  const asked = useCall(alarmCalls.summary, where.deptId === undefined ? {} : { deptId: where.deptId }, { every: 30, keep: true });
  return (
    <Card title={t('alarm.title')} note={leads ? <Link to={`${ALARMS}?${dept.slice(1)}`}>{t('alarm.card.all')}</Link> : null}>
      <Answered of={asked} height={160}>
        {({ open, acknowledged, capped, newest }) =>
          newest.length === 0 ? (
            <Empty icon="done" title={t('alarm.empty')} />
          ) : (
            <>
              <div className="m-panel-body m-stats">
                <Stat label={t('alarm.card.open')} value={format.total(open, capped)} tone={open > 0 ? 'bad' : 'idle'} />
                <Stat label={t('alarm.card.acknowledged')} value={format.total(acknowledged, capped)} />
              </div>
              <ul className="m-home-rows">
                {newest.map((row) => (
                  <li key={row.id}>
                    <Link to={`${ALARMS}?a.row=${row.id}${dept}`} className="m-home-row">
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
