import { deviceCalls } from '@mooring/contract/device/calls';
import { deviceGroupCalls } from '@mooring/contract/device/group-calls';
import { taskCalls } from '@mooring/contract/firmware/task-calls';
import { dispatchCalls } from '@mooring/contract/inventory/dispatch';
import { saleCalls } from '@mooring/contract/inventory/sale';
import { custodyCalls } from '@mooring/contract/inventory/stock';
import { merchantCalls } from '@mooring/contract/merchant/calls';
import { paramLevelCalls, paramResultCalls } from '@mooring/contract/paramfile/level-calls';
import { paramTemplateCalls } from '@mooring/contract/paramfile/template-calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makePackage, makeProduct } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { makeStocked } from '../inventory/inventory.factory.ts';
import { faultOf, makeMerchant } from '../merchant/merchant.factory.ts';
import type { DeptAt } from '../org/api.ts';

let app: TestApp;
let bank: DeptAt;
let branch: DeptAt;
let other: DeptAt;
let manager: Client;
let ofBranch: Client;
let centre: Client;
let productId: number;
beforeAll(async () => {
  app = await testApp();
  bank = await app.dept('Bank');
  branch = await app.dept('Branch', bank);
  other = await app.dept('Other');
  manager = await app.person('orgManager', bank, 'manager');
  centre = await app.person('orgManager', bank);
  ofBranch = await app.person('orgManager', branch, 'manager');
  productId = await makeProduct(app, app.root, 'SWAP-1');
});
afterAll(() => app.stop());

const make = async (owner: DeptAt, status = '5') => {
  const [one] = await makeStocked(app, owner, productId, 1, status);
  if (!one) throw new Error('nothing was made');
  return one;
};
const detail = (id: number, who = manager) => who.call(deviceCalls.detail, { id });
const custody = async (id: number) =>
  (await manager.call(custodyCalls.ofDevice, { deviceId: id })).content.map(({ event, from, to }) => [event, from, to]);

test('the new terminal stands where the old one stood, in its groups, with its name, settings, sale and warranty', async () => {
  const merchant = await makeMerchant(manager, bank.id, { name: 'Bakery' });
  const [old, fresh] = [await make(bank), await make(branch)];
  const today = app.clock.now.toISOString().slice(0, 10);
  const sale = await manager.call(saleCalls.add, {
    deviceId: old.id,
    merchantId: merchant.id,
    soldAt: today,
    warrantyUntil: '2099-01-31',
    number: 'SALE-1',
  } as never);
  const group = await centre.call(deviceGroupCalls.add, { name: 'Tills', kind: 'static', deptId: bank.id });
  await centre.call(deviceGroupCalls.addMembers, { of: { ids: [old.id] }, groupId: group.id });
  const { revision } = await detail(old.id);
  await manager.call(deviceCalls.update, { id: old.id, revision, name: 'Till 3', tags: [], remark: '', notes: '' });
  await centre.call(deviceCalls.setConfig, { id: old.id, values: { volume: 3 } });
  await manager.call(deviceCalls.command, { of: { ids: [old.id] }, command: { kind: 'reboot', params: {} } });
  await app.context.unscoped((db) => sql`update device set status = '3' where id = ${old.id}`.execute(db));

  expect(await manager.call(deviceCalls.swap, { id: old.id, otherId: fresh.id, remark: 'Screen broken' })).toEqual({
    id: fresh.id,
    sn: fresh.sn,
  });
  expect(await detail(fresh.id)).toMatchObject({
    name: 'Till 3',
    status: '1',
    deptName: 'Bank',
    merchantName: 'Bakery',
    groups: [{ id: group.id }],
    config: { values: { volume: 3 } },
  });
  expect(await detail(old.id)).toMatchObject({ name: old.sn, status: '5', merchantName: null, groups: [] });
  expect((await manager.call(saleCalls.detail, { id: sale.id })) as object).toMatchObject({
    sn: fresh.sn,
    state: 'sold',
    warrantyUntil: '2099-01-31',
  });
  expect((await manager.call(deviceCalls.commands, { criteria: { deviceId: old.id } })).content.map(({ state }) => state)).toEqual([
    'withdrawn',
  ]);
  expect((await custody(old.id)).slice(0, 2)).toEqual([
    ['replaced', '', fresh.sn],
    ['stocked', '', 'Bank'],
  ]);
  expect((await custody(fresh.id)).map(([event]) => event)).toEqual(['replaces', 'issued', 'moved']);
  expect(await faultOf(manager.send(deviceCalls.swap, { id: old.id, otherId: fresh.id }))).toBe('SWAP_STOCKED');
});

