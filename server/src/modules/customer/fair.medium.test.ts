import { iotCustomerCalls } from '@mooring/contract/customer/customer';
import { iotMessageCalls } from '@mooring/contract/customer/message';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { lockWaits } from '../../../test/lock-waits.ts';
import { move } from '../../platform/db/move.ts';
import { deviceRows } from '../device/api.ts';
import { until } from '../device/device.factory.ts';
import { AWS_KEY, AWS_POLICY, AWS_REGION, AWS_SECRET, awsServer, refused } from './aws.factory.ts';
import { type IotBench, iotBench } from './customer.factory.ts';
import { keepBounds } from './keep-bounds.ts';
import { type HttpsReceiver, httpsReceiver } from './receivers.factory.ts';
import { iotService } from './service.ts';

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
const detail = (id: number) => bench.keeper.call(iotCustomerCalls.detail, { id });
const count = async (customerId: number, fate: string) =>
  (await bench.keeper.call(iotMessageCalls.page, { criteria: { customerId, fate: fate as never } })).total;
const two = async () => {
  const [one, other] = await bench.terminals(bench.bank, 2);
  if (!one || !other) throw new Error('no terminals');
  return [one, other] as const;
};
const rounds = async (n: number, step: () => Promise<unknown> = async () => {}) => {
  for (let round = 0; round < n; round += 1) {
    await step();
    await bench.forward();
    bench.later();
  }
};

test.each([500, 404, 422])(
  'after an outage, and in one, an answer %i gives nothing up; beside others that get through it does',
  async (status) => {
    const all = await bench.add(token());
    const [broken, other] = await two();
    await bench.event([broken], 'breaks');
    receiver.answer = () => 503;
    await rounds(15);
    receiver.answer = () => (status === 422 ? 404 : status);
    await rounds(15);
    expect(await count(all.id, 'waiting')).toBe(1);
    receiver.answer = ({ body }) => (body.includes('breaks') ? status : 200);
    await rounds(status === 422 ? 1 : 9, () => bench.event([other]));
    expect(await count(all.id, 'refused')).toBe(status === 422 ? 1 : 0);
    await rounds(1, () => bench.event([other]));
    expect(await count(all.id, 'refused')).toBe(1);
    // What was refused is sent again as well, and isn't called a replay: it never arrived.
    receiver.answer = () => 200;
    receiver.got.length = 0;
    await bench.keeper.call(iotCustomerCalls.replay, { id: all.id, since: new Date(0).toISOString() });
    await rounds(1);
    expect(receiver.bodies().filter(({ name }) => name === 'breaks')).toEqual([expect.not.objectContaining({ replay: true })]);
    expect(await detail(all.id)).toMatchObject({ waiting: 0, state: 'active' });
  },
);

test('an address that takes nothing is a platform that fails, not messages that are refused', async () => {
  const all = await bench.add(token());
  const devices = await bench.terminals(bench.bank, 30);
  await bench.event(devices);
  await bench.event(devices);
  receiver.answer = () => 400;
  await bench.forward();
  expect(await bench.forward()).toBe(0);
  expect(await detail(all.id)).toMatchObject({ state: 'failing', reason: 'IOT_MESSAGE', waiting: 60 });
  receiver.answer = () => 200;
  bench.later();
  await bench.forward();
  expect(await detail(all.id)).toMatchObject({ state: 'active', waiting: 0 });
  // Nor where they come one by one.
  receiver.answer = () => 400;
  await rounds(12, () => bench.event(devices.slice(0, 1)));
  expect(await detail(all.id)).toMatchObject({ state: 'failing', waiting: 8 });
});

test('AWS refuses a message by name alone', async () => {
  const aws = await awsServer();
  const { url, ca } = aws.receiver;
  const more = { region: AWS_REGION, policy: AWS_POLICY, signIn: 'accessKey', userName: AWS_KEY, secret: AWS_SECRET };
  const all = await bench.add({ kind: 'aws', endpoint: url, controlEndpoint: url, ca, ...more });
  const tried = async (type: string) => {
    aws.trouble = () => refused(400, type);
    return (await bench.keeper.call(iotCustomerCalls.test, { id: all.id })).reason;
  };
  expect(await tried('InvalidRequestException')).toBe('IOT_MESSAGE');
  expect(await tried('SomethingElseException')).toBe('IOT_STATUS');
  await aws.receiver.stop();
});

