import type { TaskDetail } from '@mooring/contract/engines/rollout/task-calls';
import { Note } from '../../ui/states.tsx';
import { useT } from '../../ui/words.ts';
import { TaskProgress } from './task-progress.tsx';
import { TaskRings } from './task-rings.tsx';

export function TaskHead({ row }: { row: TaskDetail }) {
  const t = useT();
  return (
    <div className="m-stack">
      {row.state === 'halted' ? <Note tone="danger">{t('firmware.task.haltedText', { reason: row.haltReason ?? '' })}</Note> : null}
      {row.total > 0 ? (
        <section className="m-panel m-panel-body" aria-label={t('firmware.task.progress')}>
          <TaskProgress row={row} />
        </section>
      ) : null}
      <TaskRings row={row} />
    </div>
  );
}
