import { roleCalls } from '@mooring/contract/access/role-calls';
import { inviteCalls, memberCalls } from '@mooring/contract/account/member-calls';
import { tokenCalls } from '@mooring/contract/account/token-calls';
import { loginCalls } from '@mooring/contract/auth/calls';
import { invitedCalls } from '@mooring/contract/auth/invite-calls';
import { deptInviteCalls } from '@mooring/contract/org/invite-calls';
import { trustCalls } from '@mooring/contract/org/trust-calls';
import { mailCalls } from '@mooring/contract/settings/mail-calls';
import { systemSettingCalls } from '@mooring/contract/settings/system-calls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setMailServer } from '../../../test/set-mail-server.ts';
import { type SignInClient, signInClientOf } from '../../../test/sign-in-client.ts';
import { type Client, clientOf, type TestApp, testApp } from '../../../test/test-app.ts';
import { publicOrigin } from '../../platform/config/public-origin.ts';
import { addDept, type DeptAt } from '../org/api.ts';
import { seededRole, setRoles } from './api.ts';

let app: TestApp;
let signInClient: SignInClient;
let admin: Client;
let line: Client;
let bank: DeptAt;
let manager: Client;
const roles: Record<string, number> = {};
const LINE: DeptAt = { id: 2, path: '1.2.' };

beforeAll(async () => {
  app = await testApp();
  signInClient = signInClientOf(app);
  admin = await app.person('platformAdmin', app.root, 'manager');
  line = await app.person('productLineAdmin', LINE);
  bank = await app.dept('Bank');
  manager = await app.person('orgManager', bank);
  await app.context.unscoped(async (db) => {
    for (const code of ['platformAdmin', 'orgManager', 'orgMember', 'auditor', 'regionMaintainer'])
      roles[code] = await seededRole(db, code);
  });
});
afterAll(() => app.stop());

const faultOf = async (asked: ReturnType<Client['send']>) => {
  const { code, body } = await asked;
  return body?.fault ?? code;
};
let made = 0;
const named = <T extends object>(more: T) => {
  made += 1;
  return { name: `Made ${made}`, ...more };
};
const newcomer = (more: object = {}) => {
  made += 1;
  return { account: `grant.${made}`, userName: `Grant ${made}`, email: `grant${made}@example.com`, deptId: bank.id, ...more };
};
/** Somebody with a role of the platform administrator's making, on one platform. */
async function helper(menus: string[], platform: 'centre' | 'manager', dept = LINE): Promise<Client> {
  const role = await admin.call(roleCalls.add, named({ type: '1' as const, platforms: [platform], menus }));
  const person = await app.person('orgMember', dept, platform);
  await app.context.unscoped((db) => setRoles(db, person.userId, [role.id], { by: admin.userId, way: 'member' }));
  return person;
}
const sso = (more: object) => ({ enabled: false, name: 'Own', issuer: 'https://id.example.com', clientId: 'x', ...more });

test('whoever works on one platform makes no role for the other, and gives none that holds anything there', async () => {
  const climb = { type: '1' as const, platforms: ['manager'], menus: ['settings:system:update'] };
  expect(await faultOf(line.send(roleCalls.add, named(climb)))).toBe('ROLE_PLATFORM');
  expect(await faultOf(line.send(roleCalls.add, named({ ...climb, platforms: ['centre', 'manager'] })))).toBe('ROLE_PLATFORM');
  const own = await line.call(roleCalls.add, named({ type: '2' as const, platforms: ['centre' as const], menus: ['device'] }));
  expect(await faultOf(line.send(roleCalls.update, { id: own.id, name: own.name, platforms: ['manager'], menus: ['deviceAll'] }))).toBe(
    'ROLE_PLATFORM',
  );
  const theirs = await admin.call(
    roleCalls.add,
    named({ type: '1' as const, platforms: ['manager' as const], menus: ['settings:system:update'] }),
  );
  for (const roleId of [theirs.id, roles.auditor, roles.platformAdmin])
    expect(await faultOf(line.send(memberCalls.add, newcomer({ deptId: 2, roleIds: [roleId] })))).toBe('ROLE_ABOVE');
  expect(await faultOf(line.send(memberCalls.add, newcomer({ roleIds: [roles.orgManager] })))).toBe('ROLE_ABOVE');
  expect(await faultOf(line.send(inviteCalls.add, { email: 'climb@example.com', deptId: bank.id, roleIds: [roles.orgManager] }))).toBe(
    'ROLE_ABOVE',
  );
  expect(await faultOf(line.send(memberCalls.add, newcomer({ roleIds: [own.id] })))).toBe(200);
});

