import { taskCalls, taskDeviceCalls } from '@mooring/contract/firmware/task-calls';
import { homeCalls } from '@mooring/contract/stats/calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { makeDevices, makePackage, makeProduct } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { loseDevices } from '../../modules/device/api.ts';
import type { DeptAt } from '../../modules/org/api.ts';
import { releasing } from './release.factory.ts';

let app: TestApp;
let owner: DeptAt;
let admin: Client;
let productId = 0;
let packageId = 0;
const { settle, sns, release, offers, subscribe, tally, stateOf } = releasing(
  () => app,
  () => admin,
  () => packageId,
);

beforeAll(async () => {
  app = await testApp();
  owner = await app.dept('Bank');
  admin = await app.person('platformAdmin', app.root);
});
afterAll(() => app.stop());
beforeEach(async () => {
  productId = await makeProduct(app, app.root);
  packageId = await makePackage(app, admin, app.root, productId, '2.0');
});

test('a release reaches each device once and finishes when all have ended', async () => {
  const mine = sns(3);
  await makeDevices(app, owner, productId, mine);
  const id = await release(mine);
  expect(await tally(id)).toEqual({ '2': 3 });
  for (const { offer } of await offers(id)) expect(offer).toMatch(/^o-\d+-1-[0-9a-f]{20}$/);
  for (const offer of await offers(id)) await subscribe('result', offer, { outcome: 'success', version: '2.0' });
  expect(await tally(id)).toEqual({ '3': 3 });
  await settle();
  expect(await stateOf(id)).toBe('finished');
});

test('a result that is repeated changes nothing', async () => {
  const [sn = ''] = sns(1);
  await makeDevices(app, owner, productId, [sn]);
  const id = await release([sn]);
  const [offer] = await offers(id);
  if (!offer) throw new Error('no offer');
  await subscribe('result', offer, { outcome: 'success' });
  await subscribe('result', offer, { outcome: 'failure', reason: 'hashWrong' });
  expect(await tally(id)).toEqual({ '3': 1 });
  const moves = await app.context.unscoped((db) =>
    sql<{
      n: number;
    }>`select count(*)::int as n from state_change where life = 'taskResult' and event = 'succeed' and row_id = (select id from rollout_result where task_id = ${id})`.execute(
      db,
    ),
  );
  expect(moves.rows[0]?.n).toBe(1);
});

test('failures are tried again by themselves, later each time, then stay failed until a person retries them', async () => {
  const [sn = ''] = sns(1);
  await makeDevices(app, owner, productId, [sn]);
  const id = await release([sn], { retries: 1, retryWaitSeconds: 60 });
  const [first] = await offers(id);
  if (!first) throw new Error('no offer');
  await subscribe('result', first, { outcome: 'failure', reason: 'noSpace' });
  await settle();
  expect(await tally(id)).toEqual({ '1': 1 });
  const waiting = await admin.call(taskDeviceCalls.page, { criteria: { taskId: id } });
  expect(waiting.content[0]?.why.key).toBe('why.retryWait');
  app.clock.now = new Date(app.clock.now.getTime() + 61_000);
  await settle();
  const [second] = await offers(id);
  if (!second) throw new Error('no second offer');
  expect(second.offer).not.toBe(first.offer);
  await subscribe('result', second, { outcome: 'failure', reason: 'noSpace' });
  await settle();
  expect(await tally(id)).toEqual({ '4': 1 });
  expect(await stateOf(id)).toBe('finished');
  expect(await admin.call(taskDeviceCalls.retry, { of: { criteria: { taskId: id } } })).toMatchObject({ total: 1, done: 1 });
  await settle();
  const [third] = await offers(id);
  if (!third) throw new Error('no third offer');
  await subscribe('result', third, { outcome: 'success' });
  await settle();
  expect([await tally(id), await stateOf(id)]).toEqual([{ '3': 1 }, 'finished']);
});

