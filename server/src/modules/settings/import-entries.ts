import { DICT_SHEET_ROWS, DictValue, Labels, LabelText } from '@mooring/contract/settings/dict-calls';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Ctx } from '../../platform/context.ts';
import { labelsOf } from '../../platform/texts/dict-label.ts';
import { t } from '../../platform/texts/translate.ts';
import { readCells } from '../../platform/work/import-sheet.ts';
import type { Judged, SheetKind, WrongCell } from '../../platform/work/sheet-kind.ts';
import type { Line } from '../../platform/work/sheet-lines.ts';
import { isClosed, lockedEntry } from './dicts.ts';
import { type Column, labelColumn, langOf, languagesOf, read, titles } from './entry-columns.ts';
import { type EntryRow, writeEntries } from './write-entries.ts';

/** Cells as they are read; an empty one says nothing, but of a label that there is none. */
const Cells = z.object({
  value: DictValue,
  sort: z.coerce.number().int().min(0).max(9999).optional(),
  enabled: z.boolean('invalid.yesNo').optional(),
  revision: z.coerce.number().int().min(1).max(1_000_000_000).optional(),
});
const Label = LabelText.optional();
const Row = Cells.catchall(Label);

interface There {
  readonly id: number;
  readonly value: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly text_key: string | null;
  readonly sort: number;
  readonly enabled: boolean;
  readonly system: boolean;
  readonly revision: number;
  readonly dict_code: string;
}
interface List {
  readonly id: number;
  readonly code: string;
  readonly system: boolean;
  readonly entries: readonly There[];
}

/** The lists that some rows name, each with those of its entries that they name. */
async function listsOf(ctx: Ctx, lines: readonly Line<Column>[]): Promise<readonly List[]> {
  const named = (column: 'dict' | 'value') => [...new Set(lines.map(({ text }) => (text[column] ?? '').toLowerCase()))];
  const { rows } = await ctx.inTx((db) =>
    sql<List>`
      select d.id, d.code, d.system, coalesce((
        select jsonb_agg(jsonb_build_object('id', e.id, 'value', e.value, 'labels', e.labels, 'text_key', e.text_key, 'sort', e.sort,
          'enabled', e.enabled, 'system', e.system, 'revision', e.revision, 'dict_code', d.code))
        from settings_dict_entry e where e.dict_id = d.id and lower(e.value) = any(${named('value')}::text[])), '[]') as entries
      from settings_dict d where lower(d.code) = any(${named('dict')}::text[])`.execute(db),
  );
  return rows;
}

/** Of those whose names differ in capitals alone the one that is meant exactly. */
const named = <T>(rows: readonly T[], nameOf: (row: T) => string, name: string): T | undefined =>
  rows.find((row) => nameOf(row) === name) ?? (rows.length === 1 ? rows[0] : undefined);

/** In words of the person's language or the product's own. */
const yesNo = (lang: string, text: string | undefined): boolean | string | undefined => {
  const is = (key: 'kit.yes' | 'kit.no') => [lang, 'en', 'zh-CN'].some((one) => t(one, key).toLowerCase() === text?.toLowerCase());
  return !text ? undefined : is('kit.yes') ? true : is('kit.no') ? false : text;
};

type Values = z.output<typeof Row>;
type Change = { column: Column; from: string; to: string };

