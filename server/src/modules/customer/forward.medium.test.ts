import { iotCustomerCalls } from '@mooring/contract/customer/customer';
import { iotMessageCalls } from '@mooring/contract/customer/message';
import { sql } from 'kysely';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { move } from '../../platform/db/move.ts';
import { deviceRows } from '../device/api.ts';
import { type IotBench, iotBench } from './customer.factory.ts';
import { Lines } from './forward.ts';
import { keepBounds } from './keep-bounds.ts';
import { type HttpsReceiver, httpsReceiver } from './receivers.factory.ts';

let bench: IotBench;
let receiver: HttpsReceiver;
beforeAll(async () => {
  bench = await iotBench();
  receiver = await httpsReceiver();
});
afterAll(async () => {
  await bench.stop();
  await receiver.stop();
});
beforeEach(() => {
  receiver.got.length = 0;
  receiver.answer = () => 200;
});
afterEach(() => bench.app.context.unscoped((db) => db.deleteFrom('customer_iot').execute()));

const token = () => ({ kind: 'https', endpoint: `${receiver.url}/in`, ca: receiver.ca, signIn: 'token', secret: 'token-1' });
const rows = async (id: number) =>
  (await bench.keeper.call(iotMessageCalls.page, { criteria: { customerId: id }, page: { size: 200, sort: 'at', order: 'asc' } })).content;
const detail = (id: number) => bench.keeper.call(iotCustomerCalls.detail, { id });

test('events, properties and presence arrive in order, numbered by terminal; what isn’t asked for, or not of the organisation, doesn’t', async () => {
  const all = await bench.add(token());
  const [one, two] = await bench.terminals(bench.branch, 2);
  const foreign = await bench.terminals(bench.other);
  if (!one || !two) throw new Error('no terminals');
  await bench.event([one, two, ...foreign], 'tamper');
  await bench.property([one, two], { fan: 3, mode: 'eco' });
  await bench.app.context.unscoped((db) => sql`update device set status = '3' where id = ${one.id}`.execute(db));
  await bench.app.context.unscoped((db) => move(db, deviceRows, 'lost', [one.id]));
  await bench.event([one, one], 'boot', { level: 'info' });
  expect(await bench.forward()).toBe(7);
  expect(await bench.forward()).toBe(0);
  const of = (sn: string) => receiver.bodies().filter((body) => body.sn === sn);
  expect(of(one.sn).map((body) => [body.seq, body.kind])).toEqual([
    [1, 'event'],
    [2, 'property'],
    [3, 'presence'],
    [4, 'event'],
    [5, 'event'],
  ]);
  expect(of(one.sn)[0]).toMatchObject({ product: 'A920', name: 'tamper', level: 'alarm' });
  expect(of(one.sn)[1]).toMatchObject({ values: { fan: 3, mode: 'eco' } });
  expect(of(one.sn)[2]).toMatchObject({ online: false });
  expect(of(two.sn)).toHaveLength(2);
  expect(of(foreign[0]?.sn ?? '')).toEqual([]);
  expect(receiver.got[0]?.headers).toMatchObject({ authorization: 'Bearer token-1', 'webhook-id': receiver.bodies()[0]?.id });
  expect(await detail(all.id)).toMatchObject({ state: 'active', waiting: 0, deliveredAt: expect.any(String) });
});

test('what waits is told to open lists when it is noted, not only once it is sent', async () => {
  await bench.add(token());
  const terminals = await bench.terminals(bench.branch, 2);
  const told = () =>
    bench.app.context.unscoped((db) =>
      db.selectFrom('live_touch').select(['call_group', 'dept_path']).where('call_group', 'like', '/thirdServerIot%').execute(),
    );
  await bench.app.context.unscoped((db) => db.deleteFrom('live_touch').execute());
  await bench.event(terminals, 'tamper');
  expect((await told()).map((one) => one.call_group).sort()).toEqual(['/thirdServerIot', '/thirdServerIot/message']);
  expect(new Set((await told()).map((one) => one.dept_path)).size).toBe(1);
});

test('only chosen properties, events, levels and products', async () => {
  const chosen = {
    properties: 'some',
    propertyNames: ['fan'],
    events: 'some',
    eventNames: ['Tamper'],
    eventLevel: 'warning',
    presence: false,
  };
  await bench.add({ ...token(), ...chosen });
  await bench.add({ ...token(), properties: 'none', events: 'none', productIds: [bench.productId] });
  const [one] = await bench.terminals(bench.bank);
  if (!one) throw new Error('no terminal');
  await bench.event([one], 'tamper');
  await bench.event([one], 'tamper', { level: 'info' });
  await bench.event([one], 'boot');
  await bench.property([one], { fan: 3, mode: 'eco' });
  await bench.property([one], { mode: 'eco' });
  await bench.forward();
  expect(receiver.bodies().map(({ kind, seq, values, name }) => [kind, seq, values ?? name])).toEqual([
    ['event', 1, 'tamper'],
    ['property', 2, { fan: 3 }],
  ]);
});