test('rows of a running release keep their places while they move, those that failed first, on every page', async () => {
  const mine = sns(9);
  await makeDevices(app, owner, productId, mine);
  const id = await release(mine, { retries: 0 });
  const all = await offers(id);
  const of = { criteria: { taskId: id } };
  const shown = async () => {
    const { content } = await admin.call(taskDeviceCalls.page, { ...of, page: { size: 100 } });
    const [byNumber, byCursor] = [[] as string[], [] as string[]];
    let after: string | undefined;
    for (let number = 1; number <= 3; number += 1) {
      byNumber.push(...(await admin.call(taskDeviceCalls.page, { ...of, page: { size: 3, number } })).content.map((row) => row.sn));
      const next = await admin.call(taskDeviceCalls.page, { ...of, page: { size: 3, ...(after ? { after } : {}) } });
      byCursor.push(...next.content.map((row) => row.sn));
      after = next.next ?? undefined;
    }
    const whole = content.map((row) => row.sn);
    expect([byNumber, byCursor]).toEqual([whole, whole]);
    return whole;
  };
  const moved = async (...at: number[]) => {
    for (const one of at.flatMap((index) => all[index] ?? [])) await subscribe('progress', one, { phase: 'download', percent: 40 });
    return shown();
  };
  const order = await shown();
  expect(order.toSorted()).toEqual(mine);
  const without = (...names: string[]) => order.filter((sn) => !names.includes(sn));
  // From the end to the beginning: the newest change would come first.
  expect(await moved(8, 5, 2, 0)).toEqual(order);
  const failed = order.filter((sn) => sn === all[6]?.sn || sn === all[3]?.sn);
  for (const at of [6, 3]) if (all[at]) await subscribe('result', all[at], { outcome: 'failure', reason: 'noSpace' });
  expect(await shown()).toEqual([...failed, ...without(...failed)]);
  expect(await moved(7, 1, 4)).toEqual([...failed, ...without(...failed)]);
  // Retried it stands where it stood.
  const [first = '', second = ''] = failed;
  await admin.call(taskDeviceCalls.retry, { of: { criteria: { taskId: id, sn: second } } });
  await settle();
  expect(await tally(id)).toEqual({ '2': 8, '4': 1 });
  expect(await shown()).toEqual([first, ...without(first)]);
  if (all[0]) await subscribe('result', all[0], { outcome: 'success', version: '2.0' });
  const last = all[0]?.sn ?? '';
  expect(await shown()).toEqual([first, ...without(first, last), last]);
});

test('a time-out becomes a late success when the terminal answers after all, and its attempt is named', async () => {
  const [sn = ''] = sns(1);
  await makeDevices(app, owner, productId, [sn]);
  const id = await release([sn], { retries: 0, timeoutMinutes: 1 });
  const [offer] = await offers(id);
  if (!offer) throw new Error('no offer');
  app.clock.now = new Date(app.clock.now.getTime() + 61_000);
  await settle();
  expect(await tally(id)).toEqual({ '5': 1 });
  await subscribe('result', offer, { outcome: 'success', version: '2.0', sha256: 'a'.repeat(64) });
  expect(await tally(id)).toEqual({ '6': 1 });
});

test('silence alone times out: a terminal that waits for its window keeps its attempt, and one that goes on has its time anew', async () => {
  const [waits = '', loads = '', silent = ''] = sns(3);
  await makeDevices(app, owner, productId, [waits, loads, silent]);
  const id = await release([waits, loads, silent], { retries: 0, timeoutMinutes: 60 });
  const [first, second] = await offers(id);
  if (!first || !second) throw new Error('no offers');
  const after = async (minutes: number) => {
    app.clock.now = new Date(app.clock.now.getTime() + minutes * 60_000);
    await settle();
    return tally(id);
  };
  await subscribe('progress', first, { phase: 'waiting', reason: 'window' });
  await after(50);
  await subscribe('progress', second, { phase: 'downloading', percent: 10 });
  expect(await after(20)).toEqual({ '2': 2, '5': 1 });
  expect(await after(41)).toEqual({ '2': 1, '5': 2 });
  expect(await after(12 * 60)).toEqual({ '2': 1, '5': 2 });
  await subscribe('progress', first, { phase: 'installing', percent: 100 });
  expect(await after(59)).toEqual({ '2': 1, '5': 2 });
  expect(await after(2)).toEqual({ '5': 3 });
});

test('a terminal that waits and is lost has its time-out from then; one that only waits has seven days', async () => {
  const [lost = '', waits = ''] = sns(2);
  await makeDevices(app, owner, productId, [lost, waits]);
  const id = await release([lost, waits], { retries: 0, timeoutMinutes: 60 });
  const [first, second] = await offers(id);
  if (!first || !second) throw new Error('no offers');
  const after = async (minutes: number) => {
    app.clock.now = new Date(app.clock.now.getTime() + minutes * 60_000);
    await settle();
    return tally(id);
  };
  await subscribe('progress', first, { phase: 'waiting', reason: 'restart' });
  await subscribe('progress', second, { phase: 'waiting', reason: 'restart' });
  await after(600);
  await app.context.unscoped((db) =>
    sql`update device_presence set lease_until = ${app.clock.now} where device_id = ${first.device_id}`.execute(db),
  );
  await loseDevices(app.context, [first.device_id]);
  expect(await after(59)).toEqual({ '2': 2 });
  expect(await after(2)).toEqual({ '2': 1, '5': 1 });
  expect(await after(7 * 24 * 60 - 700)).toEqual({ '2': 1, '5': 1 });
  expect(await after(60)).toEqual({ '5': 2 });
});

