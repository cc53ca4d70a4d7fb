import { Dict, dictCalls, dictSheetCalls } from '@mooring/contract/settings/dict-calls';
import { listPage } from '../../kit/list/list-page.tsx';
import { formDialogs } from '../../kit/resource/form-dialogs.tsx';
import { Entries } from './entries.tsx';
import { ImportEntries } from './import-entries.tsx';

const { Add, Edit, edit } = formDialogs(Dict, dictCalls, { added: 'done.created', fields: ['code', 'name', 'remark'] });

export const dictList = listPage(Dict, dictCalls, {
  code: 'settings.dicts',
  columns: ['name', { key: 'code', width: 200 }, { key: 'entries', width: 100 }, 'system', { key: 'remark', width: 320 }, 'updatedAt'],
  actions: [
    { key: 'import', label: 'dictSheet.import', icon: 'upload', call: dictSheetCalls.import, Dialog: ImportEntries },
    { key: 'add', label: 'settings.dict.add', icon: 'add', primary: true, call: dictCalls.add, Dialog: Add },
  ],
  edit,
  deleting: { text: 'settings.dict.delete.about', type: true },
  slots: { above: Edit, aside: Entries },
});
