import { taskCalls } from '@mooring/contract/firmware/task-calls';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { makeDevices, makePackage, makeProduct } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
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

const pass = (minutes: number) => {
  app.clock.now = new Date(app.clock.now.getTime() + minutes * 60_000);
};

test('a release that replaces another takes from it only whom it is sent to; halted or cancelled, it costs the others nothing', async () => {
  const mine = sns(4);
  await makeDevices(app, owner, productId, mine);
  const older = await release(mine, { pacePerMinute: 2 });
  const begun = (await offers(older)).map((one) => one.sn);
  const [first = ''] = mine.filter((sn) => !begun.includes(sn));
  const [second = ''] = begun;
  const rings = [{ sns: [first, second], waitForPerson: true }, {}];
  const newer = await release(mine, { onBusy: 'replace', retries: 0, haltPercent: 50, haltAfter: 2, rings });
  // One that waited, and one that was being updated.
  expect([await tally(older), await tally(newer)]).toEqual([
    { '1': 1, '2': 1, '9': 2 },
    { '1': 2, '2': 2 },
  ]);
  for (const offer of await offers(newer)) await subscribe('result', offer, { outcome: 'failure', reason: 'noSpace' });
  await settle();
  expect(await stateOf(newer)).toBe('halted');
  pass(1);
  await settle();
  await admin.call(taskCalls.cancel, { id: newer });
  await settle();
  expect([await tally(older), await tally(newer)]).toEqual([
    { '2': 2, '9': 2 },
    { '4': 2, '9': 2 },
  ]);
});

test('one that begins later leaves the other at work until it begins, and never gives way to it', async () => {
  const mine = sns(2);
  await makeDevices(app, owner, productId, mine);
  const older = await release(mine, { pacePerMinute: 1, onBusy: 'replace' });
  const startAt = new Date(app.clock.now.getTime() + 3_600_000).toISOString();
  const newer = await release(mine, { onBusy: 'replace', startAt });
  expect([await stateOf(newer), await tally(older)]).toEqual(['scheduled', { '1': 1, '2': 1 }]);
  pass(2);
  await settle();
  expect(await tally(older)).toEqual({ '2': 2 });
  const [done] = await offers(older);
  if (!done) throw new Error('no offer');
  await subscribe('result', done, { outcome: 'success' });
  pass(60);
  await settle();
  expect([await tally(older), await tally(newer)]).toEqual([{ '3': 1, '9': 1 }, { '2': 2 }]);
});
