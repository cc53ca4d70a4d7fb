import { blackoutCalls } from '@mooring/contract/blackout/calls';
import { deviceCalls } from '@mooring/contract/device/calls';
import { addDays } from '@mooring/contract/shared/date-range';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { makeDevices, makePackage, makeProduct } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import type { DeptAt } from '../../modules/org/api.ts';
import { outboxHandlers } from '../../platform/gateway/outbox.ts';
import { processBatch } from '../../platform/gateway/process-batch.ts';
import { releasing } from './release.factory.ts';

let app: TestApp;
let bank: DeptAt;
let other: DeptAt;
let admin: Client;
let manager: Client;
let productId = 0;
let packageId = 0;
const { settle, sns, release, offers, subscribe, tally } = releasing(
  () => app,
  () => admin,
  () => packageId,
);
const week = [1, 2, 3, 4, 5, 6, 7];
const today = () => app.clock.now.toISOString().slice(0, 10);
const rows = <T>(query: ReturnType<typeof sql<T>>) => app.context.unscoped(async (db) => (await query.execute(db)).rows);

beforeAll(async () => {
  app = await testApp();
  bank = await app.dept('Bank');
  other = await app.dept('Other');
  admin = await app.person('platformAdmin', app.root);
  manager = await app.person('orgManager', bank);
});
afterAll(() => app.stop());
beforeEach(async () => {
  await rows(sql`delete from release_blackout`);
  productId = await makeProduct(app, app.root);
  packageId = await makePackage(app, admin, app.root, productId, '2.0');
});

interface Message {
  readonly key: string;
  readonly data: { readonly offer: string; readonly window: { readonly blackout: readonly string[] } | null };
}
const messages = (deviceId: number) =>
  rows(
    sql<Message>`select key, data from gateway_outbox where device_id = ${deviceId} and topic = 'offer' and state in ('waiting', 'sent') order by id`,
  );
/** What it was sent is answered: as its terminal does, with the reason that it waits for. */
const answered = async (sn: string, offer: string) => {
  const at = app.clock.now;
  const data = { offer, phase: 'waiting', percent: 0, reason: 'window' };
  const refuse = ({ reason }: { reason: string }) => {
    throw new Error(reason);
  };
  const one = { sn, kind: 'progress' as const, id: `p-${offer}`, at, receivedAt: at, data };
  await processBatch({ app: app.context, handlers: [], refuse, ack() {}, stopped: () => false }, [one]);
};
const reply = async (sn: string, to: string) => {
  const at = app.clock.now;
  const one = { sn, kind: 'reply' as const, id: `r-${to}`, at, receivedAt: at, data: { to, outcome: 'done' } };
  await processBatch({ app: app.context, handlers: outboxHandlers, refuse() {}, ack() {}, stopped: () => false }, [one]);
};

/** One terminal that waits for its window, at night, with its offer answered. */
async function waits(owner: DeptAt, more: object = {}) {
  const [sn = ''] = sns(1);
  const [deviceId = 0] = await makeDevices(app, owner, productId, [sn]);
  await rows(sql`update device set capabilities = '{newWindow}' where id = ${deviceId}`);
  const id = await release([sn], { retries: 0, timeoutMinutes: 60, window: { days: week, from: '02:00', to: '04:00' }, ...more });
  const [offer] = await offers(id);
  if (!offer) throw new Error('no offer');
  await answered(sn, offer.offer);
  await subscribe('progress', offer, { phase: 'waiting', reason: 'window' });
  expect(await messages(deviceId)).toEqual([]);
  return { id, sn, deviceId, offer: offer.offer };
}

