import { alarmCalls } from '@mooring/contract/alert/alarm';
import { alarmMachine } from '@mooring/contract/alert/state-machines';
import { deviceCalls } from '@mooring/contract/device/calls';
import { Priority } from '../../kit/alarm-priority.tsx';
import { Link } from '../../kit/link.tsx';
import { ActBar, useRowActs } from '../../kit/list/row-acts.tsx';
import { ofRow, rowAction } from '../../kit/list/types.ts';
import { mayCall } from '../../kit/session.ts';
import { StateTag } from '../../kit/state-tag.tsx';
import { Drawer } from '../../ui/dialog.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { useFormat, useT } from '../../ui/words.ts';
import { type AlarmRow, What } from './alarm-words.tsx';
import { isMuted } from './muting.ts';

/** What whoever looks after it does. */
export const handling = ofRow<AlarmRow>([
  rowAction(alarmCalls.acknowledge, { label: 'alarm.acknowledge', icon: 'check', form: ['note'], successText: 'alarm.acknowledged' }),
  rowAction(alarmCalls.close, {
    label: 'alarm.close',
    icon: 'close',
    form: { fields: ['note'], about: 'alarm.close.about' },
    successText: 'alarm.closed',
  }),
]);

/** Everything about one alarm, and what is done with it. */
export function AlarmPanel({ row, onClose }: { row: AlarmRow; onClose: () => void }) {
  const t = useT();
  const format = useFormat();
  const acts = useRowActs<AlarmRow>(({ label }) => label);
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
    <>
      <Drawer open title={row.label} onClose={onClose} width={480}>
        <div className="m-stack">
          <FactList facts={facts} />
          <div className="m-row m-row-wrap">
            <ActBar leads={2} actions={handling} row={row} name={row.label} start={acts.start} />
            {row.deviceId !== null && mayCall(deviceCalls.detail) ? (
              <Link to={`/device/deviceDetail/${row.deviceId}`}>{t('alarm.openDevice')}</Link>
            ) : null}
          </div>
        </div>
      </Drawer>
      {acts.dialog}
    </>
  );
}
