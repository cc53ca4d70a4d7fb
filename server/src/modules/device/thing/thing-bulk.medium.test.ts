import { deviceCalls } from '@mooring/contract/device/calls';
import { deviceThingCalls } from '@mooring/contract/device/thing/thing-calls';
import { backgroundJobCalls } from '@mooring/contract/file/background-job-calls';
import type { ThingModel } from '@mooring/contract/product/thing-model';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { beginAgain } from '../../../../test/begin-again.ts';
import { makeDevices, makeProduct } from '../../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../../test/test-app.ts';
import { readMessage } from '../../../platform/gateway/message.ts';
import { outboxHandlers } from '../../../platform/gateway/outbox.ts';
import { processBatch } from '../../../platform/gateway/process-batch.ts';
import type { DeptAt } from '../../org/api.ts';

const model = (max: number): ThingModel => ({
  properties: [{ id: 'level', name: 'Level', access: 'rw', dataType: { kind: 'int', min: 0, max, step: null, unit: '%' } }],
  services: [{ id: 'count', name: 'Count', sync: true, input: [], output: [] }],
  events: [],
});

let app: TestApp;
let banker: Client;
let bank: DeptAt;
let productId = 0;

/** As if it had been published. */
const publish = (of: ThingModel) =>
  app.context.unscoped(async (db) => {
    await sql`delete from product_model where product_id = ${productId}`.execute(db);
    await sql`
      insert into product_model (product_id, version, state, model, published_at, dept_path)
      select id, 1, 'published', ${JSON.stringify(of)}::jsonb, now(), dept_path from product_product where id = ${productId}`.execute(db);
  });

beforeAll(async () => {
  app = await testApp();
  bank = await app.dept('Harbour Bank');
  banker = await app.person('orgManager', bank);
  productId = await makeProduct(app, app.root, 'MANY');
});
afterAll(() => app.stop());

interface Sent {
  readonly device_id: number;
  readonly key: string;
  readonly state: string;
  readonly output: unknown;
}
const sent = (ids: readonly number[]) =>
  app.context.unscoped(async (db) => {
    const { rows } =
      await sql<Sent>`select device_id, key, state, output from gateway_outbox where device_id = any(${ids}::bigint[]) and topic = 'command' order by id`.execute(
        db,
      );
    return rows;
  });
/** More than one batch, so that it goes on in the background. */
async function setMany(prefix: string): Promise<{ ids: number[]; work: number; params: Record<string, unknown>; of: object }> {
  const sns = Array.from({ length: 1001 }, (_, n) => `${prefix}-${String(n).padStart(4, '0')}`);
  const ids = await makeDevices(app, bank, productId, sns);
  const of = { criteria: { sn: `${prefix}-` }, except: [] };
  const { work } = await banker.call(deviceThingCalls.setMany, { of, productId, values: { level: 40 } });
  return { ids, work: work ?? 0, params: { productId, values: { level: 40 }, hours: 24 }, of };
}

test('a set of many that begins again leaves its own sets alone, and those who were set otherwise since', async () => {
  await publish(model(100));
  const { ids, work, params, of } = await setMany('AGAIN');
  await app.runJobs();
  const [first = 0] = ids;
  await banker.call(deviceThingCalls.set, { id: first, values: { level: 7 } });
  await beginAgain(app, banker, bank, 'device.bulk', { work, name: 'setThings', of, params });
  await app.runJobs();
  const rows = await sent(ids);
  expect(rows.filter(({ state }) => state === 'waiting')).toHaveLength(ids.length);
  expect(rows.filter(({ device_id }) => device_id === first).map(({ state }) => state)).toEqual(['withdrawn', 'waiting']);
  const [done] = (await banker.call(backgroundJobCalls.page, {})).content.filter(({ id }) => id === work);
  expect(done).toMatchObject({ state: 'done', done: ids.length, failed: 0 });
});

test('what no longer fits when its turn comes isn’t sent, and its work says so', async () => {
  await publish(model(100));
  const { ids, work } = await setMany('LATER');
  await publish(model(30));
  await app.runJobs();
  expect(await sent(ids)).toEqual([]);
  const [done] = (await banker.call(backgroundJobCalls.page, {})).content.filter(({ id }) => id === work);
  expect(done).toMatchObject({ state: 'done', done: 0, failed: ids.length });
});

test('who moves a terminal while something is asked of it takes that back, and its answer isn’t the former organisation’s', async () => {
  await publish(model(100));
  const branch = await app.dept('Branch', bank);
  const [id = 0, other = 0] = await makeDevices(app, bank, productId, ['MOVED-1', 'MOVED-2']);
  const asked = [
    () => banker.call(deviceThingCalls.set, { id, values: { level: 7 } }),
    () => banker.call(deviceThingCalls.setMany, { of: { ids: [id] }, productId, values: { level: 8 } }),
    () => banker.call(deviceCalls.command, { of: { ids: [id] }, command: { kind: 'reboot', params: {} } }),
  ];
  for (const ask of asked) {
    const before = (await sent([id])).length;
    let answer: Promise<unknown> = Promise.resolve();
    await app.context.unscoped(async (db) => {
      await sql`update device set dept_id = ${branch.id}, dept_path = ${branch.path} where id = ${id}`.execute(db);
      answer = ask();
      // It waits for the one that moves the terminal; a while is enough to get there.
      const waits = async () =>
        (
          await sql<{
            n: number;
          }>`select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`.execute(db)
        ).rows[0]?.n;
      for (let tries = 0; tries < 200 && (await waits()) !== 1 && (await sent([id])).length === before; tries += 1);
    });
    await answer;
    const [last] = (
      await app.context.unscoped((db) =>
        sql<{ dept_path: string }>`select dept_path from gateway_outbox where device_id = ${id} order by id desc limit 1`.execute(db),
      )
    ).rows;
    expect(last?.dept_path).toBe(branch.path);
    await app.context.unscoped((db) => sql`update device set dept_id = ${bank.id}, dept_path = ${bank.path} where id = ${id}`.execute(db));
  }

  await banker.call(deviceThingCalls.call, { id: other, service: 'count' });
  const [call] = await sent([other]);
  await app.context.unscoped((db) =>
    sql`update device set dept_id = ${branch.id}, dept_path = ${branch.path} where id = ${other}`.execute(db),
  );
  const envelope = {
    v: 1,
    id: 'moved-1',
    at: app.clock.now.toISOString(),
    data: { to: call?.key, outcome: 'done', output: { counted: 3 } },
  };
  const read = readMessage('MOVED-2', 'reply', Buffer.from(JSON.stringify(envelope)), app.clock.now);
  if ('refused' in read) throw new Error(read.refused.reason);
  const refuse = ({ reason }: { reason: string }) => {
    throw new Error(reason);
  };
  await processBatch({ app: app.context, handlers: outboxHandlers, refuse, ack() {}, stopped: () => false }, [read.taken]);
  expect(await sent([other])).toMatchObject([{ state: 'done', output: null }]);
});
