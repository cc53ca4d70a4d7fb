import { eachMenu } from '@mooring/contract/access/menus';
import { allCalls } from '@mooring/contract/index';
import type { Call } from '@mooring/contract/kit/call';
import { commonFaults } from '@mooring/contract/kit/fault';
import { isAllowed } from '@mooring/contract/kit/permission';
import { metadataOf, walk } from '@mooring/contract/kit/schema';
import { textTables } from '@mooring/contract/texts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type Client, clientOf, type TestApp, testApp } from '../test-app.ts';

let app: TestApp;
let admin: Client;
let managing: Client;
let custodian: Client;
let manager: Client;

beforeAll(async () => {
  // It asks without a session more often than one address may.
  app = await testApp({ env: { RATE_PUBLIC: '0' } });
  admin = await app.person('platformAdmin', app.root);
  managing = await app.person('platformAdmin', app.root, 'manager');
  custodian = await app.person('keyCustodian', app.root);
  manager = await app.person('orgManager', await app.dept('Bank'), 'manager');
});
afterAll(() => app.stop());

const json = allCalls.filter((call) => call.wire === 'json');
const closed = json.filter((call) => call.can !== 'public');
const name = (call: Call) => [call.path, call] as const;
/** An administrator on the platform that the call's menu belongs to. */
const onPlatformOf = (call: Call) => (isAllowed(centrePermissions, call.can) ? admin : managing);
const centrePermissions = new Set(
  eachMenu()
    .filter((node) => node.platforms.includes('centre'))
    .flatMap((node) => node.perms),
);
/** End sessions, or take away the rights, of those who make these calls. */
const ending = new Set([
  '/sys/logout',
  '/sys/user/session/end',
  ...['disable', 'disableMany', 'resetPassword', 'unbindMfa', 'update'].map((act) => `/sys/user/member/${act}`),
  ...['dept', 'businessUnit', 'productLine'].map((kind) => `/sys/${kind}/disable`),
]);
const permissions = new Set(eachMenu().flatMap((node) => node.perms));

describe('declarations', () => {
  test('paths are one of a kind', () => {
    const paths = allCalls.map((call) => `${call.method} ${call.path}`);
    expect(paths.filter((path, at) => paths.indexOf(path) !== at)).toEqual([]);
  });

  test('each permission stands at exactly one menu node, and each that a call asks for is there', () => {
    const all = eachMenu().flatMap((node) => node.perms);
    expect(all.filter((perm, at) => all.indexOf(perm) !== at)).toEqual([]);
    const asked = allCalls
      .flatMap((call) => (typeof call.can === 'string' ? [call.can] : [...call.can]))
      .filter((can) => can !== 'public' && can !== 'session')
      .flatMap((can) => can.split('||'));
    expect(asked.filter((perm) => !permissions.has(perm))).toEqual([]);
  });

  test('each fault has its text', () => {
    const keys = new Set(Object.values(textTables).flatMap((table) => Object.keys(table)));
    const faults = [...Object.keys(commonFaults), ...allCalls.flatMap((call) => call.faults)];
    expect(faults.filter((fault) => !keys.has(`fault.${fault}`))).toEqual([]);
  });

  test('inputs refuse unknown fields at every depth', () => {
    const loose: string[] = [];
    // An identity provider adds to its answer what it likes.
    for (const call of allCalls.filter((one) => one.path !== '/sys/login/oidc/callback')) {
      walk(call.input, undefined, (schema, path) => {
        const def = (schema as unknown as { def: { type: string; catchall?: z.ZodType } }).def;
        if (def.type === 'object' && !(def.catchall instanceof z.ZodNever)) loose.push(`${call.path} ${path.join('.')}`);
      });
    }
    expect(loose).toEqual([]);
  });
});

