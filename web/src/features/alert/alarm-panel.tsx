import { alarmMachine } from '@mooring/contract/alert/state-machines';
import { deviceCalls } from '@mooring/contract/device/calls';
import { Priority } from '../../kit/alarm-priority.tsx';
import { allows } from '../../kit/allows.ts';
import { Link } from '../../kit/link.tsx';
import { mayCall } from '../../kit/session.ts';
import { StateTag } from '../../kit/state-tag.tsx';
import { Button } from '../../ui/button.tsx';
import { Drawer } from '../../ui/dialog.tsx';
import { useFormat, useT } from '../../ui/words.ts';
import { type AlarmRow, What } from './alarm-words.tsx';
import { handle, isMuted } from './handle.tsx';

/** Everything about one alarm, and what is done with it. */
export function AlarmPanel({ row, onClose }: { row: AlarmRow; onClose: () => void }) {
  const t = useT();
  const format = useFormat();
  const moment = (at: unknown) => (at === null ? '' : format.moment(String(at)));
  const by = (who: string, at: unknown) => [who, moment(at)].filter(Boolean).join(' · ');
  const facts = [
    [t('alarm.about'), <What key="what" row={row} />],
    [t('alarm.state'), <StateTag key="state" machine={alarmMachine} code={row.state} />],
    [t('alarm.priority'), <Priority key="priority" of={row.priority} />],
    [t('alarm.ruleName'), row.ruleName],
    [t('alarm.openedAt'), moment(row.openedAt)],
    [t('alarm.count'), row.count > 1 ? `${format.number(row.count)} · ${moment(row.lastAt)}` : ''],
    [t('alarm.productName'), row.productName ?? ''],
    [t('alarm.deptName'), row.deptName],
    [t('alarm.merchantName'), row.merchantName ?? ''],
    [t('alarm.level'), row.level > 0 ? format.number(row.level) : ''],
    [t('alarm.acknowledgedBy'), by(row.acknowledgedBy, row.acknowledgedAt)],
    [t('alarm.closedBy'), row.closedAt === null ? '' : by(row.closedBy || t('alarm.closedByItself'), row.closedAt)],
    [t('alarm.note'), row.note],
    [t('alarm.mutedUntil'), isMuted(row) ? moment(row.mutedUntil) : ''],
  ] as const;
  return (
    <Drawer open title={row.label} onClose={onClose} width={480}>
      <div className="m-stack">
        <dl className="m-facts-small">
          {facts.map(([name, value]) =>
            value === '' ? null : (
              <div key={name}>
                <dt className="m-muted m-small">{name}</dt>
                <dd>{value}</dd>
              </div>
            ),
          )}
        </dl>
        <div className="m-row m-row-wrap">
          {allows(row, 'acknowledge') ? (
            <Button look="primary" icon="check" onClick={() => handle('acknowledge', row.id, row.label)}>
              {t('alarm.acknowledge')}
            </Button>
          ) : null}
          {allows(row, 'close') ? <Button onClick={() => handle('close', row.id, row.label)}>{t('alarm.close')}</Button> : null}
          {row.deviceId !== null && mayCall(deviceCalls.detail) ? (
            <Link to={`/device/deviceDetail/${row.deviceId}`}>{t('alarm.openDevice')}</Link>
          ) : null}
        </div>
      </div>
    </Drawer>
  );
}
