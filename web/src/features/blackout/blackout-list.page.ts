import { Blackout, blackoutCalls } from '@mooring/contract/blackout/calls';
import { listPage } from '../../kit/list/list-page.tsx';
import { off } from '../../kit/resource/entity-column.tsx';
import { formDialogs } from '../../kit/resource/form-dialogs.tsx';

const { Add, Edit, edit } = formDialogs(Blackout, blackoutCalls, { fields: ['name', 'deptId', 'fromDay', 'toDay', 'remark'] });

export const blackoutList = listPage(Blackout, blackoutCalls, {
  code: 'release.blackout',
  columns: ['name', 'fromDay', 'toDay', 'deptName', { key: 'remark', width: 260 }, off('createdAt')],
  Add,
  edit,
  deleting: { text: 'blackout.delete.about' },
  emptyText: 'blackout.emptyText',
  slots: { above: Edit },
});
