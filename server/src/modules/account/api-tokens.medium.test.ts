import { userCalls } from '@mooring/contract/account/calls';
import { tokenAdminCalls, tokenCalls } from '@mooring/contract/account/token-calls';
import { loginCalls } from '@mooring/contract/auth/calls';
import { deviceCalls } from '@mooring/contract/device/calls';
import { productCalls } from '@mooring/contract/product/calls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, clientOf, type TestApp, testApp } from '../../../test/test-app.ts';
import { makeToken } from './make-token.ts';

let app: TestApp;
let admin: Client;
let manager: Client;
beforeAll(async () => {
  app = await testApp();
  admin = await app.person('platformAdmin', app.root, 'manager');
  manager = await app.person('orgManager', await app.dept('Bank'));
});
afterAll(() => app.stop());

const make = async (of: Client, input: object = {}) => {
  const made = await of.call(tokenCalls.add, { name: 'robot', scopes: ['device:device:page'], ...input });
  return { ...made, client: clientOf(app.http, made.token, of.userId, 'centre', 0) };
};

test('a token does what it was given and nothing of its person’s own', async () => {
  const { client, row, token } = await make(manager);
  expect(token).toMatch(/^mtk_[\w-]{43}$/);
  expect(row).toMatchObject({ state: 'valid', hint: token.slice(0, 10), allowedActions: ['revoke'] });
  expect((await client.call(deviceCalls.page, {})).content).toEqual([]);
  expect((await client.send(deviceCalls.add, { sn: 'TOKEN-1', productId: 1, deptId: 1 })).code).toBe(403);
  expect((await client.send(loginCalls.cross, { platform: 'manager' })).code).toBe(403);
  expect((await client.send(userCalls.editAccount, { language: 'en' })).code).toBe(403);
  expect((await client.send(tokenCalls.add, { name: 'x', scopes: ['device:device:page'] })).code).toBe(403);
  expect((await client.send(tokenCalls.page, {})).code).toBe(403);
  expect((await manager.call(tokenCalls.page, {})).content.map((one) => one.lastIp)).toEqual(['127.0.0.1']);
});

test('only its hash is stored, and no answer shows it again', async () => {
  const { token } = await make(manager, { name: 'secret one' });
  const rows = await app.context.unscoped((db) => db.selectFrom('account_api_token').selectAll().execute());
  const log = await app.context.unscoped((db) => db.selectFrom('audit_entry').selectAll().execute());
  expect(JSON.stringify([rows, log, await manager.call(tokenCalls.page, {})])).not.toContain(token.slice(10));
});

test('nobody gives what they don’t hold, and a right that goes leaves the token too', async () => {
  expect((await manager.send(tokenCalls.add, { name: 'x', scopes: ['settings:system:update'] })).body?.fault).toBe('TOKEN_SCOPE');
  const { client } = await make(admin, { scopes: ['product:product:page'] });
  const there = clientOf(app.http, client.token, admin.userId, 'manager', 1);
  expect((await there.send(productCalls.page)).code).toBe(200);
  await app.context.unscoped((db) => db.deleteFrom('access_user_role').where('user_id', '=', admin.userId).execute());
  expect((await there.send(productCalls.page)).code).toBe(403);
  await app.context.unscoped(async (db) => {
    const role = await db.selectFrom('access_role').select('id').where('code', '=', 'platformAdmin').executeTakeFirstOrThrow();
    await db.insertInto('access_user_role').values({ user_id: admin.userId, role_id: role.id }).execute();
  });
});

test('a token whose scopes lie on both platforms acts on both, on each with those of its own', async () => {
  const { token, platforms } = await makeToken(app.context, {
    account: 'person1',
    name: 'maker',
    scopes: ['product:product:page', 'product:product:add', 'device:device:page'],
    days: 1,
    perMinute: 100,
  });
  expect(platforms).toEqual(['centre', 'manager']);
  const centre = clientOf(app.http, token, admin.userId, 'centre', 0);
  const there = clientOf(app.http, token, admin.userId, 'manager', 1);
  expect((await centre.send(deviceCalls.page)).code).toBe(200);
  expect((await there.send(productCalls.page)).code).toBe(200);
  const log = await app.context.unscoped((db) => db.selectFrom('audit_entry').selectAll().where('call', '=', 'npm run token').execute());
  expect(log.map(({ target, actor_name }) => [target, actor_name])).toEqual([['token maker', 'operator']]);
});

test('an operator gives nobody’s token what the person doesn’t hold, and none to who isn’t there', async () => {
  const wanted = { account: 'person2', name: 'x', scopes: ['device:device:page', 'settings:system:update'], days: 1, perMinute: 100 };
  await expect(makeToken(app.context, wanted)).rejects.toThrow("person2 doesn't hold: settings:system:update.");
  await expect(makeToken(app.context, { ...wanted, account: 'nobody' })).rejects.toThrow('There is no active account nobody.');
});

test('a program that names no language is told in English', async () => {
  const { client } = await make(manager);
  const refused = await client.send(deviceCalls.add, {}, { headers: { 'accept-language': '' } });
  expect([refused.code, refused.message]).toEqual([403, expect.stringMatching(/^[A-Z][a-z' ]+.*\.$/)]);
});

test('it ends by revoking, by its time, with its person and from a foreign address', async () => {
  const revoked = await make(manager);
  await manager.call(tokenCalls.revoke, { id: revoked.row.id });
  expect((await revoked.client.send(deviceCalls.page)).code).toBe(401);
  const over = await make(manager, { days: 1 });
  await app.context.unscoped((db) =>
    db
      .updateTable('account_api_token')
      .set({ expires_at: new Date(0) })
      .where('id', '=', over.row.id)
      .execute(),
  );
  expect((await over.client.send(deviceCalls.page)).code).toBe(401);
  const elsewhere = await make(manager, { addresses: ['203.0.113.0/24'] });
  expect((await elsewhere.client.send(deviceCalls.page)).code).toBe(401);
  const fired = await make(manager);
  await app.context.unscoped((db) => db.updateTable('account_user').set({ state: '1' }).where('id', '=', manager.userId).execute());
  expect((await fired.client.send(deviceCalls.page)).code).toBe(401);
  await app.context.unscoped((db) => db.updateTable('account_user').set({ state: '0' }).where('id', '=', manager.userId).execute());
  expect((await admin.send(tokenCalls.revoke, { id: fired.row.id })).code).toBe(404);
  await admin.call(tokenAdminCalls.revoke, { id: fired.row.id });
  expect((await fired.client.send(deviceCalls.page)).code).toBe(401);
});

test('its limit is said in headers, and over it there is a wait', async () => {
  const { token } = await make(manager, { perMinute: 3 });
  const ask = () =>
    app.http.inject({
      method: 'POST',
      url: '/ops/device/page',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      payload: '{}',
    });
  const answers = [];
  for (let n = 0; n < 8; n += 1) answers.push(await ask());
  expect(answers[0]?.headers['ratelimit-policy']).toBe('"token";q=3;w=60');
  expect(answers[0]?.headers.ratelimit).toMatch(/^"token";r=2;t=\d+$/);
  const refused = answers.find((one) => one.statusCode === 429);
  expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0);
});
