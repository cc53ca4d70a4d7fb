import { deviceCalls } from '@mooring/contract/device/calls';
import { backgroundJobCalls } from '@mooring/contract/file/background-job-calls';
import { hardwareTestCalls } from '@mooring/contract/hardware-test/calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { beginAgain } from '../../../test/begin-again.ts';
import { makeDevices, makeProduct } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { readMessage, type Taken } from '../../platform/gateway/message.ts';
import { outboxHandlers } from '../../platform/gateway/outbox.ts';
import { processBatch } from '../../platform/gateway/process-batch.ts';
import type { DeptAt } from '../org/api.ts';
import { expireTests, handleResults, handleTestReplies } from './handle-results.ts';

let app: TestApp;
let bank: DeptAt;
let meridian: DeptAt;
let banker: Client;
let foreigner: Client;
let ids: number[] = [];
const sns = [1, 2, 3, 4, 5, 6, 7, 8].map((n) => `HARD-000${n}`);

beforeAll(async () => {
  app = await testApp();
  bank = await app.dept('Harbour Bank');
  banker = await app.person('orgManager', bank);
  meridian = await app.dept('Meridian');
  foreigner = await app.person('orgManager', meridian);
  ids = await makeDevices(app, bank, await makeProduct(app, app.root, 'TESTER'), sns);
});
afterAll(() => app.stop());

let sent = 0;
function taken(sn: string, kind: 'test' | 'reply', data: unknown): Taken {
  sent += 1;
  const envelope = { v: 1, id: `hard-${sent}`, at: app.clock.now.toISOString(), data };
  const read = readMessage(sn, kind, Buffer.from(JSON.stringify(envelope)), app.clock.now);
  if ('refused' in read) throw new Error(read.refused.reason);
  return read.taken;
}
const say = (...batch: readonly Taken[]) =>
  processBatch(
    {
      app: { ...app.context, now: () => app.clock.now },
      handlers: [handleResults, ...outboxHandlers, handleTestReplies],
      refuse: ({ reason }) => {
        throw new Error(reason);
      },
      ack() {},
      stopped: () => false,
    },
    batch,
  );
const at = (index: number) => ({ id: ids[index] ?? 0, sn: sns[index] ?? '' });
/** Asks one terminal and answers the test with its id on the wire. */
async function ask(index: number, parts: ('printer' | 'nfc' | 'battery')[] = ['printer', 'nfc']) {
  const { id } = await banker.call(hardwareTestCalls.add, { deviceIds: [at(index).id], parts });
  const { rows } = await app.context.unscoped((db) => sql<{ key: string }>`select key from hardware_test where id = ${id}`.execute(db));
  return { id, key: rows[0]?.key ?? '' };
}
const detail = (id: number) => banker.call(hardwareTestCalls.detail, { id });
const expire = () => expireTests(app.context);
/** So many minutes on, with what is due by then. */
async function later(minutes: number): Promise<void> {
  app.clock.now = new Date(app.clock.now.getTime() + minutes * 60_000);
  await expire();
}
const commandOf = async (key: string) =>
  (
    await app.context.unscoped((db) =>
      sql<{ id: number; state: string }>`select id, state from gateway_outbox where key = ${key}`.execute(db),
    )
  ).rows[0];

test('a test runs, tells of its parts one by one, and passes when all of them work or are absent', async () => {
  const { id, key } = await ask(0);
  expect(await detail(id)).toMatchObject({ sn: sns[0], state: 'requested', byName: expect.any(String) });
  await say(taken(sns[0] ?? '', 'test', { to: key }));
  expect(await detail(id)).toMatchObject({
    state: 'running',
    results: [
      { part: 'printer', outcome: null },
      { part: 'nfc', outcome: null },
    ],
  });
  const printer = { part: 'printer', outcome: 'passed', figures: { temperature: 41, cutter: true } };
  await say(taken(sns[0] ?? '', 'test', { to: key, parts: [printer] }));
  expect((await detail(id)).results[0]).toMatchObject({ outcome: 'passed', figures: { temperature: 41, cutter: true } });
  const whole = { to: key, done: true, parts: [printer, { part: 'nfc', outcome: 'absent' }, { part: 'toaster', outcome: 'failed' }] };
  await say(taken(sns[0] ?? '', 'test', whole), taken(sns[0] ?? '', 'reply', { to: key, outcome: 'done' }));
  expect(await detail(id)).toMatchObject({ state: 'passed', failedParts: [], reason: null });
  await say(taken(sns[0] ?? '', 'test', { to: key, done: true, parts: [{ part: 'printer', outcome: 'failed' }] }));
  expect(await detail(id)).toMatchObject({ state: 'passed', results: [{ outcome: 'passed' }, { outcome: 'absent' }] });
});

