import { jobCalls } from '@mooring/contract/job/calls';
import { scheduledJobMachine } from '@mooring/contract/job/state-machines';
import { useState } from 'react';
import { ListView } from '../../kit/list/list-view.tsx';
import { type ListSpec, ofRow, type RowOf, rowAction } from '../../kit/list/types.ts';
import { tabsPage } from '../../kit/tabs-page.tsx';
import { Drawer } from '../../ui/dialog.tsx';
import { StatusTag } from '../../ui/status-tag.tsx';
import { useFormat, useT } from '../../ui/words.ts';
import { RunChart } from './run-chart.tsx';
import { Outcome, runsSpec, Took, useJobName } from './runs.tsx';
import { ScheduleControl, scheduleWords } from './schedule-words.tsx';

type Row = RowOf<typeof jobCalls.page>;

const JobName = ({ row }: { row: Row }) => useJobName()(row.name);
function LastRun({ row: { lastRun } }: { row: Row }) {
  const t = useT();
  const format = useFormat();
  return <span className="m-muted">{lastRun ? format.ago(String(lastRun.startedAt)) : t('job.never')}</span>;
}
function NextRun({ row }: { row: Row }) {
  const t = useT();
  const format = useFormat();
  if (row.overdue) return <StatusTag tone="bad">{t('job.overdue')}</StatusTag>;
  return row.nextAt === null ? '–' : format.moment(String(row.nextAt));
}

/** The runs of one job. */
function RunsOf({ row, onClose }: { row: Row; onClose: () => void }) {
  const t = useT();
  const nameOf = useJobName();
  const [spec] = useState(() => runsSpec(true));
  return (
    <Drawer open title={t('job.runsOf', { job: nameOf(row.name) })} onClose={onClose} width={860}>
      <RunChart jobId={row.id} />
      <ListView spec={spec} fixed={{ jobId: row.id }} queryPrefix="r." />
    </Drawer>
  );
}

function Jobs() {
  const nameOf = useJobName();
  const [spec] = useState<ListSpec<typeof jobCalls.page>>(() => ({
    code: 'job.schedules',
    title: 'job.tab.jobs',
    call: jobCalls.page,
    export: jobCalls.export,
    every: () => 10,
    search: { field: 'text', hint: 'job.name' },
    columns: [
      { key: 'name', title: 'job.name', sort: true, pinned: 'left', width: 300, cell: (row) => <JobName row={row} /> },
      { key: 'status', title: 'job.status', kind: 'state', machine: scheduledJobMachine, width: 110 },
      { key: 'schedule', title: 'job.schedule', width: 190, cell: (row) => scheduleWords(row.schedule) },
      { key: 'lastRun', title: 'job.lastRun', width: 140, cell: (row) => <LastRun row={row} /> },
      { key: 'outcome', title: 'job.outcome', width: 120, cell: (row) => (row.outcome ? <Outcome outcome={row.outcome} /> : '–') },
      { key: 'tookMs', title: 'job.took', width: 110, cell: (row) => <Took tookMs={row.tookMs} /> },
      { key: 'nextAt', title: 'job.nextAt', width: 180, cell: (row) => <NextRun row={row} /> },
    ],
    filters: [
      { field: 'status', label: 'job.status', machine: scheduledJobMachine },
      { field: 'outcome', label: 'job.lastRun', names: 'job.outcome.' },
      { field: 'overdue', label: 'job.overdue', kind: 'yes' },
    ],
    rowActions: ofRow<Row>([
      rowAction(jobCalls.run, { label: 'job.run', icon: 'play' }),
      rowAction(jobCalls.update, {
        label: 'job.change',
        icon: 'edit',
        input: ({ schedule }) => ({ schedule }),
        form: [{ name: 'schedule', Control: ScheduleControl, wide: true }],
      }),
      rowAction(jobCalls.pause, { label: 'job.pause', confirm: { text: 'job.pause.text' } }),
      rowAction(jobCalls.resume, { label: 'job.resume' }),
    ]),
    nameOf: (row) => nameOf(row.name),
    slots: { aside: RunsOf },
  }));
  return <ListView spec={spec} queryPrefix="j." />;
}

const allRuns = runsSpec(false);
export const jobsPage = tabsPage({
  title: 'job.title',
  tabs: [
    { key: 'jobs', title: 'job.tab.jobs', Body: Jobs },
    { key: 'runs', title: 'job.runs', Body: () => <ListView spec={allRuns} queryPrefix="a." /> },
  ],
});
