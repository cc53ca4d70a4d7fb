import { approvalMachine } from '@mooring/contract/engines/approval/state-machines';
import { isPauseReason } from '@mooring/contract/engines/rollout/state-machines';
import type { TaskDetail } from '@mooring/contract/engines/rollout/task-calls';
import { Link } from '../../kit/link.tsx';
import { Note } from '../../ui/states.tsx';
import { useT } from '../../ui/words.ts';
import { TaskProgress } from './task-progress.tsx';
import { TaskRings } from './task-rings.tsx';

export function TaskHead({ row }: { row: TaskDetail }) {
  const t = useT();
  return (
    <div className="m-stack">
      {row.state === 'halted' ? (
        <Note tone="danger">
          {row.haltReason === 'notAsAgreed' ? t('approval.halted') : t('firmware.task.haltedText', { reason: row.haltReason ?? '' })}
        </Note>
      ) : null}
      {row.state === 'paused' && isPauseReason(row.haltReason) ? <Note tone="warn">{t(`release.paused.${row.haltReason}`)}</Note> : null}
      {row.approval ? (
        <Note tone="info" action={<Link to={row.approval.screen}>{t('approval.open')}</Link>}>
          {t('approval.inApproval', { step: t(`life.approval.${approvalMachine.byCode[row.approval.step] ?? 'ended'}`) })}
        </Note>
      ) : null}
      {row.total > 0 ? (
        <section className="m-panel m-panel-body" aria-label={t('firmware.task.progress')}>
          <TaskProgress row={row} />
        </section>
      ) : null}
      <TaskRings row={row} />
    </div>
  );
}
