import { Kysely, PostgresDialect } from 'kysely';
import { generate, getDialect } from 'kysely-codegen';
import pg from 'pg';

// The driver parses int8 to a number (platform/db/pools.ts).
const types = { int8: 'number', json: 'unknown', jsonb: 'unknown', tsvector: 'string', xid8: 'string' };

/** Column types of every table, for the queries. */
export async function tablesTs(url: string): Promise<string> {
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: url, max: 1 }) }) });
  try {
    return await generate({
      db,
      dialect: getDialect('postgres'),
      defaultSchemas: ['public'],
      excludePattern: '{kysely_migration*,graphile_worker.*}',
      typeMapping: types,
      outFile: null,
    });
  } finally {
    await db.destroy();
  }
}
