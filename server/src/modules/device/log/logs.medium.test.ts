import { deviceCalls } from '@mooring/contract/device/calls';
import { LOG_PULL_MOST } from '@mooring/contract/device/commands';
import { deviceLogCalls } from '@mooring/contract/device/log/log-calls';
import { LOG_LINES_HOUR } from '@mooring/contract/device/log/log-lines';
import type { InputOf } from '@mooring/contract/kit/call';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDevices, makeProduct } from '../../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../../test/test-app.ts';
import { readMessage, type Taken } from '../../../platform/gateway/message.ts';
import { outboxHandlers } from '../../../platform/gateway/outbox.ts';
import { processBatch } from '../../../platform/gateway/process-batch.ts';
import type { DeptAt } from '../../org/api.ts';
import { dropOldLines, keepHealth } from '../health/record-health.ts';
import { handleLogs } from './handle-logs.ts';

let app: TestApp;
let bank: DeptAt;
let banker: Client;
let foreigner: Client;
let ids: number[] = [];
const [ONE, TWO, THREE] = ['LOGS-0001', 'LOGS-0002', 'LOGS-0003'];

beforeAll(async () => {
  app = await testApp();
  bank = await app.dept('Harbour Bank');
  banker = await app.person('orgManager', bank);
  foreigner = await app.person('orgManager', await app.dept('Meridian'));
  ids = await makeDevices(app, bank, await makeProduct(app, app.root, 'LOGGER'), [ONE, TWO, THREE]);
});
afterAll(() => app.stop());

let sent = 0;
/** As it comes off the wire. */
function taken(sn: string, kind: 'log' | 'reply', data: unknown, id?: string): Taken {
  sent += 1;
  const envelope = { v: 1, id: id ?? `log-${sent}`, at: app.clock.now.toISOString(), data };
  const read = readMessage(sn, kind, Buffer.from(JSON.stringify(envelope)), app.clock.now);
  if ('refused' in read) throw new Error(read.refused.reason);
  return read.taken;
}
const say = (...batch: readonly Taken[]) =>
  processBatch(
    {
      app: { ...app.context, now: () => app.clock.now },
      handlers: [handleLogs, ...outboxHandlers],
      refuse: ({ reason }) => {
        throw new Error(reason);
      },
      ack() {},
      stopped: () => false,
    },
    batch,
  );
const before = (seconds: number) => new Date(app.clock.now.getTime() - seconds * 1000).toISOString();
const line = (text: string, seconds = 0, level = 'warn', tag = 'pay') => ({ at: before(seconds), level, tag, text });
type Criteria = InputOf<typeof deviceLogCalls.page>['criteria'];
const read = (who: Client, criteria: Criteria = {}, page: InputOf<typeof deviceLogCalls.page>['page'] = { size: 200 }) =>
  who.call(deviceLogCalls.page, { criteria, page });
const textsOf = async (who: Client, criteria?: Criteria) => (await read(who, criteria)).content.map(({ text }) => text);
/** Asks a terminal for its log and answers the id of the command on the wire. */
async function ask(deviceId: number, more: object = {}): Promise<string> {
  await banker.call(deviceLogCalls.request, { deviceIds: [deviceId], ...more });
  const { rows } = await app.context.unscoped((db) =>
    sql<{ key: string }>`select key from gateway_outbox where device_id = ${deviceId} order by id desc limit 1`.execute(db),
  );
  return rows[0]?.key ?? '';
}
const requests = async (who: Client, deviceId: number) => (await who.call(deviceLogCalls.requests, { criteria: { deviceId } })).content;

test('lines that a terminal sends by itself stand in the log, newest first, of their organisation alone', async () => {
  await say(
    taken(ONE, 'log', { lines: [line('paper low', 20), line('card unreadable', 10, 'error')] }),
    taken(TWO, 'log', { lines: [line('no network', 15)] }),
  );
  expect(await textsOf(banker)).toEqual(['card unreadable', 'no network', 'paper low']);
  expect(await textsOf(foreigner)).toEqual([]);
  const [newest] = (await read(banker, { deviceId: ids[0] })).content;
  expect(newest).toMatchObject({ sn: ONE, level: 'error', tag: 'pay', leftOut: 0 });
  expect((await banker.send(deviceLogCalls.page, { criteria: { deviceId: ids[0], level: 'warn' } })).code).toBe(200);
  expect(await textsOf(banker, { level: { in: ['error'] } })).toEqual(['card unreadable']);
  expect(await textsOf(banker, { tag: 'pay', text: 'NETWORK' })).toEqual(['no network']);
  expect(await textsOf(banker, { text: '%' })).toEqual([]);
});