describe.each(closed.map(name))('%s', (_path, call) => {
  test('wants a session that lives', async () => {
    const nobody = clientOf(app.http, 'no-such-token', 0, 'centre', 0);
    expect((await nobody.send(call)).code).toBe(401);
    expect((await nobody.send(call, {}, { headers: { authorization: '' } })).code).toBe(401);
  });

  test('belongs to the platform of its session', async () => {
    expect((await manager.send(call, {}, { headers: { 'accept-platform': 'centre' } })).body?.fault).toBe('WRONG_PLATFORM');
  });

  test('acts for no foreign organisation', async () => {
    for (const foreign of ['1', '2', '999999', '-1', '0x1', '1,2', '', 'null']) {
      expect([400, 403]).toContain((await manager.send(call, {}, { headers: { 'accept-deptid': foreign } })).code);
    }
  });

  test('is refused to who has no permission for it', async () => {
    if (ending.has(call.path)) return;
    const held = new Set(['home:welcome:page']);
    const { code } = await custodian.send(call);
    if (isAllowed(held, call.can)) expect(code).not.toBe(403);
    else expect(code).toBe(403);
  });
});

describe.each(json.map(name))('%s', (_path, call) => {
  test('refuses fields it does not know', async () => {
    const { code, body } = await onPlatformOf(call).send(call, {}, { payload: { __proto__x: 1, userCategory: '1', deptId: 1 } });
    if (call.method === 'GET') return;
    expect(code).toBe(400);
    expect(body?.fault).toBe('BAD_INPUT');
  });
});

test('page calls refuse more rows than the most, and sort only by what they offer', async () => {
  const pages = json.filter((call) => 'page' in ((call.input as unknown as { shape?: object }).shape ?? {}));
  expect(pages.length).toBeGreaterThan(3);
  for (const call of pages) {
    for (const page of [
      { size: 100_000 },
      { size: 0 },
      { size: -1 },
      { number: 0 },
      { sort: 'id; drop table device' },
      { order: 'asc; --' },
      { after: 'nonsense' },
      { number: 900_000 },
    ]) {
      // A fixed list of the code has no depth.
      if (('after' in page || 'number' in page) && ['/productCategory/visible/page', '/sys/job/page'].includes(call.path)) continue;
      expect([call.path, page, (await onPlatformOf(call).send(call, { page })).code]).toEqual([call.path, page, 400]);
    }
  }
});

test('criteria refuse unknown fields, operators of their own, depth and endless lists', async () => {
  const filtered = json.filter((call) => 'criteria' in ((call.input as unknown as { shape?: object }).shape ?? {}));
  expect(filtered.length).toBeGreaterThan(10);
  for (const call of filtered) {
    const many = Array.from({ length: 10_000 }, (_, at) => at + 1);
    for (const criteria of [
      { noSuchField: 1 },
      { text: { $ne: null } },
      { text: { like: '%' } },
      { or: [{ text: 'a' }] },
      { id: { in: many } },
      { deptId: many },
      { state: many },
      { text: [[[[[[[[[[[['x']]]]]]]]]]]] },
      'text = 1',
    ])
      expect([call.path, (await onPlatformOf(call).send(call, { criteria })).code]).toEqual([call.path, 400]);
  }
});

test('answers have the declared shape', async () => {
  for (const call of json.filter((one) => one.reads && one.input.safeParse({}).success)) {
    const { code, body } = await onPlatformOf(call).send(call);
    if (code !== 200) continue;
    expect([call.path, z.safeParse(call.output, body).error?.issues]).toEqual([call.path, undefined]);
  }
});

test('sealed fields are not taken in clear', async () => {
  const withSeal = json.filter((call) => {
    let sealed = false;
    walk(call.input, undefined, (schema) => {
      sealed ||= metadataOf(schema)?.sealed !== undefined;
    });
    return sealed;
  });
  expect(withSeal.length).toBeGreaterThan(1);
  for (const call of withSeal)
    expect((await onPlatformOf(call).send(call, { account: 'admin', password: 'clear', newPassword: 'clear' })).code).toBe(400);
});
