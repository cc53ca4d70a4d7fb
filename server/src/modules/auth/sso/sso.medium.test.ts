import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { userCalls } from '@mooring/contract/account/calls';
import type { Session } from '@mooring/contract/auth/calls';
import { ssoCalls } from '@mooring/contract/auth/sso-calls';
import { systemSettingCalls } from '@mooring/contract/settings/system-calls';
import Provider from 'oidc-provider';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Client, clientOf, type TestApp, testApp } from '../../../../test/test-app.ts';
import { writeSetting } from '../../../platform/settings.ts';
import { setRoles } from '../../access/api.ts';
import type { DeptAt } from '../../org/api.ts';

let app: TestApp;
let nobody: Client;
let admin: Client;
let bank: DeptAt;
let issuer = '';
let server: Server;
let here = '';
/** Whose rules they are. */
let savedBy = 0;
/** Who the provider says is at its door. */
let who: Record<string, unknown> = {};

beforeAll(async () => {
  app = await testApp();
  nobody = clientOf(app.http, '', 0, 'centre', 0);
  bank = await app.dept('Bank');
  admin = await app.person('platformAdmin', app.root);
  savedBy = admin.userId;
  here = await app.http.listen({ port: 0, host: '127.0.0.1' });
  server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [{ client_id: 'mooring', client_secret: 'hush-hush-hush', redirect_uris: [`${here}/ops/sys/login/oidc/callback`] }],
    claims: { openid: ['sub', 'name', 'email', 'email_verified', 'preferred_username', 'groups'] },
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: true } },
    pkce: { required: () => true },
    findAccount: (_ctx: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id, ...who }) }),
  });
  server.on('request', provider.callback());
  await app.context.unscoped((db) =>
    writeSetting(
      db,
      app.context.masterKey,
      'outbound',
      {
        allowed: ['127.0.0.1', 'localhost'],
        webhooks: [],
        alarms: [],
        registers: [],
        iot: [],
        timestamps: [],
        callbacks: [],
        downloads: [],
      },
      app.clock.now,
    ),
  );
});
afterAll(async () => {
  await new Promise((done) => server.close(done));
  await app.stop();
});

const roleId = (code: string) =>
  app.context.unscoped(
    async (db) => (await db.selectFrom('access_role').select('id').where('code', '=', code).executeTakeFirstOrThrow()).id,
  );
const set = async (more: object = {}) => {
  const value = {
    enabled: true,
    name: 'Test provider',
    issuer,
    clientId: 'mooring',
    clientSecret: 'hush-hush-hush',
    scopes: 'openid',
    groupsClaim: 'groups',
    provision: true,
    linkByEmail: false,
    rules: [
      { group: 'bank-staff', deptId: bank.id, roleId: await roleId('orgMember') },
      { group: 'bank-heads', roleId: await roleId('orgManager') },
    ],
    ...more,
  };
  await app.context.unscoped((db) => writeSetting(db, app.context.masterKey, 'singleSignOn', value, new Date(), savedBy));
};
beforeEach(() => set());

const emailOf = (one: Client) =>
  app.context.unscoped(
    async (db) => (await db.selectFrom('account_user').select('email').where('id', '=', one.userId).executeTakeFirstOrThrow()).email ?? '',
  );
const rolesOf = async (subject: string) => (await (await signIn(subject)).call(userCalls.info)).role;

