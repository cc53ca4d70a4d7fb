import { menuCalls } from '@mooring/contract/access/calls';
import { eachMenu, type MenuNode } from '@mooring/contract/access/menus';
import { type GrantNode, roleCalls } from '@mooring/contract/access/role-calls';
import { userCalls } from '@mooring/contract/account/calls';
import { memberCalls } from '@mooring/contract/account/member-calls';
import { deviceCalls } from '@mooring/contract/device/calls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDevices, makeProduct } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import type { DeptAt } from '../org/api.ts';

let app: TestApp;
let admin: Client;
let bank: DeptAt;
let other: DeptAt;
let manager: Client;

beforeAll(async () => {
  app = await testApp();
  admin = await app.person('platformAdmin', app.root);
  bank = await app.dept('Bank');
  other = await app.dept('Other bank');
  manager = await app.person('orgManager', bank);
});
afterAll(() => app.stop());

const codes = (nodes: readonly GrantNode[]): string[] => nodes.flatMap((node) => [node.code, ...codes(node.children)]);
const faultOf = async (asked: ReturnType<Client['send']>) => {
  const { code, body } = await asked;
  return body?.fault ?? code;
};
let made = 0;
const role = (menus: readonly string[], more: object = {}) => {
  made += 1;
  return { name: `Role ${made}`, menus: [...menus], ...more };
};
const held = async (client: Client) => new Set((await client.call(userCalls.info)).permissions);

test('what may be given is what one holds, in one’s language; a management role never gets what is the platform’s', async () => {
  const tree = await manager.call(roleCalls.grantable, {});
  expect(codes(tree)).toContain('device');
  expect(codes(tree)).not.toContain('systemSettings');
  expect(codes(await admin.call(roleCalls.grantable, { type: '1' }))).toContain('systemSettings');
  expect(codes(await admin.call(roleCalls.grantable, { type: '2' }))).not.toContain('systemSettings');
  const names = (nodes: readonly GrantNode[]): string[] => nodes.flatMap((node) => [node.name, ...names(node.children)]);
  expect(names(await admin.call(roleCalls.grantable, { type: '1' })).filter((name) => /[.:]/.test(name))).toEqual([]);
});

test('a role is made, changed in the open session of its holder at once, and deleted when nobody holds it', async () => {
  const first = await manager.call(roleCalls.add, role(['device:device:update']));
  expect((await manager.call(roleCalls.detail, { id: first.id })).menus).toEqual(['device', 'device:device:update']);
  const person = await app.person('orgMember', bank);
  await manager.call(memberCalls.update, { id: person.userId, userName: 'Holder', deptId: bank.id, userType: '2', roleIds: [first.id] });
  expect([...(await held(person))]).toEqual(['device:device:page', 'device:device:update']);
  const { name } = first;
  await manager.call(roleCalls.update, { id: first.id, name, menus: ['device', 'device:device:add'] });
  expect([...(await held(person))]).toEqual(['device:device:page', 'device:device:add']);
  expect((await person.call(menuCalls.nav, { menuType: 'centre' })).map((node) => node.code)).toEqual(['devices']);
  expect(await faultOf(manager.send(roleCalls.delete, { id: first.id }))).toBe('ROLE_HELD');
  await manager.call(roleCalls.update, { id: first.id, name, menus: ['message'], platforms: ['manager'] });
  expect((await person.send(deviceCalls.page)).code).toBe(403);
  const second = await manager.call(roleCalls.add, role(['device']));
  await manager.call(roleCalls.delete, { id: second.id });
  expect((await manager.send(roleCalls.detail, { id: second.id })).code).toBe(404);
});

test('attacks: menus one doesn’t hold, unknown ones, everything, kinds and categories of the platform', async () => {
  const add = (input: object, client = manager) => faultOf(client.send(roleCalls.add, input));
  expect(await add(role(['systemSettings']))).toBe('ROLE_MENU');
  expect(await add(role(['device', 'product']))).toBe('ROLE_MENU');
  expect(await add(role(['*']))).toBe('BAD_INPUT');
  expect(await add(role(['device:device:no']))).toBe('BAD_INPUT');
  expect(await add(role(['device'], { type: '1' }))).toBe('ROLE_KIND');
  expect(await add(role(['device'], { category: '1' }))).toBe('ROLE_KIND');
  expect(await add(role(['device'], { seeded: true }))).toBe('BAD_INPUT');
  expect(await add(role(['device'], { deptId: 1 }))).toBe('BAD_INPUT');
  expect(await add(role(['systemSettings']), admin)).toBe('ROLE_PLATFORM_ONLY');
  const name = (await manager.call(roleCalls.add, role(['device']))).name;
  expect(await add(role(['device'], { name: name.toUpperCase() }))).toBe('ROLE_NAME_TAKEN');
});

