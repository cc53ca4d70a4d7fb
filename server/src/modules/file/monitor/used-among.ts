import { sql } from 'kysely';
import type { Db } from '../../../platform/context.ts';
import type { FileOwner } from '../../../platform/module.ts';

/** Of these files those that a row names, whoever may see it: what jobs made is theirs until it goes by itself. */
export async function usedAmong(db: Db, owners: readonly FileOwner[], ids: readonly number[]): Promise<ReadonlySet<number>> {
  const places = [
    ...owners.map(({ table, column, gone }) => ({ table, column, gone })),
    { table: 'work', column: 'file_id', gone: undefined },
  ];
  const distinct = [...new Map(places.map((one) => [`${one.table}.${one.column}`, one])).values()];
  const parts = distinct.map(
    ({ table, column, gone }) =>
      sql`select ${sql.ref(column)} as id from ${sql.table(table)}
        where ${sql.ref(column)} = any(${ids}::bigint[]) ${gone === undefined ? sql`` : sql`and ${sql.ref(gone)} is null`}`,
  );
  // A sheet that is still to be read has no row but its job's.
  parts.push(
    sql`select (params ->> 'file')::bigint from work where state in ('waiting', 'running') and params ->> 'file' = any(${ids.map(String)}::text[])`,
  );
  const found = await sql<{ id: number }>`${sql.join(parts, sql` union `)}`.execute(db);
  return new Set(found.rows.map((row) => row.id));
}