const jar = new Map<string, string>();
const cookies = () => ({ headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') } });
/** Of the browser that began. */
const finish = (ticket: string, sent = cookies()) => nobody.send(ssoCalls.finish, { ticket }, sent);

/** A browser with cookies that walks through redirects and the provider's own forms, until it is back at the console's login page. */
async function walk(subject: string, from = `${here}/ops/sys/login/oidc/start?platform=centre`): Promise<URL> {
  jar.clear();
  let next: { url: string; form?: URLSearchParams } = { url: from };
  for (let step = 0; step < 20; step += 1) {
    const answer = await fetch(next.url, {
      redirect: 'manual',
      headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(next.form ? { method: 'POST', body: next.form } : {}),
    });
    for (const cookie of answer.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';');
      jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
    }
    const location = answer.headers.get('location');
    if (location) {
      const url = new URL(location, next.url);
      if (url.pathname === '/login') return url;
      next = { url: url.href };
      continue;
    }
    const html = await answer.text();
    const action = /action="([^"]+)"/.exec(html)?.[1];
    const prompt = /name="prompt" value="([^"]+)"/.exec(html)?.[1];
    if (!action || !prompt) throw new Error(html.slice(0, 500));
    next = {
      url: new URL(action, next.url).href,
      form: new URLSearchParams({ prompt, ...(prompt === 'login' ? { login: subject, password: 'x' } : {}) }),
    };
  }
  throw new Error('the walk has no end');
}
async function signIn(subject: string): Promise<Client> {
  const back = await walk(subject);
  const ticket = back.searchParams.get('sso');
  if (!ticket) throw new Error(back.search);
  const session = (await finish(ticket)).body as unknown as Session;
  return clientOf(app.http, session.token, 0, session.platform, 0);
}
const failure = async (subject: string) => (await walk(subject)).searchParams.get('ssoError');

test('the first sign-in makes an account where the groups say, the next finds it; its roles follow the groups', async () => {
  who = { name: 'Ann Sailor', preferred_username: 'ann', email: 'ann@bank.example', email_verified: true, groups: ['bank-staff'] };
  const info = await (await signIn('sub-ann')).call(userCalls.info);
  expect(info).toMatchObject({
    userName: 'Ann Sailor',
    account: 'ann',
    email: 'ann@bank.example',
    relateDept: { deptName: 'Bank' },
    role: ['Organisation member'],
  });
  who = { ...who, groups: ['bank-heads'] };
  const later = await (await signIn('sub-ann')).call(userCalls.info);
  expect([later.id, later.role]).toEqual([info.id, ['Organisation manager']]);
});

test('a ticket works once, and an answer that was not asked for is refused', async () => {
  who = { preferred_username: 'bob', groups: ['bank-staff'] };
  const ticket = (await walk('sub-bob')).searchParams.get('sso') ?? '';
  expect((await finish(ticket)).code).toBe(200);
  expect((await finish(ticket)).body?.fault).toBe('SSO_REFUSED');
  const forged = await app.http.inject({ url: '/ops/sys/login/oidc/callback?state=made-up&code=x' });
  expect(forged.headers.location).toContain('/login?ssoError=SSO_REFUSED');
});

test('what began in one browser ends in no other: neither the provider’s answer nor the ticket', async () => {
  who = { preferred_username: 'victim', groups: ['bank-staff'] };
  const begun = await app.http.inject({ url: '/ops/sys/login/oidc/start?platform=centre' });
  const state = new URL(String(begun.headers.location)).searchParams.get('state') ?? '';
  expect(String(begun.headers['set-cookie'])).toMatch(/HttpOnly; SameSite=Lax/);
  const other = await app.http.inject({
    url: `/ops/sys/login/oidc/callback?state=${state}&code=x`,
    headers: { cookie: 'mooring-sign-on=another-browser-of-theirs' },
  });
  expect(other.headers.location).toContain('ssoError=SSO_REFUSED');
  const ticket = (await walk('sub-victim')).searchParams.get('sso') ?? '';
  for (const headers of [{ cookie: '' }, { cookie: 'mooring-sign-on=another-browser-of-theirs' }]) {
    expect((await finish(ticket, { headers })).body?.fault).toBe('SSO_REFUSED');
  }
});

