import { packageCalls } from '@mooring/contract/firmware/package-calls';
import { packageMachine } from '@mooring/contract/firmware/state-machines';
import { taskCalls } from '@mooring/contract/firmware/task-calls';
import type { OutputOf } from '@mooring/contract/kit/call';
import { listPage } from '../../kit/list/list-page.tsx';
import { rowAction } from '../../kit/list/types.ts';
import { mayCall } from '../../kit/session.ts';
import { AddPackage } from './add-package.tsx';
import { useProducts } from './choices.ts';

const isPublished = (state: string) => state === packageMachine.states.published.code || state === packageMachine.states.partly.code;

export const packageList = listPage({
  code: 'firmware.package',
  title: 'firmware.package.title',
  call: packageCalls.page,
  search: { field: 'text', hint: 'firmware.package.search' },
  nameOf: (row) => `${row.productName} ${row.version}`,
  columns: [
    { key: 'version', title: 'firmware.package.version', sort: true, pinned: 'left', width: 150 },
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
    { field: 'createdAt', label: 'firmware.package.createdAt' },
  ],
  actions: [{ key: 'add', label: 'firmware.package.add', icon: 'upload', primary: true, call: packageCalls.add, Dialog: AddPackage }],
  rowActions: [
    {
      key: 'release',
      label: 'firmware.package.release',
      icon: 'send',
      when: (row) => isPublished(row.publishState) && mayCall(taskCalls.add),
      to: (row) => `/device/fota/taskmod/new?package=${row.id}`,
    },
    // A package that some stores couldn't take is published once more; one that all have isn't.
    rowAction(packageCalls.publish, {
      successText: 'firmware.package.published',
      label: 'event.package.publish',
      allowedAction: 'publish',
      when: (row: OutputOf<typeof packageCalls.detail>) => row.publishState !== packageMachine.states.published.code,
    }),
    rowAction(packageCalls.unpublish, {
      successText: 'firmware.package.unpublished',
      label: 'event.package.unpublish',
      allowedAction: 'unpublish',
    }),
    rowAction(packageCalls.delete, {
      successText: 'firmware.package.deleted',
      label: 'firmware.package.delete',
      allowedAction: 'delete',
      danger: true,
      confirm: { text: 'firmware.package.deleteText' },
    }),
  ],
  empty: { title: 'firmware.package.empty', text: 'firmware.package.emptyText' },
});
