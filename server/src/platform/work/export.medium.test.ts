import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { deviceCalls } from '@mooring/contract/device/calls';
import { backgroundJobCalls } from '@mooring/contract/file/background-job-calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fromBuffer, type ZipFile } from 'yauzl';
import { makeDevices, makeProduct } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { asOwner } from '../../../test/test-server.ts';
import { UPLOAD_QUOTA } from '../../modules/file/api.ts';
import type { DeptAt } from '../../modules/org/api.ts';

let app: TestApp;
let bank: DeptAt;
let admin: Client;
let banker: Client;
const NASTY = ['=1+1', '+SUM(A1)', '-2', '@cmd', '\tx', '=HYPERLINK("http://x","y"),z'];
const columns = ['sn', 'name', 'status', 'deptName', 'createdAt'];

beforeAll(async () => {
  app = await testApp();
  bank = await app.dept('Harbour Bank');
  const rival = await app.dept('Meridian Payments');
  admin = await app.person('platformAdmin', app.root);
  banker = await app.person('orgManager', bank);
  const productId = await makeProduct(app, { id: 2, path: '1.2.' });
  const ids = await makeDevices(
    app,
    bank,
    productId,
    Array.from({ length: 1203 }, (_, index) => `BANK-${String(index).padStart(4, '0')}`),
  );
  await makeDevices(app, rival, productId, ['RIVAL-01']);
  await app.context.unscoped(async (db) => {
    for (const [index, name] of NASTY.entries())
      await db
        .updateTable('device')
        .set({ name })
        .where('id', '=', ids[index] ?? 0)
        .execute();
    await db
      .updateTable('device')
      .set({ name: 'Tom & <Söhne> 海港\u0007' })
      .where('id', '=', ids[10] ?? 0)
      .execute();
  });
});
afterAll(() => app.stop());

const ask = (client: Client, input: object = {}) =>
  client.call(deviceCalls.export, { criteria: {}, format: 'csv', columns, ...input } as never);
const shown = (client: Client, id: number) => client.call(backgroundJobCalls.detail, { id });
async function bytesOf(client: Client, id: number): Promise<Buffer> {
  const { url } = await client.call(backgroundJobCalls.download, { id });
  const answer = await app.http.inject({ url: `/ops${url}` });
  expect(answer.statusCode).toBe(200);
  return answer.rawPayload;
}

async function entries(zip: Buffer): Promise<Map<string, string>> {
  const file = await new Promise<ZipFile>((resolve, reject) =>
    fromBuffer(zip, { lazyEntries: true, validateEntrySizes: true }, (error, opened) => (error ? reject(error) : resolve(opened))),
  );
  const found = new Map<string, string>();
  await new Promise<void>((resolve, reject) => {
    file.on('entry', (entry) =>
      file.openReadStream(entry, async (error, stream) => {
        if (error) return reject(error);
        const chunks: Buffer[] = [];
        for await (const chunk of stream) chunks.push(chunk as Buffer);
        found.set(entry.fileName, Buffer.concat(chunks).toString());
        file.readEntry();
      }),
    );
    file.on('end', resolve);
    file.on('error', reject);
    file.readEntry();
  });
  return found;
}

