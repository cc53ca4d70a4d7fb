import { GB, uploadMonitorCalls } from '@mooring/contract/file/upload-monitor-calls';
import { useState } from 'react';
import { useDepts } from '../../kit/choices.ts';
import { CallFailed } from '../../kit/dead-end.tsx';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import { ListView } from '../../kit/list/list-view.tsx';
import type { ListSpec, RowOf } from '../../kit/list/types.ts';
import { useCall } from '../../kit/queries.ts';
import { mayCall } from '../../kit/session.ts';
import { Button } from '../../ui/button.tsx';
import { Progress } from '../../ui/figures.tsx';
import { Bone } from '../../ui/states.tsx';
import { useFormat, useT } from '../../ui/words.ts';

type Row = RowOf<typeof uploadMonitorCalls.storage>;
const NEARLY = 0.9;

/** What is kept, by kind, as bars beside one another. */
function ByKind() {
  const t = useT();
  const format = useFormat();
  const { data, error, retry } = useCall(uploadMonitorCalls.kinds, {}, { every: 60 });
  if (error) return <CallFailed part error={error} onRetry={retry} />;
  if (!data) return <Bone height={120} />;
  const most = Math.max(1, ...data.map((one) => one.bytes));
  return (
    <section className="m-panel m-panel-body m-stack-tight" aria-labelledby="storage-kinds">
      <h2 id="storage-kinds">{t('upload.byKind')}</h2>
      {data.length === 0 ? <p className="m-muted">{t('upload.byKind.empty')}</p> : null}
      <ul className="m-bars">
        {data.map(({ kind, bytes, files }) => (
          <li key={kind} className="m-bar m-bar-current">
            <span className="m-clip">{t(`upload.kind.${kind as '1'}`)}</span>
            <span className="m-bar-track" aria-hidden="true">
              <span style={{ inlineSize: `${(100 * bytes) / most}%` }} />
            </span>
            <b>
              {format.size(bytes)} <span className="m-muted">({format.number(files)})</span>
            </b>
          </li>
        ))}
      </ul>
    </section>
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

export function Storage() {
  const t = useT();
  const [asked, setAsked] = useState<Row | 'any'>();
  const [spec] = useState<ListSpec<typeof uploadMonitorCalls.storage>>(() => ({
    code: 'file.storage',
    title: 'upload.storage',
    call: uploadMonitorCalls.storage,
    search: { field: 'name', hint: 'upload.searchDept' },
    columns: [
      { key: 'name', title: 'upload.dept', pinned: 'left', sort: true, width: 260 },
      { key: 'files', title: 'upload.count', kind: 'number', width: 120 },
      { key: 'bytes', title: 'upload.bytes', kind: 'size', sort: true, width: 150 },
      { key: 'below', title: 'upload.below', kind: 'size', width: 190 },
      { key: 'quota', title: 'upload.quota', width: 260, cell: (row) => <Quota row={row} /> },
    ],
    rowActions: [{ key: 'quota', label: 'upload.quota.set', icon: 'edit', allowedAction: 'quota', run: setAsked }],
    export: uploadMonitorCalls.storageExport,
    nameOf: (row) => row.name,
    empty: { title: 'upload.storageEmpty', icon: 'file' },
  }));
  return (
    <div className="m-stack m-page-fill">
      <ByKind />
      {mayCall(uploadMonitorCalls.quota) ? (
        <div className="m-row">
          <span className="m-grow" />
          <Button icon="edit" onClick={() => setAsked('any')}>
            {t('upload.quota.set')}
          </Button>
        </div>
      ) : null}
      <ListView spec={spec} queryPrefix="s." />
      {asked ? <SetQuota {...(asked === 'any' ? {} : { row: asked })} onClose={() => setAsked(undefined)} /> : null}
    </div>
  );
}

/** Of one that is listed already, or of any organisation. */
function SetQuota({ row, onClose }: { row?: Row; onClose: () => void }) {
  const t = useT();
  const format = useFormat();
  const gigabytes = { name: 'gigabytes', label: 'upload.quota.gigabytes', kind: 'number', help: 'upload.quota.help' } as const;
  return (
    <FormDialog
      title="upload.quota.set"
      {...(row ? { of: row.name } : {})}
      call={uploadMonitorCalls.quota}
      {...(row ? { about: <p className="m-muted">{t('upload.quota.now', { size: format.size(row.below) })}</p> } : {})}
      submit="upload.quota.set"
      successText="upload.quota.done"
      fields={row ? [gigabytes] : [{ name: 'deptId', label: 'upload.dept', kind: 'one', useChoices: useDepts }, gigabytes]}
      initial={row ? { deptId: row.id, gigabytes: row.quota === null ? null : Number((row.quota / GB).toFixed(3)) } : {}}
      onClose={onClose}
    />
  );
}
