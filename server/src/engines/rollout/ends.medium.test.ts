import { taskCalls } from '@mooring/contract/firmware/task-calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDevices, makePackage, makeProduct } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { releasing } from './release.factory.ts';

let app: TestApp;
let admin: Client;
let packageId = 0;
let productId = 0;
const { settle, sns, stateOf, tally } = releasing(
  () => app,
  () => admin,
  () => packageId,
);
const DAY = 86_400_000;
const pass = (days: number) => {
  app.clock.now = new Date(app.clock.now.getTime() + days * DAY);
};

beforeAll(async () => {
  app = await testApp();
  admin = await app.person('platformAdmin', app.root);
  productId = await makeProduct(app, app.root);
  packageId = await makePackage(app, admin, app.root, productId, '2.0');
});
afterAll(() => app.stop());

test('one that a person starts before its time ends too, thirty days after that', async () => {
  const [sn = ''] = sns(1);
  await makeDevices(app, await app.dept('Bank'), productId, [sn]);
  const delivery = { startAt: new Date(app.clock.now.getTime() + 5 * DAY).toISOString(), retries: 0, timeoutMinutes: 43_200 };
  const scope = { releaseScope: '2' as const, sns: [sn] };
  const { id } = await admin.call(taskCalls.add, { name: 'Later', packageId, scope, delivery, release: true });
  await settle();
  await admin.call(taskCalls.start, { id });
  await settle();
  await admin.call(taskCalls.pause, { id });
  pass(29);
  await settle();
  expect(await stateOf(id)).toBe('paused');
  pass(2);
  await settle();
  expect([await stateOf(id), await tally(id)]).toEqual(['finished', { '9': 1 }]);
});

test('whose time is over is told to whoever looks after it, with how many weren’t reached', async () => {
  const names = sns(2);
  const bank = await app.dept('Other bank');
  await makeDevices(app, bank, productId, names);
  const delivery = { expiresAt: new Date(app.clock.now.getTime() + 2 * DAY).toISOString(), retries: 0, timeoutMinutes: 43_200 };
  const scope = { releaseScope: '2' as const, sns: names };
  const { id } = await admin.call(taskCalls.add, { name: 'In two days', packageId, scope, delivery, release: true });
  await settle();
  pass(3);
  await settle();
  expect(await stateOf(id)).toBe('finished');
  const { rows } = await app.context.unscoped((db) =>
    sql<{
      params: object;
    }>`select params from message_message where text_key = 'taskExpired' and params ->> 'task' = 'In two days'`.execute(db),
  );
  expect(rows).toEqual([{ params: { task: 'In two days', succeeded: 0, failed: 0, left: 2 } }]);
});
