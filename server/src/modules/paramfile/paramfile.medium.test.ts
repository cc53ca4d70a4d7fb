import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { paramBatchCalls, paramFileCalls, paramSetCalls, paramTaskCalls, paramTaskDeviceCalls } from '@mooring/contract/paramfile/calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDevices, makeFile, makeProduct } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { oddZip, zipOf } from '../../../test/zip.ts';
import { releasing } from '../../engines/rollout/release.factory.ts';
import { UPLOAD_QUOTA } from '../file/api.ts';
import type { DeptAt } from '../org/api.ts';

let app: TestApp;
let owner: DeptAt;
let below: DeptAt;
let other: DeptAt;
let admin: Client;
let manager: Client;
let productId: number;
const { settle, sns } = releasing(
  () => app,
  () => admin,
  () => 0,
);
const SECRET = 'tpk=5F2A-very-secret';

beforeAll(async () => {
  app = await testApp();
  owner = await app.dept('Bank');
  below = await app.dept('Branch', owner);
  other = await app.dept('Other bank');
  admin = await app.person('platformAdmin', app.root);
  manager = await app.person('orgManager', owner);
  productId = await makeProduct(app, app.root, 'A920');
});
afterAll(() => app.stop());

const run = <T>(query: ReturnType<typeof sql<T>>) => app.context.unscoped(async (db) => (await query.execute(db)).rows);
async function uploaded(client: Client, at: DeptAt, bytes: Buffer, name = 'params.zip'): Promise<number> {
  const fileId = await makeFile(app, client, at, bytes);
  await run(sql`update file_file set kind = '9', name = ${name} where id = ${fileId}`);
  return fileId;
}
async function terminals(count: number, at = owner): Promise<string[]> {
  const names = sns(count);
  await makeDevices(app, at, productId, names);
  await run(sql`update device set capabilities = '{paramFile}' where sn = any(${names}::text[])`);
  return names;
}
const faultOf = async (answer: Promise<{ body: { fault?: string } | null }>) => (await answer).body?.fault;
const isStored = (sha256: string) => existsSync(join(app.dataDir, 'blobs', sha256.slice(0, 2), sha256));
const setOf = async (files: Readonly<Record<string, string>>, client = admin, at = app.root) =>
  client.call(paramBatchCalls.add, { name: 'May', fileId: await uploaded(client, at, await zipOf(files)) });

test('an upload is matched by name, in whatever folder, and what is nobody’s is named before anything is kept', async () => {
  const [one = '', two = '', three = ''] = await terminals(3);
  const zip = await zipOf({
    [`${one}.json`]: '{}',
    [`north/${two.toLowerCase()}.ini`]: 'a=1',
    'NOBODY01.json': '{}',
    [`south/${three}.json`]: '{}',
    [`west/${three}.xml`]: '<a/>',
    '__MACOSX/x.json': '{}',
    'south/.DS_Store': 'x',
  });
  const fileId = await uploaded(admin, app.root, zip);
  expect(await admin.call(paramBatchCalls.check, { fileId })).toEqual({
    files: 5,
    matched: 2,
    wrong: 3,
    problems: [
      { name: 'NOBODY01.json', problem: 'noTerminal' },
      { name: `south/${three}.json`, problem: 'doubled' },
      { name: `west/${three}.xml`, problem: 'doubled' },
    ],
  });
  const refused = await admin.send(paramBatchCalls.add, { name: 'May', fileId });
  expect(refused.body).toMatchObject({ fault: 'PARAM_FILES_WRONG' });
  expect(refused.message).toContain('3 files belong to no terminal');
  expect(await run(sql`select from paramfile_set`)).toEqual([]);
  const set = await admin.call(paramBatchCalls.add, { name: 'May', fileId, partly: true });
  expect(set).toMatchObject({ name: 'May', files: 2, size: 5, fileName: 'params.zip' });
  const files = await admin.call(paramFileCalls.page, { criteria: { setId: set.id }, page: { sort: 'sn' } });
  expect(files.content.map((row) => [row.sn, row.fileName, row.held])).toEqual([
    [one, `${one}.json`, 'none'],
    [two, `${two.toLowerCase()}.ini`, 'none'],
  ]);
  // The archive itself isn't kept.
  expect(await faultOf(admin.send(paramBatchCalls.check, { fileId }))).toBe('NOT_FOUND');
});

