import type { FirmwareTaskDetail } from '@mooring/contract/firmware/task-calls';
import type { z } from 'zod';
import { Note } from '../../ui/states.tsx';
import { useT } from '../../ui/words.ts';
import { TaskProgress } from './task-progress.tsx';
import { TaskRings } from './task-rings.tsx';

export type Detail = z.output<typeof FirmwareTaskDetail>;

export function TaskHead({ row }: { row: Detail }) {
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
