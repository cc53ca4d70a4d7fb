import { appVersionCalls } from '@mooring/contract/app/calls';
import type { OutputOf } from '@mooring/contract/kit/call';
import type { Tone } from '@mooring/contract/kit/state-machine';
import { useState } from 'react';
import { CallFailed } from '../../kit/dead-end.tsx';
import { Link } from '../../kit/link.tsx';
import { useCall } from '../../kit/queries.ts';
import { AttachedFiles } from '../../kit/upload/attached-files.tsx';
import { Button } from '../../ui/button.tsx';
import { Timeline } from '../../ui/figures.tsx';
import { Bone, Empty, Loading } from '../../ui/states.tsx';
import { useLooseT, useT } from '../../ui/words.ts';
import { versionPath } from './paths.ts';
import { nameOf } from './version-name.ts';

type Entry = OutputOf<typeof appVersionCalls.history>['content'][number];
const good: readonly string[] = ['approve', 'done'];
const bad: readonly string[] = ['reject', 'delist', 'failed', 'partly'];
const toneOf = ({ event }: Entry): Tone => (good.includes(event) ? 'good' : bad.includes(event) ? 'bad' : 'busy');

function Past({ appId, before }: { appId: number; before?: number }) {
  const t = useT();
  const loose = useLooseT();
  const [earlier, setEarlier] = useState(false);
  const asked = useCall(appVersionCalls.history, { appId, ...(before === undefined ? {} : { before }) }, { keep: true });
  if (asked.error) return <CallFailed part error={asked.error} onRetry={asked.retry} />;
  if (!asked.data)
    return (
      <Loading>
        <Bone height={120} />
      </Loading>
    );
  const { content, next } = asked.data;
  if (content.length === 0 && before === undefined) return <Empty icon="clock" title={t('appVersion.history.empty')} />;
  return (
    <>
      <Timeline
        entries={content.map((entry) => ({
          key: entry.id,
          at: String(entry.at),
          tone: toneOf(entry),
          title: (
            <>
              {loose(`event.${entry.life}.${entry.event}`, entry.event)} ·{' '}
              <Link to={versionPath({ id: entry.versionId })}>{nameOf(entry)}</Link>
            </>
          ),
          text: (
            <>
              <div>
                {entry.onBehalfOf.length > 0 ? t('approval.onBehalf', { name: entry.by, absent: entry.onBehalfOf.join(', ') }) : entry.by}
              </div>
              {entry.text === '' ? null : <div className="m-said">{entry.text}</div>}
              <AttachedFiles files={entry.files} />
            </>
          ),
        }))}
      />
      {next === null ? null : earlier ? (
        <Past appId={appId} before={next} />
      ) : (
        <Button small onClick={() => setEarlier(true)}>
          {t('appVersion.history.more')}
        </Button>
      )}
    </>
  );
}

/** What happened to the versions of an app. */
export const History = ({ row }: { row: { readonly id: number } }) => (
  <div className="m-panel m-panel-body m-stack">
    <Past appId={row.id} />
  </div>
);
