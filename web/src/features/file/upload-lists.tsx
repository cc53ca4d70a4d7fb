import { fileKinds } from '@mooring/contract/file/kinds';
import { uploadMonitorCalls } from '@mooring/contract/file/upload-monitor-calls';
import type { Tone } from '@mooring/contract/kit/state-machine';
import { useDepts, usePeopleBy } from '../../kit/choices.ts';
import { type ListSpec, type RowOf, rowAction } from '../../kit/list/types.ts';
import { Progress } from '../../ui/figures.tsx';
import { StatusTag } from '../../ui/status-tag.tsx';
import { useFormat, useLooseT, useT } from '../../ui/words.ts';
import { OpenFile } from './open-file.tsx';

type Upload = RowOf<typeof uploadMonitorCalls.page>;
const tones: Readonly<Record<Upload['state'], Tone>> = {
  uploading: 'busy',
  assembling: 'busy',
  done: 'good',
  failed: 'bad',
  cancelled: 'ended',
  refused: 'bad',
};
const STALLED_MS = 60_000;

function State({ row }: { row: Upload }) {
  const t = useT();
  const loose = useLooseT();
  const format = useFormat();
  const isStalled = row.state === 'uploading' && Date.now() - Date.parse(String(row.touchedAt)) > STALLED_MS;
  return (
    <div className="m-stack-tight">
      <StatusTag tone={isStalled ? 'wait' : tones[row.state]}>{t(`upload.state.${row.state}`)}</StatusTag>
      {row.reason ? <span className="m-small m-muted">{loose(`fault.${row.reason}`, row.reason)}</span> : null}
      {isStalled ? <span className="m-small m-muted">{t('upload.stalled', { time: format.ago(String(row.touchedAt)) })}</span> : null}
    </div>
  );
}

function Received({ row }: { row: Upload }) {
  const t = useT();
  const format = useFormat();
  if (row.state === 'refused') return format.size(row.sent);
  if (row.state === 'done' || row.way === 'direct') return format.size(row.size);
  const note = t('upload.progressOf', { sent: format.size(row.sent), size: format.size(row.size), parts: row.partsSent, all: row.parts });
  return <Progress share={row.sent / row.size} label={row.fileName} note={note} />;
}

function Speed({ row }: { row: Upload }) {
  const t = useT();
  const format = useFormat();
  return row.bytesPerSecond === null ? '–' : t('upload.perSecond', { size: format.size(row.bytesPerSecond) });
}

const kinds = fileKinds.map(({ code }) => ({ value: code, label: `upload.kind.${code}` as `upload.kind.1` }));

const usePeople = (text: string, chosen: readonly (string | number)[]) => usePeopleBy(uploadMonitorCalls.people, text, chosen);

export const uploads: ListSpec<typeof uploadMonitorCalls.page> = {
  code: 'file.uploads',
  title: 'upload.title',
  call: uploadMonitorCalls.page,
  search: { field: 'fileName', hint: 'upload.search' },
  every: (rows) => (rows.some((row) => row.state === 'uploading' || row.state === 'assembling') ? 3 : 15),
  columns: [
    { key: 'fileName', title: 'upload.fileName', pinned: 'left', width: 220 },
    { key: 'fileType', title: 'upload.fileType', kind: 'name', names: 'upload.kind.', width: 120 },
    { key: 'state', title: 'upload.state', width: 190, cell: (row) => <State row={row} /> },
    { key: '_received', title: 'upload.progress', width: 220, cell: (row) => <Received row={row} /> },
    { key: 'way', title: 'upload.way', kind: 'name', names: 'upload.way.', width: 110 },
    { key: 'seconds', title: 'upload.seconds', kind: 'duration', width: 100 },
    { key: 'bytesPerSecond', title: 'upload.speed', width: 120, cell: (row) => <Speed row={row} /> },
    { key: 'userName', title: 'upload.user', width: 140 },
    { key: 'deptName', title: 'upload.dept', width: 150 },
    { key: 'createdAt', title: 'upload.createdAt', kind: 'moment', sort: true, width: 170 },
    { key: 'touchedAt', title: 'upload.touchedAt', kind: 'ago', width: 120, off: true },
    { key: 'size', title: 'upload.size', kind: 'size', sort: true, width: 100, off: true },
  ],
  filters: [
    { field: 'state', label: 'upload.state', names: 'upload.state.' },
    { field: 'fileType', label: 'upload.fileType', kind: 'multi', choices: kinds },
    { field: 'deptId', label: 'upload.dept', useChoices: useDepts },
    { field: 'userId', label: 'upload.user', useChoices: usePeople },
    { field: 'createdAt', label: 'upload.createdAt' },
  ],
  rowActions: [
    rowAction(uploadMonitorCalls.cancel, {
      successText: 'upload.cancelled',
      label: 'upload.cancel',
      allowedAction: 'cancel',
      danger: true,
      confirm: { text: 'upload.cancel.about', keep: 'upload.cancel.keep' },
    }),
  ],
  export: uploadMonitorCalls.export,
  nameOf: (row) => row.fileName,
  empty: { title: 'upload.empty', text: 'upload.emptyText', icon: 'upload' },
};

export const storedFiles: ListSpec<typeof uploadMonitorCalls.files> = {
  code: 'file.files',
  title: 'upload.files',
  call: uploadMonitorCalls.files,
  search: { field: 'fileName', hint: 'upload.search' },
  columns: [
    { key: 'fileName', title: 'upload.fileName', pinned: 'left', width: 240 },
    { key: 'fileType', title: 'upload.fileType', kind: 'name', names: 'upload.kind.', width: 140 },
    { key: 'size', title: 'upload.size', kind: 'size', sort: true, width: 110 },
    { key: 'used', title: 'upload.used', kind: 'yes', width: 100 },
    { key: 'userName', title: 'upload.user', width: 150 },
    { key: 'deptName', title: 'upload.dept', width: 170 },
    { key: 'createdAt', title: 'upload.storedAt', kind: 'moment', sort: true, width: 170 },
    { key: 'expiresAt', title: 'upload.expiresAt', kind: 'moment', width: 200 },
  ],
  filters: [
    { field: 'fileType', label: 'upload.fileType', kind: 'multi', choices: kinds },
    { field: 'deptId', label: 'upload.dept', useChoices: useDepts },
    { field: 'userId', label: 'upload.user', useChoices: usePeople },
    { field: 'createdAt', label: 'upload.storedAt' },
  ],
  rowActions: [
    rowAction(uploadMonitorCalls.delete, {
      successText: 'done.deleted',
      label: 'upload.delete',
      icon: 'delete',
      allowedAction: 'delete',
      danger: true,
      confirm: { text: 'upload.delete.about' },
    }),
  ],
  export: uploadMonitorCalls.fileExport,
  slots: { aside: OpenFile },
  nameOf: (row) => row.fileName,
  empty: { title: 'upload.filesEmpty', icon: 'file' },
};
