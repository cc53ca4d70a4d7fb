import { backgroundJobCalls, backgroundJobKinds, type Work } from '@mooring/contract/file/background-job-calls';
import { backgroundJobMachine } from '@mooring/contract/file/background-job-state-machine';
import { fileCalls } from '@mooring/contract/file/calls';
import { api } from '../../kit/client.ts';
import { download } from '../../kit/downloads.ts';
import { listPage } from '../../kit/list/list-page.tsx';
import { rowAction } from '../../kit/list/types.ts';
import { BackgroundJobPanel } from './background-job-panel.tsx';
import { BackgroundJobProgress } from './work-progress.tsx';

/** Fetches the file of a finished work; its address is good for ten minutes. */
const fetchFile = (row: Work) =>
  void api(backgroundJobCalls.download, { id: row.id }).then(
    ({ url, fileName }) => download(fileCalls.get, { token: url.split('/').at(-1) ?? '' }, fileName),
    () => undefined,
  );

export const taskCentre = listPage({
  code: 'file.work',
  title: 'work.title',
  call: backgroundJobCalls.page,
  search: { field: 'name', hint: 'work.name' },
  columns: [
    { key: 'name', title: 'work.name', pinned: 'left', width: 220 },
    { key: 'kind', title: 'work.kind', kind: 'name', names: 'work.kind.', width: 120 },
    { key: 'state', title: 'work.state', kind: 'state', machine: backgroundJobMachine, width: 130 },
    { key: '_progress', title: 'work.progress', width: 200, cell: (row) => <BackgroundJobProgress row={row} /> },
    { key: 'fileSize', title: 'work.file', kind: 'size', width: 110 },
    { key: 'downloaded', title: 'work.downloaded', kind: 'name', names: 'work.downloaded.', width: 120 },
    { key: 'createdAt', title: 'work.createdAt', kind: 'moment', sort: true, width: 170 },
    { key: 'endedAt', title: 'work.endedAt', kind: 'moment', width: 170 },
    { key: 'expiresAt', title: 'work.expiresAt', kind: 'moment', off: true },
  ],
  filters: [
    { field: 'state', label: 'work.state', machine: backgroundJobMachine },
    {
      field: 'kind',
      label: 'work.kind',
      kind: 'multi',
      choices: backgroundJobKinds.map((kind) => ({ value: kind, label: `work.kind.${kind}` as const })),
    },
  ],
  rowActions: [
    { key: 'download', label: 'work.download', icon: 'download', allowedAction: 'download', run: fetchFile },
    rowAction(backgroundJobCalls.retry, { successText: 'done.retried', label: 'event.work.retry', icon: 'retry', allowedAction: 'retry' }),
    rowAction(backgroundJobCalls.cancel, { successText: 'done.cancelled', label: 'event.work.cancel', allowedAction: 'cancel' }),
    rowAction(backgroundJobCalls.delete, {
      successText: 'done.deleted',
      label: 'work.delete',
      icon: 'delete',
      danger: true,
      allowedAction: 'delete',
    }),
  ],
  every: (rows) => (rows.some((row) => row.state === 'running' || row.state === 'waiting') ? 2 : undefined),
  slots: { aside: BackgroundJobPanel },
  empty: { title: 'work.empty', text: 'work.emptyText' },
});
