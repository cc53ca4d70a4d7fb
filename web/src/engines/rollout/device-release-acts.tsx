import type { DeviceDetail } from '@mooring/contract/device/schemas';
import { useState } from 'react';
import { allows } from '../../kit/allows.ts';
import { useAct } from '../../kit/queries.ts';
import { mayCall } from '../../kit/session.ts';
import { Button } from '../../ui/button.tsx';
import { useT } from '../../ui/words.ts';
import { Kinds } from './kind-context.tsx';
import type { DeviceRelease } from './use-device-releases.ts';
import { WayBack } from './way-back.tsx';

interface Props {
  row: Pick<DeviceDetail, 'sn'>;
  release: DeviceRelease;
  again: () => void;
}

/** Sends a failed release to the terminal once more. */
export function RetryRelease({ row, release, again, of }: Props & { of?: string }) {
  const t = useT();
  const call = release.kind.calls.devices.retry;
  const retry = useAct(call, { successText: { key: 'done.retried', params: { name: row.sn } }, done: again });
  if (!allows(release, 'retry') || !mayCall(call)) return null;
  return (
    <Button small icon="retry" of={of} busy={retry.busy} onClick={() => retry.run({ of: { ids: [release.id] } })}>
      {t('event.taskResult.retry')}
    </Button>
  );
}

/** Gives the terminal back what it had before a release, as a release of its own. */
function RevertRelease({ row, release }: Omit<Props, 'again'>) {
  const t = useT();
  const [asking, setAsking] = useState(false);
  const { calls } = release.kind;
  if (!allows(release, 'revert') || !mayCall(calls.tasks.previous) || !mayCall(calls.tasks.add)) return null;
  return (
    <>
      <Button small icon="back" of={release.taskName} onClick={() => setAsking(true)}>
        {t('firmware.task.revert')}
      </Button>
      {asking ? (
        <Kinds value={[release.kind]}>
          <WayBack row={{ id: release.taskId }} of={{ deviceId: release.deviceId, sn: row.sn }} onClose={() => setAsking(false)} />
        </Kinds>
      ) : null}
    </>
  );
}

/** What may be done next with a release of a terminal, as on the release's own page. */
export const DeviceReleaseActs = (part: Props) => (
  <>
    <RetryRelease {...part} of={part.release.taskName} />
    <RevertRelease {...part} />
  </>
);
