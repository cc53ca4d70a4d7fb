import type { DeviceDetail } from '@mooring/contract/device/schemas';
import { failedResults } from '@mooring/contract/engines/rollout/state-machines';
import { Advice, Why } from '../../kit/why.tsx';
import { Note } from '../../ui/states.tsx';
import { useT } from '../../ui/words.ts';
import { RetryRelease } from './device-release-acts.tsx';
import { ReleaseLink } from './release-link.tsx';
import { type DeviceRelease, sentTo, useDeviceReleases } from './use-device-releases.ts';

function Failed({ row, latest, again }: { row: DeviceDetail; latest: DeviceRelease; again: () => void }) {
  const t = useT();
  return (
    <Note tone="warn" action={<RetryRelease row={row} release={latest} again={again} />}>
      <span className="m-row m-row-wrap">
        <span>{t(latest.content ? 'release.ofDevice.failed' : 'firmware.ofDevice.failed', { version: sentTo(latest) })}</span>
        <Why row={latest} />
        <Advice row={latest} />
        <ReleaseLink kind={latest.kind.of.kind} id={latest.taskId}>
          {latest.taskName}
        </ReleaseLink>
      </span>
    </Note>
  );
}

/** Of its kind: what a later one mended is no news. */
const isNewest = (one: DeviceRelease, all: readonly DeviceRelease[]) => !all.some(({ id, kind }) => id > one.id && kind === one.kind);

/** That its latest release failed is the first thing to know of a terminal: with the reason, the release and another try. */
export function FailedRelease({ row }: { row: DeviceDetail }) {
  const { releases, retry } = useDeviceReleases(row.id);
  const latest = releases?.find((one) => failedResults.includes(one.state) && isNewest(one, releases));
  return latest ? <Failed row={row} latest={latest} again={retry} /> : null;
}
