import type pg from 'pg';
import type { Manifest } from './manifest.ts';

// Unlogged tables hold what a crash may lose anyway, touches tell tabs that are open now. Kysely's own tables are made by the migrations.
const kept = "n.nspname = 'public' and c.relpersistence = 'p' and c.relname <> 'live_touch' and c.relname not like 'kysely\\_migration%'";

/** Tables with the columns that can be written; a transaction number means nothing in another database. */
const tables = `
  select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
  from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
  where ${kept} and c.relkind in ('r', 'p') and not c.relispartition
    and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' and a.atttypid <> 'xid8'::regtype
  group by c.relname order by c.relname collate "C"`;

const partitions = `
  select c.relname as name, h.inhparent::regclass::text as parent, pg_get_expr(c.relpartbound, c.oid) as bound
  from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_inherits h on h.inhrelid = c.oid
  where ${kept} and c.relispartition and c.relkind = 'r' order by c.relname collate "C"`;

const sequences = `select sequencename as name, last_value::float8 as last from pg_sequences where schemaname = 'public' and last_value is not null order by 1`;

const version = 'select name from kysely_migration order by name desc limit 1';

export type Described = Pick<Manifest, 'version' | 'partitions' | 'sequences'> & {
  readonly tables: readonly { name: string; columns: string[] }[];
};

/** What there is to back up, as of this transaction. */
export async function describe(client: pg.ClientBase): Promise<Described> {
  const found = await client.query<{ name: string }>(version);
  const [first] = found.rows;
  if (!first) throw new Error('This database is not a Mooring installation.');
  return {
    version: first.name,
    tables: (await client.query<Described['tables'][number]>(tables)).rows,
    partitions: (await client.query<Manifest['partitions'][number]>(partitions)).rows,
    sequences: (await client.query<Manifest['sequences'][number]>(sequences)).rows,
  };
}

export const isEmptyDatabase = async (client: pg.ClientBase): Promise<boolean> => {
  const { rowCount } = await client.query(
    "select from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'public' and c.relkind in ('r', 'p') limit 1",
  );
  return rowCount === 0;
};
