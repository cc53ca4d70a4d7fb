import { Fault, fault } from '@mooring/contract/kit/fault';
import type { Exact } from '@mooring/contract/kit/page';
import type { Dict, DictEntry, dictCalls } from '@mooring/contract/settings/dict-calls';
import { systemDicts } from '@mooring/contract/settings/dicts';
import type { DB } from '@mooring/database/tables';
import { type Selectable, sql } from 'kysely';
import type { z } from 'zod';
import { allowing } from '../../platform/allowed-actions.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import { all, contains, exact, partPattern } from '../../platform/db/criteria.ts';
import { page } from '../../platform/db/page.ts';
import type { Handler } from '../../platform/module.ts';
import { t } from '../../platform/texts/translate.ts';

/** Lists of the product's own values: nothing would ever offer a further one. */
const closed = new Set(systemDicts.filter((one) => one.names !== undefined).map((one) => one.code));
const mayChange = (ctx: Ctx) => ctx.actor.permissions.has('settings:dict:update');

/** The lists that the product needs are there from the first start; what people added or changed stays. */
export async function seedDicts(db: Db): Promise<void> {
  for (const dict of systemDicts) {
    const { id } = await db
      .insertInto('settings_dict')
      .values({ code: dict.code, name: dict.name, remark: dict.remark, system: true })
      .onConflict((on) => on.column('code').doUpdateSet({ system: true }))
      .returning('id')
      .executeTakeFirstOrThrow();
    for (const [at, value] of dict.values.entries()) {
      await db
        .insertInto('settings_dict_entry')
        .values({ dict_id: id, value, text_key: `${dict.names ?? ''}${value}`, sort: (at + 1) * 10, system: true })
        .onConflict((on) => on.columns(['dict_id', 'value']).doUpdateSet({ system: true }))
        .execute();
    }
    const first = await db.selectFrom('settings_dict_entry').select('id').where('dict_id', '=', id).limit(1).executeTakeFirst();
    if (first) continue;
    for (const [at, [value, [en, zh, ar]]] of Object.entries(dict.open ?? {}).entries()) {
      await db
        .insertInto('settings_dict_entry')
        .values({ dict_id: id, value, labels: JSON.stringify({ en, 'zh-CN': zh, ar }), sort: (at + 1) * 10 })
        .execute();
    }
  }
}

type DictRow = Selectable<DB['settings_dict']> & { entries: number };
const dictOf =
  (ctx: Ctx) =>
  (row: DictRow): z.input<typeof Dict> => ({
    id: row.id,
    code: row.code,
    name: row.system ? t(ctx.lang, `settings.dict.own.${row.code}`) : row.name,
    remark: row.system ? t(ctx.lang, `settings.dict.own.${row.code}.about`) : row.remark,
    system: row.system,
    entries: row.entries,
    revision: row.revision,
    updatedAt: row.updated_at,
    ...allowing(
      mayChange(ctx) ? [...(row.system && closed.has(row.code) ? [] : ['addEntry']), ...(row.system ? [] : ['update', 'delete'])] : [],
    ),
  });
const selectDicts = (db: Db) =>
  db
    .selectFrom('settings_dict as d')
    .selectAll('d')
    .select((eb) =>
      eb
        .selectFrom('settings_dict_entry as e')
        .select((of) => of.fn.countAll<number>().as('n'))
        .whereRef('e.dict_id', '=', 'd.id')
        .as('entries'),
    );

export const pageDicts: Handler<typeof dictCalls.page> = (ctx, { criteria, page: wanted }) => {
  const code = contains('d.code', criteria.text);
  const name = contains('d.name', criteria.text);
  const sought = criteria.text?.toLowerCase() ?? '';
  const own = systemDicts.map((one) => one.code).filter((one) => t(ctx.lang, `settings.dict.own.${one}`).toLowerCase().includes(sought));
  return page(ctx.db, selectDicts(ctx.db).where(all(code && name && sql<boolean>`(${code} or ${name} or d.code = any(${own}::text[]))`)), {
    page: wanted,
    sorts: { code: 'd.code', updatedAt: 'd.updated_at' },
    id: 'd.id',
    map: dictOf(ctx),
  });
};

async function readDict(ctx: Ctx, db: Db, id: number) {
  const row = await selectDicts(db).where('d.id', '=', id).executeTakeFirst();
  if (!row) throw fault('NOT_FOUND');
  return dictOf(ctx)(row as DictRow);
}
async function open(db: Db, id: number) {
  const row = await db.selectFrom('settings_dict').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
  if (!row) throw fault('NOT_FOUND');
  if (row.system) throw new Fault('DICT_LOCKED');
  return row;
}

export const addDict: Handler<typeof dictCalls.add> = (ctx, input) =>
  ctx.unscoped(async (db) => {
    const made = await db
      .insertInto('settings_dict')
      .values(input)
      .onConflict((on) => on.column('code').doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!made) throw new Fault('DICT_TAKEN', { fields: { code: 'fault.DICT_TAKEN' } });
    ctx.audit({ target: `dict ${input.code}`, after: input });
    return readDict(ctx, db, made.id);
  });

export const updateDict: Handler<typeof dictCalls.update> = (ctx, { id, name, remark }) =>
  ctx.unscoped(async (db) => {
    const before = await open(db, id);
    await db.updateTable('settings_dict').set({ name, remark, updated_at: ctx.now() }).where('id', '=', id).execute();
    ctx.audit({ target: `dict ${before.code}`, before: { name: before.name, remark: before.remark }, after: { name, remark } });
    return readDict(ctx, db, id);
  });