test('nothing is kept where no platform is set up, or it hasn’t begun', async () => {
  const [one] = await bench.terminals(bench.bank);
  if (!one) throw new Error('no terminal');
  await bench.event([one]);
  const draft = await bench.keeper.call(iotCustomerCalls.add, { name: 'Draft', deptId: bench.bank.id, ...token() } as never);
  await bench.event([one]);
  expect(await rows(draft.id)).toEqual([]);
  expect(draft).toMatchObject({ state: 'draft', allowedActions: expect.arrayContaining(['resume', 'test']) });
});

test('a rolled back batch leaves nothing', async () => {
  const all = await bench.add(token());
  const [one] = await bench.terminals(bench.bank);
  await expect(
    bench.app.context.unscoped(async (db) => {
      await sql`select customer_note('event', ${JSON.stringify([{ device_id: one?.id, at: new Date(), name: 'a', level: 'info', data: {} }])}::jsonb)`.execute(
        db,
      );
      throw new Error('undone');
    }),
  ).rejects.toThrow('undone');
  expect(await rows(all.id)).toEqual([]);
});

test('a receiver that is down for a while gets everything afterwards, in order; meanwhile it is said why', async () => {
  const all = await bench.add(token());
  const devices = await bench.terminals(bench.bank, 3);
  await receiver.down();
  for (let n = 0; n < 4; n += 1) await bench.event(devices, `e${n}`);
  await bench.forward();
  expect(await detail(all.id)).toMatchObject({ state: 'failing', reason: 'IOT_UNREACHABLE', waiting: 12 });
  // Not again before its time.
  expect(await bench.forward()).toBe(0);
  bench.later();
  await bench.forward();
  await receiver.up();
  bench.later();
  expect(await bench.forward()).toBe(12);
  for (const { sn } of devices)
    expect(
      receiver
        .bodies()
        .filter((body) => body.sn === sn)
        .map((body) => body.name),
    ).toEqual(['e0', 'e1', 'e2', 'e3']);
  expect(await detail(all.id)).toMatchObject({ state: 'active', reason: null, failingSince: null, waiting: 0 });
  const { faults, hours } = await bench.keeper.call(iotCustomerCalls.overview, { id: all.id });
  expect(faults.map((one) => one.reason)).toEqual(['IOT_UNREACHABLE']);
  expect(hours).toHaveLength(24);
  expect(hours.at(-1)).toMatchObject({ sent: 12, refused: 0, dropped: 0 });
});

test('a message that is put off holds its terminal’s later ones back', async () => {
  await bench.add(token());
  const [one] = await bench.terminals(bench.bank);
  if (!one) throw new Error('no terminal');
  for (let n = 0; n < 5; n += 1) await bench.event([one], `e${n}`);
  let asked = 0;
  receiver.answer = ({ body }) => (body.includes('"e2"') && ++asked < 3 ? 503 : 200);
  for (let n = 0; n < 4; n += 1) {
    await bench.forward();
    bench.later();
  }
  expect(receiver.bodies().map((body) => body.name)).toEqual(['e0', 'e1', 'e2', 'e3', 'e4']);
});

test('a message that a platform never takes is refused, counted and said, and the next one goes on', async () => {
  const all = await bench.add(token());
  const [one] = await bench.terminals(bench.bank);
  if (!one) throw new Error('no terminal');
  await bench.event([one], 'bad', { params: { huge: 'x'.repeat(60_000) } });
  await bench.event([one], 'good');
  receiver.answer = ({ body }) => (body.length > 10_000 ? 413 : 200);
  await bench.forward();
  expect((await rows(all.id)).map((row) => [row.name, row.fate, row.reason])).toEqual([
    ['bad', 'refused', 'IOT_MESSAGE'],
    ['good', 'sent', null],
  ]);
  expect((await bench.keeper.call(iotCustomerCalls.overview, { id: all.id })).hours.at(-1)).toMatchObject({ sent: 1, refused: 1 });
});

test('paused, what is said waits; a process that ended in the middle is followed by another, which sends again what wasn’t settled', async () => {
  const all = await bench.add(token());
  const devices = await bench.terminals(bench.bank, 2);
  await bench.keeper.call(iotCustomerCalls.pause, { id: all.id });
  await bench.event(devices);
  expect(await bench.forward()).toBe(0);
  expect(await detail(all.id)).toMatchObject({ state: 'paused', waiting: 2 });
  await bench.keeper.call(iotCustomerCalls.resume, { id: all.id });
  // Sent by a process that was killed before it could write it down.
  const lease = sql`update customer_iot set lease_by = 'dead', lease_until = ${new Date(bench.app.clock.now.getTime() + 60_000)} where id = ${all.id}`;
  await bench.app.context.unscoped((db) => lease.execute(db));
  expect(await bench.forward()).toBe(0);
  bench.later(2);
  expect(await bench.forward()).toBe(2);
});