test('a test is a report for its own, in their language, and for no one else', async () => {
  const { id } = await banker.call(hardwareTestCalls.add, { deviceIds: [at(7).id], parts: ['printer', 'network'] });
  const answer = await app.http.inject({
    method: 'POST',
    url: `/ops${hardwareTestCalls.document.path}`,
    headers: { authorization: banker.token, 'accept-platform': 'centre', 'accept-language': 'zh-CN' },
    payload: { id },
  });
  expect(answer.headers['content-type'], answer.body.slice(0, 300)).toBe('application/pdf');
  expect(answer.rawPayload.subarray(0, 5).toString()).toBe('%PDF-');
  expect((await foreigner.send(hardwareTestCalls.document, { id })).body?.fault).toBe('NOT_FOUND');
  await banker.call(hardwareTestCalls.cancel, { id });
});

test('a part that fails stands in the list, on the terminal, and can be looked for', async () => {
  const { id, key } = await ask(1);
  const parts = [
    { part: 'printer', outcome: 'failed', reason: 'paperOut', message: 'no paper' },
    { part: 'nfc', outcome: 'passed' },
  ];
  await say(taken(sns[1] ?? '', 'test', { to: key, done: true, parts }));
  expect(await detail(id)).toMatchObject({ state: 'failed', failedParts: ['printer'], failedPart: 'printer' });
  const found = async (criteria: object) => (await banker.call(hardwareTestCalls.page, { criteria })).content.map(({ sn }) => sn);
  expect(await found({ failedPart: 'printer' })).toEqual([sns[1]]);
  expect(await found({ failedPart: { in: ['nfc', 'battery'] } })).toEqual([]);
  expect(await found({ text: '0002', state: 'failed' })).toEqual([sns[1]]);
  expect(await banker.call(hardwareTestCalls.ofDevice, { deviceId: at(1).id })).toMatchObject({ id, failedParts: ['printer'] });
  const next = await banker.call(hardwareTestCalls.again, { id });
  expect(await detail(next.id)).toMatchObject({ state: 'requested', parts: ['printer', 'nfc'], deviceId: at(1).id });
});

test('what isn’t told of doesn’t pass, nor does a terminal that has none of the parts', async () => {
  const untold = await ask(2);
  await say(taken(sns[2] ?? '', 'test', { to: untold.key, done: true, parts: [{ part: 'printer', outcome: 'passed' }] }));
  expect((await detail(untold.id)).state).toBe('running');
  await later(2);
  expect(await detail(untold.id)).toMatchObject({ state: 'failed', reason: 'notTested', failedParts: [] });
  const bare = await ask(2, ['nfc']);
  await say(taken(sns[2] ?? '', 'test', { to: bare.key, done: true, parts: [{ part: 'nfc', outcome: 'absent' }] }));
  expect((await detail(bare.id)).state).toBe('failed');
});

test('a terminal from before the tests says that it can’t', async () => {
  const { id, key } = await ask(3);
  await say(taken(sns[3] ?? '', 'reply', { to: key, outcome: 'failed', reason: 'notSupported' }));
  expect(await detail(id)).toMatchObject({ state: 'failed', reason: 'notSupported' });
});

test('one at a time: of two that ask at once one is told that it is under test', async () => {
  const input = { deviceIds: [at(4).id] };
  const answers = await Promise.all([banker.send(hardwareTestCalls.add, input), banker.send(hardwareTestCalls.add, input)]);
  expect(answers.map(({ code }) => code).sort()).toEqual([200, 400]);
  const both = await banker.call(hardwareTestCalls.add, { deviceIds: [at(4).id, at(5).id, at(5).id] });
  expect(both).toMatchObject({ asked: 1, refused: 1 });
  await banker.call(deviceCalls.disable, { of: { ids: [at(6).id] } });
  expect((await banker.send(hardwareTestCalls.add, { deviceIds: [at(6).id] })).code).toBe(400);
  for (const wrong of [
    { deviceIds: [] },
    { deviceIds: [at(7).id], parts: [] },
    { deviceIds: [at(7).id], parts: ['toaster'] },
    { deviceIds: [at(7).id], hours: 0 },
  ])
    expect((await banker.send(hardwareTestCalls.add, wrong as never)).code, JSON.stringify(wrong)).toBe(400);
});

