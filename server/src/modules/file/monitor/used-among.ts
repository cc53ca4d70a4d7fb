import { sql } from 'kysely';
import type { Db } from '../../../platform/context.ts';
import type { FileOwner } from '../../../platform/module.ts';

/** Where rows name files, each once. */
export const placesOf = (owners: readonly FileOwner[]) => [
  ...new Map(
    [...owners, { table: 'work', column: 'file_id', gone: undefined }].map(({ table, column, gone }) => [
      `${table}.${column}`,
      { table, column, ...(gone === undefined ? {} : { gone }) },
    ]),
  ).values(),
];
/** A sheet that is still to be read has no row but its job's. */
export const toRead = (ids: readonly number[]) =>
  sql`from work where state in ('waiting', 'running') and params ->> 'file' = any(${ids.map(String)}::text[])`;

/** Of these files those that a row names, whoever may see it: what jobs made is theirs until it goes by itself. */
export async function usedAmong(db: Db, owners: readonly FileOwner[], ids: readonly number[]): Promise<ReadonlySet<number>> {
  const parts = placesOf(owners).map(
    ({ table, column, gone }) =>
      sql`select ${sql.ref(column)} as id from ${sql.table(table)}
        where ${sql.ref(column)} = any(${ids}::bigint[]) ${gone === undefined ? sql`` : sql`and ${sql.ref(gone)} is null`}`,
  );
  parts.push(sql`select (params ->> 'file')::bigint ${toRead(ids)}`);
  const found = await sql<{ id: number }>`${sql.join(parts, sql` union `)}`.execute(db);
  return new Set(found.rows.map((row) => row.id));
}
