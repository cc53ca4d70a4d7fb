import { HelpCategory, helpCategoryCalls } from '@mooring/contract/help/category';
import { useState } from 'react';
import { CallFailed } from '../../kit/dead-end.tsx';
import { ListPart } from '../../kit/list/list-part.tsx';
import { useCall } from '../../kit/queries.ts';
import { formDialogs } from '../../kit/resource/form-dialogs.tsx';
import { listOf } from '../../kit/resource/resource-list.ts';
import { Drawer } from '../../ui/dialog.tsx';
import { TableSkeleton } from '../../ui/states.tsx';
import { useStore } from '../../ui/store.ts';
import { Tree, type TreeLine } from '../../ui/tree.tsx';
import { speech, useT } from '../../ui/words.ts';
import { NamesControl } from './translations.tsx';
import { useWords } from './words.ts';

interface Named {
  readonly id: number;
  readonly name: string;
  readonly nameZh: string;
  readonly names: readonly { readonly lang: string; readonly name: string }[];
  readonly parentId: number | null;
  readonly position: number;
}
const inOrder = (rows: readonly Named[]): Named[] => [...rows].sort((a, b) => a.position - b.position || a.id - b.id);

/** A category's name as this reader has it. */
function useName(): (row: Pick<Named, 'name' | 'nameZh' | 'names'>) => string {
  const words = useWords();
  const { lang } = useStore(speech);
  return ({ name, nameZh, names }) => {
    const own = [lang, lang.split('-')[0]].flatMap((code) => names.find((one) => one.lang === code)?.name ?? [])[0];
    return words(own ?? (lang.startsWith('zh') && nameZh !== '' ? nameZh : name));
  };
}

/** Of all categories, those that an article or another category may stand in. */
export function useCategories(text: string) {
  const name = useName();
  const { data, fetching } = useCall(helpCategoryCalls.list, { text: '' });
  const wanted = text.trim().toLowerCase();
  const found = inOrder(data ?? []).map((row) => ({ value: row.id, label: { text: name(row) } }));
  return { choices: found.filter(({ label }) => label.text.toLowerCase().includes(wanted)), busy: fetching };
}

const dialogs = formDialogs(HelpCategory, helpCategoryCalls, {
  fields: [
    'name',
    'nameZh',
    { name: 'names', Control: NamesControl },
    { name: 'parentId', kind: 'one', useChoices: useCategories },
    'position',
  ],
});

function NameOf({ row }: { row: Pick<Named, 'name' | 'nameZh' | 'names'> }) {
  return useName()(row);
}
const list = listOf(HelpCategory, helpCategoryCalls, {
  code: 'help.categories',
  columns: [
    { key: 'name', cell: (row) => <NameOf row={row} /> },
    { key: 'position', width: 90 },
    { key: 'articles', width: 100 },
  ],
  Add: dialogs.Add,
  edit: dialogs.edit,
  deleting: { text: 'helpCategory.delete.about' },
});

export function Categories({ onClose }: { onClose: () => void }) {
  const t = useT();
  return (
    <Drawer open title={`${t('helpArticle.many')} · ${t('helpCategory.many')}`} onClose={onClose} width={720}>
      <ListPart spec={list} queryPrefix="c." />
      <dialogs.Edit />
    </Drawer>
  );
}

/** All categories; the first line is all articles. */
export function CategoryTree({ current, onPick }: { current: number; onPick: (id: number) => void }) {
  const t = useT();
  const name = useName();
  const [closed, setClosed] = useState<ReadonlySet<number>>(new Set());
  const { data, error, retry } = useCall(helpCategoryCalls.list, { text: '' });
  if (!data) return error ? <CallFailed part error={error} onRetry={retry} /> : <TableSkeleton rows={6} columns={1} />;
  const rows = inOrder(data);
  const walk = (parentId: number | null, level: number): TreeLine[] =>
    rows
      .filter((row) => row.parentId === parentId)
      .flatMap((row) => {
        const below = closed.has(row.id) ? [] : walk(row.id, level + 1);
        const expandable = data.some((one) => one.parentId === row.id);
        const open = expandable && !closed.has(row.id);
        return [{ id: String(row.id), label: name(row), level, expandable, open, current: row.id === current }, ...below];
      });
  const all = { id: '0', label: t('helpArticle.all'), level: 1, expandable: false, open: false, current: current === 0 };
  const toggle = (id: number, open: boolean) => setClosed(new Set(open ? [...closed].filter((one) => one !== id) : [...closed, id]));
  return (
    <div className="m-panel m-tree-frame">
      <Tree
        label={t('helpCategory.many')}
        lines={[all, ...walk(null, 1)]}
        onPick={(id) => onPick(Number(id))}
        onToggle={(id, open) => toggle(Number(id), open)}
      />
    </div>
  );
}
