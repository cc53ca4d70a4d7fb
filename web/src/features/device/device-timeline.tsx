import { deviceCalls } from '@mooring/contract/device/calls';
import { commandLife, deviceLife } from '@mooring/contract/device/lives';
import type { DeviceDetail } from '@mooring/contract/device/schemas';
import type { OutputOf } from '@mooring/contract/kit/call';
import { useState } from 'react';
import { messageOf } from '../../kit/client.ts';
import { useCall } from '../../kit/queries.ts';
import { StateTag } from '../../kit/state-tag.tsx';
import { Button } from '../../ui/button.tsx';
import { Timeline } from '../../ui/figures.tsx';
import { Empty, ErrorState, PageSkeleton } from '../../ui/states.tsx';
import { useLooseT, useT } from '../../ui/words.ts';

type Entry = OutputOf<typeof deviceCalls.timeline>['content'][number];
const STEP = 30;
const MOST = 100;

const toneOf = (entry: Entry) => {
  if (entry.kind === 'move') return deviceLife.states[entry.state as keyof typeof deviceLife.states]?.tone ?? 'idle';
  return entry.level === 'alarm' ? 'bad' : entry.level === 'warning' ? 'wait' : 'busy';
};

/** What became of it, newest first: its moves, what it reported, what it was told. */
export function DeviceTimeline({ row }: { row: DeviceDetail }) {
  const t = useT();
  const loose = useLooseT();
  const [size, setSize] = useState(STEP);
  const asked = useCall(deviceCalls.timeline, { id: row.id, size }, { keep: true });
  const { data } = asked;
  if (asked.error && !data) return <ErrorState text={messageOf(asked.error)} requestId={asked.error.requestId} onRetry={asked.retry} />;
  if (!data) return <PageSkeleton />;
  if (data.content.length === 0) return <Empty title={t('device.timeline.empty')} />;
  const titleOf = (entry: Entry) =>
    loose(
      `${entry.kind === 'move' ? 'event.device' : entry.kind === 'command' ? 'device.command' : 'device.event'}.${entry.name}`,
      entry.name,
    );
  const textOf = (entry: Entry) =>
    [entry.by, ...Object.entries(entry.detail ?? {}).map(([name, value]) => `${name}: ${String(value)}`)].filter(Boolean).join(' · ');
  return (
    <div className="m-panel m-panel-body m-stack">
      <Timeline
        entries={data.content.map((entry) => ({
          key: entry.key,
          at: String(entry.at),
          tone: toneOf(entry),
          title: (
            <>
              {titleOf(entry)} {entry.kind === 'command' && entry.state ? <StateTag life={commandLife} code={entry.state} /> : null}
            </>
          ),
          text: textOf(entry),
        }))}
      />
      {data.next && size < MOST ? (
        <div>
          <Button busy={asked.fetching} onClick={() => setSize(Math.min(MOST, size + STEP))}>
            {t('device.timeline.older')}
          </Button>
        </div>
      ) : null}
    </div>
  );
}
