import { taskCalls } from '@mooring/contract/firmware/task-calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { makeDevices, makePackage, makeProduct } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import type { DeptAt } from '../../modules/org/api.ts';
import { taskToAgree } from './approved.ts';
import { openGate, sendBack } from './gate.ts';
import { releasing, rolloutsOf } from './release.factory.ts';
import { hashOfTask } from './task-content.ts';
import { terminalsToAgree } from './terminals-to-agree.ts';

let app: TestApp;
let bank: DeptAt;
let admin: Client;
let productId = 0;
let packageId = 0;
const { settle, sns } = releasing(
  () => app,
  () => admin,
  () => packageId,
);
beforeAll(async () => {
  app = await testApp();
  admin = await app.person('platformAdmin', app.root);
});
afterAll(() => app.stop());
beforeEach(async () => {
  productId = await makeProduct(app, app.root);
  bank = await app.dept(`Bank ${productId}`);
  packageId = await makePackage(app, admin, app.root, productId, '2.0');
});

const rows = <T>(query: ReturnType<typeof sql>) => app.context.unscoped(async (db) => (await query.execute(db)).rows as T[]);
const rings = [{ share: 5, waitForPerson: true }, { share: 50, waitForPerson: true }, { share: 100 }];
const written = (scope: object) => ({ name: 'Widens', packageId, scope: scope as never, delivery: { rings } });

/** Sent back, written anew and handed in again: what is shown to those who agree, and then its results. */
async function agreedAnew(id: number, scope: object) {
  await app.context.unscoped((db) => sendBack(db, id, admin.userId));
  await admin.call(taskCalls.edit, { id, ...written(scope) });
  await rows(sql`update rollout_task set state = 'auditing' where id = ${id}`);
  const [kind] = rolloutsOf(app).kinds;
  const { hash, shown } = await app.context.unscoped(async (db) => {
    const task = await taskToAgree(db, id);
    if (!task || !kind) throw new Error('no task');
    return { hash: await hashOfTask(db, task), shown: await terminalsToAgree(db, kind, task, bank.path) };
  });
  const by = { id: admin.userId, name: 'Ann' };
  await app.context.unscoped((db) => openGate(db, id, { gate: 1, hash, by, now: app.clock.now }));
  await settle();
  const taken = await rows<{ sn: string; ring: number }>(sql`select sn, ring from rollout_result where task_id = ${id} order by sn`);
  return { shown, taken };
}
const bySn = (list: readonly { sn: string; ring: number }[]) => list.map(({ sn, ring }) => `${sn} ${ring}`).sort();

test('of terminals that were added when it was written anew, each goes to the ring that was shown; who was there keeps theirs', async () => {
  const drawn = await rows<{ sn: string }>(sql`select sn from unnest(${sns(180)}::text[]) sn order by hashtextextended(sn, 0)`);
  const first = drawn.at(-1)?.sn ?? '';
  await makeDevices(
    app,
    bank,
    productId,
    drawn.map(({ sn }) => sn),
  );
  const { id } = await admin.call(taskCalls.add, { ...written({ releaseScope: '2', sns: [first] }), release: true });
  await settle();
  await rows(sql`update rollout_task set ring_gate = 1 where id = ${id}`);
  const { shown, taken } = await agreedAnew(id, { releaseScope: '1', deptIds: [bank.id] });
  expect(shown.total).toBe(180);
  expect(bySn(taken)).toEqual(bySn(shown.terminals));
  expect(taken.find(({ sn }) => sn === first)?.ring).toBe(1);
  // Of the 179 that came: 5 %, and up to half.
  expect([1, 2, 3].map((ring) => taken.filter((one) => one.ring === ring).length)).toEqual([10, 81, 89]);
});

test('terminals that it no longer names are neither shown nor sent to, where it hadn’t started and where it had', async () => {
  const mine = sns(20);
  await makeDevices(app, bank, productId, mine);
  for (const startAt of [null, new Date(app.clock.now.getTime() + 3_600_000).toISOString()]) {
    const input = written({ releaseScope: '2', sns: mine });
    const { id } = await admin.call(taskCalls.add, { ...input, delivery: { rings, startAt }, release: true });
    await settle();
    await rows(sql`update rollout_task set ring_gate = 1, delivery = delivery - 'startAt' where id = ${id}`);
    const before = await rows<{ sn: string; ring: number }>(sql`select sn, ring from rollout_result where task_id = ${id}`);
    const out = before.filter(({ ring }) => startAt !== null || ring === 1).map(({ sn }) => sn);
    expect(before).toHaveLength(20);
    const kept = mine.slice(0, 4);
    const { shown, taken } = await agreedAnew(id, { releaseScope: '2', sns: kept });
    const expected = new Set(startAt === null ? [...out, ...kept] : kept);
    expect(taken.map(({ sn }) => sn)).toEqual([...expected].sort());
    expect(bySn(taken)).toEqual(bySn(shown.terminals));
    expect(shown.total).toBe(expected.size);
  }
});