test('the same message again, and the same line in another one, are there once', async () => {
  const again = taken(TWO, 'log', { lines: [line('said twice', 5)] }, 'twice');
  await say(again);
  await say(again, taken(TWO, 'log', { lines: [line('said twice', 5)] }));
  expect((await textsOf(banker, { deviceId: ids[1] })).filter((text) => text === 'said twice')).toHaveLength(1);
});

test('pages follow one another by their cursors, each line once', async () => {
  await say(taken(THREE, 'log', { lines: Array.from({ length: 25 }, (_, n) => line(`step ${n}`, 100, 'info')) }));
  const seen: string[] = [];
  let after: string | undefined;
  for (let page = 0; page < 4; page += 1) {
    const found = await read(banker, { deviceId: ids[2] }, { size: 10, ...(after ? { after } : {}) });
    seen.push(...found.content.map(({ text }) => text));
    if (!found.next) break;
    expect(found.total).toBe(10_000);
    after = found.next;
  }
  expect(new Set(seen).size).toBe(25);
  expect(seen).toHaveLength(25);
});

test('a search through all terminals keeps to a day; through one it goes as far as its log', async () => {
  const days = (n: number) => before(n * 86_400);
  expect((await banker.send(deviceLogCalls.page, { criteria: { text: 'paper', at: { greaterThanOrEqual: days(3) } } })).message).toContain(
    'one day',
  );
  expect((await banker.send(deviceLogCalls.page, { criteria: { tag: 'pay', at: { lessThanOrEqual: days(0) } } })).code).toBe(400);
  expect((await banker.send(deviceLogCalls.page, { criteria: { level: 'error', at: { greaterThanOrEqual: days(3) } } })).code).toBe(400);
  expect((await banker.send(deviceLogCalls.page, { criteria: { at: { lessThanOrEqual: days(0) } } })).code).toBe(400);
  expect((await banker.send(deviceLogCalls.page, { criteria: { deviceId: { in: ids }, at: { greaterThanOrEqual: days(3) } } })).code).toBe(
    400,
  );
  await say(taken(ONE, 'log', { lines: [line('of two days ago', 2 * 86_400)] }));
  expect(await textsOf(banker, { deviceId: ids[0] })).toContain('of two days ago');
  for (const criteria of [{}, { level: { in: ['warn' as const] } }, { deviceId: { in: ids } }])
    expect(await textsOf(banker, criteria)).not.toContain('of two days ago');
  expect(await textsOf(banker, { text: 'paper', at: { greaterThanOrEqual: days(1), lessThanOrEqual: days(0) } })).toEqual(['paper low']);
  expect(await textsOf(banker, { text: 'paper', deviceId: ids[0], at: { greaterThanOrEqual: days(30) } })).toEqual(['paper low']);
  expect(
    (await banker.send(deviceLogCalls.page, { criteria: { text: 'paper', deviceId: { in: ids }, at: { greaterThanOrEqual: days(30) } } }))
      .code,
  ).toBe(400);
});

test('a clock that is off is not believed', async () => {
  const said = ['1970-01-01T00:00:00Z', '2199-01-01T00:00:00Z', undefined].map((at) => ({
    at,
    level: 'warn',
    tag: 'clock',
    text: `at ${at}`,
  }));
  await say(taken(TWO, 'log', { lines: said }));
  const found = (await read(banker, { deviceId: ids[1], tag: 'clock' })).content;
  expect(found.map(({ at }) => new Date(at).getTime())).toEqual(Array(3).fill(app.clock.now.getTime()));
});

test('what is beyond an hour is left out, counted and said, and the next hour begins anew', async () => {
  const flood = (n: number, from: number) => ({
    lines: Array.from({ length: n }, (_, at) => line(`flood ${from + at}`, 0, 'warn', 'flood')),
  });
  app.clock.now = new Date(Math.ceil(app.clock.now.getTime() / 3_600_000) * 3_600_000 + 60_000);
  for (let from = 0; from < LOG_LINES_HOUR; from += 500) await say(taken(ONE, 'log', flood(500, from)));
  const leftOut = async () => (await read(banker, { deviceId: ids[0] })).content.filter((one) => one.leftOut > 0).map((one) => one.leftOut);
  expect(await leftOut()).toEqual([]);
  await say(taken(ONE, 'log', flood(30, 9000)), taken(TWO, 'log', { lines: [line('quiet')] }));
  app.clock.now = new Date(app.clock.now.getTime() + 1000);
  await say(taken(ONE, 'log', { ...flood(5, 9100), leftOut: 7 }));
  expect(await leftOut()).toEqual([42]);
  expect(await textsOf(banker, { deviceId: ids[0], text: 'flood 9' })).not.toContain('flood 9000');
  app.clock.now = new Date(app.clock.now.getTime() + 3_600_000);
  await say(taken(ONE, 'log', { lines: [line('calm again')] }));
  expect((await textsOf(banker, { deviceId: ids[0] }))[0]).toBe('calm again');
});

