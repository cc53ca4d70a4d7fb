import type { Task } from '@mooring/contract/engines/rollout/task-calls';
import { ShareBar } from '../../ui/figures.tsx';
import { useT } from '../../ui/words.ts';

/** Device results in the five groups that a person asks for. */
export function countsOf(tally: Task['tally']) {
  const sum = (...codes: string[]) => codes.reduce((all, code) => all + (tally[code] ?? 0), 0);
  return { good: sum('3', '6'), bad: sum('4', '5', '7'), open: sum('2'), waiting: sum('1', '8'), other: sum('9', '10') };
}

export function TaskProgress({ row, tight = false }: { row: Pick<Task, 'tally' | 'total'>; tight?: boolean }) {
  const t = useT();
  const counts = countsOf(row.tally);
  if (row.total === 0) return <span className="m-muted">–</span>;
  return (
    <ShareBar
      tight={tight}
      label={t('firmware.task.progress')}
      shares={(
        [
          { key: 'good', label: t('firmware.task.succeeded'), value: counts.good, tone: 'good' },
          { key: 'bad', label: t('firmware.task.failing'), value: counts.bad, tone: 'bad' },
          { key: 'open', label: t('firmware.task.open'), value: counts.open, tone: 'busy' },
          { key: 'waiting', label: t('firmware.task.waiting'), value: counts.waiting, tone: 'idle' },
          { key: 'other', label: t('firmware.task.other'), value: counts.other, tone: 'ended' },
        ] as const
      ).filter((one) => one.value > 0)}
    />
  );
}