test('every task has an end, and its message lasts as long; what was paused has its time anew', async () => {
  const [sn = ''] = sns(1);
  await makeDevices(app, owner, productId, [sn]);
  const id = await release([sn], { retries: 0, timeoutMinutes: 60 });
  const [offer] = await offers(id);
  const { expiresAt } = await admin.call(taskCalls.detail, { id });
  expect(expiresAt).toBe(new Date(app.clock.now.getTime() + 30 * 86_400_000).toISOString());
  const message = await app.context.unscoped((db) =>
    db
      .selectFrom('gateway_outbox')
      .select('expires_at')
      .where('key', '=', offer?.offer ?? '')
      .executeTakeFirst(),
  );
  expect(message?.expires_at.toISOString()).toBe(expiresAt);
  await admin.call(taskCalls.pause, { id });
  await settle();
  app.clock.now = new Date(app.clock.now.getTime() + 90 * 60_000);
  await admin.call(taskCalls.recover, { id });
  await settle();
  expect(await tally(id)).toEqual({ '2': 1 });
  app.clock.now = new Date(app.clock.now.getTime() + 30 * 86_400_000);
  await settle();
  await settle();
  expect(await stateOf(id)).toBe('finished');
  expect(await tally(id)).toEqual({ '5': 1 });
});

test('the success of an older attempt counts and the newer offer is cancelled', async () => {
  const [sn = ''] = sns(1);
  await makeDevices(app, owner, productId, [sn]);
  const id = await release([sn], { retries: 1, timeoutMinutes: 1, retryWaitSeconds: 1 });
  const [old] = await offers(id);
  app.clock.now = new Date(app.clock.now.getTime() + 61_000);
  await settle();
  app.clock.now = new Date(app.clock.now.getTime() + 61_000);
  await settle();
  const [fresh] = await offers(id);
  if (!old || !fresh) throw new Error('no offers');
  expect(fresh.offer).not.toBe(old.offer);
  await subscribe('result', old, { outcome: 'success' });
  expect(await tally(id)).toEqual({ '3': 1 });
  const cancel = await app.context.unscoped((db) =>
    db.selectFrom('gateway_outbox').select('topic').where('key', '=', `c-${fresh.offer}`).execute(),
  );
  expect(cancel).toEqual([{ topic: 'cancel' }]);
});

test('rings open one after the other, and too many failures halt the task until a person lets it go on', async () => {
  const mine = sns(40);
  await makeDevices(app, owner, productId, mine);
  const id = await release(mine, {
    retries: 0,
    haltPercent: 50,
    haltAfter: 2,
    rings: [{ share: 30, openAt: 50 }, { share: 100 }],
  });
  const first = await offers(id);
  expect(first.length).toBeGreaterThan(0);
  expect(first.length).toBeLessThan(40);
  for (const offer of first.slice(0, Math.ceil(first.length / 2))) await subscribe('result', offer, { outcome: 'success' });
  await settle();
  expect((await tally(id))['2']).toBe(40 - Math.ceil(first.length / 2));
  for (const offer of await offers(id)) await subscribe('result', offer, { outcome: 'failure', reason: 'installFailed' });
  await settle();
  expect(await stateOf(id)).toBe('halted');
  const { failing } = await admin.call(homeCalls.releases, {});
  expect(failing).toContainEqual({ taskId: id, kind: 'firmware', name: 'Release', failed: 40 - Math.ceil(first.length / 2) });
  // A release is nothing to whoever may not see any.
  const custodian = await app.person('keyCustodian', app.root);
  expect((await custodian.send(homeCalls.releases)).code).toBe(403);
  await admin.call(taskCalls.recover, { id });
  await settle();
  expect(await stateOf(id)).not.toBe('halted');
});

test('pausing holds back what was not sent, going on sends it, cancelling ends all and tells the terminals', async () => {
  const mine = sns(4);
  await makeDevices(app, owner, productId, mine);
  const id = await release(mine, { paceAtOnce: 2 });
  expect(await tally(id)).toEqual({ '1': 2, '2': 2 });
  await admin.call(taskCalls.pause, { id });
  await settle();
  expect(await tally(id)).toEqual({ '8': 4 });
  await admin.call(taskCalls.recover, { id });
  await settle();
  expect(await tally(id)).toEqual({ '1': 2, '2': 2 });
  await admin.call(taskCalls.cancel, { id });
  await settle();
  expect(await tally(id)).toEqual({ '9': 4 });
});

test('a device is worked on by one task at a time; the newer one waits, or replaces the older by choice', async () => {
  const mine = sns(2);
  await makeDevices(app, owner, productId, mine);
  const older = await release(mine);
  const newer = await release(mine);
  expect([await tally(older), await tally(newer)]).toEqual([{ '2': 2 }, { '1': 2 }]);
  const rows = await admin.call(taskDeviceCalls.page, { criteria: { taskId: newer } });
  expect(rows.content.map((row) => row.why.key)).toEqual(['why.busy', 'why.busy']);
  const replacing = await release(mine, { onBusy: 'replace' });
  await settle();
  expect([await tally(older), await tally(newer), await tally(replacing)]).toEqual([{ '9': 2 }, { '9': 2 }, { '2': 2 }]);
});

