import type { ThingEntry, ThingList } from '@mooring/contract/product/thing-model';
import { thingLimits } from '@mooring/contract/product/thing-types';
import { useState } from 'react';
import { useTypeWords } from '../../../kit/thing/type-words.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Table } from '../../../ui/table.tsx';
import { useT } from '../../../ui/words.ts';
import { type Draft, moved, newEntry } from './drafts.ts';
import { EntryDrawer } from './entry-drawer.tsx';

interface Props {
  readonly list: ThingList;
  readonly entries: readonly ThingEntry[];
  /** Left out where it is only shown. */
  readonly onChange?: ((entries: readonly ThingEntry[]) => void) | undefined;
}

/** What a part is, in a line: its type, its way of answering, its level. */
function useEntryWords(): (entry: ThingEntry) => string {
  const t = useT();
  const typeWords = useTypeWords();
  return (entry) => {
    if ('access' in entry) return `${t(`model.access.${entry.access}`)} · ${typeWords(entry.dataType)}`;
    const ids = (fields: readonly { id: string }[]) => (fields.length === 0 ? '–' : fields.map((one) => one.id).join(', '));
    if ('sync' in entry) {
      const answers = t(entry.sync ? 'model.sync.yes' : 'model.sync.no');
      return `${answers} · ${t('model.input')}: ${ids(entry.input)} · ${t('model.output')}: ${ids(entry.output)}`;
    }
    return `${t(`model.level.${entry.level}`)} · ${t('model.params')}: ${ids(entry.params)}`;
  };
}

/** The properties, services or events of a model, in their order. */
export function EntryList({ list, entries, onChange }: Props) {
  const t = useT();
  const words = useEntryWords();
  const [open, setOpen] = useState<number | 'new'>();
  const at = typeof open === 'number' ? open : -1;
  const take = (entry: unknown) => {
    const next = entry as ThingEntry;
    onChange?.(open === 'new' ? [...entries, next] : entries.map((one, index) => (index === at ? next : one)));
    setOpen(undefined);
  };
  const acts = {
    key: 'acts',
    title: '',
    width: 150,
    cell: (entry: ThingEntry) => {
      const index = entries.indexOf(entry);
      const button = (icon: 'up' | 'down' | 'edit' | 'delete', label: string, onClick: () => void, disabled = false) => (
        <IconButton small icon={icon} label={`${label}: ${entry.id}`} disabled={disabled} onClick={onClick} />
      );
      return (
        <span className="m-row">
          {button('up', t('model.up'), () => onChange?.(moved(entries, index, index - 1)), index === 0)}
          {button('down', t('model.down'), () => onChange?.(moved(entries, index, index + 1)), index === entries.length - 1)}
          {button('edit', t(`model.edit.${list}`), () => setOpen(index))}
          {button('delete', t('model.remove'), () => onChange?.(entries.filter((_one, where) => where !== index)))}
        </span>
      );
    },
  };
  return (
    <section className="m-panel">
      <header className="m-panel-head">
        <h2 className="m-grow">{t(`model.${list}`)}</h2>
        {onChange && entries.length < thingLimits.entries ? (
          <Button small icon="add" onClick={() => setOpen('new')}>
            {t(`model.add.${list}`)}
          </Button>
        ) : null}
      </header>
      {entries.length === 0 ? (
        <p className="m-panel-body m-muted">{t(`model.none.${list}`)}</p>
      ) : (
        <Table
          label={t(`model.${list}`)}
          rows={entries}
          idOf={(entry) => entry.id}
          nameOf={(entry) => entry.id}
          columns={[
            { key: 'id', title: t('model.id'), width: 160, cell: (entry) => <span className="m-mono">{entry.id}</span> },
            { key: 'name', title: t('model.name'), width: 180, cell: (entry) => entry.name },
            { key: 'type', title: t('model.type'), width: 360, cell: words },
            ...(onChange ? [acts] : []),
          ]}
        />
      )}
      {open === undefined ? null : (
        <EntryDrawer
          list={list}
          isNew={open === 'new'}
          start={open === 'new' ? newEntry[list]() : (entries[at] as unknown as Draft)}
          others={entries.flatMap((one, index) => (index === at ? [] : [one.id]))}
          onTake={take}
          onClose={() => setOpen(undefined)}
        />
      )}
    </section>
  );
}