test('a log that is asked for comes as lines, without those that are here, and its request says how many came', async () => {
  const [id = 0] = ids;
  const key = await ask(id, { level: 'info', lines: 50, from: before(3600), to: before(0) });
  expect((await requests(banker, id))[0]).toMatchObject({ sn: ONE, level: 'info', lines: 0 });
  const had = (await read(banker, { deviceId: id })).content.length;
  await say(
    taken(ONE, 'log', { to: key, lines: [line('calm again'), line('pulled', 30, 'info')] }),
    taken(TWO, 'log', { to: key, lines: [line('another terminal’s word')] }),
    taken(ONE, 'reply', { to: key, outcome: 'done' }),
  );
  expect((await requests(banker, id))[0]).toMatchObject({ lines: 2, state: 'done' });
  expect((await read(banker, { deviceId: id })).content.length).toBe(Math.min(200, had + 1));
  expect(await textsOf(banker, { text: 'another terminal' })).toEqual([]);
  expect(await requests(foreigner, id)).toEqual([]);
  expect((await foreigner.send(deviceLogCalls.request, { deviceIds: [id] })).code).toBe(404);
});

test('a terminal from before there were lines answers with text, in pieces that come in any order', async () => {
  const [, id = 0] = ids;
  const key = await ask(id);
  const text = `${before(50)} ERROR printer jam\n${before(40)} ready\n`;
  const cut = text.indexOf('jam');
  await say(taken(TWO, 'log', { to: key, part: 1, last: true, text: text.slice(cut) }));
  expect(await textsOf(banker, { deviceId: id, text: 'jam' })).toEqual([]);
  await say(taken(TWO, 'log', { to: key, part: 0, last: false, text: text.slice(0, cut) }));
  expect((await read(banker, { deviceId: id, text: 'jam' })).content[0]).toMatchObject({ level: 'error', text: 'printer jam' });
  expect((await requests(banker, id))[0]?.lines).toBe(2);
});

