import { ParamFile, paramFileCalls, paramSetCalls } from '@mooring/contract/paramfile/calls';
import { detailPage } from '../../kit/detail/detail-page.tsx';
import { ListView } from '../../kit/list/list-view.tsx';
import type { ListSpec } from '../../kit/list/types.ts';
import { columnsOf, off } from '../../kit/resource/entity-column.tsx';
import { deleteSet, type ParamSetRow, releaseSet } from './set-actions.ts';

const CHANGED_SECONDS = 5;

const files = {
  code: 'paramSet.files',
  title: 'paramFile.title',
  call: paramFileCalls.page,
  search: { field: 'text', hint: 'paramFile.search' },
  columns: columnsOf(ParamFile, [
    { key: 'sn', link: ({ deviceId }: { deviceId: number }) => `/device/deviceDetail/${deviceId}` },
    'deviceName',
    'held',
    'fileName',
    { key: 'size', kind: 'size' },
    off('sha256'),
  ]),
  export: paramFileCalls.export,
  // What a terminal says of its file moves no row of ours.
  every: () => CHANGED_SECONDS,
  empty: { title: 'paramFile.empty', text: 'paramFile.emptyText', icon: 'file' },
} satisfies ListSpec<typeof paramFileCalls.page>;

const Files = ({ row }: { row: ParamSetRow }) => <ListView spec={files} fixed={{ setId: row.id }} />;

export const paramSetPage = detailPage({
  call: paramSetCalls.detail,
  nameOf: (row) => row.name,
  facts: [
    { key: 'files', title: 'paramSet.files', kind: 'number' },
    { key: 'size', title: 'paramSet.size', kind: 'size' },
    { key: 'fileName', title: 'paramSet.fileName' },
    { key: 'version', title: 'paramSet.version', kind: 'code' },
    { key: 'deptName', title: 'paramSet.dept' },
    { key: 'createdBy', title: 'paramSet.createdBy' },
    { key: 'createdAt', title: 'paramSet.createdAt', kind: 'moment' },
    { key: 'remark', title: 'paramSet.remark', when: (row) => row.remark !== '' },
  ],
  actions: [releaseSet, deleteSet],
  tabs: [{ key: 'files', title: 'paramFile.title', Body: Files }],
});
