import { deviceCalls } from '@mooring/contract/device/calls';
import type { DeviceDetail } from '@mooring/contract/device/schemas';
import { commandMachine, deviceMachine } from '@mooring/contract/device/state-machines';
import { resultMachine } from '@mooring/contract/engines/rollout/state-machines';
import type { OutputOf } from '@mooring/contract/kit/call';
import { ReleaseLink } from '../../engines/rollout/release-link.tsx';
import { CallFailed } from '../../kit/dead-end.tsx';
import { useNewestFirst } from '../../kit/older-pages.ts';
import { StateTag } from '../../kit/state-tag.tsx';
import { Button } from '../../ui/button.tsx';
import { Timeline } from '../../ui/figures.tsx';
import { Empty, PageSkeleton } from '../../ui/states.tsx';
import { useLooseT, useT } from '../../ui/words.ts';

type Entry = OutputOf<typeof deviceCalls.timeline>['content'][number];

const toneOf = (entry: Entry) => {
  if (entry.kind === 'move') return deviceMachine.states[entry.state as keyof typeof deviceMachine.states]?.tone ?? 'idle';
  return entry.level === 'alarm' ? 'bad' : entry.level === 'warning' ? 'wait' : 'busy';
};

function Title({ entry }: { entry: Entry }) {
  const t = useT();
  const loose = useLooseT();
  if (entry.kind === 'task')
    return (
      <>
        <ReleaseLink kind={String(entry.detail?.kind)} id={Number(entry.detail?.taskId)}>
          {t('device.timeline.update', { name: entry.name })}
        </ReleaseLink>{' '}
        <StateTag machine={resultMachine} code={String(entry.state)} />
      </>
    );
  const words = { move: 'moved.device', command: 'device.command', event: 'device.event' }[entry.kind];
  return (
    <>
      {loose(`${words}.${entry.name}`, entry.name)}{' '}
      {entry.kind === 'command' && entry.state ? <StateTag machine={commandMachine} code={entry.state} /> : null}
    </>
  );
}

function useDetail(): (entry: Entry) => string {
  const loose = useLooseT();
  return ({ kind, name, by, detail }) => {
    if (kind === 'event' && name === 'simChanged') return `${String(detail?.from)} → ${String(detail?.to)}`;
    const { taskId: _task, kind: _kind, fromVersion, version, reason, ...rest } = detail ?? {};
    const versions = [fromVersion, version].filter(Boolean).map(String).join(' → ');
    const more =
      kind === 'task'
        ? [versions, reason ? loose(`reason.${String(reason)}`, String(reason)) : '']
        : Object.entries(detail ? (kind === 'move' ? rest : detail) : {}).map(
            ([name, value]) => `${name}: ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`,
          );
    return [...more, by].filter(Boolean).join(' · ');
  };
}

/** What became of it, newest first: its moves and connections, what it reported, what it was told, its updates. */
export function DeviceTimeline({ row }: { row: DeviceDetail }) {
  const t = useT();
  const detailOf = useDetail();
  const { asked, entries, busy, hasOlder, goFurther } = useNewestFirst(deviceCalls.timeline, { id: row.id }, ({ key }) => key);
  const { data } = asked;
  if (asked.error && !data) return <CallFailed part error={asked.error} onRetry={asked.retry} />;
  if (!data) return <PageSkeleton />;
  if (data.content.length === 0) return <Empty title={t('device.timeline.empty')} />;
  return (
    <div className="m-panel m-panel-body m-stack">
      <Timeline
        entries={entries.map((entry) => ({
          key: entry.key,
          at: String(entry.at),
          tone: toneOf(entry),
          title: <Title entry={entry} />,
          text: detailOf(entry),
        }))}
      />
      {hasOlder ? (
        <div>
          <Button busy={busy} onClick={goFurther}>
            {t('device.timeline.older')}
          </Button>
        </div>
      ) : null}
    </div>
  );
}
