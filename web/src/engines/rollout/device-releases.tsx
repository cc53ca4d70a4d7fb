import { deviceReleaseCalls } from '@mooring/contract/device/release-calls';
import type { DeviceDetail } from '@mooring/contract/device/schemas';
import { resultMachine } from '@mooring/contract/engines/rollout/state-machines';
import { CallFailed } from '../../kit/dead-end.tsx';
import { mayCall } from '../../kit/session.ts';
import { StateTag, toneOf } from '../../kit/state-tag.tsx';
import { Advice, Why } from '../../kit/why.tsx';
import { Timeline } from '../../ui/figures.tsx';
import { Bone, Empty } from '../../ui/states.tsx';
import { useT } from '../../ui/words.ts';
import { DeviceReleaseActs } from './device-release-acts.tsx';
import { Holds } from './holds.tsx';
import { PassedOver } from './passed-over.tsx';
import { ReleaseLink } from './release-link.tsx';
import { type DeviceRelease, sentTo, useDeviceReleases } from './use-device-releases.ts';

/** Why this terminal isn't as it should be: its releases of all kinds, newest first, each with its answer. */
export function DeviceReleases({ row }: { row: DeviceDetail }) {
  const t = useT();
  const { releases, error, retry } = useDeviceReleases(row.id);
  if (error) return <CallFailed part error={error} onRetry={retry} />;
  if (!releases) return <Bone height={120} />;
  const entry = (release: DeviceRelease) => ({
    key: release.id,
    at: String(release.endedAt ?? release.sentAt ?? row.createdAt),
    tone: toneOf(resultMachine, release.state),
    title: (
      <ReleaseLink kind={release.kind.of.kind} id={release.taskId}>
        {release.taskName} · {sentTo(release)}
      </ReleaseLink>
    ),
    text: (
      <span className="m-row m-row-wrap">
        <StateTag machine={resultMachine} code={release.state} />
        <Why row={release} set={release.content !== null} />
        {release.content ? <Holds row={release} /> : null}
        <Advice row={release} />
        <DeviceReleaseActs row={row} release={release} again={retry} />
      </span>
    ),
  });
  return (
    <div className="m-stack">
      {releases.length === 0 ? (
        <Empty title={t('release.ofDeviceEmpty')} />
      ) : (
        <section className="m-panel m-panel-body">
          <Timeline entries={releases.map(entry)} />
        </section>
      )}
      {mayCall(deviceReleaseCalls.passedOver) ? <PassedOver row={row} /> : null}
    </div>
  );
}
