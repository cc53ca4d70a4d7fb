import type { Call } from '@mooring/contract/kit/call';
import { Fault } from '@mooring/contract/kit/fault';
import { hasMetadata, metadataOf, walk } from '@mooring/contract/kit/schema';
import { sql } from 'kysely';
import type { Db } from '../context.ts';

/** Which table an entity is; with `own`, the column that says whose its rows are: then only one's own count. */
export type RefTable = string | { readonly table: string; readonly own: string };

/**
 * Foreign keys look past a policy, so ids of other rows are asked for here, under it (design 1, section 3). The fault names the field: of what was chosen
 * long ago, one of several may be gone.
 */
export async function checkRefs(
  db: Db,
  call: Call,
  input: unknown,
  tables: Readonly<Record<string, RefTable>>,
  userId: number,
): Promise<void> {
  if (!hasMetadata(call.input, 'ref')) return;
  const wanted = new Map<string, Map<number, string>>();
  walk(call.input, input, (schema, [field], value) => {
    const entity = metadataOf(schema)?.ref;
    if (!entity || typeof value !== 'number') return;
    wanted.set(entity, (wanted.get(entity) ?? new Map<number, string>()).set(value, String(field)));
  });
  for (const [entity, ids] of wanted) {
    const known = tables[entity];
    if (!known) throw new Error(`no module says which table "${entity}" is`);
    const { table, own } = typeof known === 'string' ? { table: known, own: undefined } : known;
    const isOwn = own === undefined ? sql`true` : sql`${sql.ref(own)} = ${userId}`;
    const found = await sql<{ id: number }>`
      select id from ${sql.table(table)} where id = any(${[...ids.keys()]}::bigint[]) and ${isOwn}`.execute(db);
    const there = new Set(found.rows.map(({ id }) => id));
    const gone = [...ids].filter(([id]) => !there.has(id));
    if (gone.length === 0) continue;
    // The row itself is no field of a form.
    const fields = gone.flatMap(([, field]) => (field === 'id' ? [] : [[field, 'fault.NOT_FOUND'] as const]));
    throw new Fault('NOT_FOUND', { code: 404, ...(fields.length > 0 ? { fields: Object.fromEntries(fields) } : {}) });
  }
}
