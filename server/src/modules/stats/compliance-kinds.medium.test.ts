import { deviceCalls } from '@mooring/contract/device/calls';
import { modulePackageCalls } from '@mooring/contract/module/calls';
import { patchPackageCalls } from '@mooring/contract/patch/calls';
import { complianceCalls, type VersionKind } from '@mooring/contract/stats/compliance-calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDevices, makeFile, makeProduct, settlePublished } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { listVersion, saysApps } from '../app/catalogue.factory.ts';
import type { DeptAt } from '../org/api.ts';
import { clockwork } from './stats.factory.ts';

let app: TestApp;
let bank: DeptAt;
let north: DeptAt;
let south: DeptAt;
let admin: Client;
let manager: Client;
let product = 0;
let other = 0;
const packages: Record<string, number> = {};
const { fold } = clockwork(() => app);
const PAY = 'com.bank.pay';

const run = (query: ReturnType<typeof sql>) => app.context.unscoped((db) => query.execute(db));
const says = (sn: string, modules: object, patch: string | null) =>
  run(sql`update device set modules = ${JSON.stringify(modules)}::jsonb, patch = ${patch} where sn = ${sn}`);

beforeAll(async () => {
  app = await testApp();
  bank = await app.dept('Bank');
  north = await app.dept('North', bank);
  south = await app.dept('South', bank);
  admin = await app.person('platformAdmin', app.root);
  manager = await app.person('orgManager', bank);
  product = await makeProduct(app, app.root, 'A920');
  other = await makeProduct(app, app.root, 'B1');
  await makeDevices(app, north, product, ['NORTH1', 'NORTH2']);
  await makeDevices(app, south, product, ['SOUTH1']);
  await makeDevices(app, south, other, ['SOUTH2']);
  const [part, patchFile] = [await makeFile(app, admin, app.root), await makeFile(app, admin, app.root)];
  await run(sql`update file_file set kind = '6' where id = ${part}`);
  const asked = { productId: product, publish: true };
  packages.sp = (await admin.call(modulePackageCalls.add, { ...asked, name: 'sp', version: '2.0', fileId: part })).id;
  packages.patch = (await admin.call(patchPackageCalls.add, { ...asked, version: '2026-10', fileId: patchFile })).id;
  await settlePublished(app);
  await says('NORTH1', { sp: '1.0', modem: '7' }, '2026-09');
  await says('NORTH2', { sp: '2.0', modem: '7' }, '2026-10');
  await says('SOUTH1', { sp: '1.5' }, null);
  await says('SOUTH2', { sp: '1.0' }, '2026-08');
});
afterAll(() => app.stop());

const rowsOf = async (kind: VersionKind, input = {}) => {
  const { rows, total, behind, judged } = await manager.call(complianceCalls.versions, { kind, ...input });
  return {
    sums: [total, behind, judged],
    rows: rows.map((row) => [row.part, row.version, row.count, row.behind, row.approved, row.packageId ?? row.appVersionId]).sort(),
  };
};
const deptsOf = async (kind: VersionKind) =>
  (await manager.call(complianceCalls.depts, { criteria: { kind } })).content.map(({ name, total, behind, judged }) => [
    name,
    total,
    behind,
    judged,
  ]);

test('each module of a terminal is judged by its own newest package, before and after all is added up', async () => {
  const expected = {
    sums: [6, 2, 3],
    rows: [
      ['modem', '7', 2, false, null, null],
      ['sp', '1.0', 1, false, null, null],
      ['sp', '1.0', 1, true, '2.0', packages.sp],
      ['sp', '1.5', 1, true, '2.0', packages.sp],
      ['sp', '2.0', 1, false, '2.0', packages.sp],
    ],
  };
  const depts = [
    ['North', 4, 1, 2],
    ['South', 2, 1, 1],
  ];
  expect(await rowsOf('module')).toEqual(expected);
  expect(await deptsOf('module')).toEqual(depts);
  await fold();
  expect(await rowsOf('module')).toEqual(expected);
  expect(await deptsOf('module')).toEqual(depts);
  const { series } = await manager.call(complianceCalls.history, { kind: 'module', productId: product });
  expect(series.map((one) => [one.partName, one.version, one.counts.at(-1)])).toContainEqual(['modem', '7', 2]);
});

