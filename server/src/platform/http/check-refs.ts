import type { Call } from '@mooring/contract/kit/call';
import { fault } from '@mooring/contract/kit/fault';
import { hasMetadata, metadataOf, walk } from '@mooring/contract/kit/schema';
import { sql } from 'kysely';
import type { Db } from '../context.ts';

/** Which table an entity is; with `own`, the column that says whose its rows are: then only one's own count. */
export type RefTable = string | { readonly table: string; readonly own: string };

/** Foreign keys look past a policy, so ids of other rows are asked for here, under it (design 1, section 3). */
export async function checkRefs(
  db: Db,
  call: Call,
  input: unknown,
  tables: Readonly<Record<string, RefTable>>,
  userId: number,
): Promise<void> {
  if (!hasMetadata(call.input, 'ref')) return;
  const wanted = new Map<string, Set<number>>();
  walk(call.input, input, (schema, _path, value) => {
    const entity = metadataOf(schema)?.ref;
    if (!entity || typeof value !== 'number') return;
    wanted.set(entity, (wanted.get(entity) ?? new Set()).add(value));
  });
  for (const [entity, ids] of wanted) {
    const known = tables[entity];
    if (!known) throw new Error(`no module says which table "${entity}" is`);
    const { table, own } = typeof known === 'string' ? { table: known, own: undefined } : known;
    const isOwn = own === undefined ? sql`true` : sql`${sql.ref(own)} = ${userId}`;
    const found = await sql<{
      n: number;
    }>`select count(*)::int as n from ${sql.table(table)} where id = any(${[...ids]}::bigint[]) and ${isOwn}`.execute(db);
    if (found.rows[0]?.n !== ids.size) throw fault('NOT_FOUND');
  }
}
