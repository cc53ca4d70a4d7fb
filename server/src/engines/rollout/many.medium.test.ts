import { packageCalls } from '@mooring/contract/firmware/package-calls';
import { taskCalls, taskDeviceCalls } from '@mooring/contract/firmware/task-calls';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { makeDevices, makePackage, makeProduct } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import type { DeptAt } from '../../modules/org/api.ts';
import { releasing } from './release.factory.ts';

let app: TestApp;
let bank: DeptAt;
let admin: Client;
let productId = 0;
let packageId = 0;
const { settle, sns, release, offers, subscribe, stateOf } = releasing(
  () => app,
  () => admin,
  () => packageId,
);

beforeAll(async () => {
  app = await testApp();
  bank = await app.dept('Bank');
  admin = await app.person('platformAdmin', app.root);
});
afterAll(() => app.stop());
beforeEach(async () => {
  productId = await makeProduct(app, app.root);
  packageId = await makePackage(app, admin, app.root, productId, '2.0');
});

const draft = (name: string) => admin.call(taskCalls.add, { name, packageId, scope: { releaseScope: '0' } });
const running = async () => {
  const mine = sns(1);
  await makeDevices(app, bank, productId, mine);
  return release(mine);
};

test('many releases are paused, resumed, cancelled and deleted at once; those that it isn’t for are named', async () => {
  const going = await running();
  const waiting = await draft('Waiting');
  const ids = [going, waiting.id];
  const preview = await admin.call(taskCalls.pauseMany, { of: { ids }, preview: true });
  expect(preview).toMatchObject({ total: 2, done: 0, refused: 1, failed: [{ id: waiting.id, label: 'Waiting', fault: 'OVERTAKEN' }] });
  expect(await stateOf(going)).toBe('running');
  expect(await admin.call(taskCalls.pauseMany, { of: { ids } })).toMatchObject({ done: 1, refused: 1 });
  expect(await stateOf(going)).toBe('paused');
  expect(await admin.call(taskCalls.recoverMany, { of: { criteria: { productId, state: { in: ['paused'] } } } })).toMatchObject({
    done: 1,
  });
  expect(await admin.call(taskCalls.cancelMany, { of: { criteria: { productId }, except: [] } })).toMatchObject({ total: 2, done: 1 });
  await settle();
  expect(await admin.call(taskCalls.deleteMany, { of: { criteria: { productId } } })).toMatchObject({ total: 2, done: 2, refused: 0 });
  expect((await admin.call(taskCalls.page, { criteria: { productId } })).total).toBe(0);
});

test('nobody does to many what they may not do to one', async () => {
  const going = await running();
  const auditor = await app.person('auditor', app.root);
  expect((await auditor.send(taskCalls.cancelMany, { of: { ids: [going] } })).code).toBe(403);
  // Of a release of above an organisation sees the head alone.
  const manager = await app.person('orgManager', bank);
  expect(await manager.call(taskCalls.cancelMany, { of: { ids: [going] } })).toMatchObject({ done: 0, refused: 1 });
  expect(await stateOf(going)).toBe('running');
});

test('releases are found by product, version, organisation and who made them', async () => {
  const { id } = await draft('To be found');
  const found = async (criteria: object) => (await admin.call(taskCalls.page, { criteria })).content.map((row) => row.id);
  const { createdBy, deptId } = await admin.call(taskCalls.detail, { id });
  expect(await found({ productId })).toEqual([id]);
  expect(await found({ productId, version: '2.' })).toEqual([id]);
  expect(await found({ productId, version: '3' })).toEqual([]);
  expect(await found({ packageId, deptId, createdBy: createdBy.slice(1) })).toEqual([id]);
  expect(await found({ productId, deptId: bank.id })).toEqual([]);
});

test('a package that only ended releases used may go; its name stays with them, its version may come again', async () => {
  const id = await running();
  const [offer] = await offers(id);
  if (!offer) throw new Error('nothing was sent');
  const gone = (ids: number[]) => admin.call(packageCalls.deleteMany, { of: { ids } });
  expect(await admin.call(packageCalls.unpublishMany, { of: { ids: [packageId] } })).toMatchObject({
    done: 0,
    failed: [{ fault: 'PACKAGE_IN_USE' }],
  });
  await subscribe('result', offer, { outcome: 'failure', reason: 'notSupported' });
  app.clock.now = new Date(app.clock.now.getTime() + 3_600_000);
  await admin.call(taskCalls.cancel, { id });
  await settle();
  expect(await admin.call(packageCalls.unpublishMany, { of: { ids: [packageId] } })).toMatchObject({ done: 1, failed: [] });
  expect(await gone([packageId])).toMatchObject({ done: 1, failed: [] });
  expect((await admin.send(packageCalls.detail, { id: packageId })).code).toBe(404);
  expect((await admin.call(taskCalls.detail, { id })).package).toMatchObject({ version: '2.0', deleted: true });
  const { code, body } = await admin.send(taskCalls.add, { name: 'Again', packageId, scope: { releaseScope: '0' } });
  expect([code, body?.fault]).toEqual([404, 'NOT_FOUND']);
  const again = await makePackage(app, admin, app.root, productId, '2.0');
  expect(again).not.toBe(packageId);
  // A draft may still run: its package stays.
  packageId = again;
  await draft('Uses it');
  await admin.call(packageCalls.unpublish, { id: again });
  expect(await gone([again])).toMatchObject({ done: 0, failed: [{ fault: 'PACKAGE_IN_USE' }] });
});