test('patch levels are judged by the newest published patch of the product; who has none isn’t counted', async () => {
  expect(await rowsOf('patch')).toEqual({
    sums: [3, 1, 2],
    rows: [
      ['', '2026-08', 1, false, null, null],
      ['', '2026-09', 1, true, '2026-10', packages.patch],
      ['', '2026-10', 1, false, '2026-10', packages.patch],
    ],
  });
  expect(await deptsOf('patch')).toEqual([
    ['North', 2, 1, 2],
    ['South', 1, 0, 0],
  ]);
});

test('apps are judged by the newest version in the catalogue that the organisation may release; what comes with the system isn’t counted', async () => {
  const listed = (at: DeptAt, packageName: string, code: number, scope = '0') =>
    listVersion(app, admin, { at, packageName, code, scope, products: [product] });
  await saysApps(app, 'NORTH1', [
    { id: PAY, code: 1 },
    { id: 'com.loose', code: 5 },
  ]);
  await saysApps(app, 'NORTH2', [{ id: PAY, code: 3 }]);
  await saysApps(app, 'SOUTH2', [{ id: PAY, code: 1 }]);
  await saysApps(app, 'SOUTH1', [{ id: 'android', code: 1 }]);
  await run(sql`update device_app set system = true where package_name = 'android'`);
  await listed(bank, PAY, 2);
  const newest = await listed(bank, PAY, 3);
  // Of somebody else, and for certain terminals alone.
  await listed(await app.dept('Elsewhere'), PAY, 8);
  await listed(bank, PAY, 9, '2');
  const expected = {
    sums: [4, 1, 2],
    rows: [
      [PAY, '1', 1, false, null, null],
      [PAY, '1', 1, true, '3.0 [BETA]', newest],
      [PAY, '3', 1, false, '3.0 [BETA]', newest],
      ['com.loose', '5', 1, false, null, null],
    ],
  };
  expect(await rowsOf('app')).toEqual(expected);
  await fold();
  expect(await rowsOf('app')).toEqual(expected);
  expect(await deptsOf('app')).toEqual([
    ['North', 3, 1, 2],
    ['South', 1, 0, 0],
  ]);
});

test('what a terminal has goes with it to another organisation and product, and with it when it is deleted', async () => {
  const idOf = async (sn: string) => (await admin.call(deviceCalls.page, { criteria: { sn } })).content[0]?.id ?? 0;
  const sums = async (kind: VersionKind, deptId: number) => (await manager.call(complianceCalls.versions, { kind, deptId })).total;
  const all = async (deptId: number) => [await sums('module', deptId), await sums('patch', deptId), await sums('app', deptId)];
  expect([await all(north.id), await all(south.id)]).toEqual([
    [4, 2, 3],
    [2, 1, 1],
  ]);
  await admin.call(deviceCalls.move, { of: { ids: [await idOf('NORTH1')] }, deptId: south.id });
  expect([await all(north.id), await all(south.id)]).toEqual([
    [2, 1, 1],
    [4, 2, 3],
  ]);
  await run(sql`update device set product_id = ${other} where sn = 'NORTH1'`);
  const ofOther = async (kind: VersionKind) => (await manager.call(complianceCalls.versions, { kind, productId: other })).total;
  expect([await ofOther('module'), await ofOther('patch'), await ofOther('app')]).toEqual([3, 2, 3]);
  // Both at once, and an app that is updated.
  await run(sql`update device set product_id = ${product}, dept_id = ${north.id}, dept_path = ${north.path} where sn = 'NORTH1'`);
  expect([await ofOther('module'), await ofOther('patch'), await ofOther('app')]).toEqual([1, 1, 1]);
  await run(
    sql`update device_app set version_code = 3, version_name = '3' where package_name = ${PAY} and device_id = ${await idOf('NORTH1')}`,
  );
  expect((await rowsOf('app', { productId: product })).sums).toEqual([3, 0, 2]);
  await run(sql`update device set deleted_at = now() where sn = 'NORTH1'`);
  expect(await all(north.id)).toEqual([2, 1, 1]);
  await run(sql`delete from device where sn = 'SOUTH2'`);
  expect(await all(south.id)).toEqual([1, 0, 0]);
  await fold();
  expect([await all(north.id), await all(south.id)]).toEqual([
    [2, 1, 1],
    [1, 0, 0],
  ]);
});