test('rights on one platform say nothing about the same page on the other', async () => {
  const one = await helper(['managerMember', 'access:managerMember:add', 'device'], 'manager', bank);
  const same = await admin.call(roleCalls.add, named({ platforms: ['centre' as const], menus: ['device'] }));
  expect(await faultOf(one.send(memberCalls.add, newcomer({ roleIds: [same.id] })))).toBe('ROLE_ABOVE');
});

test('whoever holds less takes over nobody who holds more on the other platform', async () => {
  const settings = await helper(['settings:system:update'], 'manager');
  expect(await faultOf(line.send(memberCalls.resetPassword, { id: settings.userId }))).toBe('MEMBER_ABOVE');
  expect(await faultOf(line.send(memberCalls.unbindMfa, { id: settings.userId }))).toBe('MEMBER_ABOVE');
  const change = { id: settings.userId, userName: 'X', email: 'mine@example.com', deptId: 2, roleIds: [roles.regionMaintainer] };
  expect(await faultOf(line.send(memberCalls.update, change))).toBe('MEMBER_ABOVE');
});

test('a rule of single sign-on is a grant of whoever saves it: platform administrators only', async () => {
  const settings = await helper(['settings:system:update'], 'manager');
  const rules = [{ group: 'mine', roleId: roles.platformAdmin, deptId: 1 }];
  for (const one of [rules, [], [{ group: 'mine', roleId: 999_999 }]])
    expect(await faultOf(settings.send(systemSettingCalls.singleSignOn, sso({ rules: one })))).toBe('SETTING_ADMINISTRATOR');
  expect(await faultOf(admin.send(systemSettingCalls.singleSignOn, sso({ rules: [{ group: 'mine', roleId: 999_999 }] })))).toBe(
    'ROLE_NOT_HERE',
  );
  expect(await faultOf(admin.send(systemSettingCalls.singleSignOn, sso({ rules })))).toBe(200);
});

test('who names the mail server reads every code: platform administrators only; sign-on and mail settings ask who one is', async () => {
  const settings = await helper(['settings:system:update'], 'manager');
  const mail = { host: 'mail.example.com' };
  expect(await faultOf(settings.send(systemSettingCalls.mail, mail))).toBe('SETTING_ADMINISTRATOR');
  expect(await faultOf(settings.send(systemSettingCalls.sms, { url: 'https://sms.example.com' }))).toBe('SETTING_ADMINISTRATOR');
  await app.context.pools.owner.query(`update auth_session set proved_at = null where user_id = ${admin.userId}`);
  for (const [call, input] of [
    [systemSettingCalls.mail, mail],
    [systemSettingCalls.sms, { url: '' }],
    [systemSettingCalls.singleSignOn, sso({})],
    [systemSettingCalls.registration, {}],
  ] as const)
    expect(await faultOf(admin.send(call, input))).toBe('STEP_UP_REQUIRED');
  await app.context.pools.owner.query(`update auth_session set proved_at = now() where user_id = ${admin.userId}`);
});

test('the list of mails shows no code, no password and no link of an invitation to anybody', async () => {
  const guest = 'masked@example.com';
  await admin.call(inviteCalls.add, { email: guest, deptId: 2, roleIds: [roles.auditor ?? 0] });
  await line.call(deptInviteCalls.add, { email: 'org-masked@example.com', name: 'Masked org', parentId: (await region()).id });
  await setMailServer(app);
  await manager.call(memberCalls.add, newcomer({ email: 'pw-masked@example.com', mail: true, roleIds: [roles.orgMember ?? 0] }) as never);
  await signInClient.nobody.call(loginCalls.sendCode, {
    to: 'person1@example.com',
    purpose: 'reset',
    proof: await signInClient.proof('code'),
  });
  await app.runJobs();
  const shown = (await admin.call(mailCalls.page, { page: { size: 100 } })).content;
  expect(new Set(shown.map((one) => one.template))).toEqual(new Set(['invite', 'deptInvite', 'oneTimePassword', 'resetCode']));
  for (const one of shown) expect(one.text).not.toMatch(/invite=[\w-]+|\d{6}|\n\S{14}\n/);
  for (const one of shown) expect(one.text).toContain('••••');
});