test('cancelled before it begins its command goes too; one that has begun ends at once, and the next may begin', async () => {
  const { id, key } = await ask(7);
  await banker.call(hardwareTestCalls.cancel, { id });
  expect((await commandOf(key))?.state).toBe('withdrawn');
  await say(
    taken(sns[7] ?? '', 'test', {
      to: key,
      done: true,
      parts: [
        { part: 'printer', outcome: 'passed' },
        { part: 'nfc', outcome: 'passed' },
      ],
    }),
  );
  expect((await detail(id)).state).toBe('cancelled');
  expect((await banker.send(hardwareTestCalls.cancel, { id })).code).toBe(409);
  const begun = await ask(7);
  await say(taken(sns[7] ?? '', 'test', { to: begun.key }));
  expect((await banker.call(hardwareTestCalls.cancel, { id: begun.id })).state).toBe('cancelled');
  expect((await banker.send(hardwareTestCalls.cancel, { id: begun.id })).code).toBe(409);
  await ask(7);
});

test('a test whose command is withdrawn by another way is cancelled with it', async () => {
  const { id, key } = await ask(3);
  await banker.call(deviceCalls.withdraw, { id: (await commandOf(key))?.id ?? 0 });
  expect(await detail(id)).toMatchObject({ state: 'cancelled', endedAt: expect.any(String) });
});

test('a part that failed stays so, however the test ends', async () => {
  const failed = { done: false, parts: [{ part: 'printer', outcome: 'failed' }] };
  const refused = await ask(3);
  await say(taken(sns[3] ?? '', 'test', { to: refused.key, ...failed }));
  await say(taken(sns[3] ?? '', 'reply', { to: refused.key, outcome: 'failed' }));
  expect(await detail(refused.id)).toMatchObject({ state: 'failed', failedParts: ['printer'] });
  const cancelled = await ask(3);
  await say(taken(sns[3] ?? '', 'test', { to: cancelled.key, ...failed }));
  expect(await banker.call(hardwareTestCalls.cancel, { id: cancelled.id })).toMatchObject({ failedParts: ['printer'] });
  const silent = await ask(3);
  await say(taken(sns[3] ?? '', 'test', { to: silent.key, ...failed }));
  await later(61);
  expect(await detail(silent.id)).toMatchObject({ state: 'expired', failedParts: ['printer'] });
});

test('a later test of another part hides no failure; one that passes ends it', async () => {
  const told = async (parts: ('printer' | 'nfc')[], outcome: string) => {
    const { id, key } = await ask(3, parts);
    await say(taken(sns[3] ?? '', 'test', { to: key, done: true, parts: parts.map((part) => ({ part, outcome })) }));
    return id;
  };
  const failing = await told(['printer', 'nfc'], 'failed');
  await told(['nfc'], 'passed');
  const now = () => banker.call(hardwareTestCalls.ofDevice, { deviceId: at(3).id });
  expect(await now()).toMatchObject({ id: failing, failedParts: ['printer'] });
  const mended = await told(['printer'], 'passed');
  expect(await now()).toMatchObject({ id: mended, failedParts: [] });
});

test('a word of the end that overtakes the last result waits for it', async () => {
  const { id, key } = await ask(3);
  const part = (name: string) => ({ to: key, parts: [{ part: name, outcome: 'passed' }] });
  await say(taken(sns[3] ?? '', 'reply', { to: key, outcome: 'done' }));
  await say(taken(sns[3] ?? '', 'test', part('nfc')));
  expect((await detail(id)).state).toBe('running');
  await later(1);
  await say(taken(sns[3] ?? '', 'test', part('printer')));
  expect(await detail(id)).toMatchObject({ state: 'passed', failedParts: [] });
});

test('one that has begun has an hour, though it was asked for a month before', async () => {
  const { id } = await banker.call(hardwareTestCalls.add, { deviceIds: [at(3).id], parts: ['printer'], hours: 720 });
  const { rows } = await app.context.unscoped((db) => sql<{ key: string }>`select key from hardware_test where id = ${id}`.execute(db));
  await say(taken(sns[3] ?? '', 'test', { to: rows[0]?.key }));
  await later(61);
  expect((await detail(id)).state).toBe('expired');
});

