import { DeviceGroup, deviceGroupCalls } from '@mooring/contract/device/group-calls';
import { listPage } from '../../../kit/list/list-page.tsx';
import { off } from '../../../kit/resource/entity-column.tsx';
import { Add, Edit, edit } from './group-form.tsx';
import { groupPath } from './group-links.tsx';

export const groupList = listPage(DeviceGroup, deviceGroupCalls, {
  code: 'device.group',
  columns: [
    { key: 'name', link: groupPath },
    { key: 'kind', width: 110 },
    { key: 'members', width: 110 },
    { key: 'deptName', width: 190 },
    { key: 'usedBy', width: 200 },
    { key: 'remark', width: 220 },
    off('createdAt'),
  ],
  Add,
  edit,
  deleting: { text: 'deviceGroup.delete.about' },
  emptyText: 'deviceGroup.emptyText',
  slots: { above: Edit },
});
