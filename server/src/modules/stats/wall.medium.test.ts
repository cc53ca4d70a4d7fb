import { tokenAdminCalls, tokenCalls } from '@mooring/contract/account/token-calls';
import { allCalls } from '@mooring/contract/index';
import { homeCalls, wallCalls } from '@mooring/contract/stats/calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDevices, makeProduct } from '../../../test/firmware.ts';
import { type Client, clientOf, type TestApp, testApp } from '../../../test/test-app.ts';
import { setManaged } from '../access/api.ts';
import type { DeptAt } from '../org/api.ts';

const VIEW = 'home:wall:view';
let app: TestApp;
let mine: DeptAt;
let branch: DeptAt;
let beside: DeptAt;
let owner: Client;

beforeAll(async () => {
  app = await testApp();
  mine = await app.dept('Wall bank');
  branch = await app.dept('Wall branch', mine);
  beside = await app.dept('Beside it');
  const product = await makeProduct(app, app.root);
  await makeDevices(app, mine, product, ['WALL-1', 'WALL-2']);
  await makeDevices(app, branch, product, ['WALL-3']);
  await makeDevices(app, beside, product, ['WALL-4']);
  owner = await app.person('orgManager', mine, 'manager');
  await app.context.unscoped((db) => setManaged(db, owner.userId, [beside.id], null));
});
afterAll(() => app.stop());

const wallToken = async (by = owner, days = 365) =>
  (await by.call(tokenCalls.add, { name: 'Lobby', scopes: [VIEW], days, onlyHere: true })).token;
const screen = (token: string, deptId = mine.id) => clientOf(app.http, token, 0, 'manager', deptId);

test('it reads the figures of its own organisation, of all below it, and of no other that its maker manages', async () => {
  const token = await wallToken();
  const view = await screen(token).call(wallCalls.view);
  expect(view).toMatchObject({ deptName: 'Wall bank', fleet: { total: 3, byStatus: { 3: 3 } }, day: { now: 3 } });
  for (const other of [beside.id, branch.id, 1, 0, 999_999])
    expect((await screen(token, other).send(wallCalls.view)).code, `${other}`).not.toBe(200);
  // Where nothing is named it is that organisation too.
  const bare = await app.http.inject({ method: 'POST', url: `/ops${wallCalls.view.path}`, headers: { authorization: token }, payload: {} });
  expect(JSON.parse(bare.body).body.deptName).toBe('Wall bank');
});

test('it shows how many alarms wait in its organisation and below, and the newest of them', async () => {
  const at = (minutes: number) => new Date(app.clock.now.getTime() - minutes * 60_000);
  const raised = (label: string, of: DeptAt, state: string, minutes: number) => ({
    subject: label,
    label,
    kind: 'battery',
    about: { percent: 9 },
    priority: '1',
    state,
    rule_id: 1,
    rule_name: 'Battery',
    clear_minutes: 0,
    opened_at: at(minutes),
    last_at: at(minutes),
    dept_id: of.id,
    dept_path: of.path,
  });
  await app.context.unscoped((db) =>
    db
      .insertInto('alert_alarm')
      .values([
        raised('WALL-1', mine, 'open', 30),
        raised('WALL-3', branch, 'open', 5),
        raised('WALL-2', mine, 'acknowledged', 60),
        raised('WALL-1', mine, 'closed', 1),
        raised('WALL-4', beside, 'open', 2),
      ])
      .execute(),
  );
  const { alarms } = await screen(await wallToken()).call(wallCalls.view);
  expect(alarms).toMatchObject({ open: 2, acknowledged: 1, capped: false });
  expect(alarms?.newest.map(({ label, state }) => [label, state])).toEqual([
    ['WALL-3', 'open'],
    ['WALL-1', 'open'],
    ['WALL-2', 'acknowledged'],
  ]);
});

test('whose maker may not read alarms, it shows none', async () => {
  await app.context.unscoped((db) =>
    sql`insert into access_role (code, name, type, platforms, menus, dept_id, dept_path)
      values ('wallOnly', 'Wall only', '2', '{manager}', ${['dashboard', VIEW]}::text[], 1, '1.')`.execute(db),
  );
  const keeper = await app.person('wallOnly', mine, 'manager');
  const view = await screen(await wallToken(keeper)).call(wallCalls.view);
  expect(view).toMatchObject({ fleet: { total: 3 }, alarms: null });
});

test('it can do nothing else: no other call of the contract takes it', async () => {
  let wall = screen(await wallToken());
  const others = allCalls.filter((call) => call.can !== 'public' && call !== wallCalls.view && call.wire === 'json');
  expect(others.length).toBeGreaterThan(150);
  for (const [at, call] of others.entries()) {
    // One token may ask so often and no more.
    if (at > 0 && at % 300 === 0) wall = screen(await wallToken());
    const { code } = await wall.send(call, { id: 1 });
    // A session call that a key may make asks by itself what the key was given; with nothing asked for it refuses the input.
    expect([400, 401, 403, 404], call.path).toContain(code);
    if (!call.tokens) expect([401, 403], call.path).toContain(code);
  }
});

test('who may not show a wall makes no token for one; nobody makes one for longer than a year', async () => {
  const member = await app.person('orgMember', mine, 'manager');
  expect((await member.send(tokenCalls.add, { name: 'x', scopes: [VIEW] })).body?.fault).toBe('TOKEN_SCOPE');
  expect((await member.send(wallCalls.view)).code).toBe(403);
  expect((await owner.send(tokenCalls.add, { name: 'x', scopes: [VIEW], days: 366 })).body?.fault).toBe('BAD_INPUT');
});

test('revoked, expired, or with a maker who may no longer act there, it opens nothing', async () => {
  const admin = await app.person('platformAdmin', app.root, 'manager');
  const code = async (token: string, deptId = mine.id) => (await screen(token, deptId).send(wallCalls.view)).code;
  const [revoked, byAdmin, expired, managed] = [
    await wallToken(),
    await wallToken(),
    await wallToken(owner, 1),
    await wallToken(clientOf(app.http, owner.token, owner.userId, 'manager', beside.id)),
  ];
  expect([await code(revoked), await code(byAdmin), await code(expired), await code(managed, beside.id)]).toEqual([200, 200, 200, 200]);
  const [last] = (await owner.call(tokenCalls.page, { page: { size: 50 } })).content.filter((one) => one.hint === revoked.slice(0, 10));
  await owner.call(tokenCalls.revoke, { id: last?.id ?? 0 });
  const seen = (await admin.call(tokenAdminCalls.page, { page: { size: 50 } })).content.find((one) => one.hint === byAdmin.slice(0, 10));
  expect(seen).toMatchObject({ scopes: [VIEW], onlyDept: 'Wall bank' });
  await admin.call(tokenAdminCalls.revoke, { id: seen?.id ?? 0 });
  await app.context.unscoped((db) =>
    sql`update account_api_token set expires_at = now() - interval '1 second' where hint = ${expired.slice(0, 10)}`.execute(db),
  );
  await app.context.unscoped((db) => setManaged(db, owner.userId, [], null));
  expect([await code(revoked), await code(byAdmin), await code(expired), await code(managed, beside.id)]).toEqual([401, 401, 401, 401]);
  expect((await owner.send(homeCalls.fleet)).code).toBe(200);
});