test('one file alone is one terminal’s', async () => {
  const [sn = ''] = await terminals(1);
  const fileId = await uploaded(admin, app.root, Buffer.from('a=1'), `${sn}.ini`);
  expect(await admin.call(paramBatchCalls.add, { name: 'One', fileId })).toMatchObject({ files: 1, size: 3 });
});

const MB = 1024 * 1024;
test.each([
  ['a path out of the folder', () => oddZip([{ name: '../../etc/SN1.json', content: Buffer.from('{}') }]), 'PARAM_ZIP_NAMES'],
  ['a path from the root', () => oddZip([{ name: '/etc/SN1.json', content: Buffer.from('{}') }]), 'PARAM_ZIP_NAMES'],
  ['a path of another system', () => oddZip([{ name: '..\\..\\SN1.json', content: Buffer.from('{}') }]), 'PARAM_ZIP_NAMES'],
  ['no archive at all', () => Buffer.from('PK, or so it says'), 'PARAM_ZIP_BROKEN'],
  ['half an archive', () => oddZip([{ name: 'SN1.json', content: Buffer.alloc(4000, 'x') }]).subarray(0, 60), 'PARAM_ZIP_BROKEN'],
  [
    'more than it may unpack to',
    () => oddZip(Array.from({ length: 201 }, (_, at) => ({ name: `SN${at}.json`, content: Buffer.alloc(10), says: MB }))),
    'PARAM_ZIP_TOO_LARGE',
  ],
  [
    'too many files',
    () => oddZip(Array.from({ length: 20_001 }, (_, at) => ({ name: `${at}.json`, content: Buffer.alloc(0) }))),
    'PARAM_ZIP_MANY',
  ],
])('%s is refused with its reason', async (_name, made, fault) => {
  const fileId = await uploaded(admin, app.root, made());
  expect(await faultOf(admin.send(paramBatchCalls.check, { fileId }))).toBe(fault);
  expect(await faultOf(admin.send(paramBatchCalls.add, { name: 'Bad', fileId }))).toBe(fault);
});

test('a bomb that says it is small never grows, and leaves nothing behind', async () => {
  const [good = '', bomb = ''] = (await terminals(2)).sort();
  const content = Buffer.from(`only here ${good}`);
  const zip = oddZip([
    { name: `${good}.json`, content },
    { name: `${bomb}.json`, content: Buffer.alloc(64 * MB), says: 1000 },
  ]);
  const before = await run(sql<{ n: number }>`select count(*)::int as n from paramfile_set`);
  expect(await faultOf(admin.send(paramBatchCalls.add, { name: 'Bomb', fileId: await uploaded(admin, app.root, zip) }))).toBe(
    'PARAM_ZIP_BROKEN',
  );
  expect(await run(sql<{ n: number }>`select count(*)::int as n from paramfile_set`)).toEqual(before);
  await app.runJobs();
  await app.runJobs();
  expect(isStored(createHash('sha256').update(content).digest('hex'))).toBe(false);
});

