import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import pg from 'pg';

export const migrationsFolder = join(import.meta.dirname, 'migrations');

/** Names without extension, in order: `0001-platform`. */
export const migrationNames = (): string[] =>
  readdirSync(migrationsFolder)
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

/** Brings a database to the newest version, or to a named one: all new migrations in one transaction. Several processes may call it at once. */
export async function migrate(url: string, to = dataVersion()): Promise<void> {
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: url, max: 1 }) }) });
  const provider = { getMigrations: async () => Object.fromEntries(migrationNames().map((name) => [name, migrationOf(name)])) };
  try {
    const { error, results } = await new Migrator({ db, provider }).migrateTo(to);
    if (!error) return;
    const failed = results?.find((one) => one.status === 'Error');
    throw new Error(`The database could not be migrated${failed ? ` (${failed.migrationName})` : ''}: ${(error as Error).message}`, {
      cause: error,
    });
  } finally {
    await db.destroy();
  }
}