test('what would wait for ever isn’t tried again: a retry without its package is refused', async () => {
  const mine = sns(1);
  await makeDevices(app, bank, productId, mine);
  const id = await release(mine, { retries: 0 });
  const [offer] = await offers(id);
  if (!offer) throw new Error('nothing was sent');
  await subscribe('result', offer, { outcome: 'failure', reason: 'noSpace' });
  await settle();
  expect(await stateOf(id)).toBe('finished');
  await admin.call(packageCalls.unpublish, { id: packageId });
  const { body } = await admin.send(taskDeviceCalls.retry, { of: { criteria: { taskId: id } } });
  expect(body?.fault).toBe('PACKAGE_NOT_PUBLISHED');
});

const nowhere = { packageId: null, content: null, cant: null, fault: null };
test('the way back names what the updated terminals ran before, and its published full package', async () => {
  const mine = sns(3);
  await makeDevices(app, bank, productId, mine);
  const id = await release(mine, { retries: 0 });
  const [first, second, third] = await offers(id);
  for (const offer of [first, second]) if (offer) await subscribe('result', offer, { outcome: 'success', version: '2.0' });
  if (third) await subscribe('result', third, { outcome: 'failure', reason: 'noSpace' });
  expect(await admin.call(taskCalls.previous, { id })).toEqual([{ version: '1.0', had: ['1.0'], count: 2, ...nowhere, cant: 'noPackage' }]);
  const before = await makePackage(app, admin, app.root, productId, '1.0');
  expect(await admin.call(taskCalls.previous, { id })).toEqual([{ version: '1.0', had: ['1.0'], count: 2, ...nowhere, packageId: before }]);
  // Of whom nobody knows what it ran: it gets what the others get.
  await app.context.unscoped((db) =>
    db
      .updateTable('rollout_result')
      .set({ from_version: null, from_known: null })
      .where('offer', '=', second?.offer ?? '')
      .execute(),
  );
  const [all] = await admin.call(taskCalls.previous, { id });
  expect(all).toEqual({ version: '1.0', had: ['1.0', '?'], count: 2, ...nowhere, packageId: before });
  await app.context.unscoped((db) => db.updateTable('device').set({ firmware: '2.0' }).where('sn', 'in', mine).execute());
  const scope = { releaseScope: '1' as const, updatedBy: { taskId: id, had: all?.had } };
  const asked = { packageId: before, scope, delivery: { allowDowngrade: true } };
  expect((await admin.call(taskCalls.preview, asked)).matched).toBe(2);
  const manager = await app.person('orgManager', bank);
  expect((await manager.send(taskCalls.previous, { id })).code).toBe(404);
});

test('the way back of a ring, or of one terminal, reaches those alone that the release has updated', async () => {
  const mine = sns(4);
  const [pilot = '', other = ''] = mine;
  await makeDevices(app, bank, productId, mine);
  const back = await makePackage(app, admin, app.root, productId, '1.0');
  const id = await release(mine, { retries: 0, rings: [{ sns: [pilot, other], openAt: 0 }, { share: 100 }] });
  for (const offer of await offers(id))
    await subscribe(
      'result',
      offer,
      offer.sn === other ? { outcome: 'failure', reason: 'noSpace' } : { outcome: 'success', version: '2.0' },
    );
  await settle();
  for (const offer of await offers(id)) await subscribe('result', offer, { outcome: 'success', version: '2.0' });
  await settle();
  expect(await admin.call(taskCalls.previous, { id, ring: 1 })).toEqual([
    { version: '1.0', had: ['1.0'], count: 1, ...nowhere, packageId: back },
  ]);
  expect(await admin.call(taskCalls.previous, { id, ring: 2 })).toEqual([
    { version: '1.0', had: ['1.0'], count: 2, ...nowhere, packageId: back },
  ]);
  const [failed] = (await admin.call(taskDeviceCalls.page, { criteria: { taskId: id, sn: other } })).content;
  expect(await admin.call(taskCalls.previous, { id, deviceId: failed?.deviceId ?? 0 })).toEqual([]);

  const updated = mine.filter((sn) => sn !== other);
  await app.context.unscoped((db) => db.updateTable('device').set({ firmware: '2.0' }).where('sn', 'in', updated).execute());
  const matched = async (ring: number | null) =>
    (
      await admin.call(taskCalls.preview, {
        packageId: back,
        scope: { releaseScope: '1', updatedBy: { taskId: id, ring } },
        delivery: { allowDowngrade: true },
      })
    ).matched;
  expect([await matched(null), await matched(1), await matched(2), await matched(3)]).toEqual([3, 1, 2, 0]);
  // Terminals of who asks alone, and no release that isn't there.
  const ask = { packageId: back, scope: { releaseScope: '1' as const, updatedBy: { taskId: id, ring: null } } };
  const elsewhere = await app.person('orgManager', await app.dept('Other bank'));
  expect((await elsewhere.call(taskCalls.preview, ask)).matched).toBe(0);
  const gone = { ...ask, scope: { ...ask.scope, updatedBy: { taskId: 999_999, ring: null } } };
  expect((await admin.send(taskCalls.preview, gone)).code).not.toBe(200);
});

test('a release is held against the one before it of the same to the same product', async () => {
  const first = await running();
  await settle();
  expect(await admin.call(taskCalls.before, { id: first })).toBeNull();
  app.clock.now = new Date(app.clock.now.getTime() + 60_000);
  const second = await running();
  await settle();
  expect(await admin.call(taskCalls.before, { id: second })).toMatchObject({ id: first, total: 1 });
});
