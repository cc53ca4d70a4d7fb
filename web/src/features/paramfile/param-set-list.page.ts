import { ParamSet, paramBatchCalls, paramSetCalls } from '@mooring/contract/paramfile/calls';
import { listPage } from '../../kit/list/list-page.tsx';
import { off } from '../../kit/resource/entity-column.tsx';
import { releaseSet, setPath } from './set-actions.ts';
import { UploadSet } from './upload-set.tsx';

export const paramSetList = listPage(ParamSet, paramSetCalls, {
  code: 'paramSet.list',
  path: '/post/paramfile',
  columns: [
    { key: 'name', link: setPath },
    'files',
    { key: 'size', kind: 'size' },
    'fileName',
    off('version'),
    'deptName',
    'createdBy',
    'createdAt',
    off('remark'),
  ],
  actions: [{ key: 'add', label: 'paramSet.add', icon: 'upload', primary: true, call: paramBatchCalls.add, Dialog: UploadSet }],
  rowActions: [releaseSet],
  open: setPath,
  deleting: { text: 'paramSet.delete.about' },
  texts: { edit: 'kit.save' },
  emptyText: 'paramSet.emptyText',
});
