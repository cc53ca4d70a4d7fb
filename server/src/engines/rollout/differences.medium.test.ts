import { createHash, randomBytes } from 'node:crypto';
import { packageCalls } from '@mooring/contract/firmware/package-calls';
import { taskCalls } from '@mooring/contract/firmware/task-calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDevices, makeFile, makePackage, makeProduct, settlePublished } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import type { DeptAt } from '../../modules/org/api.ts';
import type { UpMessage } from '../../platform/gateway/message.ts';
import { rolloutMessages } from './handle-results.ts';
import { rolloutsOf } from './release.factory.ts';
import { round } from './tick.ts';

let app: TestApp;
let owner: DeptAt;
let admin: Client;
const full = randomBytes(9000);
beforeAll(async () => {
  app = await testApp();
  owner = await app.dept('Bank');
  admin = await app.person('platformAdmin', app.root);
});
afterAll(() => app.stop());

const settle = async () => {
  for (let turns = 0; turns < 50 && (await round(app.context, rolloutsOf(app))); turns += 1);
};
const addDifference = async (productId: number, version = '2.0') => {
  const fileId = await makeFile(app, admin, app.root, randomBytes(300));
  return admin.call(packageCalls.add, { productId, version, kind: 'DI', base: '1.0', fileId });
};
interface Offered {
  readonly offer: string;
  readonly package: { readonly kind: string; readonly sha256: string; readonly fullSha256?: string; readonly fullSize?: number };
}
const actionsOf = async (sn: string) =>
  (
    await app.context.unscoped((db) =>
      sql<{ data: Offered }>`select data from gateway_outbox where topic = 'offer' and sn = ${sn} order by id`.execute(db),
    )
  ).rows.map((row) => row.data);

test('a difference is published beside its full package, whose digest is signed with it', async () => {
  const productId = await makeProduct(app, app.root);
  const difference = await addDifference(productId);
  expect((await admin.send(packageCalls.publish, { id: difference.id })).body).toMatchObject({ fault: 'PACKAGE_FULL_MISSING' });
  await makePackage(app, admin, app.root, productId, '2.0', full);
  expect(await admin.call(packageCalls.publish, { id: difference.id })).toMatchObject({ kind: 'DI', publishState: '2' });
  await settlePublished(app);
  expect(await admin.call(packageCalls.detail, { id: difference.id })).toMatchObject({ publishState: '1' });
});

test('a terminal that could not apply the difference gets the full package at its next attempt', async () => {
  const productId = await makeProduct(app, app.root);
  const packageId = await makePackage(app, admin, app.root, productId, '2.0', full);
  await admin.call(packageCalls.publish, { id: (await addDifference(productId)).id });
  await settlePublished(app);
  const [deviceId = 0] = await makeDevices(app, owner, productId, ['DIFF-0001']);
  const task = await admin.call(taskCalls.add, {
    name: 'Release',
    packageId,
    scope: { releaseScope: '2', sns: ['DIFF-0001'] },
    delivery: { retries: 2, retryWaitSeconds: 60 },
  });
  await admin.call(taskCalls.submit, { id: task.id });
  await admin.call(taskCalls.enable, { id: task.id });
  await settle();
  const [first] = await actionsOf('DIFF-0001');
  const digest = createHash('sha256').update(full).digest('hex');
  expect(first?.package).toMatchObject({ kind: 'DI', base: '1.0', fullSha256: digest, fullSize: full.length });

  const now = app.clock.now;
  const data = { offer: first?.offer, outcome: 'failure', reason: 'baseWrong' };
  const message = { sn: 'DIFF-0001', deviceId, deptPath: owner.path, id: 'm-1', at: now, receivedAt: now, data } as UpMessage;
  for (const handler of rolloutMessages(rolloutsOf(app).kinds))
    if (handler.kind === 'result') await app.context.unscoped((db) => handler.handle(db, [message], app.context));
  app.clock.now = new Date(now.getTime() + 61_000);
  await settle();
  const last = (await actionsOf('DIFF-0001')).at(-1);
  expect(last?.offer).not.toBe(first?.offer);
  expect(last?.package).toMatchObject({ kind: 'TA', sha256: digest });
  expect(last?.package.fullSha256).toBeUndefined();
});

/** What a terminal on 1.0 is sent first in a release of a package. */
async function sentTo(sn: string, productId: number, packageId: number): Promise<Offered['package'] | undefined> {
  await makeDevices(app, owner, productId, [sn]);
  await admin.call(taskCalls.add, { name: sn, packageId, scope: { releaseScope: '2', sns: [sn] }, release: true });
  await settle();
  return (await actionsOf(sn)).at(-1)?.package;
}

test('a difference to bytes that were withdrawn isn’t sent for others under the same version', async () => {
  const productId = await makeProduct(app, app.root);
  const withdrawn = await makePackage(app, admin, app.root, productId, '2.0', randomBytes(9000));
  await admin.call(packageCalls.publish, { id: (await addDifference(productId)).id });
  await settlePublished(app);
  await admin.call(packageCalls.unpublish, { id: withdrawn });
  await admin.call(packageCalls.delete, { id: withdrawn });
  const packageId = await makePackage(app, admin, app.root, productId, '2.0', full);
  expect(await sentTo('SAME-0001', productId, packageId)).toMatchObject({
    kind: 'TA',
    sha256: createHash('sha256').update(full).digest('hex'),
  });
});

test('a full package stays while a release of a difference sends it to whoever lacks the base', async () => {
  const productId = await makeProduct(app, app.root);
  const packageId = await makePackage(app, admin, app.root, productId, '2.0', full);
  const difference = await addDifference(productId);
  await admin.call(packageCalls.publish, { id: difference.id });
  await settlePublished(app);
  expect(await sentTo('SAME-0002', productId, difference.id)).toMatchObject({ kind: 'DI' });
  expect((await admin.send(packageCalls.unpublish, { id: packageId })).body).toMatchObject({ fault: 'PACKAGE_IN_USE' });
});

test('a difference that another organisation uploaded goes out with its own releases alone', async () => {
  const productId = await makeProduct(app, app.root);
  const packageId = await makePackage(app, admin, app.root, productId, '2.0', full);
  const manager = await app.person('orgManager', owner, 'centre');
  const fileId = await makeFile(app, manager, owner, randomBytes(30));
  const theirs = await manager.call(packageCalls.add, { productId, version: '2.0', kind: 'DI', base: '1.0', fileId, publish: true });
  await settlePublished(app);
  expect(await sentTo('SAME-0003', productId, packageId)).toMatchObject({ kind: 'TA' });
  expect(await sentTo('SAME-0004', productId, theirs.id)).toMatchObject({ kind: 'DI' });
});
