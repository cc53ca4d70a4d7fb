import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { inject } from 'vitest';
import { makeModules } from '../src/modules/modules.ts';
import { createApp } from '../src/platform/app-context.ts';
import { readConfig } from '../src/platform/config/config.ts';
import { masterKey } from '../src/platform/config/master-key.ts';
import { openPools } from '../src/platform/db/pools.ts';
import { seed } from '../src/platform/maintenance.ts';
import { asOwner, inDatabase, untilLeft } from './test-server.ts';

export interface TestDatabase {
  readonly name: string;
  readonly url: string;
  drop(): Promise<void>;
}

/** A migrated database of one's own, cloned in milliseconds. */
export const testDatabase = (): Promise<TestDatabase> => cloned(inject('testServer').template);

/** A database without anything in it. */
export const emptyDatabase = (): Promise<TestDatabase> => cloned('template0');

/** One that holds what the first start brings, which the next one finds in place. */
export const startedDatabase = async (): Promise<TestDatabase> => cloned(await startedTemplate());

let started: Promise<string> | undefined;
/** Made by whoever wants it first, for all files of the run. */
function startedTemplate(): Promise<string> {
  const { url, started: name } = inject('testServer');
  started ??= asOwner(url, async (client) => {
    await client.query('select pg_advisory_lock(7061002)');
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
    if (rowCount) return name;
    const made = await testDatabase();
    await runSeeds(made.url);
    await untilLeft(client, made.name);
    await client.query(`alter database ${made.name} rename to ${name}`);
    return name;
  });
  return started;
}

async function runSeeds(url: string): Promise<void> {
  const pools = openPools(url, { max: 2 });
  try {
    const config = readConfig({ LOG_LEVEL: 'silent' }, []);
    // The seeds seal nothing: any key will do.
    const app = createApp({ config, pools, masterKey: masterKey(randomBytes(32)), log: pino({ level: 'silent' }) });
    await seed(
      app,
      makeModules(app).modules.flatMap((module) => module.seed ?? []),
    );
  } finally {
    await pools.end();
  }
}

async function cloned(template: string): Promise<TestDatabase> {
  const { url } = inject('testServer');
  const name = `mooring_test_${randomBytes(8).toString('hex')}`;
  // Copying files is four times as fast as logging each block.
  await asOwner(url, (client) => client.query(`create database ${name} template ${template} strategy file_copy`));
  return {
    name,
    url: inDatabase(url, name),
    drop: async () => void (await asOwner(url, (client) => client.query(`drop database if exists ${name} with (force)`))),
  };
}
