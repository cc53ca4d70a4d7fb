import { activeCalls } from '@mooring/contract/device/active/active-calls';
import { deviceCalls } from '@mooring/contract/device/calls';
import type { OutputOf } from '@mooring/contract/kit/call';
import { useState } from 'react';
import { CallFailed } from '../../../kit/dead-end.tsx';
import { Link } from '../../../kit/link.tsx';
import { useCall } from '../../../kit/queries.ts';
import { mayCall } from '../../../kit/session.ts';
import { Button } from '../../../ui/button.tsx';
import { ScrollRegion } from '../../../ui/scroll-region.tsx';
import { Bone } from '../../../ui/states.tsx';
import { StatusTag } from '../../../ui/status-tag.tsx';
import { useFormat, useT } from '../../../ui/words.ts';

type Change = OutputOf<typeof activeCalls.changes>['content'][number];

function Line({ of }: { of: Change }) {
  const t = useT();
  const format = useFormat();
  return (
    <li className="m-row m-row-wrap">
      <time className="m-small m-muted" dateTime={of.at}>
        {format.moment(of.at, 'second')}
      </time>
      <StatusTag tone={of.came ? 'good' : 'away'}>{t(of.came ? 'active.connected' : 'active.disconnected')}</StatusTag>
      {of.deviceId !== null && mayCall(deviceCalls.detail) ? (
        <Link to={`/device/deviceDetail/${of.deviceId}`}>
          <span className="m-mono">{of.sn}</span>
        </Link>
      ) : (
        <span className="m-mono">{of.sn}</span>
      )}
      <span className="m-small m-muted m-clip">{of.deptName}</span>
    </li>
  );
}

/** Who comes and goes, as it happens; paused it holds still, and says how much has happened since. */
export function Ticker({ productId }: { productId: number | undefined }) {
  const t = useT();
  const asked = useCall(activeCalls.changes, { ...(productId === undefined ? {} : { productId }) }, { keep: true, every: 20 });
  const [held, setHeld] = useState<readonly Change[]>();
  const now = asked.data?.content;
  const shown = held ?? now;
  const known = new Set(held?.map(({ key }) => key));
  const newer = held ? (now ?? []).filter(({ key }) => !known.has(key)).length : 0;
  return (
    <section className="m-panel m-panel-body m-stack-tight m-active-ticker">
      <div className="m-row">
        <h2 className="m-grow">{t('active.changes')}</h2>
        <Button small icon={held ? 'play' : 'pause'} onClick={() => setHeld(held ? undefined : now)}>
          {t(held ? 'active.resume' : 'active.pause')}
        </Button>
      </div>
      {held ? (
        <p className="m-small m-muted" aria-live="polite">
          {t('active.paused', { count: newer })}
        </p>
      ) : null}
      {asked.error && !shown ? (
        <CallFailed part error={asked.error} onRetry={asked.retry} />
      ) : !shown ? (
        <Bone height={160} />
      ) : shown.length === 0 ? (
        <p className="m-muted">{t('active.changes.none')}</p>
      ) : (
        <ScrollRegion className="m-scroll" label={t('active.changes')}>
          <ul className="m-plain-list">
            {shown.map((one) => (
              <Line key={one.key} of={one} />
            ))}
          </ul>
        </ScrollRegion>
      )}
    </section>
  );
}
