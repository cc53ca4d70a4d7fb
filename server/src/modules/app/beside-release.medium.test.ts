import { softAppTaskCalls } from '@mooring/contract/app/release-calls';
import { deviceCalls } from '@mooring/contract/device/calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDevices, makeProduct } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { releasing } from '../../engines/rollout/release.factory.ts';
import type { DeptAt } from '../org/api.ts';
import { listVersion, saysApps } from './catalogue.factory.ts';

let app: TestApp;
let bank: DeptAt;
let manager: Client;
let productId: number;
const { settle, sns, subscribe, offers } = releasing(
  () => app,
  () => manager,
  () => 0,
);
beforeAll(async () => {
  app = await testApp();
  bank = await app.dept('Bank');
  manager = await app.person('orgManager', bank);
  productId = await makeProduct(app, app.root, 'A920');
});
afterAll(() => app.stop());

async function released(sn: string, name: string, content: object, version?: string): Promise<void> {
  const scope = { releaseScope: '2', sns: [sn] };
  const { id } = await manager.call(softAppTaskCalls.add, { name, scope, content } as never);
  await manager.call(softAppTaskCalls.submit, { id });
  await manager.call(softAppTaskCalls.enable, { id });
  await settle();
  for (const one of await offers(id)) await subscribe('result', one, { outcome: 'success', ...(version ? { version } : {}) });
  await settle();
}
const idOf = (sn: string) =>
  app.context.unscoped(async (db) => (await sql<{ id: number }>`select id from device where sn = ${sn}`.execute(db)).rows[0]?.id ?? 0);
const appsOf = async (sn: string) =>
  (await manager.call(deviceCalls.detail, { id: await idOf(sn) })).apps.map(({ packageName, installed, release, differs }) => [
    packageName,
    installed,
    release && [release.taskName, release.versionName, release.versionCode],
    differs,
  ]);

test('a terminal’s apps stand beside what was last released of them: as released, changed since, gone, removed, put back', async () => {
  const [sn = ''] = sns(1);
  await makeDevices(app, bank, productId, [sn]);
  const version = (packageName: string, code: number) => listVersion(app, manager, { at: bank, packageName, code, products: [productId] });
  await saysApps(app, sn, [{ id: 'com.b.own', code: 1 }]);
  await released(sn, 'One', { action: 'install', versionId: await version('com.b.one', 7) }, '7');
  await released(sn, 'Two', { action: 'install', versionId: await version('com.b.two', 3) }, '3');
  const own = { id: 'com.b.own', code: 1 };
  const [one, two] = [
    ['One', '7.0 [BETA]', 7],
    ['Two', '3.0 [BETA]', 3],
  ];
  await saysApps(app, sn, [own, { id: 'com.b.one', code: 7 }, { id: 'com.b.two', code: 3 }]);
  expect(await appsOf(sn)).toEqual([
    ['com.b.one', true, one, false],
    ['com.b.own', true, null, false],
    ['com.b.two', true, two, false],
  ]);
  // One was changed by hand, the other is gone: it stands behind those that are there.
  await saysApps(app, sn, [own, { id: 'com.b.one', code: 6 }]);
  expect(await appsOf(sn)).toEqual([
    ['com.b.one', true, one, true],
    ['com.b.own', true, null, false],
    ['com.b.two', false, two, true],
  ]);
  // The code that was released, by another maker.
  await saysApps(app, sn, [own, { id: 'com.b.one', code: 7, certificate: 'cd'.repeat(32) }]);
  expect((await appsOf(sn))[0]).toEqual(['com.b.one', true, one, true]);
  // By the key before the one that the version is signed by, as an Android names it that reads no rotation.
  await app.context.unscoped((db) =>
    sql`update app_version set lineage = array[${'cd'.repeat(32)}] where package_name = 'com.b.one'`.execute(db),
  );
  expect((await appsOf(sn))[0]).toEqual(['com.b.one', true, one, false]);
  await released(sn, 'Off', { action: 'uninstall', packageName: 'com.b.one' });
  await saysApps(app, sn, [own]);
  expect((await appsOf(sn)).map(([name]) => name)).toEqual(['com.b.own', 'com.b.two']);
  await saysApps(app, sn, [own, { id: 'com.b.one', code: 7 }]);
  expect((await appsOf(sn))[0]).toEqual(['com.b.one', true, ['Off', '', null], true]);
});