test('open releases go over in the ring they stood in; what the new one has already isn’t sent again', async () => {
  const packageId = await makePackage(app, centre, bank, productId, '9.0');
  const [old, fresh] = [await make(bank, '2'), await make(bank)];
  const task = await centre.call(taskCalls.add, { name: 'Going over', packageId, scope: { releaseScope: '2', sns: [old.sn] } });
  await app.context.unscoped(async (db) => {
    await sql`update rollout_task set state = 'running', gathered_at = now() where id = ${task.id}`.execute(db);
    await sql`insert into rollout_result (task_id, kind, device_id, sn, ring, state, next_at, tries_left, dept_path)
      values (${task.id}, 'firmware', ${old.id}, ${old.sn}, 2, '8', now(), 0, ${bank.path})`.execute(db);
  });
  await manager.call(deviceCalls.swap, { id: old.id, otherId: fresh.id });
  await app.runJobs();
  await app.runJobs();
  const { rows } = await app.context.unscoped((db) =>
    sql`select sn, ring, state, reason from rollout_result where task_id = ${task.id} order by id`.execute(db),
  );
  expect(rows).toEqual([
    { sn: old.sn, ring: 2, state: '9', reason: 'swapped' },
    { sn: fresh.sn, ring: 2, state: '1', reason: null },
  ]);
});

test('a stolen terminal is disabled; one at a merchant, on its way, sold, disabled or elsewhere takes no place', async () => {
  const [old, fresh, foreign] = [await make(bank, '2'), await make(bank), await make(other)];
  const swap = (otherId: number, more: object = {}) => faultOf(manager.send(deviceCalls.swap, { id: old.id, otherId, ...more }));
  expect(await swap(old.id)).toBe('SWAP_SAME');
  expect(await swap(foreign.id)).toBe('NOT_FOUND');
  expect(await swap(999_999_999)).toBe('NOT_FOUND');
  const [placed, listed, sold, shut] = [await make(bank, '1'), await make(bank), await make(bank), await make(bank, '4')];
  const merchant = await makeMerchant(manager, bank.id, { name: 'Florist' });
  await manager.call(merchantCalls.assign, { of: { ids: [placed.id] }, merchantId: merchant.id });
  expect(await swap(placed.id)).toBe('SWAP_PLACED');
  await manager.call(dispatchCalls.add, { toId: branch.id, sns: [listed.sn] });
  expect(await swap(listed.id)).toBe('DEVICE_IN_TRANSFER');
  await manager.call(saleCalls.add, { deviceId: sold.id, buyer: 'Somebody', soldAt: app.clock.now.toISOString().slice(0, 10) } as never);
  expect(await swap(sold.id)).toBe('DEVICE_SOLD');
  expect(await swap(shut.id)).toBe('DEVICE_STATE');
  expect(await faultOf(ofBranch.send(deviceCalls.swap, { id: old.id, otherId: fresh.id }))).toBe('NOT_FOUND');
  expect((await detail(fresh.id)).status).toBe('5');
  await manager.call(deviceCalls.swap, { id: old.id, otherId: fresh.id, goes: 'disabled' });
  expect([(await detail(old.id)).status, (await detail(fresh.id)).status]).toEqual(['4', '1']);
});

