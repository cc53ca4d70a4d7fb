import { deviceCalls } from '@mooring/contract/device/calls';
import { deviceGroupCalls } from '@mooring/contract/device/group-calls';
import { listPage } from '../../kit/list/list-page.tsx';
import { AddDevice } from './add-device.tsx';
import { deviceTable } from './device-table.ts';
import { SaveFilters } from './groups/save-filters.tsx';

/** One list for both platforms: `/device/device` of the centre and `/device/all` of the manager. */
export const deviceList = listPage({
  ...deviceTable,
  actions: [
    { key: 'group', label: 'deviceGroup.fromFilters', icon: 'group', call: deviceGroupCalls.add, Dialog: SaveFilters },
    { key: 'add', label: 'device.add', icon: 'add', primary: true, call: deviceCalls.add, Dialog: AddDevice },
  ],
});