test('what is unpacked counts to the quota, and is refused where it is used up with nothing kept', async () => {
  const [one = '', two = ''] = await terminals(2);
  const here = await app.person('platformAdmin', app.root);
  const built = () => run(sql<{ size: number }>`select size from file_built where user_id = ${here.userId}`);
  await setOf({ [`${one}.json`]: 'x'.repeat(5000) }, here);
  expect(await built()).toEqual([{ size: 5000 }]);
  // Unpacked it would be more than is left, though its archive is not.
  await run(sql`update file_built set size = ${UPLOAD_QUOTA.person.bytes - 3000} where user_id = ${here.userId}`);
  const content = `${two}`.repeat(1000);
  const fileId = await uploaded(here, app.root, await zipOf({ [`${two}.json`]: content }));
  const sets = await run(sql`select id from paramfile_set`);
  expect(await faultOf(here.send(paramBatchCalls.add, { name: 'June', fileId }))).toBe('UPLOADS_MANY');
  expect(await run(sql`select id from paramfile_set`)).toEqual(sets);
  expect(await built()).toHaveLength(1);
  expect(isStored(createHash('sha256').update(content).digest('hex'))).toBe(false);
  // The upload is there still, for when there is room again.
  await run(sql`update file_built set built_at = built_at - interval '25 hours' where user_id = ${here.userId}`);
  await here.call(paramBatchCalls.add, { name: 'June', fileId });
});

test('what is too large, empty or protected is named', async () => {
  const [big = '', empty = '', locked = ''] = await terminals(3);
  const zip = oddZip([
    { name: `${big}.json`, content: Buffer.alloc(MB + 1) },
    { name: `${empty}.json`, content: Buffer.alloc(0) },
    { name: `${locked}.json`, content: Buffer.from('x'), flags: 1 },
  ]);
  const { problems, matched } = await admin.call(paramBatchCalls.check, { fileId: await uploaded(admin, app.root, zip) });
  expect(matched).toBe(0);
  expect(problems.map((one) => one.problem)).toEqual(['tooLarge', 'empty', 'encrypted']);
  expect(await faultOf(admin.send(paramBatchCalls.add, { name: 'x', fileId: await uploaded(admin, app.root, zip), partly: true }))).toBe(
    'PARAM_FILES_NONE',
  );
});

test('an organisation names its own terminals alone, and uploads of others are not there', async () => {
  const [own = ''] = await terminals(1, below);
  const [foreign = ''] = await terminals(1, other);
  const zip = await zipOf({ [`${own}.json`]: '{}', [`${foreign}.json`]: '{}' });
  const fileId = await uploaded(manager, owner, zip);
  expect(await manager.call(paramBatchCalls.check, { fileId })).toMatchObject({
    matched: 1,
    problems: [{ name: `${foreign}.json`, problem: 'noTerminal' }],
  });
  expect(await faultOf(admin.send(paramBatchCalls.check, { fileId }))).toBe('NOT_FOUND');
  const set = await manager.call(paramBatchCalls.add, { name: 'Own', fileId, partly: true });
  const beside = await app.person('orgManager', other);
  expect((await beside.send(paramSetCalls.detail, { id: set.id })).code).toBe(404);
  expect((await beside.send(paramTaskCalls.add, { name: 'x', content: { setId: set.id }, scope: { releaseScope: '0' } })).code).toBe(404);
  // Of its parent's upload a branch sees the header and its own files.
  const all = await setOf({ [`${own}.json`]: '{"a":1}', [`${foreign}.json`]: '{"a":2}' });
  const branch = await app.person('orgManager', below);
  expect((await branch.call(paramFileCalls.page, { criteria: { setId: all.id } })).content.map((row) => row.sn)).toEqual([own]);
  expect((await branch.send(paramSetCalls.delete, { id: all.id })).code).toBe(404);
});