test('of two who replace by the same terminal at once one does', async () => {
  const merchant = await makeMerchant(manager, bank.id, { name: 'Kiosk' });
  const [first, second, fresh] = [await make(bank, '2'), await make(bank, '2'), await make(bank)];
  await manager.call(merchantCalls.assign, { of: { ids: [first.id, second.id] }, merchantId: merchant.id });
  const both = await Promise.all([first, second].map(({ id }) => faultOf(manager.send(deviceCalls.swap, { id, otherId: fresh.id }))));
  expect(both.filter((one) => one === 'SWAP_PLACED')).toHaveLength(1);
  const states = await Promise.all([first, second].map(async ({ id }) => (await detail(id)).status));
  expect(states.sort()).toEqual(['2', '5']);
});

test('what another has sold stays theirs; who may not sell, or not move, replaces nothing that is sold or elsewhere', async () => {
  const today = app.clock.now.toISOString().slice(0, 10);
  const sell = (who: Client, deviceId: number) => who.call(saleCalls.add, { deviceId, buyer: 'Somebody', soldAt: today } as never);
  const [former, spare] = [await make(other), await make(bank)];
  const sale = await sell(await app.person('orgManager', other, 'manager'), former.id);
  const moveTo = (id: number, dept: DeptAt) =>
    app.context.unscoped((db) =>
      sql`update device set dept_id = ${dept.id}, dept_path = ${dept.path}, status = '2' where id = ${id}`.execute(db),
    );
  await moveTo(former.id, bank);
  await manager.call(deviceCalls.swap, { id: former.id, otherId: spare.id, goes: 'disabled' });
  const admin = await app.person('platformAdmin', app.root, 'manager');
  expect(await admin.call(saleCalls.detail, { id: sale.id })).toMatchObject({ sn: former.sn, state: 'sold' });

  const [above, next] = [await make(bank), await make(branch)];
  await sell(manager, above.id);
  await moveTo(above.id, branch);
  const swap = (who: Client, id: number, otherId: number) => faultOf(who.send(deviceCalls.swap, { id, otherId }));
  expect(await swap(ofBranch, above.id, next.id)).toBe('DEVICE_SOLD');
  // A spare that somebody else has sold meanwhile is said to be sold, not a failure of the server.
  const [old, sold] = [await make(branch, '2'), await make(other)];
  await sell(await app.person('orgManager', other, 'manager'), sold.id);
  await moveTo(sold.id, branch);
  expect(await swap(ofBranch, old.id, sold.id)).toBe('DEVICE_SOLD');
  const shut = await make(branch, '4');
  expect(await swap(ofBranch, shut.id, next.id)).toBe('DEVICE_STATE');
});

test('what was given for the old terminal alone counts for the new one; both are looked at again', async () => {
  const admin = await app.person('platformAdmin', app.root);
  const fields = [{ key: 'host', type: 'text' as const }];
  const { id: templateId } = await admin.call(paramTemplateCalls.add, { name: 'Till', fields });
  for (const from of [bank, branch]) {
    const [old, fresh] = [await make(bank, '2'), await make(from)];
    await admin.call(paramLevelCalls.give, { templateId, deviceId: old.id, values: { host: 'old' } });
    await admin.call(paramLevelCalls.give, { templateId, deviceId: fresh.id, values: { host: 'fresh' } });
    const marked = () =>
      app.context.unscoped(async (db) => {
        const found = await sql<{ id: number }>`
          select device_id as id from paramfile_given where stale and template_id = ${templateId} order by device_id`.execute(db);
        return found.rows.map(({ id }) => id);
      });
    await app.context.unscoped(async (db) => {
      for (const { id } of [old, fresh])
        await sql`insert into paramfile_given (template_id, device_id, dept_path) select ${templateId}, id, dept_path from device where id = ${id}`.execute(
          db,
        );
    });
    await centre.call(deviceCalls.swap, { id: old.id, otherId: fresh.id, goes: 'stock' });
    expect(await marked()).toEqual([old.id, fresh.id].sort((a, b) => a - b));
    const hostOf = async (deviceId: number) =>
      (await centre.call(paramResultCalls.preview, { templateId, deviceId })).fields.map(({ value }) => value);
    expect([await hostOf(fresh.id), await hostOf(old.id)]).toEqual([['old'], [null]]);
    await app.runJobs();
    expect(await marked()).toEqual([]);
  }
});