test('whom no rule places, nobody let in, or nobody knows stays outside, and nothing is made', async () => {
  const people = () => app.context.unscoped((db) => db.selectFrom('account_user').select('id').execute());
  const before = (await people()).length;
  who = { preferred_username: 'eve', groups: ['elsewhere'] };
  expect(await failure('sub-eve')).toBe('SSO_NO_PLACE');
  await set({ provision: false });
  expect(await failure('sub-eve')).toBe('SSO_UNKNOWN');
  expect((await people()).length).toBe(before);
  await set({ enabled: false });
  expect((await app.http.inject({ url: '/ops/sys/login/oidc/start' })).json().body.fault).toBe('SSO_OFF');
  expect(await nobody.call(ssoCalls.config)).toEqual({ enabled: false, name: '' });
});

test('an address links only where the settings and the provider vouch for it', async () => {
  const old = await app.person('orgManager', bank);
  const email = await emailOf(old);
  who = { email, email_verified: false, groups: ['bank-staff'] };
  await set({ linkByEmail: true, provision: false });
  expect(await failure('sub-old')).toBe('SSO_UNKNOWN');
  who = { email, email_verified: true, groups: ['bank-heads'] };
  expect((await (await signIn('sub-old')).call(userCalls.info)).id).toBe(old.userId);
});

test('a rule gives what whoever saved it may still give; roles of those who lost that end at the next sign-in', async () => {
  who = { preferred_username: 'ruled', groups: ['bank-staff', 'bank-heads'] };
  const boss = await app.person('orgManager', bank);
  savedBy = boss.userId;
  await set();
  expect(await rolesOf('sub-ruled')).toEqual(['Organisation manager', 'Organisation member']);
  await set({ rules: [{ group: 'bank-heads', roleId: await roleId('platformAdmin') }] });
  expect(await rolesOf('sub-ruled')).not.toContain('Platform administrator');
  await set();
  await app.context.unscoped(async (db) => setRoles(db, boss.userId, [await roleId('orgMember')], { by: null, way: 'system' }));
  expect(await rolesOf('sub-ruled')).toEqual(['Organisation member']);
  await app.context.unscoped((db) => db.updateTable('account_user').set({ state: '1' }).where('id', '=', boss.userId).execute());
  await set({ rules: [{ group: 'bank-staff', roleId: await roleId('orgMember') }] });
  // Whom nobody gives anything has no platform to be on.
  const ticket = (await walk('sub-ruled')).searchParams.get('sso') ?? '';
  expect((await finish(ticket)).body?.fault).toBe('SSO_REFUSED');
  savedBy = admin.userId;
});

test('an address makes nobody somebody who holds more than whoever switched that on', async () => {
  const boss = await app.person('orgManager', bank);
  savedBy = boss.userId;
  who = { email: await emailOf(admin), email_verified: true, groups: [] };
  await set({ linkByEmail: true, provision: false, rules: [] });
  expect(await failure('sub-climber')).toBe('SSO_LINK_ABOVE');
  savedBy = admin.userId;
  await set({ linkByEmail: true, provision: false, rules: [] });
  expect((await (await signIn('sub-climber')).call(userCalls.info)).id).toBe(admin.userId);
});

test('a disabled person stays outside though the provider lets them in', async () => {
  who = { preferred_username: 'dan', groups: ['bank-staff'] };
  const { id } = await (await signIn('sub-dan')).call(userCalls.info);
  await app.context.unscoped((db) => db.updateTable('account_user').set({ state: '1' }).where('id', '=', id).execute());
  expect(await failure('sub-dan')).toBe('SSO_REFUSED');
});

test('what is switched on says whom to ask', async () => {
  const admin = await app.person('platformAdmin', app.root, 'manager');
  const answer = await admin.send(systemSettingCalls.singleSignOn, { enabled: true });
  expect(answer.body).toMatchObject({
    fault: 'BAD_INPUT',
    fields: { issuer: { key: 'invalid.required' }, clientId: { key: 'invalid.required' } },
  });
  expect((await admin.send(systemSettingCalls.singleSignOn, { enabled: false })).code).toBe(200);
});