test('asked again it has as many hours as the first', async () => {
  const { id } = await banker.call(hardwareTestCalls.add, { deviceIds: [at(3).id], parts: ['printer'], hours: 72 });
  await banker.call(hardwareTestCalls.cancel, { id });
  const next = await banker.call(hardwareTestCalls.again, { id });
  const { rows } = await app.context.unscoped((db) =>
    sql<{
      hours: number;
    }>`select round(extract(epoch from expires_at - created_at) / 3600)::int as hours from hardware_test where id = ${next.id}`.execute(db),
  );
  expect(rows).toEqual([{ hours: 72 }]);
  await banker.call(hardwareTestCalls.cancel, { id: next.id ?? 0 });
});

test('who stays away lets it expire; who has begun has an hour', async () => {
  const away = await ask(0);
  app.clock.now = new Date(app.clock.now.getTime() + 23.9 * 3_600_000);
  await expire();
  expect((await detail(away.id)).state).toBe('requested');
  await say(taken(sns[0] ?? '', 'test', { to: away.key }));
  app.clock.now = new Date(app.clock.now.getTime() + 30 * 60_000);
  await expire();
  expect((await detail(away.id)).state).toBe('running');
  app.clock.now = new Date(app.clock.now.getTime() + 31 * 60_000);
  await expire();
  expect((await detail(away.id)).state).toBe('expired');
});

test('nobody sees or runs another organisation’s tests', async () => {
  const { id } = await ask(0);
  for (const call of [hardwareTestCalls.detail, hardwareTestCalls.again, hardwareTestCalls.cancel])
    expect((await foreigner.send(call, { id })).code).toBe(404);
  expect((await foreigner.send(hardwareTestCalls.add, { deviceIds: [at(3).id] })).code).toBe(404);
  expect((await foreigner.call(hardwareTestCalls.page, {})).content).toEqual([]);
});

test('a terminal that goes to another organisation takes no open test along, and tells its former owner nothing', async () => {
  const [waits, runs] = [await ask(1), await ask(2)];
  await say(taken(sns[2] ?? '', 'test', { to: runs.key }));
  const platform = await app.person('platformAdmin', app.root);
  await platform.call(deviceCalls.move, { of: { ids: [at(1).id, at(2).id] }, deptId: meridian.id });
  for (const { id } of [waits, runs]) expect((await detail(id)).state).toBe('cancelled');
  expect((await commandOf(waits.key))?.state).toBe('withdrawn');
  await say(taken(sns[2] ?? '', 'test', { to: runs.key, done: true, parts: [{ part: 'printer', outcome: 'failed' }] }));
  expect(await detail(runs.id)).toMatchObject({ state: 'cancelled', failedParts: [] });
  expect((await foreigner.call(hardwareTestCalls.add, { deviceIds: [at(1).id, at(2).id] })).asked).toBe(2);
  expect(await foreigner.call(hardwareTestCalls.ofDevice, { deviceId: at(1).id })).toMatchObject({ id: null, failedParts: [] });
});

test('of a selection those that can are asked, the preview says who can’t and why, and no one else’s are', async () => {
  const product = await makeProduct(app, app.root, 'MANYTEST');
  const many = await makeDevices(app, bank, product, ['MANY-0001', 'MANY-0002', 'MANY-0003', 'MANY-0004', 'MANY-0005']);
  const [one = 0, busy = 0, off = 0, unable = 0, able = 0] = many;
  await banker.call(hardwareTestCalls.add, { deviceIds: [busy] });
  await banker.call(deviceCalls.disable, { of: { ids: [off] } });
  await app.context.unscoped((db) => sql`update device set capabilities = '{reboot}' where id = ${unable}`.execute(db));
  await app.context.unscoped((db) => sql`update device set capabilities = '{hardwareTest}' where id = ${able}`.execute(db));
  const failed = [
    { label: 'MANY-0002', fault: 'HARDWARE_TEST_BUSY' },
    { label: 'MANY-0003', fault: 'DEVICE_STATE' },
    { label: 'MANY-0004', fault: 'HARDWARE_TEST_UNABLE' },
  ];
  const ask = { of: { criteria: { text: 'MANY-' } }, parts: ['battery' as const] };
  expect(await banker.call(hardwareTestCalls.many, { ...ask, preview: true })).toMatchObject({ total: 5, done: 0, refused: 3, failed });
  expect((await banker.call(hardwareTestCalls.page, { criteria: { productId: product } })).total).toBe(1);
  for (const wrong of [{ parts: [] }, { parts: ['toaster'] }, { hours: 0 }, { hours: 721 }, { of: { ids: [] } }])
    expect((await banker.send(hardwareTestCalls.many, { ...ask, ...wrong } as never)).code).toBe(400);
  expect(await foreigner.call(hardwareTestCalls.many, { of: { ids: many } })).toMatchObject({ total: 0, done: 0 });
  const both = await Promise.all([1, 2].map(() => banker.call(hardwareTestCalls.many, ask)));
  expect(both.reduce((sum, { done }) => sum + done, 0)).toBe(2);
  expect((await banker.call(hardwareTestCalls.page, { criteria: { deviceId: { in: [one, able] } } })).content).toMatchObject([
    { parts: ['battery'] },
    { parts: ['battery'] },
  ]);
});

