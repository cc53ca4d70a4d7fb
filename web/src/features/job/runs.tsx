import { type JobRun, jobCalls, schedCalls } from '@mooring/contract/job/calls';
import type { Tone } from '@mooring/contract/kit/state-machine';
import type { z } from 'zod';
import type { ListSpec, RowOf } from '../../kit/list/types.ts';
import { useCall } from '../../kit/queries.ts';
import { CopyText } from '../../ui/copy-text.tsx';
import { StatusTag } from '../../ui/status-tag.tsx';
import { useFormat, useLooseT, useT } from '../../ui/words.ts';

type Run = RowOf<typeof schedCalls.page>;
const tones: Readonly<Record<z.infer<typeof JobRun>['outcome'], Tone>> = {
  running: 'busy',
  done: 'good',
  failed: 'bad',
  interrupted: 'wait',
};

/** What a job is called. */
export function useJobName(): (name: string) => string {
  const loose = useLooseT();
  return (name) => loose(`job.name.${name.replaceAll(':', '.')}`, name);
}

export function Outcome({ outcome }: Pick<Run, 'outcome'>) {
  const t = useT();
  return <StatusTag tone={tones[outcome]}>{t(`job.outcome.${outcome}`)}</StatusTag>;
}
const JobName = ({ row }: { row: Run }) => useJobName()(row.job);
export function Took({ tookMs }: Pick<Run, 'tookMs'>) {
  const format = useFormat();
  if (tookMs === null) return '–';
  return tookMs < 1000 ? `${format.number(tookMs)} ms` : format.duration(tookMs / 1000);
}

function useJobs() {
  const nameOf = useJobName();
  const { data, fetching } = useCall(jobCalls.page, { page: { size: 100 } });
  return { choices: (data?.content ?? []).map(({ id, name }) => ({ value: id, label: { text: nameOf(name) } })), busy: fetching };
}

/** What became of runs, the newest first; of one job alone it isn't said which. */
export const runsSpec = (ofOne: boolean): ListSpec<typeof schedCalls.page> => ({
  code: ofOne ? 'job.runsOf' : 'job.runs',
  title: 'job.runs',
  call: schedCalls.page,
  every: () => 10,
  columns: [
    { key: 'startedAt', title: 'job.startedAt', kind: 'moment', sort: true, pinned: 'left', width: 180 },
    ...(ofOne ? [] : [{ key: 'job', title: 'job.name', width: 280, cell: (row: Run) => <JobName row={row} /> } as const]),
    { key: 'outcome', title: 'job.outcome', width: 130, cell: (row) => <Outcome outcome={row.outcome} /> },
    { key: 'tookMs', title: 'job.took', width: 110, cell: (row) => <Took tookMs={row.tookMs} /> },
    { key: 'mode', title: 'job.mode', kind: 'name', names: 'job.mode.', width: 120 },
    { key: 'by', title: 'job.by', width: 150 },
    { key: 'error', title: 'job.error', width: 240, cell: ({ error }) => (error === null ? '–' : <CopyText text={error} />) },
  ],
  filters: [
    ...(ofOne ? [] : [{ field: 'jobId', label: 'job.name', useChoices: useJobs } as const]),
    { field: 'outcome', label: 'job.outcome', names: 'job.outcome.' },
    { field: 'mode', label: 'job.mode', names: 'job.mode.' },
    { field: 'startedAt', label: 'job.startedAt' },
  ],
  export: schedCalls.export,
  empty: { title: 'job.runs.empty' },
});
