import { packageCalls } from '@mooring/contract/firmware/package-calls';
import { packageMachine } from '@mooring/contract/firmware/state-machines';
import { useDepts } from '../../kit/choices.ts';
import { listPage } from '../../kit/list/list-page.tsx';
import { bulkAct } from '../../kit/list/types.ts';
import { AddPackage } from './add-package.tsx';
import { useProducts } from './choices.ts';
import { packageActions, packagePath } from './package-actions.ts';

export const packageList = listPage({
  code: 'firmware.package',
  title: 'firmware.package.title',
  call: packageCalls.page,
  search: { field: 'text', hint: 'firmware.package.search' },
  nameOf: (row) => `${row.productName} ${row.version}`,
  columns: [
    { key: 'version', title: 'firmware.package.version', sort: true, pinned: 'left', width: 150, link: packagePath },
    { key: 'productName', title: 'firmware.package.product', width: 170 },
    { key: 'kind', title: 'firmware.package.kind', kind: 'name', names: 'firmware.package.kind.', width: 140 },
    { key: 'base', title: 'firmware.package.base', width: 120, off: true },
    { key: 'publishState', title: 'firmware.package.state', kind: 'state', machine: packageMachine, width: 140 },
    { key: 'size', title: 'firmware.package.size', kind: 'size', width: 110 },
    { key: 'fileName', title: 'firmware.package.file', width: 220 },
    { key: 'sha256', title: 'firmware.package.sha256', kind: 'code', width: 180 },
    { key: 'md5', title: 'firmware.package.md5', kind: 'code', off: true },
    { key: 'note', title: 'firmware.package.note', off: true },
    { key: 'createdBy', title: 'firmware.package.createdBy', width: 140 },
    { key: 'createdAt', title: 'firmware.package.createdAt', kind: 'moment', sort: true, width: 170 },
  ],
  filters: [
    { field: 'productId', label: 'firmware.package.product', useChoices: useProducts },
    { field: 'kind', label: 'firmware.package.kind', names: 'firmware.package.kind.' },
    { field: 'publishState', label: 'firmware.package.state', machine: packageMachine },
    { field: 'deptId', label: 'firmware.task.dept', kind: 'one', useChoices: useDepts },
    { field: 'createdBy', label: 'firmware.package.createdBy' },
    { field: 'createdAt', label: 'firmware.package.createdAt' },
  ],
  actions: [{ key: 'add', label: 'firmware.package.add', icon: 'upload', primary: true, call: packageCalls.add, Dialog: AddPackage }],
  rowActions: packageActions,
  bulk: [
    bulkAct(packageCalls.publishMany, {
      label: 'firmware.package.publishMany',
      successText: 'firmware.package.publishedMany',
      icon: 'send',
    }),
    bulkAct(packageCalls.unpublishMany, { label: 'firmware.package.unpublishMany', successText: 'firmware.package.unpublishedMany' }),
    bulkAct(packageCalls.deleteMany, {
      label: 'firmware.package.deleteMany',
      successText: 'firmware.package.deletedMany',
      text: 'firmware.package.deleteText',
      icon: 'delete',
      danger: true,
    }),
  ],
  open: packagePath,
  empty: { title: 'firmware.package.empty', text: 'firmware.package.emptyText' },
});
