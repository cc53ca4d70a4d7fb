import { complianceCalls } from '@mooring/contract/stats/compliance-calls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDevices, makePackage, makeProduct } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import type { DeptAt } from '../org/api.ts';

let app: TestApp;
let bank: DeptAt;
let north: DeptAt;
let south: DeptAt;
let admin: Client;
let manager: Client;
let productId = 0;
let packageId = 0;

beforeAll(async () => {
  app = await testApp();
  bank = await app.dept('Bank');
  north = await app.dept('North', bank);
  south = await app.dept('South', bank);
  const other = await app.dept('Other');
  admin = await app.person('platformAdmin', app.root);
  manager = await app.person('orgManager', bank);
  productId = await makeProduct(app, app.root, 'A920');
  await makePackage(app, admin, app.root, productId, '1.5');
  packageId = await makePackage(app, admin, app.root, productId, '2.0');
  const bare = await makeProduct(app, app.root, 'BARE');
  await makeDevices(
    app,
    north,
    productId,
    ['N1', 'N2', 'N3'].map((sn) => `${sn}XX`),
    '1.0',
  );
  await makeDevices(app, south, productId, ['S1XX'], '2.0');
  await makeDevices(app, bank, productId, ['B1XX'], '1.5');
  await makeDevices(app, south, bare, ['S2XX'], '0.1');
  await makeDevices(app, other, productId, ['O1XX'], '1.0');
});
afterAll(() => app.stop());

const rowsOf = async (client: Client, input = {}) => {
  const { rows, ...sums } = await client.call(complianceCalls.versions, input);
  return { ...sums, rows: rows.map((row) => [row.version, row.count, row.behind, row.approved, row.packageId]) };
};

test('who is behind stands first, with the package that brings them up; what nothing is published for is never behind', async () => {
  expect(await rowsOf(manager)).toEqual({
    total: 6,
    behind: 4,
    more: 0,
    rows: [
      ['1.0', 3, true, '2.0', packageId],
      ['1.5', 1, true, '2.0', packageId],
      ['0.1', 1, false, null, null],
      ['2.0', 1, false, '2.0', packageId],
    ],
  });
  expect(await rowsOf(manager, { deptId: south.id, productId })).toEqual({
    total: 1,
    behind: 0,
    more: 0,
    rows: [['2.0', 1, false, '2.0', packageId]],
  });
});

test('each organisation below has its own figures, before and after they are added up', async () => {
  const below = { criteria: {} };
  const expected = [
    { id: north.id, name: 'North', total: 3, behind: 3 },
    { id: south.id, name: 'South', total: 2, behind: 0 },
  ];
  expect((await manager.call(complianceCalls.depts, below)).content).toEqual(expected);
  await app.runJobs();
  expect((await manager.call(complianceCalls.depts, below)).content).toEqual(expected);
  const named = await admin.call(complianceCalls.depts, { criteria: { parentId: bank.id, text: 'sou', productId } });
  expect(named.content).toEqual([{ id: south.id, name: 'South', total: 1, behind: 0 }]);
});

test('nobody sees the figures of an organisation that isn’t theirs', async () => {
  const beside = await app.person('orgManager', north);
  expect((await beside.send(complianceCalls.versions, { deptId: south.id })).code).toBe(404);
  expect((await beside.send(complianceCalls.depts, { criteria: { parentId: bank.id } })).code).toBe(404);
  expect((await rowsOf(beside)).total).toBe(3);
});
