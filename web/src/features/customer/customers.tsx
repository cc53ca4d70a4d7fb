import { IotCustomer, iotCustomerCalls } from '@mooring/contract/customer/customer';
import type { RowOf } from '@mooring/contract/kit/entity';
import { listPage } from '../../kit/list/list-page.tsx';
import { off } from '../../kit/resource/entity-column.tsx';
import { moving, Reason, tryOut } from './acts.tsx';
import { Count } from './count.tsx';

type Row = RowOf<typeof IotCustomer>;
const pathOf = ({ id }: { readonly id: number }) => `/customerConfig/${id}`;

export const customerList = listPage(IotCustomer, iotCustomerCalls, {
  code: 'customer.list',
  path: '/customerConfig',
  columns: [
    { key: 'name', link: pathOf, width: 190, pinned: 'left' },
    { key: 'kind', width: 140 },
    { key: 'state', width: 150 },
    { key: 'endpoint', width: 220 },
    { key: 'deptName', width: 170 },
    { key: 'registered', width: 120, cell: (row) => (row.kind === 'aws' ? <Count of={row.registered} /> : '–') },
    { key: 'waiting', width: 100, cell: (row) => <Count of={row.waiting} /> },
    { key: 'deliveredAt', kind: 'ago', width: 150 },
    { key: 'reason', width: 210, cell: (row) => <Reason of={row.reason} /> },
    off('failingSince'),
    off('dropped'),
    off('region'),
    off('topic'),
    off('createdAt'),
  ],
  filters: [
    { field: 'kind', label: 'iotCustomer.kind', names: 'iotCustomer.kind.' },
    { field: 'state', label: 'iotCustomer.state', machine: IotCustomer.machine as never },
  ],
  actions: [{ key: 'add', label: 'iotCustomer.add', icon: 'add', primary: true, call: iotCustomerCalls.add, to: '/customerConfig/new' }],
  rowActions: [
    ...moving,
    { key: 'test', label: 'iotCustomer.test', icon: 'send', allowedAction: 'test', run: (row: Row) => void tryOut(row) },
    { key: 'edit', label: 'iotCustomer.edit', icon: 'edit', allowedAction: 'update', to: (row: Row) => `${pathOf(row)}/edit` },
  ],
  deleting: { text: 'iotCustomer.delete.about', type: true },
  nameOf: (row) => row.name,
  open: pathOf,
  empty: { title: 'iotCustomer.empty', text: 'iotCustomer.emptyText', icon: 'iot' },
});