test('two processes share: one platform at a time is one’s, and nothing is sent twice', async () => {
  const other = new Lines();
  await Promise.all([bench.add(token()), bench.add(token())]);
  const devices = await bench.terminals(bench.bank, 10);
  await bench.event(devices);
  await Promise.all([bench.forward('one'), bench.forward('two', other), bench.forward('two', other)]);
  other.close();
  expect(receiver.got).toHaveLength(20);
  expect(new Set(receiver.bodies().map((body) => body.id)).size).toBe(20);
});

test('replayed messages keep their ids and numbers, and say that they are', async () => {
  const all = await bench.add(token());
  const [one] = await bench.terminals(bench.bank);
  if (!one) throw new Error('no terminal');
  await bench.event([one], 'old');
  bench.later(60);
  const since = bench.app.clock.now.toISOString();
  await bench.event([one], 'a');
  await bench.event([one], 'b');
  await bench.forward();
  expect(await bench.keeper.call(iotCustomerCalls.replay, { id: all.id, since })).toEqual({ queued: 2, more: false, until: since });
  await bench.forward();
  const [, a, b, again, twice] = receiver.bodies();
  expect([again, twice]).toMatchObject([
    { id: a?.id, seq: a?.seq, name: 'a', replay: true },
    { id: b?.id, seq: b?.seq, name: 'b', replay: true },
  ]);
  expect(a).not.toHaveProperty('replay');
  expect((await bench.outsider.send(iotCustomerCalls.replay, { id: all.id, since })).code).toBe(404);
  expect((await bench.keeper.send(iotCustomerCalls.replay, { id: all.id, since: 'yesterday' })).code).toBe(400);
});

test('a backlog is bounded by its age and by its length: what is dropped is counted and stays to be seen', async () => {
  const all = await bench.add({ ...token(), backlogRows: 1000, backlogDays: 1 });
  const devices = await bench.terminals(bench.bank, 1);
  await bench.keeper.call(iotCustomerCalls.pause, { id: all.id });
  await bench.event(devices, 'first');
  bench.later(25 * 60);
  for (let n = 0; n < 3; n += 1)
    await bench.event(
      Array.from({ length: 400 }, () => devices[0] ?? { id: 0, path: '' }),
      'many',
    );
  await keepBounds(bench.app.context);
  expect(await detail(all.id)).toMatchObject({ waiting: 1000, dropped: 201 });
  const dropped = await bench.keeper.call(iotMessageCalls.page, { criteria: { customerId: all.id, fate: 'dropped' } });
  expect(dropped.total).toBe(201);
  expect((await bench.keeper.call(iotCustomerCalls.overview, { id: all.id })).hours.at(-1)).toMatchObject({ dropped: 201 });
  // What is over is forgotten in its time; what waits is not forgotten, it is dropped.
  bench.later(25 * 60);
  await keepBounds(bench.app.context);
  await keepBounds(bench.app.context);
  expect(await detail(all.id)).toMatchObject({ waiting: 0, dropped: 1201 });
});

test('a signature is Standard Webhooks’', async () => {
  const secret = `whsec_${Buffer.from('a secret of the receiver').toString('base64')}`;
  await bench.add({ ...token(), signIn: 'hmac', secret });
  bench.app.clock.now = new Date();
  await bench.event(await bench.terminals(bench.bank));
  await bench.forward();
  const [first] = receiver.got;
  expect(() => new Webhook(secret).verify(first?.body ?? '', (first?.headers ?? {}) as Record<string, string>)).not.toThrow();
});

test('a test message says what came of it, in words', async () => {
  const all = await bench.add(token());
  const tried = () => bench.keeper.call(iotCustomerCalls.test, { id: all.id });
  expect(await tried()).toMatchObject({ reason: null, status: 200 });
  expect(receiver.bodies()[0]).toMatchObject({ kind: 'test', sn: 'TEST', seq: 0 });
  for (const [status, reason] of [
    [401, 'IOT_SIGN_IN'],
    [403, 'IOT_FORBIDDEN'],
    [302, 'IOT_STATUS'],
    [404, 'IOT_NOT_FOUND'],
    [503, 'IOT_BUSY'],
  ] as const) {
    receiver.answer = () => ({ status, headers: { location: 'http://127.0.0.1/' } });
    expect(await tried()).toMatchObject({ reason, status });
  }
  await receiver.down();
  expect(await tried()).toMatchObject({ reason: 'IOT_UNREACHABLE', status: null });
  await receiver.up();
  const trustsNone = await bench.add({ ...token(), ca: '' });
  expect(await bench.keeper.call(iotCustomerCalls.test, { id: trustsNone.id })).toMatchObject({ reason: 'IOT_TLS' });
  expect((await bench.outsider.send(iotCustomerCalls.test, { id: all.id })).code).toBe(404);
});
