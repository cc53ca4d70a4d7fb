import { sql } from 'kysely';
import type { Ctx } from '../../platform/context.ts';
import type { Written } from '../../platform/work/sheet-kind.ts';

interface Said {
  readonly labels: Readonly<Record<string, string>>;
  readonly sort: number;
  readonly enabled: boolean;
}
/** What a row makes of an entry: one that is there, as it was read, or a new one (`id` 0). */
export type EntryRow = Said &
  (
    | { readonly id: number; readonly revision: number; readonly isSame: boolean }
    | { readonly id: 0; readonly dictId: number; readonly value: string }
  );
type New = Extract<EntryRow, { value: string }>;
type Changed = Extract<EntryRow, { isSame: boolean }>;
const isNew = (row: EntryRow): row is New => 'value' in row;

/** Those that are still as they were read. */
async function change({ db, now }: Ctx, rows: readonly Changed[]): Promise<ReadonlySet<number>> {
  if (rows.length === 0) return new Set();
  const { rows: done } = await sql<{ id: number }>`
    update settings_dict_entry e set labels = x.labels, sort = x.sort, enabled = x.enabled, updated_at = ${now()}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as x(id bigint, revision integer, labels jsonb, sort integer, enabled boolean)
    where e.id = x.id and e.revision = x.revision returning e.id`.execute(db);
  return new Set(done.map(({ id }) => id));
}

/** Those whose values nobody added meanwhile, to lists that are there still. */
async function add({ db, now }: Ctx, rows: readonly New[]): Promise<ReadonlySet<string>> {
  if (rows.length === 0) return new Set();
  const { rows: done } = await sql<{ dict_id: number; value: string }>`
    insert into settings_dict_entry (dict_id, value, labels, sort, enabled, updated_at)
    select x."dictId", x.value, x.labels, x.sort, x.enabled, ${now()}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as x("dictId" bigint, value text, labels jsonb, sort integer, enabled boolean)
    join settings_dict d on d.id = x."dictId"
    on conflict (dict_id, value) do nothing returning dict_id, value`.execute(db);
  return new Set(done.map(({ dict_id, value }) => `${dict_id} ${value}`));
}

export async function writeEntries(ctx: Ctx, rows: readonly EntryRow[]): Promise<readonly Written[]> {
  const changed = await change(
    ctx,
    rows.filter((row): row is Changed => !isNew(row) && !row.isSame),
  );
  const added = await add(ctx, rows.filter(isNew));
  return rows.map((row): Written => {
    if (isNew(row)) return added.has(`${row.dictId} ${row.value}`) ? { word: 'dictSheet.added' } : { fault: 'DICT_ENTRY_TAKEN' };
    if (row.isSame) return { word: 'dictSheet.same' };
    return changed.has(row.id) ? { word: 'dictSheet.changed' } : { fault: 'DICT_ENTRY_OVERTAKEN' };
  });
}