test('a large selection goes on in the background, is told by its name, and begun again asks nobody twice', async () => {
  const product = await makeProduct(app, app.root, 'HUGETEST');
  await app.context.unscoped((db) =>
    sql`insert into device (sn, name, product_id, dept_id, dept_path, status)
      select 'HUGE-' || n, 'Huge ' || n, ${product}, ${bank.id}, ${bank.path}, '2' from generate_series(1, 1001) n`.execute(db),
  );
  const of = { criteria: { productId: product }, except: [] };
  const { work, total, done } = await banker.call(hardwareTestCalls.many, { of, parts: ['nfc'] });
  expect({ total, done }).toEqual({ total: 1001, done: 0 });
  await app.runJobs();
  const ended = { name: 'Test the hardware of terminals', state: 'done', done: 1001, failed: 0 };
  expect(await banker.call(backgroundJobCalls.detail, { id: work ?? 0 })).toMatchObject(ended);
  const tests = async () => (await banker.call(hardwareTestCalls.page, { criteria: { productId: product } })).total;
  expect(await tests()).toBe(1001);
  // Their tests have ended since.
  await app.context.unscoped((db) => sql`update hardware_test set state = 'expired' where product_id = ${product}`.execute(db));
  const params = { parts: ['nfc'], hours: 24 };
  await beginAgain(app, banker, bank, 'hardware-test.many', { work, name: 'hardwareTest', of, params });
  await app.runJobs();
  expect(await tests()).toBe(1001);
  expect(await banker.call(backgroundJobCalls.detail, { id: work ?? 0 })).toMatchObject(ended);
});

test('all that expire at one moment do so in one run', async () => {
  const product = await makeProduct(app, app.root, 'LATETEST');
  await app.context.unscoped((db) =>
    sql`insert into device (sn, name, product_id, dept_id, dept_path, status)
      select 'LATE-' || n, 'Late ' || n, ${product}, ${bank.id}, ${bank.path}, '2' from generate_series(1, 2001) n`.execute(db),
  );
  await banker.call(hardwareTestCalls.many, { of: { criteria: { productId: product }, except: [] }, parts: ['nfc'], hours: 1 });
  await app.runJobs();
  await later(61);
  expect((await banker.call(hardwareTestCalls.page, { criteria: { productId: product, state: 'expired' } })).total).toBe(2001);
});

test('who moves a terminal while it is asked leaves no test of its former organisation on it', async () => {
  const branch = await app.dept('Test branch', bank);
  const [id = 0] = await makeDevices(app, bank, await makeProduct(app, app.root, 'MOVETEST'), ['MOVE-0001']);
  let asked: Promise<unknown> = Promise.resolve();
  await app.context.unscoped(async (db) => {
    await sql`update device set dept_id = ${branch.id}, dept_path = ${branch.path} where id = ${id}`.execute(db);
    asked = banker.call(hardwareTestCalls.add, { deviceIds: [id] });
    const waits = async () =>
      (
        await sql<{
          n: number;
        }>`select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`.execute(db)
      ).rows[0]?.n;
    for (let tries = 0; tries < 200 && (await waits()) !== 1; tries += 1);
  });
  await asked;
  const { rows } = await app.context.unscoped((db) =>
    sql<{ dept_path: string }>`select dept_path from hardware_test where device_id = ${id}`.execute(db),
  );
  expect(rows).toEqual([{ dept_path: branch.path }]);
});
