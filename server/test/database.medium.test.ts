import { dataVersion } from '@mooring/database/migrate';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from './database.ts';
import { asOwner } from './test-server.ts';

let one: TestDatabase;
let other: TestDatabase;
beforeAll(async () => {
  [one, other] = await Promise.all([testDatabase(), testDatabase()]);
});
afterAll(() => Promise.all([one.drop(), other.drop()]));

test('a test database is migrated', async () => {
  const { rows } = await asOwner(one.url, (client) => client.query('select name from kysely_migration order by name desc limit 1'));
  expect(rows).toEqual([{ name: dataVersion() }]);
});

test('two test databases do not see each other', async () => {
  await asOwner(one.url, (client) => client.query("insert into settings_value values ('mine', '1')"));
  const { rowCount } = await asOwner(other.url, (client) => client.query('select from settings_value'));
  expect(rowCount).toBe(0);
});
