import { dictCalls } from '@mooring/contract/settings/dict-calls';
import { useState } from 'react';
import { allows } from '../../kit/allows.ts';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import type { ControlPart } from '../../kit/form/types.ts';
import { languages } from '../../kit/language.ts';
import { ListView } from '../../kit/list/list-view.tsx';
import { type ListSpec, type RowOf, rowAction } from '../../kit/list/types.ts';
import { Button } from '../../ui/button.tsx';
import { TextInput } from '../../ui/controls.tsx';
import { Drawer } from '../../ui/dialog.tsx';
import { useStore } from '../../ui/store.ts';
import { useT } from '../../ui/words.ts';

type Dict = RowOf<typeof dictCalls.page>;
type Entry = RowOf<typeof dictCalls.entries>;

/** A label for each language that is offered. */
function Labels({ value = {}, onChange, disabled }: ControlPart<Record<string, string> | undefined>) {
  const known = useStore(languages);
  return (
    <div className="m-stack-tight">
      {known.map((one) => (
        <div key={one.langCode} className="m-row">
          <span className="m-label-lang m-muted">{one.language}</span>
          <TextInput
            label={one.language}
            value={value[one.langCode] ?? ''}
            onChange={(text) => onChange({ ...value, [one.langCode]: text })}
            max={128}
            disabled={disabled}
          />
        </div>
      ))}
    </div>
  );
}

const fields = [
  { name: 'value', label: 'settings.dict.entry.value' },
  { name: 'sort', label: 'settings.dict.entry.sort', kind: 'number' },
  { name: 'labels', label: 'settings.dict.entry.labels', Control: Labels },
  { name: 'enabled', label: 'settings.dict.entry.enabled', kind: 'switch' },
] as const;

/** The entries of one list, beside the lists. */
export function Entries({ row, onClose }: { row: Dict; onClose: () => void }) {
  const t = useT();
  const [edited, setEdited] = useState<Entry | 'new'>();
  const [spec] = useState<ListSpec<typeof dictCalls.entries>>(() => ({
    code: 'settings.entries',
    title: 'settings.dict.entries',
    call: dictCalls.entries,
    search: { field: 'text', hint: 'settings.dict.entry.label' },
    columns: [
      { key: 'value', title: 'settings.dict.entry.value', kind: 'code', sort: true, pinned: 'left', width: 160 },
      { key: 'label', title: 'settings.dict.entry.label', width: 200 },
      { key: 'sort', title: 'settings.dict.entry.sort', kind: 'number', sort: true, width: 90 },
      { key: 'enabled', title: 'settings.dict.entry.enabled', kind: 'yes', width: 90 },
      { key: 'system', title: 'settings.dict.system', kind: 'yes', width: 90 },
    ],
    filters: [{ field: 'enabled', label: 'settings.dict.entry.enabled', kind: 'yes' }],
    rowActions: [
      { key: 'edit', label: 'settings.dict.edit', icon: 'edit', allowedAction: 'update', run: setEdited },
      rowAction(dictCalls.entryDelete, {
        successText: 'done.deleted',
        label: 'settings.dict.delete',
        allowedAction: 'delete',
        danger: true,
      }),
    ],
    nameOf: (entry) => entry.value,
    empty: { title: 'settings.dict.entry.empty' },
  }));
  return (
    <Drawer open title={row.name} onClose={onClose} width={820}>
      <div className="m-stack">
        {allows(row, 'addEntry') ? (
          <span>
            <Button icon="add" onClick={() => setEdited('new')}>
              {t('settings.dict.entry.add')}
            </Button>
          </span>
        ) : null}
        <ListView spec={spec} fixed={{ dictId: row.id }} queryPrefix="e." />
      </div>
      {edited === 'new' ? (
        <FormDialog
          title="settings.dict.entry.add"
          call={dictCalls.entryAdd}
          successText="done.added"
          submit="settings.dict.entry.add"
          fields={fields}
          initial={{ dictId: row.id, enabled: true, sort: 100 }}
          onClose={() => setEdited(undefined)}
        />
      ) : edited ? (
        <FormDialog
          title="settings.dict.entry.edit"
          call={dictCalls.entryUpdate}
          successText="done.saved"
          submit="settings.save"
          fields={fields}
          initial={{
            id: edited.id,
            revision: edited.revision,
            value: edited.value,
            labels: edited.labels,
            sort: edited.sort,
            enabled: edited.enabled,
          }}
          onClose={() => setEdited(undefined)}
        />
      ) : null}
    </Drawer>
  );
}
