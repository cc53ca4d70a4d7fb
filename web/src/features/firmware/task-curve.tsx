import { taskCalls } from '@mooring/contract/firmware/task-calls';
import { messageOf } from '../../kit/client.ts';
import { useCall } from '../../kit/queries.ts';
import { Chart } from '../../ui/chart.tsx';
import { Bone, ErrorState } from '../../ui/states.tsx';
import { useFormat, useLooseT, useT } from '../../ui/words.ts';
import { type CurvePoint, curveData } from './curve-data.ts';
import type { Detail } from './task-head.tsx';

/** How results came in over time, and what failures were about. */
export function TaskCurve({ row }: { row: Detail }) {
  const t = useT();
  const loose = useLooseT();
  const format = useFormat();
  const curve = useCall(taskCalls.curve, { id: row.id });
  const reasons = useCall(taskCalls.reasons, { id: row.id });
  const error = curve.error ?? reasons.error;
  if (error) return <ErrorState text={messageOf(error)} onRetry={curve.retry} />;
  if (!curve.data || !reasons.data) return <Bone height={280} />;
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
      <section className="m-panel m-panel-body">
        <h2>{t('firmware.task.reasons')}</h2>
        {reasons.data.length === 0 ? (
          <p className="m-muted">{t('firmware.task.noFailures')}</p>
        ) : (
          <Chart
            kind="bar"
            label={t('firmware.task.reasons')}
            data={{
              categories: reasons.data.map((one) => loose(`reason.${one.reason}`, one.reason)),
              series: [{ key: 'bad', name: t('firmware.task.failing'), values: reasons.data.map((one) => one.count), tone: 'bad' }],
            }}
          />
        )}
      </section>
    </div>
  );
}
