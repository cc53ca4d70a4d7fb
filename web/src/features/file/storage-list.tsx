import { GB, uploadMonitorCalls } from '@mooring/contract/file/upload-monitor-calls';
import { useState } from 'react';
import { useDepts } from '../../kit/choices.ts';
import { CallFailed } from '../../kit/dead-end.tsx';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import { ListView } from '../../kit/list/list-view.tsx';
import { type ListSpec, type RowOf, rowAction } from '../../kit/list/types.ts';
import { useCall } from '../../kit/queries.ts';
import { mayCall, useSession } from '../../kit/session.ts';
import { OwnStorage } from '../../kit/upload/own-storage.tsx';
import { Button } from '../../ui/button.tsx';
import { Chart } from '../../ui/chart.tsx';
import type { ChartData } from '../../ui/chart-data.ts';
import { Progress } from '../../ui/figures.tsx';
import { Bone } from '../../ui/states.tsx';
import { useFormat, useT } from '../../ui/words.ts';

type Row = RowOf<typeof uploadMonitorCalls.storage>;
const NEARLY = 0.9;

const MOST = 10;

interface Bar {
  readonly name: string;
  readonly bytes: number;
  readonly files: number;
}

/** Bars below one another; how many files each has stands in their table. */
function Figure({ title, rows }: { title: 'upload.byKind' | 'upload.byDept' | 'upload.byPerson'; rows: readonly Bar[] }) {
  const t = useT();
  const format = useFormat();
  const data: ChartData = {
    categories: rows.map(({ name }) => name),
    series: [
      { key: 'bytes', name: t('upload.size'), values: rows.map(({ bytes }) => bytes) },
      { key: 'files', name: t('upload.count'), values: rows.map(({ files }) => files), beside: (count) => format.number(count) },
    ],
  };
  return (
    <section className="m-panel m-panel-body m-stack-tight" aria-labelledby={title}>
      <h2 id={title}>{t(title)}</h2>
      {rows.length === 0 ? (
        <p className="m-muted">{t('upload.byKind.empty')}</p>
      ) : (
        <Chart label={t(title)} kind="across" data={data} write={(bytes) => format.size(bytes)} />
      )}
    </section>
  );
}

/** What is kept, by kind and by organisation, and what came lately by person, the most first. */
function Figures() {
  const t = useT();
  const kinds = useCall(uploadMonitorCalls.kinds, {}, { every: 60 });
  const depts = useCall(uploadMonitorCalls.storage, { page: { size: MOST, sort: 'bytes', order: 'desc' } }, { every: 60 });
  const people = useCall(uploadMonitorCalls.uploaders, {}, { every: 60 });
  const asked = [kinds, depts, people].find(({ error }) => error) ?? kinds;
  if (asked.error) return <CallFailed part error={asked.error} onRetry={asked.retry} />;
  if (!kinds.data || !depts.data || !people.data) return <Bone height={120} />;
  const byDept = depts.data.content.filter(({ bytes }) => bytes > 0);
  return (
    <div className="m-beside">
      <Figure
        title="upload.byKind"
        rows={kinds.data.map(({ kind, bytes, files }) => ({ name: t(`upload.kind.${kind as '1'}`), bytes, files }))}
      />
      {byDept.length > 1 ? <Figure title="upload.byDept" rows={byDept} /> : null}
      {people.data.length > 1 ? <Figure title="upload.byPerson" rows={people.data} /> : null}
    </div>
  );
}

function Quota({ row }: { row: Row }) {
  const t = useT();
  const format = useFormat();
  if (row.quota === null) return <span className="m-muted">{t('upload.quota.none')}</span>;
  const share = row.quota === 0 ? 1 : row.below / row.quota;
  const note = t('upload.quota.of', { share: format.percent(share), quota: format.size(row.quota) });
  return <Progress share={share} label={t('upload.quota')} tone={share >= 1 ? 'bad' : share >= NEARLY ? 'wait' : 'primary'} note={note} />;
}

/** Nobody gives one to themselves, but the platform to the whole installation. */
const PLATFORM = 1;
function useBelow(text: string, chosen: readonly (string | number)[]) {
  const { deptId } = useSession();
  const { choices, ...found } = useDepts(text, chosen);
  return { ...found, choices: deptId === PLATFORM ? choices : choices.filter(({ value }) => value !== deptId) };
}
const nobody: readonly number[] = [];

/** Where there is nobody to give one to there is no button. */
function Give({ onAsked }: { onAsked: () => void }) {
  const t = useT();
  const { choices } = useBelow('', nobody);
  if (choices.length === 0) return null;
  return (
    <div className="m-row">
      <span className="m-grow" />
      <Button icon="edit" onClick={onAsked}>
        {t('upload.quota.set')}
      </Button>
    </div>
  );
}

const gigabytes = { name: 'gigabytes', label: 'upload.quota.gigabytes', kind: 'number', help: 'upload.quota.help' } as const;
function Stored({ row }: { row: Row }) {
  const size = useFormat().size(row.below);
  return useT()('upload.quota.now', { size });
}

export function Storage() {
  const [giving, setGiving] = useState(false);
  const [spec] = useState<ListSpec<typeof uploadMonitorCalls.storage>>(() => ({
    code: 'file.storage',
    title: 'upload.storage',
    call: uploadMonitorCalls.storage,
    search: { field: 'name', hint: 'upload.searchDept' },
    columns: [
      {
        key: 'name',
        title: 'upload.dept',
        pinned: 'left',
        sort: true,
        width: 260,
        link: ({ id }) => `/uploadMonitor?tab=files&f.deptId=${id}`,
      },
      { key: 'files', title: 'upload.count', kind: 'number', width: 120 },
      { key: 'bytes', title: 'upload.bytes', kind: 'size', sort: true, width: 150 },
      { key: 'below', title: 'upload.below', kind: 'size', width: 190 },
      { key: 'quota', title: 'upload.quota', width: 260, cell: (row) => <Quota row={row} /> },
    ],
    rowActions: [
      rowAction(uploadMonitorCalls.quota, {
        label: 'upload.quota.set',
        icon: 'edit',
        allowedAction: 'quota',
        successText: 'upload.quota.done',
        input: ({ id, quota }) => ({ deptId: id, gigabytes: quota === null ? null : Number((quota / GB).toFixed(3)) }),
        form: { fields: [gigabytes], about: (row) => <Stored row={row} /> },
      }),
    ],
    export: uploadMonitorCalls.storageExport,
    nameOf: (row) => row.name,
    empty: { title: 'upload.storageEmpty', icon: 'file' },
  }));
  return (
    <div className="m-stack m-page-fill">
      <div className="m-panel m-panel-body">
        <OwnStorage />
      </div>
      <Figures />
      {mayCall(uploadMonitorCalls.quota) ? <Give onAsked={() => setGiving(true)} /> : null}
      <ListView spec={spec} queryPrefix="s." />
      {giving ? (
        <FormDialog
          title="upload.quota.set"
          call={uploadMonitorCalls.quota}
          submit="upload.quota.set"
          successText="upload.quota.done"
          fields={[{ name: 'deptId', label: 'upload.dept', kind: 'one', useChoices: useBelow }, gigabytes]}
          onClose={() => setGiving(false)}
        />
      ) : null}
    </div>
  );
}
