import type { DeviceDetail } from '@mooring/contract/device/schemas';
import { failedResults } from '@mooring/contract/engines/rollout/state-machines';
import { allows } from '../../kit/allows.ts';
import { useAct } from '../../kit/queries.ts';
import { mayCall } from '../../kit/session.ts';
import { Advice, Why } from '../../kit/why.tsx';
import { Button } from '../../ui/button.tsx';
import { Note } from '../../ui/states.tsx';
import { useT } from '../../ui/words.ts';
import { ReleaseLink } from './release-link.tsx';
import { type DeviceRelease, sentTo, useDeviceReleases } from './use-device-releases.ts';

function Failed({ row, latest, again }: { row: DeviceDetail; latest: DeviceRelease; again: () => void }) {
  const t = useT();
  const call = latest.kind.calls.devices.retry;
  const retry = useAct(call, { successText: { key: 'done.retried', params: { name: row.sn } }, done: again });
  const action =
    allows(latest, 'retry') && mayCall(call) ? (
      <Button small icon="retry" busy={retry.busy} onClick={() => retry.run({ of: { ids: [latest.id] } })}>
        {t('event.taskResult.retry')}
      </Button>
    ) : null;
  return (
    <Note tone="warn" action={action}>
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
