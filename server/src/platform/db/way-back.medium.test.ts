import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dataVersion, migrate, migrationNames, prepareWayBack } from '@mooring/database/migrate';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../../test/database.ts';
import { asOwner } from '../../../test/test-server.ts';
import { prepareDatabase } from './prepare.ts';

let database: TestDatabase;
let release: string;
beforeEach(async () => {
  database = await testDatabase();
  release = mkdtempSync(join(tmpdir(), 'mooring-release-'));
});
afterEach(async () => {
  await database.drop();
  rmSync(release, { recursive: true });
});
const query = (text: string) => asOwner(database.url, async (client) => (await client.query(text)).rows);
const names = async () => (await query('select name from kysely_migration order by name')).map(({ name }) => name);
const laterVersion = () => query(`insert into kysely_migration (name, timestamp) values ('9000-later', now()::text)`);
const releaseWith = (migrations: readonly string[]) => {
  const folder = join(release, 'database', 'migrations');
  mkdirSync(folder, { recursive: true });
  for (const name of migrations) writeFileSync(join(folder, `${name}.sql`), '');
};

test('this version starts on the schema of a later one that says that it may', async () => {
  await laterVersion();
  await prepareDatabase(database.url);
  expect(await names()).toEqual([...migrationNames(), '9000-later']);
});

test('on one that this version can’t work with, it says which version can, and changes nothing', async () => {
  await laterVersion();
  await query(`update schema_floor set migration = '9000-later', version = '9.1.0'`);
  await expect(prepareDatabase(database.url)).rejects.toThrow(
    new RegExp(`^Newer schema: this data needs version 9\\.1\\.0 of Mooring or a later one; this one ends with ${dataVersion()}\\.`),
  );
  expect(await names()).toContain('9000-later');
});

test('the way back puts aside what the older version doesn’t know, and this version takes it up again', async () => {
  const known = migrationNames().filter((name) => name <= '0066-young-and-parked');
  releaseWith(known);
  const ahead = migrationNames().filter((name) => name > '0066-young-and-parked');
  expect(await prepareWayBack(database.url, release)).toEqual(ahead);
  expect(await names()).toEqual(known);
  expect(await prepareWayBack(database.url, release)).toEqual(ahead);
  await migrate(database.url);
  expect(await names()).toEqual(migrationNames());
});

test('no way back to a version that could not work with the schema, nor to a folder without one', async () => {
  releaseWith(migrationNames().slice(0, 5));
  await expect(prepareWayBack(database.url, release)).rejects.toThrow('Newer schema: this data needs version 0.1.0');
  await expect(prepareWayBack(database.url, tmpdir())).rejects.toThrow("isn't the folder of a Mooring release");
  expect(await names()).toEqual(migrationNames());
});