function judgeEntries(ctx: Ctx, columns: readonly Column[]) {
  const labelled = columns.filter((column) => langOf(column) !== undefined);
  const words = (yes: boolean) => t(ctx.lang, yes ? 'kit.yes' : 'kit.no');
  const seen = new Set<string>();
  const needsEnglish = { column: labelColumn('en'), fault: 'BAD_INPUT', words: { key: 'invalid.required', params: {} } } as const;

  const cellsOf = (text: Line<Column>['text']) => ({
    ...Object.fromEntries(labelled.map((column) => [column, text[column] ?? ''])),
    value: text.value ?? '',
    sort: text.sort || undefined,
    enabled: yesNo(ctx.lang, text.enabled),
    revision: text.revision || undefined,
  });
  /** Languages that the file has no column for stay as they are. */
  const labelsIn = (values: Values, before: Readonly<Record<string, string>>): Record<string, string> => {
    const labels: Record<string, string> = { ...before };
    for (const column of labelled) labels[langOf(column) ?? ''] = String(values[column] ?? '');
    return Object.fromEntries(Object.entries(labels).filter(([, label]) => label !== ''));
  };
  const differing = (column: Column, from: string, to: string | undefined): Change[] =>
    to === undefined || from === to ? [] : [{ column, from, to }];
  const changesOf = (values: Values, there: Pick<There, 'labels' | 'text_key'> & Partial<There>): Change[] => {
    const before = labelsOf(there);
    return [
      ...labelled.flatMap((column) => differing(column, before[langOf(column) ?? ''] ?? '', String(values[column] ?? ''))),
      ...differing('sort', there.sort === undefined ? '' : String(there.sort), values.sort === undefined ? undefined : String(values.sort)),
      ...differing(
        'enabled',
        there.enabled === undefined ? '' : words(there.enabled),
        values.enabled === undefined ? undefined : words(values.enabled),
      ),
    ];
  };

  const changed = (values: Values, there: There, bad: WrongCell<Column>[]): Judged<Column, EntryRow> => {
    const changes = changesOf(values, there);
    const isSame = changes.length === 0;
    const labels = labelsIn(values, there.labels);
    const isOld = values.revision !== undefined && values.revision !== there.revision;
    if (!isSame && lockedEntry(there)) bad.push(...changes.map(({ column }) => ({ column, fault: 'DICT_LOCKED' })));
    else if (!isSame && isOld) bad.push({ column: 'revision', fault: 'DICT_ENTRY_OVERTAKEN' });
    else if (!isSame && !labels.en) bad.push(needsEnglish);
    if (bad.length > 0) return { bad, row: undefined };
    const { id, revision } = there;
    const row = { id, isSame, revision, labels, sort: values.sort ?? there.sort, enabled: values.enabled ?? there.enabled };
    return { bad, changes, label: `${there.dict_code} · ${there.value}`, row };
  };

  const added = (values: Values, list: List, bad: WrongCell<Column>[]): Judged<Column, EntryRow> => {
    const labels = labelsIn(values, {});
    if (isClosed(list)) bad.push({ column: 'dict', fault: 'DICT_LOCKED' });
    else if (list.entries.some((one) => one.value.toLowerCase() === values.value.toLowerCase()))
      bad.push({ column: 'value', fault: 'DICT_ENTRY_TAKEN' });
    if (!labels.en) bad.push(needsEnglish);
    if (bad.length > 0) return { bad, row: undefined };
    const changes = changesOf(values, { labels: {}, text_key: null });
    const row = { id: 0 as const, dictId: list.id, value: values.value, labels, sort: values.sort ?? 100, enabled: values.enabled ?? true };
    return { bad, changes, isNew: true, label: `${list.code} · ${values.value}`, row };
  };

  const one = ({ number, text }: Line<Column>, lists: readonly List[]): Judged<Column, EntryRow> => {
    const { values, bad: unread } = readCells(Row, cellsOf(text), number);
    const bad = unread.map(({ row: _row, column, ...said }) => ({ ...said, column: column as Column }));
    const code = text.dict ?? '';
    const list = named(
      lists.filter((each) => each.code.toLowerCase() === code.toLowerCase()),
      (each) => each.code,
      code,
    );
    if (!list) bad.push({ column: 'dict', fault: 'NOT_FOUND' });
    const there = list?.entries.find((each) => each.value === text.value);
    const key = there ? String(there.id) : `${list?.id} ${text.value?.toLowerCase()}`;
    if (text.value && seen.has(key)) bad.push({ column: 'value', fault: 'SHEET_TWICE' });
    seen.add(key);
    if (bad.length > 0 || !values || !list) return { bad, row: undefined };
    const fits = Labels.safeParse({ en: '-', ...labelsIn(values, there?.labels ?? {}) });
    if (!fits.success) return { bad: [{ column: labelColumn('en'), fault: 'BAD_INPUT' }], row: undefined };
    return there ? changed(values, there, bad) : added(values, list, bad);
  };

  return async (lines: readonly Line<Column>[]) => {
    const lists = await listsOf(ctx, lines);
    return lines.map((line) => one(line, lists));
  };
}

/** Entries of picklists from a file: those that are there become what the rows say, others are added. */
export const entrySheet: SheetKind<Column, object, EntryRow> = {
  job: 'settings:importEntries',
  title: 'work.import.dictEntry',
  things: 'picklist entries',
  fileName: 'picklist-entries.xlsx',
  titles,
  passed: Object.values(read),
  key: 'value',
  needed: ['dict', 'value'],
  rows: DICT_SHEET_ROWS,
  given: z.object({}),
  template: async (ctx) => {
    const labels: Readonly<Record<string, string>> = { en: 'Florist', 'zh-CN': '花店', ar: 'بائع زهور' };
    const languages = await languagesOf(ctx.db, null);
    const columns: Column[] = ['dict', 'value', ...languages.map(labelColumn), 'sort', 'enabled'];
    return {
      columns,
      rows: [['industry', 'florist', ...languages.map((lang) => labels[lang] ?? ''), '100', t(ctx.lang, 'kit.yes')]],
    };
  },
  may: ({ actor }) => actor.permissions.has('settings:dict:update'),
  judge: (ctx, _given, columns) => judgeEntries(ctx, columns),
  shared: true,
  held: {
    id: ({ id }) => id,
    hold: ({ db }, ids) => sql`select id from settings_dict_entry where id = any(${ids}::bigint[]) order by id for update`.execute(db),
  },
  write: writeEntries,
  touches: ['/sysSetting/dict', '/dict', '/product'],
};