test('the list as CSV: every row of the scope in order, formulas defused, no other organisation', async () => {
  const { work } = await ask(banker);
  expect(await shown(banker, work)).toMatchObject({ state: 'waiting', downloaded: '0', allowedActions: ['cancel'] });
  await app.runJobs();
  expect(await shown(banker, work)).toMatchObject({
    state: 'done',
    done: 1203,
    total: 1203,
    allowedActions: expect.arrayContaining(['download', 'delete']),
  });
  const text = (await bytesOf(banker, work)).toString();
  const lines = text.trimEnd().split('\r\n');
  expect([lines.length, lines[0]]).toEqual([1204, '\uFEFFSN,Name,Status,Organisation,Added']);
  expect(lines.slice(1).map((line) => line.slice(0, 9))).toEqual([...lines.slice(1).map((line) => line.slice(0, 9))].sort());
  expect(text).not.toContain('RIVAL');
  for (const line of lines.slice(1)) for (const cell of line.split(',')) expect(cell).not.toMatch(/^"?[=+\-@\t]/);
  expect(lines[6]).toContain(`"'=HYPERLINK(""http://x"",""y""),z"`);
  expect((await shown(banker, work)).downloaded).toBe('1');
});

test('the list as a workbook that a reader of ZIP and XML takes, in the person’s columns only', async () => {
  const { work } = await ask(admin, { format: 'xlsx', columns: ['name', 'battery', 'sn'], criteria: { text: 'BANK-00' } });
  await app.runJobs();
  const found = await entries(await bytesOf(admin, work));
  expect([...found.keys()].sort()).toEqual([
    '[Content_Types].xml',
    '_rels/.rels',
    'xl/_rels/workbook.xml.rels',
    'xl/styles.xml',
    'xl/workbook.xml',
    'xl/worksheets/sheet1.xml',
  ]);
  const sheet = found.get('xl/worksheets/sheet1.xml') ?? '';
  const rows = [...sheet.matchAll(/<row r="\d+">(.*?)<\/row>/gs)].map((row) => row[1] ?? '');
  expect(rows).toHaveLength(101);
  // Other people's readers go by what a cell says of its own place.
  expect([...(rows[11] ?? '').matchAll(/<c r="(\w+)"/g)].map((cell) => cell[1])).toEqual(['A12', 'B12', 'C12']);
  expect(rows[11]).toContain('Tom &amp; &lt;Söhne&gt; 海港</t>');
  const texts = [...sheet.matchAll(/<t xml:space="preserve">([^<]*)<\/t>/g)].map((text) => text[1] ?? '');
  expect(texts.filter((text) => /^[=+\-@\t\r]/.test(text))).toEqual([]);
  expect(texts).toContain("'=1+1");
  expect(sheet).not.toContain('<f>');
});

test('an unknown column, an odd one or an unknown filter is refused, and nothing is begun', async () => {
  const before = (await banker.call(backgroundJobCalls.page, {})).total;
  const fault = async (input: object) =>
    (await banker.send(deviceCalls.export, { criteria: {}, format: 'csv', columns, ...input })).body?.fault;
  expect(await fault({ columns: ['sn', 'secret'] })).toBe('EXPORT_COLUMN');
  expect(await fault({ columns: ['constructor'] })).toBe('EXPORT_COLUMN');
  for (const wrong of [
    { columns: ['__proto__'] },
    { columns: [] },
    { columns: ['sn; drop table device'] },
    { format: 'pdf' },
    { criteria: { nonsense: 1 } },
    { exporter: 'x' },
  ])
    expect([wrong, await fault(wrong)]).toEqual([wrong, 'BAD_INPUT']);
  expect((await banker.call(backgroundJobCalls.page, {})).total).toBe(before);
});

test('cancelled before its turn or in the middle, it makes no file; it may be tried again', async () => {
  const { work } = await ask(banker);
  expect(await banker.call(backgroundJobCalls.cancel, { id: work })).toMatchObject({ state: 'cancelled' });
  await app.runJobs();
  expect(await shown(banker, work)).toMatchObject({ state: 'cancelled', fileName: null });
  expect((await banker.send(backgroundJobCalls.cancel, { id: work })).code).toBe(409);
  expect((await banker.send(backgroundJobCalls.download, { id: work })).body?.fault).toBe('WORK_NO_FILE');

  await banker.call(backgroundJobCalls.retry, { id: work });
  // It runs, and waits for its rows.
  const running = await asOwner(app.url, async (client) => {
    await client.query('begin');
    await client.query('lock table device in access exclusive mode');
    const ended = app.runJobs();
    await expect.poll(async () => (await shown(banker, work)).state, { interval: 5 }).toBe('running');
    await banker.call(backgroundJobCalls.cancel, { id: work });
    await client.query('commit');
    return { ended };
  });
  await running.ended;
  expect((await shown(banker, work)).state).toBe('cancelled');
  await banker.call(backgroundJobCalls.retry, { id: work });
  await app.runJobs();
  expect((await shown(banker, work)).state).toBe('done');
});

test('another person sees none of it', async () => {
  const colleague = await app.person('orgManager', bank);
  const { work } = await ask(banker);
  for (const call of [
    backgroundJobCalls.detail,
    backgroundJobCalls.cancel,
    backgroundJobCalls.retry,
    backgroundJobCalls.delete,
    backgroundJobCalls.download,
  ])
    expect([call.path, (await colleague.send(call, { id: work })).code]).toEqual([call.path, 404]);
  expect((await colleague.call(backgroundJobCalls.page, {})).total).toBe(0);
  expect((await banker.send(backgroundJobCalls.delete, { id: work })).body?.fault).toBe('WORK_RUNNING');
  await app.runJobs();
  await banker.call(backgroundJobCalls.delete, { id: work });
  expect((await banker.send(backgroundJobCalls.detail, { id: work })).code).toBe(404);
});

test('after seven days its file is gone and says so', async () => {
  const { work } = await ask(banker);
  await app.runJobs();
  const done = await shown(banker, work);
  app.clock.now = new Date(app.clock.now.getTime() + 7 * 86_400_000 + 1000);
  const later = await app.person('orgManager', bank);
  expect((await later.call(backgroundJobCalls.page, {})).total).toBe(0);
  await app.context.unscoped(async (db) => {
    for (const job of ['file:sweep', 'work:expire']) await app.context.enqueue(db, job, {});
  });
  await app.runJobs();
  const row = await app.context.unscoped((db) =>
    db.selectFrom('work').select(['state', 'file_id']).where('id', '=', work).executeTakeFirstOrThrow(),
  );
  expect([done.state, row]).toEqual(['done', { state: 'expired', file_id: null }]);
  const changes = await app.context.unscoped((db) =>
    db.selectFrom('state_change').select('event').where('life', '=', 'work').where('row_id', '=', work).execute(),
  );
  expect(changes.map((change) => change.event)).toContain('expire');
});

test('a job is named in the language of who reads it', async () => {
  await ask(admin);
  const named = async (lang: string) =>
    (
      (await admin.send(backgroundJobCalls.page, {}, { headers: { 'accept-language': lang } })).body as unknown as {
        content: { name: string }[];
      }
    ).content[0]?.name;
  expect([await named('en'), await named('zh-CN')]).toEqual(['Terminals', '终端']);
});

test('an export counts to what its person may keep; where there is no room it fails with the reason, and leaves nothing', async () => {
  const person = await app.person('orgManager', bank);
  const stored = async () =>
    (await readdir(join(app.dataDir, 'blobs'), { recursive: true, withFileTypes: true })).filter((one) => one.isFile()).length;
  const built = () =>
    app.context.unscoped((db) => db.selectFrom('file_built').select('size').where('user_id', '=', person.userId).execute());
  const files = () => app.context.unscoped((db) => db.selectFrom('file_file').select('id').where('user_id', '=', person.userId).execute());
  const first = await ask(person);
  await app.runJobs();
  expect(await built()).toEqual([{ size: (await shown(person, first.work)).fileSize }]);

  await app.context.unscoped((db) =>
    db.updateTable('file_built').set({ size: UPLOAD_QUOTA.person.bytes }).where('user_id', '=', person.userId).execute(),
  );
  const before = await stored();
  const { work } = await ask(person, { criteria: { text: 'BANK-0001' } });
  await app.runJobs();
  expect(await shown(person, work)).toMatchObject({ state: 'failed', reason: 'UPLOADS_MANY', fileName: null });
  expect([(await files()).length, (await built()).length, await stored()]).toEqual([1, 1, before]);

  // A day later there is room again.
  await app.context.unscoped((db) =>
    db.updateTable('file_built').set({ built_at: sql`built_at - interval '2 days'` }).where('user_id', '=', person.userId).execute(),
  );
  await person.call(backgroundJobCalls.retry, { id: work });
  await app.runJobs();
  expect((await shown(person, work)).state).toBe('done');
});
