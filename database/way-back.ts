import { type Kysely, sql } from 'kysely';

const exists = async (db: Kysely<unknown>, table: string): Promise<boolean> =>
  (await sql<{ there: boolean }>`select to_regclass(${`public.${table}`}) is not null as there`.execute(db)).rows[0]?.there ?? false;

async function applied(db: Kysely<unknown>): Promise<readonly string[]> {
  if (!(await exists(db, 'kysely_migration'))) return [];
  return (await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)).rows.map(({ name }) => name);
}

/** Takes back what was put aside for an older version. */
export async function takeBack(db: Kysely<unknown>): Promise<void> {
  if (!(await exists(db, 'kysely_migration_ahead'))) return;
  await sql`with back as (delete from kysely_migration_ahead returning name, timestamp)
    insert into kysely_migration (name, timestamp) select name, timestamp from back on conflict do nothing`.execute(db);
}

/** Refuses a schema that these migrations can't run on, with the version that can. */
async function refuseBelowFloor(db: Kysely<unknown>, known: readonly string[], whose: string): Promise<void> {
  if (!(await exists(db, 'schema_floor'))) return;
  const found = await sql<{ migration: string; version: string }>`select migration, version from schema_floor`.execute(db);
  const [floor] = found.rows;
  if (floor && !known.includes(floor.migration))
    throw new Error(
      `Newer schema: this data needs version ${floor.version} of Mooring or a later one; ${whose} ends with ${known.at(-1)}. Start that version, or restore a backup made before the upgrade.`,
    );
}

/** Whether a newer version was here; then nothing is to be migrated. Refuses where this version can't run on what that one left. */
export async function isNewer(db: Kysely<unknown>, known: readonly string[]): Promise<boolean> {
  if (!(await applied(db)).some((name) => !known.includes(name))) return false;
  await refuseBelowFloor(db, known, 'this one');
  return true;
}

/** Lets a version start that knows only these migrations and takes others for corruption. Answers what was put aside. */
export async function putAside(db: Kysely<unknown>, known: readonly string[]): Promise<readonly string[]> {
  await takeBack(db);
  await refuseBelowFloor(db, known, 'that one');
  const ahead = (await applied(db)).filter((name) => !known.includes(name));
  if (ahead.length > 0)
    await sql`with aside as (delete from kysely_migration where name in (${sql.join(ahead)}) returning name, timestamp)
      insert into kysely_migration_ahead (name, timestamp) select name, timestamp from aside`.execute(db);
  return ahead;
}
