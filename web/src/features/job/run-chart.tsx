import { schedCalls } from '@mooring/contract/job/calls';
import { CallFailed } from '../../kit/dead-end.tsx';
import { useCall } from '../../kit/queries.ts';
import { Chart } from '../../ui/chart.tsx';
import { Bone } from '../../ui/states.tsx';
import { useFormat, useT } from '../../ui/words.ts';

/** How long it took, and when it failed: of the last day by half hours, or of two weeks by days. */
export function RunChart({ jobId }: { jobId: number }) {
  const t = useT();
  const format = useFormat();
  const { data, error, retry } = useCall(schedCalls.chart, { jobId }, { keep: true, every: 60 });
  if (error) return <CallFailed part error={error} onRetry={retry} />;
  if (!data) return <Bone height={260} />;
  const { step, spans } = data;
  const title = t(step === 'day' ? 'job.chart.days' : 'job.chart.day');
  const [runs, failed] = [spans.reduce((sum, one) => sum + one.runs, 0), spans.reduce((sum, one) => sum + one.failed, 0)];
  // What failed at once is seen too.
  const took = ({ slowestMs }: (typeof spans)[number]) => Math.max(1, slowestMs ?? 0);
  const values = (isFailed: boolean) => spans.map((one) => (one.runs > 0 && one.failed > 0 === isFailed ? took(one) : null));
  return (
    <section className="m-stack-tight">
      <h3>{title}</h3>
      <p className="m-muted m-small">{t('job.chart.note', { runs, failed })}</p>
      {runs === 0 ? null : (
        <Chart
          label={title}
          kind="stack"
          write={(ms) => (ms < 1000 ? `${format.number(ms)} ms` : format.duration(ms / 1000))}
          data={{
            categories: spans.map(({ from }) => format.moment(String(from), step === 'day' ? 'date' : 'clock')),
            series: [
              { key: 'done', name: t('job.outcome.done'), tone: 'good', values: values(false) },
              { key: 'failed', name: t('job.outcome.failed'), tone: 'bad', values: values(true) },
            ],
          }}
        />
      )}
    </section>
  );
}
