import { taskCalls, taskDeviceCalls } from '@mooring/contract/firmware/task-calls';
import { homeCalls, statisticCalls } from '@mooring/contract/stats/calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDevices, makePackage, makeProduct } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { releasing } from '../../engines/rollout/release.factory.ts';
import type { DeptAt } from '../org/api.ts';
import { clockwork } from './stats.factory.ts';

let app: TestApp;
let admin: Client;
let mine: DeptAt;
let theirs: DeptAt;
let product = 0;
let packageId = 0;
let large = 0;
const { release, offers, subscribe, settle, sns } = releasing(
  () => app,
  () => admin,
  () => packageId,
);
const { fold } = clockwork(() => app);

beforeAll(async () => {
  app = await testApp();
  admin = await app.person('platformAdmin', app.root);
  mine = await app.dept('Mine');
  theirs = await app.dept('Theirs');
  product = await makeProduct(app, app.root);
  packageId = await makePackage(app, admin, app.root, product, '2.0');
});
afterAll(() => app.stop());

/** Results as they stand, and those that ended more than once, counted row by row. */
const ended = async (path: string) => {
  const rows = await app.context.unscoped((db) =>
    sql<{ good: boolean; n: number }>`select outcome = 'success' as good, count(*)::int as n from rollout_attempt
      where ended_at is not null and dept_path like ${`${path}%`} group by 1`.execute(db),
  );
  return { succeeded: rows.rows.find((one) => one.good)?.n ?? 0, total: rows.rows.find((one) => !one.good)?.n ?? 0 };
};

test('failures by reason and results by day are what the attempts say, in each scope, before and after they are added up', async () => {
  const names = sns(6);
  await makeDevices(app, mine, product, names.slice(0, 4));
  await makeDevices(app, theirs, product, names.slice(4));
  const id = await release(names, { retries: 0 });
  const [a, b, c, d, e, f] = await offers(id);
  if (!a || !b || !c || !d || !e || !f) throw new Error('six offers');
  await subscribe('result', a, { outcome: 'success' });
  await subscribe('result', b, { outcome: 'failure', reason: 'noSpace' });
  await subscribe('result', c, { outcome: 'failure', reason: 'made-up-by-a-terminal' });
  await subscribe('result', e, { outcome: 'failure', reason: 'noSpace' });
  // A result is repeated until it is acknowledged; it counts once.
  await subscribe('result', e, { outcome: 'failure', reason: 'noSpace' });
  await settle();
  const regional = await app.person('orgManager', mine);
  for (const turn of ['waiting', 'folded']) {
    expect(await admin.call(homeCalls.failures, { days: '1' }), turn).toEqual({
      ...(await ended('1.')),
      before: 0,
      reasons: [
        { reason: 'noSpace', count: 2 },
        { reason: 'other', count: 1 },
      ],
    });
    expect(await regional.call(homeCalls.failures, { days: '7' }), turn).toMatchObject({ ...(await ended(mine.path)), total: 2 });
    const trend = await regional.call(statisticCalls.trend, { measure: 'results' });
    expect(trend.totalSummary, turn).toEqual({ cnt: 1, failedCnt: 2 });
    await fold();
  }
  const { list, total, failing } = await admin.call(homeCalls.releases, {});
  expect(total).toBe(1);
  expect(list[0]).toMatchObject({ taskId: id, total: 6, succeeded: 1, failed: 3, settled: 4, perHour: 4, version: '2.0' });
  // In whichever minutes: one may have ended since.
  const drawn = (of: 'succeeded' | 'failed') => list[0]?.curve.reduce((sum, one) => sum + one[of], 0);
  expect([drawn('succeeded'), drawn('failed')]).toEqual([1, 3]);
  expect(failing).toEqual([{ taskId: id, kind: 'firmware', name: 'Release', failed: 3 }]);
  expect((await regional.call(homeCalls.releases, {})).list[0]).toMatchObject({ total: 4, succeeded: 1, failed: 2 });
  expect((await admin.call(homeCalls.releases, { deptId: theirs.id })).list[0]).toMatchObject({ total: 2, failed: 1 });
  await admin.call(taskCalls.cancel, { id });
  large = id;
});

test('a terminal that is tried again counts once: while it waits not at all, then with what it ended as', async () => {
  const [again = '', late = ''] = sns(2);
  await makeDevices(app, mine, product, [again, late]);
  const before = await admin.call(homeCalls.failures, { days: '1' });
  const since = async () => {
    const { total, succeeded, reasons } = await admin.call(homeCalls.failures, { days: '1' });
    const count = (of: typeof reasons) => of.find((one) => one.reason === 'installFailed')?.count ?? 0;
    return { failed: total - before.total, succeeded: succeeded - before.succeeded, installFailed: count(reasons) - count(before.reasons) };
  };
  const id = await release([again, late], { retries: 1, retryWaitSeconds: 60 });
  for (const offer of await offers(id)) await subscribe('result', offer, { outcome: 'failure', reason: 'installFailed' });
  expect(await since()).toEqual({ failed: 0, succeeded: 0, installFailed: 0 });
  app.clock.now = new Date(app.clock.now.getTime() + 61_000);
  await settle();
  const [first, second] = await offers(id);
  if (!first || !second) throw new Error('no second offers');
  await subscribe('result', first, { outcome: 'failure', reason: 'installFailed' });
  await subscribe('result', second, { outcome: 'success' });
  expect(await since()).toEqual({ failed: 1, succeeded: 1, installFailed: 1 });
  await fold();
  expect(await since()).toEqual({ failed: 1, succeeded: 1, installFailed: 1 });
  // A person tries it again: it is no failure any more, here as on the release's own page.
  await admin.call(taskDeviceCalls.retry, { of: { criteria: { taskId: id, sn: again } } });
  expect(await since()).toEqual({ failed: 0, succeeded: 1, installFailed: 0 });
  await admin.call(taskCalls.cancel, { id });
});

test('a large release is drawn by the hour, and comes to the same', async () => {
  await fold();
  const hours = await app.context.unscoped((db) =>
    sql<{
      measure: string;
      n: number;
    }>`select measure, sum(n)::int as n from stats_hour where dept_path = '1.' and detail = ${String(large)} group by 1 order by 1`.execute(
      db,
    ),
  );
  expect(hours.rows).toEqual([
    { measure: 'taskFailed', n: 3 },
    { measure: 'taskSucceeded', n: 1 },
  ]);
});

test('of a chosen organisation or product the releases that reach its terminals are shown, with what failed there', async () => {
  const [left, right] = [await app.dept('Left'), await app.dept('Right')];
  const names = sns(3);
  await makeDevices(app, left, product, names.slice(0, 1));
  await makeDevices(app, right, product, names.slice(1));
  const [ofLeft, ofRight] = [await release(names.slice(0, 1), { retries: 0 }), await release(names.slice(1), { retries: 0 })];
  const [offer] = await offers(ofRight);
  await subscribe('result', offer as never, { outcome: 'failure', reason: 'noSpace' });
  await settle();
  const shown = async (input: object) => {
    const { list, total, failing } = await admin.call(homeCalls.releases, input);
    return { total, list: list.map((one) => one.taskId), failing: failing.map(({ taskId, failed }) => [taskId, failed]) };
  };
  expect(await shown({ deptId: left.id })).toEqual({ total: 1, list: [ofLeft], failing: [] });
  expect(await shown({ deptId: right.id })).toEqual({ total: 1, list: [ofRight], failing: [[ofRight, 1]] });
  expect(await shown({ productId: await makeProduct(app, app.root) })).toEqual({ total: 0, list: [], failing: [] });
});
