import { productCalls } from '@mooring/contract/product/calls';
import { productMachine } from '@mooring/contract/product/state-machines';
import { allows } from '../../kit/allows.ts';
import { DictLabel } from '../../kit/choices.ts';
import { listPage } from '../../kit/list/list-page.tsx';
import { rowAction } from '../../kit/list/types.ts';

export const productList = listPage({
  code: 'product.list',
  title: 'product.title',
  call: productCalls.page,
  search: { field: 'text', hint: 'product.search' },
  columns: [
    {
      key: 'name',
      title: 'product.name',
      sort: true,
      pinned: 'left',
      width: 200,
      link: (row) => (allows(row, 'update') ? `/device/product/${row.id}` : undefined),
    },
    { key: 'code', title: 'product.code', kind: 'code', sort: true, width: 130 },
    { key: 'publishStatus', title: 'product.publishStatus', kind: 'state', machine: productMachine, width: 140 },
    { key: 'category', title: 'product.category', kind: 'name', names: 'product.category.', width: 140 },
    { key: 'firm', title: 'product.firm', width: 140 },
    { key: 'industry', title: 'product.industry', off: true, cell: (row) => <DictLabel type="industry" value={row.industry} /> },
    { key: 'heartbeatSeconds', title: 'product.heartbeatSeconds', kind: 'number', off: true },
    { key: 'deptName', title: 'product.dept', width: 160 },
    { key: 'createdAt', title: 'product.createdAt', kind: 'moment', sort: true, width: 170 },
  ],
  filters: [
    { field: 'category', label: 'product.category', names: 'product.category.' },
    { field: 'publishStatus', label: 'product.publishStatus', machine: productMachine },
  ],
  actions: [{ key: 'add', label: 'product.add', icon: 'add', primary: true, call: productCalls.add, to: '/device/product/new' }],
  rowActions: [
    { key: 'edit', label: 'product.edit', icon: 'edit', allowedAction: 'update', to: (row) => `/device/product/${row.id}` },
    rowAction(productCalls.publish, { successText: 'done.published', label: 'event.product.publish', allowedAction: 'publish' }),
    rowAction(productCalls.unpublish, {
      successText: 'done.unpublished',
      label: 'event.product.unpublish',
      allowedAction: 'unpublish',
      confirm: { text: 'product.unpublish.about' },
    }),
    rowAction(productCalls.delete, {
      successText: 'done.deleted',
      label: 'product.delete',
      allowedAction: 'delete',
      danger: true,
      confirm: { text: 'product.delete.about', type: true },
    }),
  ],
  nameOf: (row) => row.name,
  empty: { title: 'product.empty', text: 'product.emptyText' },
});
