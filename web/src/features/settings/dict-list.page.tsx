import { dictCalls } from '@mooring/contract/settings/dict-calls';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import { listPage } from '../../kit/list/list-page.tsx';
import { rowAction } from '../../kit/list/types.ts';
import { EditDict, openDict } from './edit-dict.tsx';
import { Entries } from './entries.tsx';

const AddDict = ({ onClose }: { onClose: () => void }) => (
  <FormDialog
    title="settings.dict.add"
    call={dictCalls.add}
    successText="done.created"
    submit="settings.dict.add"
    fields={[
      { name: 'code', label: 'settings.dict.code' },
      { name: 'name', label: 'settings.dict.name' },
      { name: 'remark', label: 'settings.dict.remark', kind: 'area' },
    ]}
    onClose={onClose}
  />
);

export const dictList = listPage({
  code: 'settings.dicts',
  title: 'settings.dict.title',
  call: dictCalls.page,
  search: { field: 'text', hint: 'settings.dict.search' },
  columns: [
    { key: 'name', title: 'settings.dict.name', pinned: 'left', width: 200 },
    { key: 'code', title: 'settings.dict.code', kind: 'code', sort: true, width: 200 },
    { key: 'entries', title: 'settings.dict.entries', kind: 'number', width: 100 },
    { key: 'system', title: 'settings.dict.system', kind: 'yes', width: 110 },
    { key: 'remark', title: 'settings.dict.remark', width: 320 },
    { key: 'updatedAt', title: 'settings.dict.updatedAt', kind: 'moment', sort: true, width: 170 },
  ],
  actions: [{ key: 'add', label: 'settings.dict.add', icon: 'add', primary: true, call: dictCalls.add, Dialog: AddDict }],
  rowActions: [
    { key: 'edit', label: 'settings.dict.edit', icon: 'edit', allowedAction: 'update', run: openDict },
    rowAction(dictCalls.delete, {
      successText: 'done.deleted',
      label: 'settings.dict.delete',
      allowedAction: 'delete',
      danger: true,
      confirm: { text: 'settings.dict.delete.about', type: true },
    }),
  ],
  nameOf: (row) => row.name,
  empty: { title: 'settings.dict.empty' },
  slots: { above: EditDict, aside: Entries },
});
