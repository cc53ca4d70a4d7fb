import { deviceReleaseCalls } from '@mooring/contract/device/release-calls';
import type { DeviceDetail } from '@mooring/contract/device/schemas';
import type { Drift } from '@mooring/contract/engines/rollout/drift-calls';
import { driftCallsFor } from '@mooring/contract/release-drift';
import { useState } from 'react';
import { useCall } from '../../kit/queries.ts';
import { mayCall } from '../../kit/session.ts';
import { Button } from '../../ui/button.tsx';
import { Note } from '../../ui/states.tsx';
import { useFormat, useT } from '../../ui/words.ts';
import { ApplyAgain } from './apply-again.tsx';
import { foundOn, leftBy } from './drift-words.ts';
import { useKinds } from './kind-context.tsx';
import type { ReleaseKind } from './release-kind.ts';
import { ReleaseLink } from './release-link.tsx';

function One({ kind, row, again }: { kind: ReleaseKind; row: Drift; again: () => void }) {
  const t = useT();
  const format = useFormat();
  const call = driftCallsFor(kind.of).applyAgain;
  const [asking, setAsking] = useState(false);
  return (
    <li className="m-row m-row-wrap">
      <span className="m-grow">
        {t('drift.wanted')}: <b>{leftBy(kind, row) || '–'}</b> · {t('drift.found')}: <b>{foundOn(kind, row)}</b>{' '}
        <span className="m-muted">{format.ago(String(row.since))}</span>
        {row.taskName === null ? null : (
          <>
            {' · '}
            <ReleaseLink kind={row.kind} id={row.taskId}>
              {row.taskName}
            </ReleaseLink>
          </>
        )}
      </span>
      {row.taskName !== null && mayCall(call) ? (
        <Button small icon="retry" onClick={() => setAsking(true)}>
          {t('drift.again')}
        </Button>
      ) : null}
      {asking ? <ApplyAgain row={row} onClose={() => setAsking(false)} onDone={again} /> : null}
    </li>
  );
}

/** What of this terminal isn't as it was released any more, each with the way to put it right. */
export function DeviceDrifts({ row }: { row: DeviceDetail }) {
  const t = useT();
  const kinds = useKinds();
  const { data, retry } = useCall(deviceReleaseCalls.drifts, { deviceId: row.id }, { enabled: mayCall(deviceReleaseCalls.drifts) });
  const shown = (data ?? []).flatMap((one) => {
    const kind = kinds.find(({ of }) => of.kind === one.kind);
    return kind ? [{ kind, row: one }] : [];
  });
  if (shown.length === 0) return null;
  return (
    <Note tone="warn">
      <div className="m-stack-tight">
        <span>{t('drift.ofDevice', { count: shown.length })}</span>
        <ul className="m-plain-list m-stack-tight">
          {shown.map((one) => (
            <One key={one.row.id} {...one} again={retry} />
          ))}
        </ul>
      </div>
    </Note>
  );
}