test('a moment without a zone is of the terminal’s own clock', async () => {
  const [, id = 0] = ids;
  const inShanghai = new Date(app.clock.now.getTime() - 60_000 + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
  await app.context.unscoped((db) => sql`update device set time_zone = 'Asia/Shanghai' where id = ${id}`.execute(db));
  await say(taken(TWO, 'log', { to: await ask(id), part: 0, last: true, text: `${inShanghai} WARN by the wall` }));
  const [found] = (await read(banker, { deviceId: id, text: 'by the wall' })).content;
  expect(Math.abs(Date.parse(found?.at ?? '') - (app.clock.now.getTime() - 60_000))).toBeLessThan(1000);
});

test('a count beyond all sense is clamped, also in the first row', async () => {
  const [, , id = 0] = ids;
  const leftOut = Number.MAX_SAFE_INTEGER;
  await say(taken(THREE, 'log', { lines: [], leftOut }), taken(THREE, 'log', { lines: [], leftOut }));
  expect((await read(banker, { deviceId: id })).content.map((one) => one.leftOut)).toContain(leftOut);
});

test('what a terminal sends by itself touches nobody’s lists of terminals, though another answers in the same batch', async () => {
  const [id = 0] = ids;
  const key = await ask(id);
  const elsewhere = await app.dept('Elsewhere');
  await makeDevices(app, elsewhere, await makeProduct(app, app.root, 'ELSEWHERE'), ['LOGS-0009']);
  await app.context.unscoped((db) => sql`delete from live_touch`.execute(db));
  await say(taken(ONE, 'log', { to: key, lines: [line('asked')] }), taken('LOGS-0009', 'log', { lines: [line('by itself')] }));
  const touched = await app.context.unscoped((db) =>
    sql<{ dept_path: string }>`select dept_path from live_touch where call_group = '/device'`.execute(db),
  );
  expect(touched.rows).toEqual([{ dept_path: bank.path }]);
});

test('lines that are older than any is kept aren’t asked for, by either way', async () => {
  const [, id = 0] = ids;
  const old = { from: before(31 * 86_400), to: before(0) };
  const refused = await banker.send(deviceLogCalls.request, { deviceIds: [id], ...old });
  expect(refused).toMatchObject({ code: 400, message: expect.stringContaining('30 days') });
  expect((await banker.send(deviceLogCalls.request, { deviceIds: [id], to: before(40 * 86_400) })).code).toBe(400);
  const command = { kind: 'logPull' as const, params: { lines: 5, ...old } };
  expect((await banker.send(deviceCalls.command, { of: { ids: [id] }, command })).code).toBe(400);
  await banker.call(deviceLogCalls.request, { deviceIds: [id], from: before(29 * 86_400) });
});

test('no more comes of a request than can be asked for', async () => {
  const [, , id = 0] = ids;
  const key = await ask(id, { lines: 10 });
  const many = (from: number) => ({ to: key, lines: Array.from({ length: 700 }, (_, n) => line(`${from + n}`, 60, 'debug')) });
  for (let at = 0; at < 9; at += 1) await say(taken(THREE, 'log', many(at * 700)));
  expect((await requests(banker, id))[0]?.lines).toBe(LOG_PULL_MOST);
  const { rows } = await app.context.unscoped((db) =>
    sql<{ n: number }>`select count(*)::int as n from device_log_line where device_id = ${id} and level = 'debug'`.execute(db),
  );
  expect(rows[0]?.n).toBe(LOG_PULL_MOST);
});

test('requests that make no sense are refused at their fields', async () => {
  const [id = 0] = ids;
  for (const wrong of [
    { deviceIds: [] },
    { deviceIds: [id], from: before(0), to: before(60) },
    { deviceIds: [id], lines: 0 },
    { deviceIds: [id], lines: LOG_PULL_MOST + 1 },
    { deviceIds: [id], level: 'loud' },
    { deviceIds: Array.from({ length: 201 }, () => id) },
  ])
    expect((await banker.send(deviceLogCalls.request, wrong as never)).code, JSON.stringify(wrong)).toBe(400);
  await banker.call(deviceCalls.disable, { of: { ids: [id] } });
  expect((await banker.send(deviceLogCalls.request, { deviceIds: [id] })).code).toBe(400);
  expect(await banker.call(deviceLogCalls.request, { deviceIds: [...ids, id] })).toEqual({ asked: 2, refused: 1 });
});

test('who asked still reads how many lines came when the terminal is another’s; a count without its command goes', async () => {
  const [, id = 0] = ids;
  const key = await ask(id);
  await say(taken(TWO, 'log', { to: key, lines: [line('before the move')] }), taken(TWO, 'reply', { to: key, outcome: 'done' }));
  const admin = await app.person('platformAdmin', app.root);
  await admin.call(deviceCalls.move, { of: { ids: [id] }, deptId: (await app.dept('Next Bank')).id });
  const newest = async () => (await requests(banker, id))[0];
  expect(await newest()).toMatchObject({ state: 'done', lines: 1 });
  await app.context.unscoped((db) => sql`insert into device_log_pull (key, device_id, lines) values ('of-nothing', ${id}, 1)`.execute(db));
  await app.context.unscoped((db) => app.context.enqueue(db, 'device.prune', {}));
  await app.runJobs();
  const { rows } = await app.context.unscoped((db) =>
    sql<{ key: string }>`select key from device_log_pull where key in (${key}, 'of-nothing')`.execute(db),
  );
  expect(rows).toEqual([{ key }]);
});

test('lines are kept as long as the settings say, also those of days before there were partitions', async () => {
  await app.context.unscoped(async (db) => {
    await sql`insert into device_log_line (at, received_at, device_id, sn, level, tag, text, dept_path)
      select now() - n * interval '1 day', now(), 1, 'OLD', 'info', '', 'old', ${bank.path} from unnest(array[20, 40, 41, 42]) n`.execute(
      db,
    );
    await keepHealth(db);
  });
  // In batches of their own, when the partitions are made.
  const went: number[] = [];
  do went.push(await app.context.unscoped((db) => dropOldLines(db, 2)));
  while (went.at(-1) === 2);
  expect(went).toEqual([2, 1]);
  const { rows } = await app.context.unscoped((db) =>
    sql<{ n: number }>`select count(*)::int as n from device_log_line where text = 'old'`.execute(db),
  );
  expect(rows[0]?.n).toBe(1);
});