test('one terminal that nothing is taken of holds up no other, however much of it waits', async () => {
  const all = await bench.add(token());
  const [stuck, other] = await two();
  receiver.answer = ({ body }) => (body.includes(stuck.sn) ? 503 : 200);
  await bench.event(Array.from({ length: 250 }, () => stuck));
  await bench.forward();
  expect(await detail(all.id)).toMatchObject({ state: 'failing', waiting: 250 });
  bench.later();
  await bench.event([other, other], 'well');
  await bench.forward();
  expect(receiver.bodies().map(({ name }) => name)).toEqual(['well', 'well']);
  await bench.event([other], 'soon');
  await bench.forward();
  expect(receiver.bodies()).toHaveLength(3);
  expect(await detail(all.id)).toMatchObject({ state: 'active', waiting: 250 });
  receiver.answer = () => 200;
  bench.later();
  await rounds(2);
  expect(
    receiver
      .bodies()
      .map(({ sn, seq }) => [sn, seq])
      .slice(3),
  ).toEqual(Array.from({ length: 250 }, (_, n) => [stuck.sn, n + 1]));
});

test('many terminals have their turn one after the other', async () => {
  await bench.add(token());
  const devices = await bench.terminals(bench.bank, 220);
  await bench.event(devices);
  await bench.event(devices);
  expect(await bench.forward()).toBe(440);
  expect(new Set(receiver.bodies().map(({ id }) => id)).size).toBe(440);
});

const isLeased = async (id: number) => {
  const { rows } = await bench.app.context.unscoped((db) =>
    sql`select from customer_iot where id = ${id} and lease_until is not null`.execute(db),
  );
  return rows.length > 0;
};
test('a slow platform holds up none but itself', async () => {
  const slow = await bench.add({ ...token(), endpoint: `${receiver.url}/slow` });
  const quick = await bench.add({ ...token(), endpoint: `${receiver.url}/quick` });
  const devices = await bench.terminals(bench.bank);
  let go = (_status: number) => {};
  const held = new Promise<number>((done) => {
    go = done;
  });
  receiver.answer = ({ url }) => (url === '/slow' ? held : 200);
  await bench.event(devices);
  const end = await iotService.start(bench.app.context);
  for (let n = 1; n < 4; n += 1) {
    await until(() => receiver.got.length === n);
    // Its turn is over: it is not the same one that goes on.
    await expect.poll(() => isLeased(quick.id)).toBe(false);
    await bench.event(devices);
  }
  go(200);
  await until(() => receiver.got.length === 8);
  await end?.();
  expect([await detail(slow.id), await detail(quick.id)]).toMatchObject([{ waiting: 0 }, { waiting: 0 }]);
});

/** Whether somebody waits for a lock. */
const isWaiting = async () => (await bench.app.context.unscoped(lockWaits)) > 0;
/** As a move of the organisation does: the table, and then the messages, while somebody else begins. */
const holdThenTake = (table: string, customerId: number, begin: () => void) =>
  bench.app.context.unscoped(async (db) => {
    await sql`update ${sql.table(table)} set dept_path = dept_path where dept_path = ${bench.bank.path}`.execute(db);
    begin();
    await expect.poll(isWaiting).toBe(true);
    await sql`set local lock_timeout = '1s'`.execute(db);
    await sql`update customer_message set dept_path = dept_path where customer_id = ${customerId}`.execute(db);
  });
const withHour = (customerId: number) =>
  bench.app.context.unscoped((db) =>
    sql`insert into customer_hour (customer_id, hour, dept_path) values (${customerId}, date_trunc('hour', ${bench.app.clock.now}::timestamptz), ${bench.bank.path})`.execute(
      db,
    ),
  );

test.each(['customer_hour', 'customer_iot'])('who settles waits for %s before it takes the messages', async (table) => {
  const all = await bench.add(token());
  await withHour(all.id);
  await bench.event(await bench.terminals(bench.bank));
  let answer = (_status: number) => {};
  let asked = 0;
  receiver.answer = () => {
    asked += 1;
    return new Promise<number>((done) => {
      answer = done;
    });
  };
  const sending = bench.forward();
  await until(() => asked === 1);
  await holdThenTake(table, all.id, () => answer(200));
  await sending;
  expect(await detail(all.id)).toMatchObject({ waiting: 0 });
});

