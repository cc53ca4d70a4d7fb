import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { dataVersion, migrate, migrationNames } from '@mooring/database/migrate';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { emptyDatabase, type TestDatabase, testDatabase } from '../../../test/database.ts';
import { asOwner } from '../../../test/test-server.ts';
import { backUp } from './back-up.ts';
import { describe as describeDatabase } from './describe.ts';
import { readArchive } from './read-archive.ts';
import { restore } from './restore.ts';

let folder: string;
let from: TestDatabase;
let into: TestDatabase;
const now = new Date('2026-11-21T10:00:00Z');
const at = (name: string) => join(folder, name);

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mooring-backup-'));
  mkdirSync(at('data/blobs/ab'), { recursive: true });
  mkdirSync(at('data/postgres/base'), { recursive: true });
  mkdirSync(at('new'));
  writeFileSync(at('data/blobs/ab/abcd'), Buffer.from([0, 255, 10, 13, 0]));
  writeFileSync(at('data/master.key'), 'key');
  writeFileSync(at('data/postgres/base/1'), 'not kept');
  writeFileSync(at('data/postgres.password'), 'not kept');
  writeFileSync(at('data/mooring.lock'), 'not kept');
  [from, into] = await Promise.all([testDatabase(), emptyDatabase()]);
});
afterEach(async () => {
  rmSync(folder, { recursive: true });
  await Promise.all([from.drop(), into.drop()]);
});

/** Values that a careless copy would lose: line ends, tabs, backslashes, nothing against empty, bytes, nested JSON, dates. */
const fill = (client: pg.Client) =>
  client.query(`
    insert into org_dept (id, parent_id, dept_path, kind, name) values (1, null, '1.', 'platform', 'Platform'), (7, 1, '1.7.', 'productLine', E'Line\\t\\\\ end\\n龘') on conflict do nothing;
    select setval(pg_get_serial_sequence('org_dept', 'id'), 70);
    insert into account_user (account, name, email, password_hash, dept_id, dept_path) values ('anna', '', null, '\\N', 7, '1.7.');
    insert into settings_value values ('some', '{"a": ["\\u00e9\\n", null, 1.50]}', '2026-01-01T00:00:00.123456Z');
    insert into audit_entry (request_id, actor_name, dept_path, ip, call, result, hash) values ('r', 'a', '1.', '::1', '/x', 'ok', '\\x00ff0a');
    create table if not exists state_change_202611 partition of state_change for values from ('2026-11-01') to ('2026-12-01');
    insert into state_change (at, life, row_id, to_state, event, dept_path) values ('2026-11-03', 'device', 1, 'a', 'b', '1.'), ('2020-01-03', 'device', 1, 'a', 'b', '1.');
    select graphile_worker.add_job('mail', '{"to": "anna"}', run_at => '2030-01-01', job_key => 'one', max_attempts => 3);`);

/** Every row of every table as text, and where the sequences stand. */
async function contents(url: string): Promise<Record<string, unknown>> {
  return asOwner(url, async (client) => {
    const { tables, sequences, partitions } = await describeDatabase(client);
    const found: Record<string, unknown> = { sequences, partitions };
    for (const { name } of tables)
      found[name] = (await text(client.query(copyTo(`copy (select * from ${name}) to stdout`)))).split('\n').sort();
    found.jobs = (await client.query('select task_identifier, run_at, key, max_attempts from graphile_worker.jobs')).rows;
    found.checks = (
      await client.query("select conname, convalidated from pg_constraint where connamespace = 'public'::regnamespace order by 1")
    ).rows;
    found.triggers = (await client.query('select tgname, tgenabled from pg_trigger where not tgisinternal order by 1')).rows;
    return found;
  });
}

test('a restored installation is the one that was backed up, as the archive says, and goes on counting where it was', async () => {
  await asOwner(from.url, fill);
  await backUp({ url: from.url, dataDir: at('data'), file: at('a.zip'), now });
  await restore({ url: into.url, dataDir: at('new'), file: at('a.zip') });
  const before = await contents(from.url);
  expect(await contents(into.url)).toEqual(before);
  expect(before.account_user).toEqual(expect.arrayContaining([expect.stringContaining('\tanna\t\t\\N\t')]));
  expect(readdirSync(at('new'), { recursive: true }).sort()).toEqual(['blobs', 'blobs/ab', 'blobs/ab/abcd', 'master.key']);
  expect(readFileSync(at('new/blobs/ab/abcd'))).toEqual(readFileSync(at('data/blobs/ab/abcd')));
  expect(statSync(at('a.zip')).mode & 0o777).toBe(0o600);

  const archive = await readArchive(at('a.zip'));
  archive.close();
  expect(archive.manifest).toMatchObject({ version: dataVersion(), madeAt: now.toISOString(), jobs: 1, files: 2 });
  expect(archive.manifest.tables.find(({ name }) => name === 'state_change')?.rows).toBe(2);
  expect(archive.manifest.tables.map(({ name }) => name)).not.toContain('live_touch');

  const { rows } = await asOwner(into.url, (client) =>
    client.query("insert into org_dept (parent_id, dept_path, kind, name) values (1, '1.71.', 'productLine', 'x') returning id::int"),
  );
  expect(rows).toEqual([{ id: 71 }]);
});

test('a backup of an older version is brought to this one', async () => {
  const older = await emptyDatabase();
  try {
    await migrate(older.url, migrationNames().at(-2));
    await asOwner(older.url, (client) =>
      client.query(
        "create schema graphile_worker; create table graphile_worker._private_jobs as select 1 as id, 2 as task_id, 3 as job_queue_id, 1 as attempts, 1 as max_attempts, null::json as payload, now() as run_at, '' as key, 0 as priority, null::jsonb as flags; create table graphile_worker._private_tasks as select 2 as id, '' as identifier; create table graphile_worker._private_job_queues as select 3 as id, '' as queue_name",
      ),
    );
    await asOwner(older.url, (client) => client.query("insert into settings_value values ('old', '1')"));
    await backUp({ url: older.url, dataDir: at('data'), file: at('a.zip'), now });
  } finally {
    await older.drop();
  }
  await restore({ url: into.url, dataDir: at('new'), file: at('a.zip') });
  const { version } = await asOwner(into.url, describeDatabase);
  expect(version).toBe(dataVersion());
  expect((await contents(into.url)).settings_value).toEqual(expect.arrayContaining([expect.stringMatching(/^old\t1\t/)]));
});

test('nothing is restored over something', async () => {
  await backUp({ url: from.url, dataDir: at('data'), file: at('a.zip'), now });
  await expect(restore({ url: from.url, dataDir: at('new'), file: at('a.zip') })).rejects.toThrow('The database is not empty');
  await expect(restore({ url: into.url, dataDir: at('data'), file: at('a.zip') })).rejects.toThrow('is not empty (blobs, master.key)');
  await expect(backUp({ url: from.url, dataDir: at('data'), file: at('a.zip'), now })).rejects.toThrow('is there already');
});

test('a backup that was cut off, or is none, is refused before anything is written', async () => {
  await backUp({ url: from.url, dataDir: at('data'), file: at('a.zip'), now });
  truncateSync(at('a.zip'), statSync(at('a.zip')).size - 100);
  writeFileSync(at('b.zip'), 'not an archive');
  for (const name of ['a.zip', 'b.zip'])
    await expect(restore({ url: into.url, dataDir: at('new'), file: at(name) })).rejects.toThrow('is not a whole backup');
  expect(readdirSync(at('new'))).toEqual([]);
});
