import { deviceCalls } from '@mooring/contract/device/calls';
import { deviceGroupCalls } from '@mooring/contract/device/group-calls';
import { deviceChangeCalls, deviceImportCalls } from '@mooring/contract/device/sheet/sheet-calls';
import { listPage } from '../../kit/list/list-page.tsx';
import { AddDevice } from './add-device.tsx';
import { deviceTable } from './device-table.ts';
import { SaveFilters } from './groups/save-filters.tsx';
import { ChangeDevices, ImportDevices } from './late-sheets.tsx';

/** One list for both platforms: `/device/device` of the centre and `/device/all` of the manager. */
export const deviceList = listPage({
  ...deviceTable,
  actions: [
    { key: 'group', label: 'deviceGroup.fromFilters', icon: 'group', call: deviceGroupCalls.add, Dialog: SaveFilters },
    { key: 'change', label: 'device.change', icon: 'edit', call: deviceChangeCalls.import, Dialog: ChangeDevices },
    { key: 'import', label: 'device.import', icon: 'upload', call: deviceImportCalls.import, Dialog: ImportDevices },
    { key: 'add', label: 'device.add', icon: 'add', primary: true, call: deviceCalls.add, Dialog: AddDevice },
  ],
});