test('blackout dates that are added, changed and deleted later reach terminals that wait; the last word alone stands, and its answer ends it', async () => {
  const mine = await waits(bank);
  const theirs = await waits(other);
  const [first, second] = [addDays(today(), 1), addDays(today(), 2)];
  const { id } = await manager.call(blackoutCalls.add, { name: 'Fair', fromDay: first, toDay: first, deptId: bank.id });
  await app.runJobs();
  const [told] = await messages(mine.deviceId);
  const hours = { days: week, from: '02:00', to: '04:00' };
  expect(told?.data).toEqual({ offer: mine.offer, kind: 'firmware', window: { ...hours, blackout: [first] } });
  expect(await messages(theirs.deviceId)).toEqual([]);
  const { revision } = await manager.call(blackoutCalls.detail, { id });
  await manager.call(blackoutCalls.update, { id, revision, name: 'Fair', fromDay: first, toDay: second, remark: '' });
  await app.runJobs();
  const [anew, ...more] = await messages(mine.deviceId);
  expect([anew?.data.window, more]).toEqual([{ ...hours, blackout: [first, second] }, []]);
  expect(anew?.key).not.toBe(told?.key);
  // Whatever else it says of the offer meanwhile, it hasn't heard this.
  await answered(mine.sn, mine.offer);
  expect(await messages(mine.deviceId)).toHaveLength(1);
  await reply(mine.sn, anew?.key ?? '');
  expect(await messages(mine.deviceId)).toEqual([]);
  await manager.call(blackoutCalls.delete, { id });
  await app.runJobs();
  expect((await messages(mine.deviceId)).map((one) => one.data.window)).toEqual([{ ...hours, blackout: [] }]);
});

test('another name for the same dates tells no one', async () => {
  const { deviceId } = await waits(bank);
  const day = addDays(today(), 1);
  const { id } = await manager.call(blackoutCalls.add, { name: 'Fair', fromDay: day, toDay: day, deptId: bank.id });
  await app.runJobs();
  const before = await messages(deviceId);
  const { revision } = await manager.call(blackoutCalls.detail, { id });
  await manager.call(blackoutCalls.update, { id, revision, name: 'Market', fromDay: day, toDay: day, remark: '' });
  await app.runJobs();
  expect(await messages(deviceId)).toEqual(before);
});

test('who waits has until the new window has been open, without a word; then silence counts', async () => {
  const { id } = await waits(bank);
  await manager.call(blackoutCalls.add, { name: 'Fair', fromDay: today(), toDay: addDays(today(), 3), deptId: bank.id });
  await app.runJobs();
  const opens = Date.parse(`${addDays(today(), 4)}T02:00:00Z`);
  app.clock.now = new Date(opens + 2.5 * 3_600_000);
  await settle();
  expect(await tally(id)).toEqual({ '2': 1 });
  app.clock.now = new Date(opens + 3.5 * 3_600_000);
  await settle();
  expect(await tally(id)).toEqual({ '5': 1 });
});

test('an offer that isn’t delivered yet is put right itself; one whose terminal doesn’t take new windows is left alone', async () => {
  const [away = '', old = ''] = sns(2);
  const [awayId = 0, oldId = 0] = await makeDevices(app, bank, productId, [away, old]);
  const sent = await offers(await release([away, old]));
  await rows(sql`update gateway_outbox set state = 'waiting' where device_id = ${awayId}`);
  await answered(old, sent.find((one) => one.sn === old)?.offer ?? '');
  const day = addDays(today(), 1);
  await manager.call(blackoutCalls.add, { name: 'Fair', fromDay: day, toDay: day, deptId: bank.id });
  await app.runJobs();
  expect((await messages(awayId)).map((one) => [one.key === one.data.offer, one.data.window?.blackout])).toEqual([[true, [day]]]);
  expect(await messages(oldId)).toEqual([]);
});

test('a terminal that moves hears of the dates of its new organisation; what is being installed is left alone', async () => {
  const branch = await app.dept('Branch', bank);
  const day = addDays(today(), 1);
  await manager.call(blackoutCalls.add, { name: 'Fair', fromDay: day, toDay: day, deptId: branch.id });
  const mine = await waits(bank);
  const busy = await waits(bank);
  await subscribe('progress', { offer: busy.offer, device_id: busy.deviceId, sn: busy.sn, dept_path: bank.path }, { phase: 'installing' });
  await admin.call(deviceCalls.move, { of: { ids: [mine.deviceId, busy.deviceId] }, deptId: branch.id });
  await app.runJobs();
  expect((await messages(mine.deviceId)).map((one) => one.data.window?.blackout)).toEqual([[day]]);
  expect(await messages(busy.deviceId)).toEqual([]);
});
