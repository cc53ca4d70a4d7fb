import type { DeviceDetail } from '@mooring/contract/device/schemas';
import { resultMachine } from '@mooring/contract/engines/rollout/state-machines';
import { deviceFirmwareCalls } from '@mooring/contract/firmware/task-calls';
import { CallFailed } from '../../kit/dead-end.tsx';
import { useCall } from '../../kit/queries.ts';
import { StateTag, toneOf } from '../../kit/state-tag.tsx';
import { Why } from '../../kit/why.tsx';
import { Timeline } from '../../ui/figures.tsx';
import { Bone, Empty } from '../../ui/states.tsx';
import { useT } from '../../ui/words.ts';
import { ReleaseLink } from './release-link.tsx';

/** Why this terminal isn't updated: its firmware tasks, newest first, each with its answer. */
export function DeviceFirmware({ row }: { row: DeviceDetail }) {
  const t = useT();
  const { data, error, retry } = useCall(deviceFirmwareCalls.tasks, { deviceId: row.id }, { every: 15 });
  if (error) return <CallFailed part error={error} onRetry={retry} />;
  if (!data) return <Bone height={120} />;
  if (data.length === 0) return <Empty title={t('firmware.ofDeviceEmpty')} />;
  const entry = (task: (typeof data)[number]) => {
    const name = `${task.taskName} · ${task.taskVersion}`;
    return {
      key: task.id,
      at: String(task.endedAt ?? task.sentAt ?? row.createdAt),
      tone: toneOf(resultMachine, task.state),
      title: <ReleaseLink id={task.taskId}>{name}</ReleaseLink>,
      text: (
        <span className="m-row m-row-wrap">
          <StateTag machine={resultMachine} code={task.state} />
          <Why row={task} />
        </span>
      ),
    };
  };
  return (
    <section className="m-panel m-panel-body">
      <Timeline entries={data.map(entry)} />
    </section>
  );
}
