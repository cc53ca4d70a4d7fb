import { deviceReleaseCalls } from '@mooring/contract/device/release-calls';
import type { DeviceDetail } from '@mooring/contract/device/schemas';
import { ENDED_DAYS } from '@mooring/contract/engines/rollout/passed-over';
import { taskMachine } from '@mooring/contract/engines/rollout/state-machines';
import type { OutputOf } from '@mooring/contract/kit/call';
import { useState } from 'react';
import { CallFailed } from '../../kit/dead-end.tsx';
import { useCall } from '../../kit/queries.ts';
import { mayCall } from '../../kit/session.ts';
import { StateTag, toneOf } from '../../kit/state-tag.tsx';
import { useView } from '../../kit/view.ts';
import { Advice, Why } from '../../kit/why.tsx';
import { Button } from '../../ui/button.tsx';
import { Timeline } from '../../ui/figures.tsx';
import { Bone, Note } from '../../ui/states.tsx';
import { useT } from '../../ui/words.ts';
import { useKinds } from './kind-context.tsx';
import { sentBy } from './release-kind.ts';
import { ReleaseLink } from './release-link.tsx';

type Answer = OutputOf<typeof deviceReleaseCalls.passedOver>;
type Passed = Answer['releases'][number];

/** The reason and what to do about it; nothing was sent, so that there is nothing else to tell. */
function Reason({ why }: Pick<Passed, 'why'>) {
  return (
    <>
      <Why row={{ why, state: '', phase: null, percent: null, message: null }} />
      <Advice row={{ why }} />
    </>
  );
}

/** So many at a time, each asked for where the one before ends. */
function Some({ deviceId, before }: { deviceId: number; before: number | undefined }) {
  const t = useT();
  const kinds = useKinds();
  const [older, setOlder] = useState(false);
  const { data, error, retry } = useCall(deviceReleaseCalls.passedOver, { deviceId, ...(before === undefined ? {} : { before }) });
  if (error) return <CallFailed part error={error} onRetry={retry} />;
  if (!data) return <Bone height={80} />;
  if (data.releases.length === 0) return <p className="m-muted">{t('release.passedEmpty')}</p>;
  const last = data.releases.at(-1)?.taskId;
  const sent = ({ kind, taskVersion, content }: Passed) => {
    const of = kinds.find((one) => one.of.kind === kind);
    return content && of ? sentBy(of, { package: null, content }) : taskVersion;
  };
  return (
    <>
      <Timeline
        entries={data.releases.map((one) => ({
          key: one.taskId,
          at: String(one.endedAt ?? one.startedAt ?? ''),
          tone: toneOf(taskMachine, one.taskState),
          title: (
            <ReleaseLink kind={one.kind} id={one.taskId}>
              {[one.taskName, sent(one)].filter(Boolean).join(' · ')}
            </ReleaseLink>
          ),
          text: (
            <span className="m-row m-row-wrap">
              <StateTag machine={taskMachine} code={one.taskState} />
              <Reason why={one.why} />
            </span>
          ),
        }))}
      />
      {older ? (
        <Some deviceId={deviceId} before={last} />
      ) : data.more ? (
        <Button small onClick={() => setOlder(true)}>
          {t('release.passedOlder')}
        </Button>
      ) : null}
    </>
  );
}

/** Who expects a release here and finds none learns which there are, and why they left this terminal out. */
export function PassedOver({ row }: { row: DeviceDetail }) {
  const t = useT();
  return (
    <section className="m-panel m-panel-body" aria-labelledby="passed-over">
      <h2 id="passed-over">{t('release.passed')}</h2>
      <p className="m-muted">{t('release.passedText', { days: ENDED_DAYS })}</p>
      <Some deviceId={row.id} before={undefined} />
    </section>
  );
}

const MIN_SN = 4;
const MAX_SN = 32;

/** Whoever looks among a release's terminals for one that isn't there is told why. */
export function WhyNot({ taskId }: { taskId: number }) {
  const t = useT();
  const sn = (useView().search.get('d.sn') ?? '').trim().toUpperCase();
  const isSn = sn.length >= MIN_SN && sn.length <= MAX_SN;
  const { data } = useCall(deviceReleaseCalls.whyNot, { taskId, sn }, { enabled: isSn && mayCall(deviceReleaseCalls.whyNot) });
  if (!isSn || !data?.why) return null;
  return (
    <Note tone="info">
      <span className="m-row m-row-wrap">
        <strong>{t('release.whyNot', { sn })}</strong>
        <Reason why={data.why} />
      </span>
    </Note>
  );
}
