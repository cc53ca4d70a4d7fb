import { productCalls } from '@mooring/contract/product/calls';
import { productMachine } from '@mooring/contract/product/state-machines';
import { DictLabel } from '../../kit/choices.ts';
import { listPage } from '../../kit/list/list-page.tsx';
import { rowAct } from '../../kit/list/types.ts';

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
      link: (row) => (row.offers.includes('update') ? `/device/product/${row.id}` : undefined),
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
    { key: 'edit', label: 'product.edit', icon: 'edit', offer: 'update', to: (row) => `/device/product/${row.id}` },
    rowAct(productCalls.publish, { said: 'done.published', label: 'event.product.publish', offer: 'publish' }),
    rowAct(productCalls.unpublish, {
      said: 'done.unpublished',
      label: 'event.product.unpublish',
      offer: 'unpublish',
      confirm: { text: 'product.unpublish.about' },
    }),
    rowAct(productCalls.delete, {
      said: 'done.deleted',
      label: 'product.delete',
      offer: 'delete',
      danger: true,
      confirm: { text: 'product.delete.about', type: true },
    }),
  ],
  nameOf: (row) => row.name,
  empty: { title: 'product.empty', text: 'product.emptyText' },
});