test('seeded roles are read, never changed; another organisation’s are not there; those with more are out of reach', async () => {
  const page = await manager.call(roleCalls.page, { page: { size: 100 } });
  expect(page.content.every((one) => one.type === '2' && one.category === '0')).toBe(true);
  const seeded = page.content.find((one) => one.seeded);
  expect(seeded?.allowedActions).toEqual([]);
  const change = { id: seeded?.id, ...role(['device']) };
  expect(await faultOf(admin.send(roleCalls.update, change))).toBe('ROLE_SEEDED');
  expect(await faultOf(admin.send(roleCalls.delete, { id: seeded?.id }))).toBe('ROLE_SEEDED');
  const theirs = await (await app.person('orgManager', other)).call(roleCalls.add, role(['device']));
  expect((await manager.send(roleCalls.detail, { id: theirs.id })).code).toBe(404);
  expect((await manager.send(roleCalls.update, { ...change, id: theirs.id })).code).toBe(404);
  expect((await manager.send(memberCalls.update, { id: manager.userId, userName: 'x', deptId: bank.id, roleIds: [theirs.id] })).code).toBe(
    404,
  );
  const market = await admin.call(roleCalls.add, role(['device'], { type: '1', category: '2' }));
  const auditor = await app.person('auditor', app.root);
  expect((await auditor.call(roleCalls.page, { page: { size: 100 } })).content.some((one) => one.category !== '0')).toBe(false);
  expect((await auditor.send(roleCalls.detail, { id: market.id })).code).toBe(404);
  expect(await faultOf(auditor.send(roleCalls.add, role(['device'])))).toBe('FORBIDDEN');
});

test('roles ask again who one is; the preview is what a holder would see', async () => {
  const { menus: before } = await manager.call(roleCalls.detail, { id: (await manager.call(roleCalls.add, role(['device']))).id });
  expect(before).toEqual(['device']);
  const seen = await manager.call(roleCalls.preview, { menus: ['device', 'deviceAll', 'deviceAll'], platforms: ['manager'] });
  expect(seen.centre).toEqual([]);
  expect(seen.manager.flatMap((node) => node.children.map((child) => child.code))).toEqual(['deviceAll']);
  // A button that is held without its page is named with it.
  const { page, button } = eachMenu()
    .flatMap((page) => page.children.map((button) => ({ page, button })))
    .find(({ page, button }) => page.type === 2 && button.type === 3 && button.platforms.includes('manager')) as {
    page: MenuNode;
    button: MenuNode;
  };
  const alone = await manager.call(roleCalls.preview, { menus: [button.code], platforms: ['manager'] });
  const [named] = alone.manager.flatMap((node) => node.children);
  expect(named?.code).toBe(page.code);
  expect(named?.children.map((child) => child.code)).toEqual([button.code]);
  await app.context.pools.owner.query(`update auth_session set proved_at = null where user_id = ${manager.userId}`);
  expect(await faultOf(manager.send(roleCalls.add, role(['device'])))).toBe('STEP_UP_REQUIRED');
});

test('on the manager platform an organisation’s manager acts on its devices, a member only reads', async () => {
  const [device = 0] = await makeDevices(app, bank, await makeProduct(app, app.root, 'ROLE-1'), ['ROLE0001']);
  const here = await app.person('orgManager', bank, 'manager');
  const reader = await app.person('orgMember', bank, 'manager');
  expect((await here.call(deviceCalls.detail, { id: device })).allowedActions).toEqual(
    expect.arrayContaining(['update', 'command', 'move']),
  );
  expect((await here.call(deviceCalls.disable, { of: { ids: [device] } })).done).toBe(1);
  expect((await reader.call(deviceCalls.detail, { id: device })).allowedActions).toEqual([]);
  expect((await reader.send(deviceCalls.enable, { of: { ids: [device] } })).code).toBe(403);
});

test('how many hold a role counts nobody whom the reader may not see', async () => {
  const line = { id: 2, path: '1.2.' };
  await app.person('regionMaintainer', line);
  const hidden = await app.person('productLineAdmin', line);
  await app.context.pools.owner.query(
    `insert into access_user_role (user_id, role_id) select $1, id from access_role where code = 'regionMaintainer'`,
    [hidden.userId],
  );
  const { id } = (await app.context.pools.owner.query(`select id from access_role where code = 'regionMaintainer'`)).rows[0];
  const countedBy = async (client: Client) => {
    const { content } = await client.call(roleCalls.page, { page: { size: 100 } });
    return content.find((one) => one.id === id)?.holders;
  };
  const reader = await app.person('auditor', line);
  const named = await reader.call(memberCalls.page, { criteria: { roleId: id } });
  expect([await countedBy(reader), named.content.length]).toEqual([1, 1]);
  expect((await reader.call(roleCalls.detail, { id })).holders).toBe(1);
  expect(await countedBy(admin)).toBe(2);
});

test('whose lists leave roles and people out is told so, and nobody else', async () => {
  const line = { id: 2, path: '1.2.' };
  const told = async (client: Client) => {
    const [{ leavesOut }, roles] = [
      await client.call(userCalls.info),
      (await client.call(roleCalls.page, { page: { size: 100 } })).content.map((one) => one.category),
    ];
    return { leavesOut, all: roles.includes('1') && roles.includes('2') };
  };
  expect(await told(await app.person('auditor', line))).toEqual({ leavesOut: true, all: false });
  expect(await told(admin)).toEqual({ leavesOut: false, all: true });
  const bank = await app.dept('Shown Bank', line);
  expect((await told(await app.person('orgManager', bank))).leavesOut).toBe(false);
});
