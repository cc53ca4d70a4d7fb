import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../server/test/database.ts';
import { asOwner } from '../../server/test/test-server.ts';
import { root } from '../suite/processes.ts';
import { allGenerated } from './all-generated.ts';
import { schemaSql } from './schema-sql.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

const committed = (path: string) => readFileSync(join(root, path), 'utf8');

test('generated files are what `npm run generate` makes', async () => {
  const stale = [...(await allGenerated(database.url))].filter(([path, text]) => committed(path) !== text).map(([path]) => path);
  expect(stale).toEqual([]);
});

test('no page is left of a lifecycle that went away', async () => {
  const generated = await allGenerated(database.url);
  const pages = globSync('docs/state-machines/*.md', { cwd: root }).map((path) => path.replaceAll('\\', '/'));
  expect(pages.filter((path) => !generated.has(path))).toEqual([]);
});

test('a change of the database is seen', async () => {
  const before = await schemaSql(database.url);
  await asOwner(database.url, (client) => client.query('alter table settings_value add column extra integer default 7'));
  const after = await schemaSql(database.url);
  expect(after).not.toBe(before);
  expect(after).toContain('extra integer default 7');
});
