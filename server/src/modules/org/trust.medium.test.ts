import { logCalls } from '@mooring/contract/audit-log/calls';
import { deviceCalls } from '@mooring/contract/device/calls';
import { deptCalls } from '@mooring/contract/org/calls';
import { trustCalls } from '@mooring/contract/org/trust-calls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDevices, makeProduct } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import type { DeptAt } from './add-dept.ts';

let app: TestApp;
let admin: Client;
let region: DeptAt;
let giver: DeptAt;
let trustee: DeptAt;
let owner: Client;
let helper: Client;

beforeAll(async () => {
  app = await testApp();
  admin = await app.person('platformAdmin', app.root);
  region = await unit('Region', { id: 2, path: '1.2.' });
  giver = await unit('Giving bank', region);
  trustee = await unit('Helping bank', region);
  owner = await app.person('orgManager', giver);
  helper = await app.person('orgManager', trustee, 'manager');
  await makeDevices(app, giver, await makeProduct(app, app.root, 'TRUST-1'), ['TRUST001']);
});
afterAll(() => app.stop());

async function unit(name: string, below: DeptAt): Promise<DeptAt> {
  const { id } = await admin.call(deptCalls.add, { parentId: below.id, name });
  return { id, path: `${below.path}${id}.` };
}
const inDays = (days: number) => new Date(app.clock.now.getTime() + days * 86_400_000).toISOString();
const give = (trusteeId: number, until = inDays(30), client = owner, deptId = giver.id) =>
  client.send(trustCalls.give, { deptId, trusteeId, until });

const here = () => ({ headers: { 'accept-deptid': String(giver.id) } });

test('given, used under one’s own name, taken back: the log of the organisation says who acted and for whom', async () => {
  expect((await helper.send(deviceCalls.page, {}, here())).body?.fault).toBe('DEPT_REFUSED');
  expect((await give(trustee.id)).code).toBe(200);
  expect((await helper.call(deptCalls.managed)).map((one) => one.id)).toEqual([trustee.id, giver.id]);
  const found = await helper.send(deviceCalls.page, {}, here());
  expect((found.body as unknown as { total: number }).total).toBe(1);
  const mail = { of: { criteria: { text: 'TRUST001' }, except: [] } };
  expect((await helper.send(deviceCalls.disable, mail, here())).code).toBe(200);
  const [entry] = (await owner.call(logCalls.page, { criteria: { domain: 'device' } })).content;
  expect(entry).toMatchObject({ actorName: expect.stringContaining('Person'), actorDept: 'Helping bank' });
  expect((await give(trustee.id)).body?.fault).toBe('TRUST_TAKEN');
  const [row] = (await owner.call(trustCalls.page, {})).content;
  expect(row).toMatchObject({ side: 'giver', trusteeName: 'Helping bank', allowedActions: ['end'] });
  await owner.call(trustCalls.end, { id: row?.id ?? 0 });
  expect((await helper.send(deviceCalls.page, {}, here())).body?.fault).toBe('DEPT_REFUSED');
  expect((await helper.call(deptCalls.managed)).map((one) => one.id)).toEqual([trustee.id]);
});

test('the trustee ends it too, and a third one neither sees nor ends it', async () => {
  await give(trustee.id);
  const outsider = await app.person('orgManager', await unit('Third bank', region));
  const other = await app.person('orgManager', trustee);
  const [row] = (await other.call(trustCalls.page, {})).content;
  expect(row).toMatchObject({ side: 'trustee', deptName: 'Giving bank' });
  expect((await outsider.call(trustCalls.page, {})).total).toBe(0);
  expect((await outsider.send(trustCalls.end, { id: row?.id })).code).toBe(404);
  // Whoever stands above both sees it once.
  const regional = await app.person('regionMaintainer', region);
  expect((await regional.call(trustCalls.page, { criteria: { state: 'active' } })).total).toBe(1);
  const of = async (deptId: number) => (await regional.call(trustCalls.page, { criteria: { deptId, state: 'active' } })).total;
  expect([await of(trustee.id), await of(giver.id), await of(region.id)]).toEqual([1, 1, 0]);
  expect((await other.call(trustCalls.end, { id: row?.id ?? 0 })).state).toBe('ended');
  expect((await owner.send(trustCalls.end, { id: row?.id })).code).toBe(404);
});

test('only its managers act for it, only for the term', async () => {
  await give(trustee.id, inDays(1));
  const member = await app.person('orgMember', trustee, 'manager');
  await app.context.unscoped((db) => db.updateTable('account_user').set({ user_type: '2' }).where('id', '=', member.userId).execute());
  expect((await member.send(deviceCalls.page, {}, here())).body?.fault).toBe('DEPT_REFUSED');
  expect((await helper.send(deviceCalls.page, {}, here())).code).toBe(200);
  await app.context.unscoped((db) =>
    db
      .updateTable('org_trust')
      .set({ until: new Date(Date.now() - 1000) })
      .where('state', '=', 'active')
      .execute(),
  );
  expect((await helper.send(deviceCalls.page, {}, here())).body?.fault).toBe('DEPT_REFUSED');
});

test('to whom and for how long: parent or the same product line, not oneself or below, within a year; never a stranger’s unit', async () => {
  const branch = await unit('Giving branch', giver);
  const line = await admin.call(deptCalls.add, { parentId: 1, name: 'Far line' });
  const far = await unit('Far region', { id: line.id, path: `1.${line.id}.` });
  const farBank = await unit('Far bank', far);
  for (const id of [giver.id, branch.id, farBank.id, 1, 2, 999_999]) expect((await give(id)).body?.fault).toBe('TRUST_NOT_THERE');
  expect((await give(trustee.id, inDays(-1))).body?.fault).toBe('TRUST_TERM');
  expect((await give(trustee.id, inDays(400))).body?.fault).toBe('TRUST_TERM');
  expect((await give(giver.id, inDays(3), owner, trustee.id)).code).toBe(404);
  expect((await give(region.id)).code).toBe(200);
  const names = async (text: string) => (await owner.call(trustCalls.candidates, { deptId: giver.id, text })).map((one) => one.name);
  expect(await names('')).toEqual(['Region']);
  expect(await names('Helping')).toEqual([]);
  expect(await names('helping bank')).toEqual(['Helping bank']);
  expect(await names('far bank')).toEqual([]);
});