test('the preview says how many, from which versions, and which SNs are unknown', async () => {
  const mine = sns(3);
  await makeDevices(app, owner, productId, mine.slice(0, 2));
  await makeDevices(app, owner, productId, mine.slice(2), '2.0');
  const preview = await admin.call(taskCalls.preview, { packageId, scope: { releaseScope: '2', sns: [...mine, 'NOBODY1'] } });
  expect(preview).toMatchObject({
    matched: 2,
    unknownSns: ['NOBODY1'],
    online: 2,
    bytes: 8192,
    byVersion: [{ version: '1.0', count: 2, gets: 'full' }],
  });
});

test('the counters agree with the rows they count', async () => {
  const differ = await app.context.unscoped((db) =>
    sql`
    select * from (select task_id, ring, state, sum(n) as n from rollout_tally group by 1, 2, 3 having sum(n) <> 0) c
    full join (select task_id, ring, state, count(*) as n from rollout_result group by 1, 2, 3) r using (task_id, ring, state) where c.n is distinct from r.n`.execute(
      db,
    ),
  );
  expect(differ.rows).toEqual([]);
});

test('a draft is edited, one that was sent back becomes a draft again, and one that is on its way is refused', async () => {
  const draft = { name: 'First', packageId, scope: { releaseScope: '0' as const } };
  const { id, offers: offered } = await admin.call(taskCalls.add, draft);
  expect(offered).toContain('edit');
  await admin.call(taskCalls.edit, { ...draft, id, name: 'Second', delivery: { retries: 5 } });
  expect(await admin.call(taskCalls.detail, { id })).toMatchObject({ name: 'Second', state: 'draft', delivery: { retries: 5 } });

  await app.context.unscoped((db) => sql`update rollout_task set state = 'returned' where id = ${id}`.execute(db));
  expect((await admin.call(taskCalls.detail, { id })).offers).toContain('edit');
  expect(await admin.call(taskCalls.edit, { ...draft, id, name: 'Third' })).toMatchObject({ name: 'Third', state: 'draft' });

  await app.context.unscoped((db) => sql`update rollout_task set state = 'paused' where id = ${id}`.execute(db));
  expect((await admin.call(taskCalls.detail, { id })).offers).not.toContain('edit');
  await expect(admin.call(taskCalls.edit, { ...draft, id, name: 'Fourth' })).rejects.toThrow(/under way/);
  expect(await admin.call(taskCalls.detail, { id })).toMatchObject({ name: 'Third', state: 'paused' });
});

test('a draft is released at once; one that was taken back may be changed, which makes a draft of it, or deleted', async () => {
  const mine = sns(1);
  await makeDevices(app, owner, productId, mine);
  const draft = {
    name: 'Taken back',
    packageId,
    scope: { releaseScope: '2' as const, sns: mine },
    delivery: { startAt: new Date(app.clock.now.getTime() + 3_600_000).toISOString() },
  };
  const { id, allowedActions } = await admin.call(taskCalls.add, draft);
  expect(allowedActions).toEqual(expect.arrayContaining(['enable', 'edit', 'delete']));
  expect(allowedActions).not.toContain('submit');
  expect((await admin.call(taskCalls.enable, { id })).state).toBe('scheduled');
  await settle();
  const back = await admin.call(taskCalls.disable, { id });
  expect(back.allowedActions).toEqual(expect.arrayContaining(['enable', 'edit', 'delete']));
  const changed = await admin.call(taskCalls.edit, { ...draft, id, name: 'Changed', revision: back.revision });
  expect(changed).toMatchObject({ name: 'Changed', state: 'draft' });
  await admin.call(taskCalls.enable, { id });
  await admin.call(taskCalls.disable, { id });
  await admin.call(taskCalls.delete, { id });
  expect((await admin.send(taskCalls.detail, { id })).code).toBe(404);
});

test('the versions that a release offers to choose from are those that terminals of its product run', async () => {
  const other = await makeProduct(app, app.root);
  const [mine = '', second = '', foreign = ''] = sns(3);
  await makeDevices(app, owner, productId, [mine], '1.4');
  await makeDevices(app, owner, productId, [second], '1.5');
  await makeDevices(app, owner, other, [foreign], '7.0');
  const { byVersion } = await admin.call(taskCalls.preview, { packageId, scope: { releaseScope: '0' } });
  expect(byVersion.map(({ version, count }) => [version, count]).sort()).toEqual([
    ['1.4', 1],
    ['1.5', 1],
  ]);
});
