import { deviceCalls } from '@mooring/contract/device/calls';
import { deviceMachine } from '@mooring/contract/device/state-machines';
import { useDepts, useGroups, useMerchants, useProducts, useShops } from '../../kit/choices.ts';
import type { ListSpec } from '../../kit/list/types.ts';
import { useApps, useFirmwares, useTags } from './choices.ts';
import { belonging, createdColumn, deviceColumn } from './columns.ts';
import { deviceActs, deviceBulk } from './device-acts.ts';
import { GroupLinks } from './groups/group-links.tsx';

/** The list of terminals, wherever it stands. */
export const deviceTable: ListSpec<typeof deviceCalls.page> = {
  code: 'device.list',
  title: 'device.list.title',
  call: deviceCalls.page,
  search: { field: 'text', hint: 'device.search' },
  columns: [
    deviceColumn,
    { key: 'name', title: 'device.name', sort: true, width: 170, off: true },
    { key: 'status', title: 'device.status', kind: 'state', machine: deviceMachine, width: 120 },
    ...belonging,
    { key: 'merchantName', title: 'device.merchant', width: 170, off: true },
    { key: 'shopName', title: 'device.shop', width: 150, off: true },
    { key: 'firmware', title: 'device.firmware', width: 120 },
    { key: 'battery', title: 'device.battery', kind: 'percent', width: 90 },
    { key: 'network', title: 'device.network', kind: 'name', names: 'device.network.', width: 110 },
    { key: 'lastSeenAt', title: 'device.lastSeenAt', kind: 'ago', width: 140 },
    { key: 'tags', title: 'device.tags', kind: 'tags', width: 150 },
    { key: 'testTerminal', title: 'device.testTerminal', kind: 'yes', width: 120, off: true },
    { key: 'groups', title: 'device.groups', cell: (row) => GroupLinks({ groups: row.groups }), width: 170, off: true },
    createdColumn,
    { key: 'activatedAt', title: 'device.activatedAt', kind: 'moment', off: true },
    { key: 'timeZone', title: 'device.timeZone', off: true },
    { key: 'imei', title: 'device.imei', width: 170, off: true },
    { key: 'iccid', title: 'device.iccid', width: 200, off: true },
    { key: 'mac', title: 'device.mac', width: 160, off: true },
    { key: 'pn', title: 'device.pn', width: 150, off: true },
  ],
  filters: [
    { field: 'status', label: 'device.status', machine: deviceMachine },
    { field: 'productId', label: 'device.product', useChoices: useProducts },
    { field: 'deptId', label: 'device.dept', useChoices: useDepts },
    { field: 'below', label: 'device.below', kind: 'one', useChoices: useDepts },
    { field: 'merchantId', label: 'device.merchant', useChoices: useMerchants },
    { field: 'shopId', label: 'device.shop', useChoices: useShops },
    { field: 'firmware', label: 'device.firmware', useChoices: useFirmwares },
    { field: 'tag', label: 'device.tags', useChoices: useTags },
    { field: 'testTerminal', label: 'device.testTerminal', kind: 'yes' },
    { field: 'app', label: 'device.app', useChoices: useApps },
    { field: 'appBelow', label: 'device.appBelow' },
    { field: 'groupId', label: 'device.groups', useChoices: useGroups },
    { field: 'attention', label: 'device.attention', names: 'device.attention.' },
    { field: 'doubles', label: 'device.double', names: 'device.double.' },
    { field: 'behind', label: 'device.behind', kind: 'yes' },
    { field: 'failed', label: 'device.failed', kind: 'one', names: 'map.failed.days.' },
    { field: 'placed', label: 'map.placed', kind: 'yes' },
    { field: 'createdAt', label: 'device.createdAt' },
    { field: 'deleted', label: 'device.deleted', kind: 'yes' },
  ],
  rowActions: deviceActs,
  bulk: deviceBulk,
  export: deviceCalls.export,
  open: (row) => `/device/deviceDetail/${row.id}`,
  nameOf: (row) => row.sn,
  empty: { title: 'device.list.empty', icon: 'device' },
};