export const deleteDict: Handler<typeof dictCalls.delete> = (ctx, { id }) =>
  ctx.unscoped(async (db) => {
    const row = await open(db, id);
    await db.deleteFrom('settings_dict').where('id', '=', id).execute();
    ctx.audit({ target: `dict ${row.code}`, before: { name: row.name } });
    return null;
  });

type EntryRow = Selectable<DB['settings_dict_entry']>;
/** In the person's language, else in English, else the value itself. */
function labelOf(row: Pick<EntryRow, 'labels' | 'text_key' | 'value'>, lang: string): string {
  if (row.text_key) return t(lang, row.text_key);
  const labels = row.labels as Record<string, string>;
  return labels[lang] || labels[lang.split('-')[0] ?? ''] || (lang.startsWith('zh') ? labels['zh-CN'] : '') || labels.en || row.value;
}
const entryOf =
  (ctx: Ctx) =>
  (row: EntryRow): z.input<typeof DictEntry> => ({
    id: row.id,
    dictId: row.dict_id,
    value: row.value,
    label: labelOf(row, ctx.lang),
    labels: row.labels as Record<string, string>,
    sort: row.sort,
    enabled: row.enabled,
    system: row.system,
    revision: row.revision,
    updatedAt: row.updated_at,
    ...allowing(mayChange(ctx) && !row.system ? ['update', 'delete'] : []),
  });

export const pageEntries: Handler<typeof dictCalls.entries> = (ctx, { criteria, page: wanted }) => {
  const value = contains('e.value', criteria.text);
  const label = criteria.text === undefined ? undefined : sql<boolean>`e.labels::text ilike ${partPattern(criteria.text)}`;
  const query = ctx.db
    .selectFrom('settings_dict_entry as e')
    .selectAll('e')
    .where(
      all(
        exact('e.dict_id', criteria.dictId),
        criteria.enabled === undefined ? undefined : sql<boolean>`e.enabled = ${criteria.enabled}`,
        value && label && sql<boolean>`(${value} or ${label})`,
      ),
    );
  return page(ctx.db, query, { page: wanted, sorts: { sort: 'e.sort', value: 'e.value' }, id: 'e.id', map: entryOf(ctx) });
};

export async function readEntry(ctx: Ctx, id: number, db: Db = ctx.db) {
  const row = await db.selectFrom('settings_dict_entry').selectAll().where('id', '=', id).executeTakeFirst();
  if (!row) throw fault('NOT_FOUND');
  return entryOf(ctx)(row);
}

const columns = (input: { value: string; labels: Record<string, string>; sort: number; enabled: boolean }, now: Date) => ({
  value: input.value,
  labels: JSON.stringify(Object.fromEntries(Object.entries(input.labels).filter(([, label]) => label !== ''))),
  sort: input.sort,
  enabled: input.enabled,
  updated_at: now,
});
const taken = () => new Fault('DICT_ENTRY_TAKEN', { fields: { value: 'fault.DICT_ENTRY_TAKEN' } });

export const addEntry: Handler<typeof dictCalls.entryAdd> = (ctx, { dictId, ...input }) =>
  ctx.unscoped(async (db) => {
    const dict = await db.selectFrom('settings_dict').select(['code', 'system']).where('id', '=', dictId).executeTakeFirstOrThrow();
    if (dict.system && closed.has(dict.code)) throw new Fault('DICT_LOCKED');
    const made = await db
      .insertInto('settings_dict_entry')
      .values({ dict_id: dictId, ...columns(input, ctx.now()) })
      .onConflict((on) => on.columns(['dict_id', 'value']).doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!made) throw taken();
    ctx.audit({ target: `dict entry ${input.value}`, after: input });
    return readEntry(ctx, made.id, db);
  });

async function openEntry(db: Db, id: number) {
  const row = await db.selectFrom('settings_dict_entry').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
  if (!row) throw fault('NOT_FOUND');
  if (row.system) throw new Fault('DICT_LOCKED');
  return row;
}

export const updateEntry: Handler<typeof dictCalls.entryUpdate> = (ctx, { id, ...input }) =>
  ctx.unscoped(async (db) => {
    const before = await openEntry(db, id);
    const other = await db
      .selectFrom('settings_dict_entry')
      .select('id')
      .where('dict_id', '=', before.dict_id)
      .where('value', '=', input.value)
      .where('id', '!=', id)
      .executeTakeFirst();
    if (other) throw taken();
    await db.updateTable('settings_dict_entry').set(columns(input, ctx.now())).where('id', '=', id).execute();
    ctx.audit({
      target: `dict entry ${before.value}`,
      before: { value: before.value, labels: before.labels, enabled: before.enabled },
      after: input,
    });
    return readEntry(ctx, id, db);
  });

export const deleteEntry: Handler<typeof dictCalls.entryDelete> = (ctx, { id }) =>
  ctx.unscoped(async (db) => {
    const row = await openEntry(db, id);
    await db.deleteFrom('settings_dict_entry').where('id', '=', id).execute();
    ctx.audit({ target: `dict entry ${row.value}`, before: { labels: row.labels } });
    return null;
  });

/** The source of every select. */
export async function findEntries(ctx: Ctx, type: Exact<string>) {
  const rows = await ctx.db
    .selectFrom('settings_dict_entry as e')
    .innerJoin('settings_dict as d', 'd.id', 'e.dict_id')
    .select(['d.code', 'e.value', 'e.labels', 'e.text_key', 'e.sort'])
    .where(all(exact('d.code', type), sql<boolean>`e.enabled`))
    .orderBy('d.code')
    .orderBy('e.sort')
    .orderBy('e.value')
    .limit(5000)
    .execute();
  return rows.map((row) => ({ type: row.code, value: row.value, label: labelOf(row, ctx.lang), sort: row.sort }));
}
