import { DictValue, Labels } from '@mooring/contract/settings/dict-calls';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Ctx } from '../../platform/context.ts';
import type { BlobStore } from '../../platform/files/blob-store.ts';
import { t } from '../../platform/texts/translate.ts';
import { readCells, type SheetLine, sheetImport, type Wrong } from '../../platform/work/import-sheet.ts';
import { isClosed } from './dicts.ts';

const columns = {
  dict: 'dictSheet.dict',
  value: 'dictSheet.value',
  en: 'dictSheet.en',
  zh: 'dictSheet.zh',
  sort: 'dictSheet.sort',
  enabled: 'dictSheet.enabled',
} as const;
type Column = keyof typeof columns;

const Sheet = z.object({
  value: DictValue,
  en: z.string().min(1).max(128),
  zh: z.string().max(128),
  sort: z.coerce.number().int().min(0).max(9999),
  enabled: z.boolean('invalid.yesNo'),
});
interface Row {
  readonly dictId: number;
  readonly value: string;
  readonly labels: z.output<typeof Labels>;
  readonly sort: number;
  readonly enabled: boolean;
}

/** In words of the person's language or the product's own; nothing means yes. */
function yesOrNo(ctx: Ctx, text: string): boolean | undefined {
  const is = (key: 'kit.yes' | 'kit.no') => [ctx.lang, 'en', 'zh-CN'].some((lang) => t(lang, key).toLowerCase() === text.toLowerCase());
  return text === '' || is('kit.yes') ? true : is('kit.no') ? false : undefined;
}

/** Lists by their codes, in small letters, and the values that they have. */
async function listsBy(ctx: Ctx, codes: readonly string[]) {
  const { rows } = await ctx.inTx((db) =>
    sql<{ id: number; code: string; system: boolean; values: string[] }>`
      select d.id, d.code, d.system, coalesce(array_agg(lower(e.value)) filter (where e.id is not null), '{}') as values
      from settings_dict d left join settings_dict_entry e on e.dict_id = d.id where lower(d.code) = any(${[...codes]}::text[]) group by d.id`.execute(
      db,
    ),
  );
  return new Map(rows.map((row) => [row.code.toLowerCase(), { id: row.id, isOpen: !isClosed(row), has: new Set(row.values) }]));
}

async function checkEntries(ctx: Ctx, lines: readonly SheetLine<Column>[]): Promise<{ rows: Row[]; wrong: Wrong[] }> {
  const lists = await listsBy(ctx, [...new Set(lines.map(({ text }) => text.dict.toLowerCase()))]);
  const rows: Row[] = [];
  const wrong: Wrong[] = [];
  const sheet = new Set<string>();
  for (const { number, text } of lines) {
    const bad: Wrong[] = [];
    const say = (column: Column, fault: string) => bad.push({ row: number, column, fault });
    const cells = { ...text, sort: text.sort || 100, enabled: yesOrNo(ctx, text.enabled) ?? text.enabled };
    const { values, bad: wrongOnes } = readCells(Sheet, cells, number);
    bad.push(...wrongOnes);
    const list = lists.get(text.dict.toLowerCase());
    const value = text.value.toLowerCase();
    const key = `${list?.id} ${value}`;
    if (!list) say('dict', 'NOT_FOUND');
    else if (!list.isOpen) say('dict', 'DICT_LOCKED');
    else if (list.has.has(value)) say('value', 'DICT_ENTRY_TAKEN');
    else if (sheet.has(key)) say('value', 'SHEET_TWICE');
    sheet.add(key);
    wrong.push(...bad);
    if (!values || !list || bad.length > 0) continue;
    const { en, zh, ...row } = values;
    rows.push({ ...row, dictId: list.id, labels: Labels.parse({ en, ...(zh === '' ? {} : { 'zh-CN': zh }) }) });
  }
  return { rows, wrong };
}

/** Entries of picklists from a spreadsheet. */
export const entryImport = (store: BlobStore) =>
  sheetImport<Column, Row>(
    {
      job: 'settings:importEntries',
      title: 'work.import.dictEntry',
      things: 'picklist entries',
      columns,
      example: async (ctx) => ['industry', 'florist', 'Florist', '花店', '100', t(ctx.lang, 'kit.yes')],
      fileName: 'picklist-entries.xlsx',
      may: (ctx) => ctx.actor.permissions.has('settings:dict:update'),
      check: checkEntries,
      // Of the whole installation: written beside the policy, and harmless when the job runs again.
      prepare: async (ctx, rows) => {
        const values = rows.map(({ dictId, labels, ...row }) => ({ ...row, dict_id: dictId, labels: JSON.stringify(labels) }));
        if (values.length > 0)
          await ctx.unscoped((db) =>
            db
              .insertInto('settings_dict_entry')
              .values(values)
              .onConflict((on) => on.columns(['dict_id', 'value']).doNothing())
              .execute(),
          );
        return (inner) => inner.invalidate(inner.db, '/sysSetting/dict');
      },
    },
    store,
  );
