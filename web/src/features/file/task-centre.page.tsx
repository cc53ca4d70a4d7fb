import { fileCalls } from '@mooring/contract/file/calls';
import { type Work, workCalls, workKinds } from '@mooring/contract/file/work-calls';
import { workLife } from '@mooring/contract/file/work-life';
import { api } from '../../kit/client.ts';
import { download } from '../../kit/downloads.ts';
import { listPage } from '../../kit/list/list-page.tsx';
import { rowAct } from '../../kit/list/types.ts';
import { WorkProgress } from './work-progress.tsx';

/** Fetches the file of a finished work; its address is good for ten minutes. */
const fetchFile = (row: Work) =>
  void api(workCalls.download, { id: row.id }).then(
    ({ url, fileName }) => download(fileCalls.get, { token: url.split('/').at(-1) ?? '' }, fileName),
    () => undefined,
  );

export const taskCentre = listPage({
  code: 'file.work',
  title: 'work.title',
  call: workCalls.page,
  search: { field: 'name', hint: 'work.name' },
  columns: [
    { key: 'name', title: 'work.name', pinned: 'left', width: 220 },
    { key: 'kind', title: 'work.kind', kind: 'name', names: 'work.kind.', width: 120 },
    { key: 'state', title: 'work.state', kind: 'state', life: workLife, width: 130 },
    { key: '_progress', title: 'work.progress', width: 200, cell: (row) => <WorkProgress row={row} /> },
    { key: 'fileSize', title: 'work.file', kind: 'size', width: 110 },
    { key: 'downloaded', title: 'work.downloaded', kind: 'name', names: 'work.downloaded.', width: 120 },
    { key: 'createdAt', title: 'work.createdAt', kind: 'moment', sort: true, width: 170 },
    { key: 'endedAt', title: 'work.endedAt', kind: 'moment', width: 170 },
    { key: 'expiresAt', title: 'work.expiresAt', kind: 'moment', off: true },
  ],
  filters: [
    { field: 'state', label: 'work.state', life: workLife },
    {
      field: 'kind',
      label: 'work.kind',
      kind: 'multi',
      choices: workKinds.map((kind) => ({ value: kind, label: `work.kind.${kind}` as const })),
    },
  ],
  rowActions: [
    { key: 'download', label: 'work.download', icon: 'download', offer: 'download', run: fetchFile },
    rowAct(workCalls.retry, { said: 'done.retried', label: 'event.work.retry', icon: 'retry', offer: 'retry' }),
    rowAct(workCalls.cancel, { said: 'done.cancelled', label: 'event.work.cancel', offer: 'cancel' }),
    rowAct(workCalls.delete, { said: 'done.deleted', label: 'work.delete', icon: 'delete', danger: true, offer: 'delete' }),
  ],
  every: (rows) => (rows.some((row) => row.state === 'running' || row.state === 'waiting') ? 2 : undefined),
  empty: { title: 'work.empty', text: 'work.emptyText' },
});
