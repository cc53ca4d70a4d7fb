import { deviceCalls } from '@mooring/contract/device/calls';
import { deviceLife } from '@mooring/contract/device/lives';
import type { Device } from '@mooring/contract/device/schemas';
import { listPage } from '../kit/list/list-page.tsx';
import { bulkAct, rowAct } from '../kit/list/types.ts';

export const sampleList = listPage({
  code: 'gallery.list',
  title: 'menu.device',
  call: deviceCalls.page,
  search: { field: 'text', hint: 'device.sn' },
  columns: [
    {
      key: 'sn',
      title: 'device.sn',
      kind: 'code',
      width: 190,
      pinned: 'left',
      sort: true,
      link: (row) => `/device/deviceDetail/${row.id}`,
    },
    { key: 'name', title: 'device.name', sort: true, width: 180 },
    { key: 'status', title: 'device.status', kind: 'state', life: deviceLife, width: 130 },
    { key: 'deptName', title: 'device.dept', width: 180 },
    { key: 'createdAt', title: 'device.createdAt', kind: 'moment', sort: true, width: 160 },
  ],
  filters: [
    { field: 'status', label: 'device.status', life: deviceLife },
    { field: 'createdAt', label: 'device.createdAt' },
    { field: 'firmware', label: 'device.firmware' },
  ],
  rowActions: [
    rowAct(deviceCalls.disable, {
      label: 'life.device.disabled',
      offer: 'disable',
      danger: true,
      input: (row: Device) => ({ of: { ids: [row.id] } }),
    }),
    rowAct(deviceCalls.enable, { label: 'life.device.online', offer: 'enable', input: (row: Device) => ({ of: { ids: [row.id] } }) }),
  ],
  bulk: [
    bulkAct(deviceCalls.disable, { label: 'life.device.disabled', danger: true }),
    bulkAct(deviceCalls.enable, { label: 'life.device.online' }),
  ],
  open: (row) => `/device/deviceDetail/${row.id}`,
});
