import type { DeviceDetail } from '@mooring/contract/device/schemas';
import { failedResults } from '@mooring/contract/engines/rollout/state-machines';
import { deviceFirmwareCalls, taskDeviceCalls } from '@mooring/contract/firmware/task-calls';
import { allows } from '../../kit/allows.ts';
import { useAct, useCall } from '../../kit/queries.ts';
import { mayCall } from '../../kit/session.ts';
import { Why } from '../../kit/why.tsx';
import { Button } from '../../ui/button.tsx';
import { Note } from '../../ui/states.tsx';
import { useT } from '../../ui/words.ts';
import { ReleaseLink } from './release-link.tsx';

/** That its latest update failed is the first thing to know of a terminal: with the reason, the release and another try. */
export function FailedUpdate({ row }: { row: DeviceDetail }) {
  const t = useT();
  const tasks = useCall(deviceFirmwareCalls.tasks, { deviceId: row.id }, { enabled: mayCall(deviceFirmwareCalls.tasks), every: 15 });
  const retry = useAct(taskDeviceCalls.retry, { successText: { key: 'done.retried', params: { name: row.sn } }, done: tasks.retry });
  const latest = tasks.data?.[0];
  if (!latest || !failedResults.includes(latest.state)) return null;
  const again =
    allows(latest, 'retry') && mayCall(taskDeviceCalls.retry) ? (
      <Button small icon="retry" busy={retry.busy} onClick={() => retry.run({ of: { ids: [latest.id] } })}>
        {t('event.taskResult.retry')}
      </Button>
    ) : null;
  return (
    <Note tone="warn" action={again}>
      <span className="m-row m-row-wrap">
        <span>{t('firmware.ofDevice.failed', { version: latest.taskVersion })}</span>
        <Why row={latest} />
        <ReleaseLink id={latest.taskId}>{latest.taskName}</ReleaseLink>
      </span>
    </Note>
  );
}
