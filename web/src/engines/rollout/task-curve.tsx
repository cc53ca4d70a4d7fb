import type { TaskDetail } from '@mooring/contract/engines/rollout/task-calls';
import { messageOf } from '../../kit/client.ts';
import { useCall } from '../../kit/queries.ts';
import { Chart } from '../../ui/chart.tsx';
import { Bone, ErrorState } from '../../ui/states.tsx';
import { useFormat, useT } from '../../ui/words.ts';
import { type CurvePoint, curveData } from './curve-data.ts';
import { useKind } from './kind-context.tsx';

/** How results came in over time. */
export function TaskCurve({ row }: { row: TaskDetail }) {
  const t = useT();
  const format = useFormat();
  const curve = useCall(useKind().calls.tasks.curve, { id: row.id });
  if (curve.error) return <ErrorState text={messageOf(curve.error)} onRetry={curve.retry} />;
  if (!curve.data) return <Bone height={280} />;
  return (
    <section className="m-panel m-panel-body">
      <h2>{t('firmware.task.curve')}</h2>
      <Chart
        label={t('firmware.task.curve')}
        data={curveData(curve.data as CurvePoint[], { good: t('firmware.task.succeeded'), bad: t('firmware.task.failing') }, (at) =>
          format.moment(at),
        )}
      />
    </section>
  );
}