test('each terminal is offered its own file, signed under its name; who has it already is left out', async () => {
  const [one = '', two = '', without = ''] = await terminals(3);
  const set = await setOf({ [`${one}.json`]: `{"of":"${one}"}`, [`${two}.json`]: `{"of":"${two}"}` });
  const files = await run(sql<{ sn: string; sha256: string }>`select sn, sha256 from paramfile_file where set_id = ${set.id} order by sn`);
  await run(sql`update device set settings = jsonb_build_object('paramFile', ${files[1]?.sha256.slice(0, 16)}::text) where sn = ${two}`);
  const scope = { releaseScope: '2' as const, sns: [one, two, without] };
  const content = { setId: set.id, setName: 'what a client likes' };
  expect(await admin.call(paramTaskCalls.preview, { content, scope })).toMatchObject({
    matched: 1,
    byVersion: [{ version: null, count: 1 }],
  });
  const task = await admin.call(paramTaskCalls.add, { name: 'Files', content, scope, release: true });
  expect(task.content).toEqual({ setId: set.id, setName: 'May' });
  await settle();
  const offers = await run(sql<{ sn: string; data: { package: { name: string; sha256: string; content: string; product: string } } }>`
    select sn, data from gateway_outbox where topic = 'offer' and sn = any(${[one, two, without]}::text[])`);
  expect(offers.map(({ sn, data }) => [sn, data.package])).toEqual([
    [one, expect.objectContaining({ name: one, content: 'paramFile', product: 'A920', sha256: files[0]?.sha256 })],
  ]);
  const held = async () => (await admin.call(paramFileCalls.page, { criteria: { setId: set.id } })).content.map((row) => row.held);
  expect(await held()).toEqual(['none', 'same']);
  // Changed on the terminal since: the release says so.
  await run(sql`update rollout_result set state = '3', version = ${files[0]?.sha256.slice(0, 16)} where task_id = ${task.id}`);
  await run(sql`update device set settings = '{"paramFile": "0123456789abcdef"}' where sn = ${one}`);
  expect(await held()).toEqual(['other', 'same']);
  const results = await admin.call(paramTaskDeviceCalls.page, { criteria: { taskId: task.id } });
  expect(results.content.map((row) => row.differs)).toEqual([true]);
});

test('files that a release sent are kept; others go, with their bytes', async () => {
  const [sn = ''] = await terminals(1);
  const set = await setOf({ [`${sn}.json`]: `{"n":"${sn}"}` });
  const [file] = await run(sql<{ sha256: string }>`select sha256 from paramfile_file where set_id = ${set.id}`);
  const task = await admin.call(paramTaskCalls.add, { name: 'Draft', content: { setId: set.id }, scope: { releaseScope: '0' } });
  expect(await faultOf(admin.send(paramSetCalls.delete, { id: set.id }))).toBe('PARAM_SET_IN_USE');
  await admin.call(paramTaskCalls.delete, { id: task.id });
  await admin.call(paramSetCalls.delete, { id: set.id });
  await app.runJobs();
  await app.runJobs();
  expect(isStored(file?.sha256 ?? '')).toBe(false);
  expect((await admin.send(paramSetCalls.detail, { id: set.id })).code).toBe(404);
});

test('what is in a file stands in no answer, log, export or message', async () => {
  const [sn = ''] = await terminals(1);
  const set = await setOf({ [`${sn}.ini`]: SECRET });
  const task = await admin.call(paramTaskCalls.add, {
    name: 'Secret',
    content: { setId: set.id },
    scope: { releaseScope: '0' },
    release: true,
  });
  await settle();
  const { work } = await admin.call(paramFileCalls.export, {
    criteria: { setId: set.id },
    format: 'csv',
    columns: ['sn', 'fileName', 'sha256'],
  });
  await app.runJobs();
  expect(work).toBeGreaterThan(0);
  const answers = [
    await admin.call(paramSetCalls.detail, { id: set.id }),
    await admin.call(paramFileCalls.page, { criteria: { setId: set.id } }),
    await admin.call(paramTaskCalls.detail, { id: task.id }),
  ];
  expect(JSON.stringify(answers)).not.toContain(SECRET);
  const tables = await run(
    sql<{
      name: string;
    }>`select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  for (const { name } of tables) {
    const rows = await run(sql<{ n: number }>`select count(*)::int as n from ${sql.table(name)} x where x::text like ${`%${SECRET}%`}`);
    expect([name, rows[0]?.n]).toEqual([name, 0]);
  }
});
