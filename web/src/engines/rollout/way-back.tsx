import type { TaskCalls, TaskDetail } from '@mooring/contract/engines/rollout/task-calls';
import { newTaskScreen } from '@mooring/contract/engines/rollout/task-kind';
import type { OutputOf } from '@mooring/contract/kit/call';
import { useEffect, useEffectEvent } from 'react';
import { CallFailed } from '../../kit/dead-end.tsx';
import { useCall } from '../../kit/queries.ts';
import { goOn, useView } from '../../kit/view.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Bone } from '../../ui/states.tsx';
import { useLooseT, useT } from '../../ui/words.ts';
import { useKind } from './kind-context.tsx';
import { bringsOf, type ReleaseKind } from './release-kind.ts';
import { type BackOf, backAddress, isWay } from './task-copies.ts';

type Way = OutputOf<TaskCalls['previous']>[number];

/** What there was before, in a line; a digest says nothing to people. */
function saidOf(kind: ReleaseKind, { version, content }: Pick<Way, 'version' | 'content'>): string | null {
  if (content && kind.content) return kind.content.words(content);
  return bringsOf(kind).versions ? version : null;
}

/**
 * How many terminals go back to what, and how many can't and why; where there is one way for all of them, it is gone at once, unless it takes
 * something away.
 */
export function WayBack({ row, of, onClose }: { row: Pick<TaskDetail, 'id'>; of: BackOf; onClose: () => void }) {
  const t = useT();
  const loose = useLooseT();
  const view = useView();
  const kind = useKind();
  const { ring, deviceId } = of;
  const { data, error, retry } = useCall(kind.calls.tasks.previous, {
    id: row.id,
    ...(ring === undefined ? {} : { ring }),
    ...(deviceId === undefined ? {} : { deviceId }),
  });
  const [first] = data ?? [];
  const only = data?.length === 1 && first && isWay(first) && first.version !== null ? first : undefined;
  const leave = (way: Way) => {
    onClose();
    goOn(view, backAddress(newTaskScreen(kind.of), row, way, of));
  };
  const leaveBy = useEffectEvent(leave);
  useEffect(() => {
    if (only) leaveBy(only);
  }, [only]);
  return (
    <Dialog open title={t('ring.revert')} onClose={onClose} width={560} footer={<Button onClick={onClose}>{t('kit.cancel')}</Button>}>
      <div className="m-stack">
        <p className="m-muted">{t('release.back.about')}</p>
        {error ? <CallFailed part error={error} onRetry={retry} /> : null}
        {data || error ? null : <Bone height={60} />}
        {data?.length === 0 ? <p>{t('release.back.none')}</p> : null}
        <ul className="m-plain-list m-stack-tight">
          {data?.map((way) => {
            const { version, count, cant, fault } = way;
            const said = saidOf(kind, way);
            const to = said ?? '–';
            return (
              <li key={`${version ?? ''} ${cant}`} className="m-row">
                <span className="m-grow">
                  {cant === null
                    ? way.content
                      ? t('release.back.toContent', { count, content: to })
                      : t('release.back.to', { count, version: to })
                    : t(said === null ? 'release.back.cant' : 'release.back.cantTo', {
                        count,
                        version: said ?? '',
                        why: t(`release.back.why.${cant}`, { fault: fault ? loose(`fault.${fault.key}`, fault.key, fault.params) : '' }),
                      })}
                </span>
                {isWay(way) ? (
                  <Button small icon="back" of={said ?? ''} onClick={() => leave(way)}>
                    {t('ring.revert')}
                  </Button>
                ) : null}
              </li>
            );
          })}
        </ul>
      </div>
    </Dialog>
  );
}