test('an invitation gives what its inviter may still give when it is taken', async () => {
  const inviter = await app.person('orgManager', bank);
  const invited = async (client: Client, email: string) => {
    await client.call(inviteCalls.add, { email, deptId: bank.id, roleIds: [roles.orgManager ?? 0] });
    return /invite=([\w-]+)/.exec((await signInClient.mailTo(email))?.text ?? '')?.[1] ?? '';
  };
  const take = async (invite: string) =>
    faultOf(
      signInClient.nobody.send(invitedCalls.userRegist, {
        invite,
        account: `inv.${invite.slice(0, 6).replace(/\W/g, 'x')}`,
        userName: 'Inv',
        password: await signInClient.seal('regist', 'Fresh.Water8'),
      }),
    );
  const [kept, lost] = [await invited(inviter, 'kept@example.com'), await invited(inviter, 'lost@example.com')];
  expect(await take(kept)).toBe(200);
  await app.context.unscoped((db) => setRoles(db, inviter.userId, [roles.orgMember ?? 0], { by: null, way: 'system' }));
  expect(await take(lost)).toBe('INVITE_OVER');
  expect(await faultOf(signInClient.nobody.send(invitedCalls.user, { code: lost }))).toBe('INVITE_OVER');
});

test('the link of an invitation leads to the server’s own address, whatever host the request names', async () => {
  const sent = { headers: { host: 'evil.example' } };
  expect((await manager.send(inviteCalls.add, { email: 'host@example.com', deptId: bank.id, roleIds: [roles.orgMember] }, sent)).code).toBe(
    200,
  );
  expect((await signInClient.mailTo('host@example.com'))?.text).toMatch(/\nhttp:\/\/127\.0\.0\.1:\d+\/reg\?invite=/);
  const place = await region();
  expect((await line.send(deptInviteCalls.add, { email: 'host-org@example.com', name: 'Host', parentId: place.id }, sent)).code).toBe(200);
  expect((await signInClient.mailTo('host-org@example.com'))?.text).not.toContain('evil.example');
  const origin = (more: object) => publicOrigin({ ...app.context.config, ...more });
  expect(origin({ PUBLIC_URL: 'https://tms.example.com/console' })).toBe('https://tms.example.com');
  expect(origin({ HOST: '192.0.2.1', PORT: 8080 })).toBe('https://192.0.2.1:8080');
  expect(() => origin({ HOST: '0.0.0.0' })).toThrow('PUBLIC_URL_MISSING');
});

test('an API token gives what its scopes hold, and no more', async () => {
  const { token } = await manager.call(tokenCalls.add, { name: 'hr', scopes: ['access:member:page', 'access:member:add'], days: 30 });
  const system = clientOf(app.http, token, manager.userId, 'centre', 0);
  expect(await faultOf(system.send(memberCalls.add, newcomer({ roleIds: [roles.orgManager] })))).toBe('ROLE_ABOVE');
  const own = await manager.call(roleCalls.add, named({ platforms: ['centre' as const], menus: ['member'] }));
  expect(await faultOf(system.send(memberCalls.add, newcomer({ roleIds: [own.id] })))).toBe(200);
});

test('trusteeship gives nobody more than its giver holds on that platform', async () => {
  const place = await region();
  const [giver, trustee] = [await app.dept('Giver', place), await app.dept('Trustee', place)];
  await app.person('orgManager', trustee, 'manager');
  const weak = await helper(['dept', 'org:trust:give'], 'centre', giver);
  const until = new Date(app.clock.now.getTime() + 86_400_000).toISOString();
  const terms = { deptId: giver.id, trusteeId: trustee.id, until };
  expect(await faultOf(weak.send(trustCalls.give, terms))).toBe('TRUST_ABOVE');
  expect(await faultOf((await app.person('orgManager', giver)).send(trustCalls.give, terms))).toBe(200);
});

let regions = 0;
function region(): Promise<DeptAt> {
  regions += 1;
  return app.context.unscoped((db) => addDept(db, { kind: 'businessUnit', name: `Region ${regions}`, parent: LINE }));
}

test('a role that is deleted beside its giving is given or gone, never both', async () => {
  for (let round = 0; round < 6; round += 1) {
    const role = await admin.call(roleCalls.add, named({ type: '2' as const, platforms: ['manager' as const], menus: ['deviceAll'] }));
    const [given, deleted] = await Promise.all([
      faultOf(admin.send(memberCalls.add, newcomer({ roleIds: [role.id] }))),
      faultOf(admin.send(roleCalls.delete, { id: role.id })),
    ]);
    expect([
      [200, 'ROLE_HELD'],
      ['ROLE_NOT_HERE', 200],
      ['NOT_FOUND', 200],
    ]).toContainEqual([given, deleted]);
  }
});
