import { deviceCalls } from '@mooring/contract/device/calls';
import { deviceReleaseCalls } from '@mooring/contract/device/release-calls';
import { preTaskCalls, taskCalls, taskDeviceCalls } from '@mooring/contract/firmware/task-calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { makePackage, makeProduct } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { handleHello, timerWheel } from '../../modules/device/api.ts';
import type { DeptAt } from '../../modules/org/api.ts';
import type { UpMessage } from '../../platform/gateway/message.ts';
import { releasing } from './release.factory.ts';

let app: TestApp;
let bank: DeptAt;
let branch: DeptAt;
let admin: Client;
let productId = 0;
let packageId = 0;
const { settle, sns, offers, subscribe, tally, stateOf } = releasing(
  () => app,
  () => admin,
  () => packageId,
);

beforeAll(async () => {
  app = await testApp();
  bank = await app.dept('Bank');
  branch = await app.dept('Branch', bank);
  admin = await app.person('platformAdmin', app.root);
});
afterAll(() => app.stop());
beforeEach(async () => {
  productId = await makeProduct(app, app.root);
  packageId = await makePackage(app, admin, app.root, productId, '2.0');
});

/** Registered, and never in contact. */
const register = (sn: string, dept = bank) => admin.call(deviceCalls.add, { sn, productId, deptId: dept.id });
/** Its first contact, as the gateway hands it on. */
async function contact(sn: string, firmware = '1.0'): Promise<void> {
  const [device] = (await admin.call(deviceCalls.page, { criteria: { sn } })).content;
  if (!device) throw new Error(`${sn} isn't registered`);
  const found = await app.context.unscoped((db) =>
    sql<{ p: string }>`select dept_path as p from device where id = ${device.id}`.execute(db),
  );
  const now = app.clock.now;
  const message = {
    sn,
    deviceId: device.id,
    deptPath: found.rows[0]?.p ?? '',
    id: `h-${sn}`,
    at: now,
    receivedAt: now,
    data: { firmware, product: 'X', capabilities: [] },
  } as unknown as UpMessage;
  const handler = handleHello(timerWheel());
  await app.context.unscoped((db) => handler.handle(db, [message], app.context));
  await app.runJobs();
  await settle();
}
const waiting = async (delivery: object = {}, scope: object = { releaseScope: '0' }, by = admin) => {
  const task = await by.call(preTaskCalls.add, { name: 'First contact', packageId, scope, delivery, release: true } as never);
  await settle();
  return task.id;
};

test('it waits for terminals that aren’t active yet and reaches each at its first contact, those added later too', async () => {
  const [known = '', later = '', other = ''] = sns(3);
  await register(known);
  expect(await admin.call(preTaskCalls.preview, { packageId, scope: { releaseScope: '0' } })).toMatchObject({ matched: 1 });
  const id = await waiting();
  expect(await tally(id)).toEqual({ '1': 1 });
  const rows = await admin.call(taskDeviceCalls.page, { criteria: { taskId: id } });
  expect(rows.content.map((row) => row.why.key)).toEqual(['why.neverSeen']);
  await contact(known);
  expect((await offers(id)).map((one) => one.sn)).toEqual([known]);

  await register(later, branch);
  await contact(later);
  expect((await offers(id)).map((one) => one.sn)).toEqual([known, later]);
  // What runs the version already needs nothing.
  await register(other);
  await contact(other, '2.0');
  expect(await tally(id)).toEqual({ '2': 2 });
  for (const offer of await offers(id)) await subscribe('result', offer, { outcome: 'success', version: '2.0' });
  await settle();
  // More may come: only its end ends it.
  expect([await stateOf(id), await tally(id)]).toEqual(['running', { '3': 2 }]);
});

test('one without any terminal yet is released nevertheless, lasts a year, and takes in only what it is for', async () => {
  const [mine = '', theirs = ''] = sns(2);
  const id = await waiting({}, { releaseScope: '2', sns: [mine] });
  expect(await stateOf(id)).toBe('running');
  const { expiresAt, startedAt } = await admin.call(taskCalls.detail, { id });
  expect(Date.parse(String(expiresAt)) - Date.parse(String(startedAt))).toBe(365 * 86_400_000);
  for (const sn of [mine, theirs]) {
    await register(sn);
    await contact(sn);
  }
  expect((await offers(id)).map((one) => one.sn)).toEqual([mine]);
  app.clock.now = new Date(app.clock.now.getTime() + 366 * 86_400_000);
  await settle();
  expect(await stateOf(id)).toBe('finished');
});

test('a terminal that was active before is none of its own, and one of another organisation neither', async () => {
  const manager = await app.person('orgManager', branch);
  const [active = '', above = ''] = sns(2);
  await register(active, branch);
  await contact(active);
  const id = await waiting({}, { releaseScope: '0' }, manager);
  await contact(active);
  await register(above, bank);
  await contact(above);
  expect(await tally(id)).toEqual({});
});

test('a first contact between the release and the choice of its terminals is not forgotten', async () => {
  const [sn = ''] = sns(1);
  await register(sn);
  const { id } = await admin.call(preTaskCalls.add, { name: 'Just now', packageId, scope: { releaseScope: '0' }, release: true });
  await contact(sn);
  expect((await offers(id)).map((one) => one.sn)).toEqual([sn]);
});

test('a terminal that has been active for long stays out of it whatever becomes of it; one that was first active meanwhile joins', async () => {
  const [old = '', fresh = ''] = sns(2);
  const known = await register(old);
  await contact(old);
  app.clock.now = new Date(app.clock.now.getTime() + 86_400_000);
  const id = await waiting({}, { releaseScope: '1', tags: ['till'] });
  const change = (device: { id: number }, sn: string, tags: string[]) =>
    admin.call(deviceCalls.update, { id: device.id, name: `Till ${sn}`, tags, remark: '', notes: '' });
  const whyNot = async (sn: string) => (await admin.call(deviceReleaseCalls.whyNot, { taskId: id, sn })).why?.key;
  app.clock.now = new Date(app.clock.now.getTime() + 86_400_000);
  const added = await register(fresh);
  await contact(fresh);
  for (const [device, sn] of [
    [known, old],
    [added, fresh],
  ] as const) {
    await change(device, sn, ['till']);
    await admin.call(deviceCalls.disable, { of: { ids: [device.id] } });
    await admin.call(deviceCalls.enable, { of: { ids: [device.id] } });
  }
  await app.runJobs();
  await contact(old, '1.1');
  await contact(fresh);
  expect([await whyNot(old), await whyNot(fresh)]).toEqual(['why.passed.active', undefined]);
  expect((await offers(id)).map((one) => one.sn)).toEqual([fresh]);
});

test('each list shows its own class, and nobody acts on many of the other', async () => {
  const pre = await waiting();
  const page = async (calls: typeof taskCalls) => (await admin.call(calls.page, { criteria: { productId } })).content.map((row) => row.id);
  expect([await page(preTaskCalls as never), await page(taskCalls)]).toEqual([[pre], []]);
  expect(await admin.call(taskCalls.cancelMany, { of: { ids: [pre] } })).toMatchObject({ total: 0, done: 0 });
  expect(await admin.call(preTaskCalls.cancelMany, { of: { ids: [pre] } })).toMatchObject({ total: 1, done: 1 });
});
