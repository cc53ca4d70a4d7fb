import type { TaskDetail } from '@mooring/contract/engines/rollout/task-calls';
import { messageOf } from '../../kit/client.ts';
import { Link } from '../../kit/link.tsx';
import { useCall } from '../../kit/queries.ts';
import { Chart } from '../../ui/chart.tsx';
import { Bone, ErrorState } from '../../ui/states.tsx';
import { useFormat, useT } from '../../ui/words.ts';
import { type CurvePoint, comparedCurves, curveData } from './curve-data.ts';
import { useKind } from './kind-context.tsx';
import { taskPath } from './release-kind.ts';

/** How results came in over time. */
export function TaskCurve({ row }: { row: TaskDetail }) {
  const t = useT();
  const format = useFormat();
  const curve = useCall(useKind().calls.tasks.curve, { id: row.id });
  if (curve.error) return <ErrorState text={messageOf(curve.error)} onRetry={curve.retry} />;
  if (!curve.data) return <Bone height={280} />;
  return (
    <div className="m-stack">
      <section className="m-panel m-panel-body">
        <h2>{t('firmware.task.curve')}</h2>
        <Chart
          label={t('firmware.task.curve')}
          data={curveData(curve.data as CurvePoint[], { good: t('firmware.task.succeeded'), bad: t('firmware.task.failing') }, (at) =>
            format.moment(at),
          )}
        />
      </section>
      <BesideBefore row={row} points={curve.data as CurvePoint[]} />
    </div>
  );
}

/** Beside the release before it, both from their start. */
function BesideBefore({ row, points }: { row: TaskDetail; points: readonly CurvePoint[] }) {
  const t = useT();
  const format = useFormat();
  const kind = useKind();
  const { tasks } = kind.calls;
  const before = useCall(tasks.before, { id: row.id }).data;
  const curve = useCall(tasks.curve, { id: before?.id ?? 0 }, { enabled: Boolean(before) });
  if (!before || !curve.data || row.startedAt === null) return null;
  const runs = [
    { points, startedAt: row.startedAt, total: row.total, name: row.name },
    { points: curve.data as CurvePoint[], startedAt: before.startedAt, total: before.total, name: before.name },
  ];
  return (
    <section className="m-panel m-panel-body">
      <h2>{t('firmware.task.besideBefore')}</h2>
      <p className="m-muted">
        {t('firmware.task.besideBeforeText')} <Link to={taskPath(kind, before)}>{before.name}</Link>
      </p>
      <Chart
        label={t('firmware.task.besideBefore')}
        data={comparedCurves(runs, (seconds) => format.span(seconds))}
        write={(share) => format.percent(share)}
      />
    </section>
  );
}