test.each(['customer_hour', 'customer_iot'])('who drops waits for %s before it takes the messages', async (table) => {
  const all = await bench.add({ ...token(), backlogDays: 1 });
  await bench.event(await bench.terminals(bench.bank));
  bench.later(25 * 60);
  await withHour(all.id);
  let dropping: Promise<void> = Promise.resolve();
  await holdThenTake(table, all.id, () => {
    dropping = keepBounds(bench.app.context);
  });
  await dropping;
  expect(await detail(all.id)).toMatchObject({ waiting: 0, dropped: 1 });
});

test('begun again after a pause nothing of before is left', async () => {
  const all = await bench.add(token());
  await bench.event(await bench.terminals(bench.bank));
  receiver.answer = () => 503;
  await rounds(6);
  await bench.forward();
  expect(await detail(all.id)).toMatchObject({ state: 'failing', reason: 'IOT_BUSY' });
  expect(await bench.keeper.call(iotCustomerCalls.pause, { id: all.id })).toMatchObject({
    state: 'paused',
    reason: null,
    failingSince: null,
  });
  await bench.keeper.call(iotCustomerCalls.resume, { id: all.id });
  receiver.answer = () => 200;
  expect(await bench.forward()).toBe(1);
});

test('a platform ends at once, beside who is just saying something; what is left of it is deleted', async () => {
  const all = await bench.add(token());
  const devices = await bench.terminals(bench.bank, 2);
  await bench.event(devices);
  await bench.app.context.unscoped(async (db) => {
    const items = devices.map(({ id }) => ({ device_id: id, at: bench.app.clock.now, name: 'a', level: 'alarm', data: {} }));
    await sql`select customer_note('event', ${JSON.stringify(items)}::jsonb)`.execute(db);
    await bench.keeper.call(iotCustomerCalls.delete, { id: all.id });
  });
  const left = () =>
    bench.app.context.unscoped(async (db) => {
      const { rows } = await sql<{ n: number }>`
        select ((select count(*) from customer_message where customer_id = ${all.id}) + (select count(*) from customer_sequence where customer_id = ${all.id}))::int as n`.execute(
        db,
      );
      return rows[0]?.n;
    });
  expect(await left()).toBe(6);
  await keepBounds(bench.app.context);
  expect(await left()).toBe(0);
});

test('what was delivered once and waits to be sent again is never dropped; history is bounded by its length too', async () => {
  const all = await bench.add({ ...token(), backlogRows: 1000, backlogDays: 1 });
  const devices = await bench.terminals(bench.bank, 100);
  for (let n = 0; n < 12; n += 1) await bench.event(devices);
  const arrived = () =>
    bench.app.context.unscoped((db) =>
      sql`update customer_message set fate = 'sent', ended_at = at where customer_id = ${all.id} and fate = 'waiting'`.execute(db),
    );
  await arrived();
  const since = new Date(0).toISOString();
  expect(await bench.keeper.call(iotCustomerCalls.replay, { id: all.id, since })).toMatchObject({
    queued: 1200,
    until: expect.any(String),
  });
  await keepBounds(bench.app.context);
  expect([await count(all.id, 'sent'), await count(all.id, 'waiting'), await count(all.id, 'dropped')]).toEqual([200, 1000, 0]);
  expect(await detail(all.id)).toMatchObject({ dropped: 0 });
  for (let n = 0; n < 12; n += 1) await bench.event(devices);
  await arrived();
  await keepBounds(bench.app.context);
  expect(await count(all.id, 'sent')).toBe(2000);
});

test('a terminal that is disabled while it is online is told as offline', async () => {
  await bench.add(token());
  const [one, other] = await two();
  await bench.app.context.unscoped(async (db) => {
    await sql`update device set status = case when id = ${one.id} then '3' else '2' end where id = any(${[one.id, other.id]}::bigint[])`.execute(
      db,
    );
    await move(db, deviceRows, 'disable', [one.id, other.id]);
  });
  await bench.forward();
  expect(receiver.bodies()).toMatchObject([{ sn: one.sn, kind: 'presence', online: false }]);
});
