import type { RowOf } from '@mooring/contract/kit/entity';
import { type Dict, DictEntry, dictCalls, dictSheetCalls } from '@mooring/contract/settings/dict-calls';
import { useState } from 'react';
import { allows } from '../../kit/allows.ts';
import { Labels } from '../../kit/form/labels-control.tsx';
import { ListView } from '../../kit/list/list-view.tsx';
import { formDialogs } from '../../kit/resource/form-dialogs.tsx';
import { listOf } from '../../kit/resource/resource-list.ts';
import { mayCall, useSession } from '../../kit/session.ts';
import { Button } from '../../ui/button.tsx';
import { Drawer } from '../../ui/dialog.tsx';
import { useT } from '../../ui/words.ts';
import { ImportEntries } from './import-entries.tsx';

type Row = RowOf<typeof Dict>;
const entryCalls = {
  page: dictCalls.entries,
  add: dictCalls.entryAdd,
  update: dictCalls.entryUpdate,
  delete: dictCalls.entryDelete,
  export: dictCalls.entryExport,
};
const texts = { search: 'settings.dict.entry.label', delete: 'settings.dict.delete' } as const;

const form = formDialogs(DictEntry, entryCalls, {
  texts,
  fields: ['value', 'sort', { name: 'labels', Control: Labels }, 'enabled'],
});

const list = listOf(DictEntry, entryCalls, {
  code: 'settings.entries',
  texts: { ...texts, edit: 'settings.dict.edit' },
  columns: ['value', { key: 'label', width: 200 }, { key: 'sort', width: 90 }, { key: 'enabled', width: 90 }, { key: 'system', width: 90 }],
  filters: [{ field: 'enabled', label: 'settings.dict.entry.enabled', kind: 'yes' }],
  edit: form.edit,
  nameOf: (entry) => entry.value,
});

/** The entries of one list, beside the lists. */
export function Entries({ row, onClose }: { row: Row; onClose: () => void }) {
  const t = useT();
  const session = useSession();
  const [adding, setAdding] = useState(false);
  const [bringing, setBringing] = useState(false);
  return (
    <Drawer open title={row.name} onClose={onClose} width={820}>
      <div className="m-stack">
        {allows(row, 'addEntry') ? (
          <div className="m-row">
            <Button icon="add" onClick={() => setAdding(true)}>
              {t('settings.dict.entry.add')}
            </Button>
            {mayCall(dictSheetCalls.import, session) ? (
              <Button icon="upload" onClick={() => setBringing(true)}>
                {t('dictSheet.import')}
              </Button>
            ) : null}
          </div>
        ) : null}
        <ListView spec={list} fixed={{ dictId: row.id }} queryPrefix="e." />
      </div>
      {adding ? <form.Add given={{ dictId: row.id }} onClose={() => setAdding(false)} /> : null}
      {bringing ? <ImportEntries onClose={() => setBringing(false)} /> : null}
      <form.Edit />
    </Drawer>
  );
}
