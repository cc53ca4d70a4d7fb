import { Fault } from '@mooring/contract/kit/fault';
import type { Exact } from '@mooring/contract/kit/page';
import { Dict, DictEntry, dictCalls } from '@mooring/contract/settings/dict-calls';
import { systemDicts } from '@mooring/contract/settings/dicts';
import { sql } from 'kysely';
import type { Ctx } from '../../platform/context.ts';
import { all, contains, exact, partPattern } from '../../platform/db/criteria.ts';
import { resource } from '../../platform/resource/resource.ts';
import { labelOf, labelsOf } from '../../platform/texts/dict-label.ts';
import { t } from '../../platform/texts/translate.ts';

/** Lists of the product's own values: nothing would ever offer a further one. */
const closed = new Set(systemDicts.filter((one) => one.names !== undefined).map((one) => one.code));
export const isClosed = (row: { system: boolean; code: string }) => row.system && closed.has(row.code) && 'DICT_LOCKED';
const locked = (row: { system: boolean }) => row.system && 'DICT_LOCKED';

const ofClosed = (row: unknown) => closed.has((row as { dict_code: string }).dict_code);
/** Built in, or of a list that its own screen edits. */
export const lockedEntry = (row: { system: boolean }) => (row.system || ofClosed(row)) && 'DICT_LOCKED';

const { entries, entry, entryAdd, entryUpdate, entryDelete, entryExport, ...ofDict } = dictCalls;

/** Answered beside the rows: an export is the sheet that comes back. */
export const entryExportCalls = { entryExport };

export const dicts = resource(Dict, ofDict, {
  table: 'settings_dict',
  small: true,
  target: (row) => `dict ${row.code}`,
  joined: (query) =>
    query.select((eb) =>
      eb
        .selectFrom('settings_dict_entry as e')
        .select((of) => of.fn.countAll<number>().as('n'))
        .whereRef('e.dict_id', '=', 't.id')
        .as('entries'),
    ),
  shown: (row, ctx) =>
    row.system ? { name: t(ctx.lang, `settings.dict.own.${row.code}`), remark: t(ctx.lang, `settings.dict.own.${row.code}.about`) } : {},
  criteria: {
    text: (text: string, ctx) => {
      const own = [...systemDicts]
        .map((one) => one.code)
        .filter((one) => t(ctx.lang, `settings.dict.own.${one}`).toLowerCase().includes(text.toLowerCase()));
      return sql<boolean>`(${contains('t.code', text)} or ${contains('t.name', text)} or t.code = any(${own}::text[]))`;
    },
  },
  acts: { addEntry: entryAdd },
  refuses: { update: locked, delete: locked, addEntry: isClosed },
  columns: (ctx) => ({ updated_at: ctx.now() }),
});

export const dictEntries = resource(
  DictEntry,
  { page: entries, detail: entry, add: entryAdd, update: entryUpdate, delete: entryDelete },
  {
    table: 'settings_dict_entry',
    small: true,
    joined: (query) => query.innerJoin('settings_dict as d', 'd.id', 't.dict_id').select('d.code as dict_code'),
    target: (row) => `dict entry ${row.value}`,
    shown: (row, ctx) => ({ label: labelOf(row, ctx.lang), labels: labelsOf(row) }),
    criteria: {
      text: (text: string) => sql<boolean>`(${contains('t.value', text)} or t.labels::text ilike ${partPattern(text)})`,
    },
    // Entries that people added to a closed list are its own screen's.
    refuses: { update: lockedEntry, delete: lockedEntry },
    columns: async (ctx, { dictId, labels }, { before, db }) => {
      const dict = before ? undefined : await dicts.read(ctx, dictId, db);
      if (dict && !dict.allowedActions.includes('addEntry')) throw new Fault('DICT_LOCKED');
      const given = Object.entries(labels).filter(([, label]) => label !== '');
      return { labels: JSON.stringify(Object.fromEntries(given)), updated_at: ctx.now() };
    },
  },
);

/** What the list of entries answers. */
export const pageEntries = dictEntries.routes.find(({ call }) => call.path === dictCalls.entries.path)?.handler;

/** The source of every select. */
export async function findEntries(ctx: Ctx, { type, disabled }: { type: Exact<string>; disabled: boolean }) {
  const rows = await ctx.db
    .selectFrom('settings_dict_entry as e')
    .innerJoin('settings_dict as d', 'd.id', 'e.dict_id')
    .select(['d.code', 'e.value', 'e.labels', 'e.text_key', 'e.sort'])
    .where(all(exact('d.code', type), disabled ? undefined : sql<boolean>`e.enabled`))
    .orderBy('d.code')
    .orderBy('e.sort')
    .orderBy('e.value')
    .limit(5000)
    .execute();
  return rows.map((row) => ({ type: row.code, value: row.value, label: labelOf(row, ctx.lang), sort: row.sort }));
}
