import { Order, orderCalls } from '@mooring/contract/order/calls';
import { orderCostMachine, orderMachine, orderWarrantyMachine } from '@mooring/contract/order/state-machines';
import { useDepts, useMerchants, useProducts, useTerminals } from '../../kit/choices.ts';
import { bulkAct } from '../../kit/list/types.ts';
import { off } from '../../kit/resource/entity-column.tsx';
import { listOf } from '../../kit/resource/resource-list.ts';
import { StateTag } from '../../kit/state-tag.tsx';
import { orderActs } from './acts.tsx';
import { useFaults, useOwnEngineers, usePartners } from './offered.ts';
import { Due, orderPath, type Row, Total } from './order-cells.tsx';

export const orderList = listOf(Order, orderCalls, {
  code: 'order.orders',
  path: '/orderEdit',
  texts: { delete: 'order.cancel' },
  columns: [
    { key: 'number', width: 140, link: orderPath },
    { key: 'state', width: 130 },
    { key: 'sn', width: 155 },
    { key: 'fault', width: 110 },
    { key: 'merchantName', width: 140 },
    { key: 'deptName', width: 130 },
    { key: 'partnerName', width: 130 },
    { key: 'dueOn', width: 110, cell: (row: Row) => <Due row={row} /> },
    {
      key: 'costs',
      width: 120,
      cell: (row: Row) => (row.costs === 'none' ? '–' : <StateTag machine={orderCostMachine} code={row.costs} />),
    },
    { key: 'total', width: 120, cell: (row: Row) => <Total row={row} /> },
    off('createdAt'),
    off('productName'),
    off('engineer'),
    off('warranty'),
    off('side'),
    off('shopName'),
    off('contactName'),
    off('phone'),
    off('description'),
    off('diagnosis'),
    off('workDone'),
    { key: 'warrantyUntil', kind: 'date', off: true },
    off('outNumber'),
    off('backNumber'),
    off('replacementSn'),
    off('createdBy'),
    off('closedAt'),
  ],
  filters: [
    { field: 'state', label: 'order.state', machine: orderMachine },
    { field: 'side', label: 'order.side', names: 'order.side.' },
    { field: 'waiting', label: 'order.waiting', kind: 'yes' },
    { field: 'mine', label: 'order.mine', kind: 'yes' },
    { field: 'unassigned', label: 'order.unassigned', kind: 'yes' },
    { field: 'engineerId', label: 'order.engineerId', useChoices: useOwnEngineers },
    { field: 'dueOn', label: 'order.dueOn' },
    { field: 'late', label: 'order.late', kind: 'yes' },
    { field: 'costs', label: 'order.costs', machine: orderCostMachine },
    { field: 'warranty', label: 'order.warrantyDecision', machine: orderWarrantyMachine },
    { field: 'fault', label: 'order.fault', useChoices: useFaults },
    { field: 'deptId', label: 'order.deptId', useChoices: useDepts },
    { field: 'partnerId', label: 'order.partnerId', useChoices: usePartners },
    { field: 'merchantId', label: 'order.merchantId', useChoices: useMerchants },
    { field: 'productId', label: 'device.product', useChoices: useProducts },
    { field: 'deviceId', label: 'order.deviceId', useChoices: useTerminals },
    { field: 'createdAt', label: 'order.createdAt' },
  ],
  actions: [],
  // Editing is one of every list already.
  rowActions: orderActs.filter(({ key }) => key !== 'update'),
  bulk: [
    bulkAct(orderCalls.acceptMany, {
      label: 'order.acceptMany',
      icon: 'check',
      text: 'order.acceptMany.about',
      successText: 'order.acceptMany.done',
    }),
    bulkAct(orderCalls.receiveMany, { label: 'order.receiveMany', icon: 'inbox', successText: 'order.receiveMany.done' }),
    bulkAct(orderCalls.assignMany, {
      label: 'order.assignMany',
      text: 'order.assignMany.about',
      successText: 'order.assignMany.done',
      form: {
        fields: [
          { name: 'engineerId', label: 'order.engineerId', kind: 'one', useChoices: useOwnEngineers },
          { name: 'dueOn', label: 'order.dueOn', kind: 'day' },
        ],
        initial: {},
      },
    }),
    bulkAct(orderCalls.deliveredMany, {
      label: 'order.deliveredMany',
      text: 'order.deliveredMany.about',
      successText: 'order.deliveredMany.done',
    }),
    bulkAct(orderCalls.cancelMany, {
      label: 'order.cancelMany',
      danger: true,
      text: 'order.cancelMany.about',
      successText: 'order.cancelMany.done',
      form: { fields: [{ name: 'reason', label: 'order.reason', kind: 'area', wide: true }], initial: { reason: '' } },
    }),
  ],
  nameOf: (row) => row.number,
  open: orderPath,
  empty: { title: 'order.empty', text: 'order.emptyText', icon: 'order' },
});
