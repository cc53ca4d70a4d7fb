import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import pg from 'pg';
import { isNewer, putAside, takeBack } from './way-back.ts';

export const migrationsFolder = join(import.meta.dirname, 'migrations');

/** Names without extension, in order: `0001-platform`. */
export const migrationNames = (folder = migrationsFolder): string[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => file.slice(0, -'.sql'.length));

/** The last migration that this version of the code knows: the version of the data. */
export const dataVersion = (): string => migrationNames().at(-1) ?? '';

const migrationOf = (name: string): Migration => ({
  async up(db) {
    await sql.raw(readFileSync(join(migrationsFolder, `${name}.sql`), 'utf8')).execute(db);
  },
});

async function withDatabase<T>(url: string, work: (db: Kysely<unknown>) => Promise<T>): Promise<T> {
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  // A server that is stopped while this connection closes: what went wrong before is what counts.
  pool.on('error', () => {});
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
}

/** Lets the version start whose sources lie in this folder, on the schema as it is. Answers the migrations that it doesn't know. */
export async function prepareWayBack(url: string, releaseFolder: string): Promise<readonly string[]> {
  const folder = join(releaseFolder, 'database', 'migrations');
  if (!existsSync(folder)) throw new Error(`${releaseFolder} isn't the folder of a Mooring release: ${folder} is missing.`);
  return withDatabase(url, (db) => putAside(db, migrationNames(folder)));
}

/**
 * Brings a database to the newest version, or to a named one: all new migrations in one transaction. Several processes may call it at once.
 * One that a newer version has brought further stays as it is.
 */
export function migrate(url: string, to = dataVersion()): Promise<void> {
  const names = migrationNames();
  const provider = { getMigrations: async () => Object.fromEntries(names.map((name) => [name, migrationOf(name)])) };
  return withDatabase(url, async (db) => {
    await takeBack(db);
    if (await isNewer(db, names)) return;
    const { error, results } = await new Migrator({ db, provider }).migrateTo(to);
    if (!error) return;
    const failed = results?.find((one) => one.status === 'Error');
    throw new Error(`The database could not be migrated${failed ? ` (${failed.migrationName})` : ''}: ${(error as Error).message}`, {
      cause: error,
    });
  });
}
