import { Dict, dictCalls } from '@mooring/contract/settings/dict-calls';
import { listPage } from '../../kit/list/list-page.tsx';
import { formDialogs } from '../../kit/resource/form-dialogs.tsx';
import { ImportSheet } from '../../kit/upload/import-sheet.tsx';
import { Entries } from './entries.tsx';

const { Add, Edit, edit } = formDialogs(Dict, dictCalls, { added: 'done.created', fields: ['code', 'name', 'remark'] });

const ImportEntries = ({ onClose }: { onClose: () => void }) => (
  <ImportSheet
    title="dictSheet.title"
    about="dictSheet.about"
    take="dictSheet.take"
    call={dictCalls.entryImport}
    template={dictCalls.entryTemplate}
    fileName="picklist-entries.xlsx"
    names="dictSheet."
    partly
    onClose={onClose}
  />
);

export const dictList = listPage(Dict, dictCalls, {
  code: 'settings.dicts',
  columns: ['name', { key: 'code', width: 200 }, { key: 'entries', width: 100 }, 'system', { key: 'remark', width: 320 }, 'updatedAt'],
  actions: [
    { key: 'import', label: 'dictSheet.import', icon: 'upload', call: dictCalls.entryImport, Dialog: ImportEntries },
    { key: 'add', label: 'settings.dict.add', icon: 'add', primary: true, call: dictCalls.add, Dialog: Add },
  ],
  edit,
  deleting: { text: 'settings.dict.delete.about', type: true },
  slots: { above: Edit, aside: Entries },
});
