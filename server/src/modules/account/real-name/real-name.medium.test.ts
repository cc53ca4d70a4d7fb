import { menuCalls } from '@mooring/contract/access/calls';
import { userCalls } from '@mooring/contract/account/calls';
import { authAuditCalls, realNameCalls } from '@mooring/contract/account/real-name-calls';
import { tokenCalls } from '@mooring/contract/account/token-calls';
import { deviceCalls } from '@mooring/contract/device/calls';
import { fileCalls } from '@mooring/contract/file/calls';
import { systemSettingCalls } from '@mooring/contract/settings/system-calls';
import { sql } from 'kysely';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { signInClientOf } from '../../../../test/sign-in-client.ts';
import { type Client, clientOf, type TestApp, testApp } from '../../../../test/test-app.ts';
import { openStore } from '../../../platform/files/open-store.ts';
import type { DeptAt } from '../../org/api.ts';

const DAY = 86_400_000;
let app: TestApp;
let signInClient: ReturnType<typeof signInClientOf>;
let bank: DeptAt;
let auditor: Client;
let image = '';

beforeAll(async () => {
  app = await testApp();
  signInClient = signInClientOf(app);
  bank = await app.dept('Harbour Bank');
  auditor = await app.person('auditor', app.root, 'manager');
  image = (
    await sharp({ create: { width: 64, height: 40, channels: 3, background: '#0a6a74' } })
      .png()
      .toBuffer()
  ).toString('base64');
});
afterAll(() => app.stop());
beforeEach(() => {
  app.clock.now = new Date();
});

const faultOf = async (answer: Promise<{ body: { fault?: string } | null }>) => (await answer).body?.fault;
const inDays = (days: number) => new Date(app.clock.now.getTime() + days * DAY).toISOString().slice(0, 10);
const picture = async (who: Client) => (await who.call(realNameCalls.addPicture, { image })).id;
const person = async (who: Client, more: object = {}) => ({
  name: 'Anna Meer',
  documentKind: 'passport',
  number: await signInClient.seal('realName', 'P-7712349876'),
  validUntil: inDays(400),
  front: await picture(who),
  back: await picture(who),
  ...more,
});
const handIn = async (who: Client, more: object = {}) => who.send(realNameCalls.person, await person(who, more));
const org = async (who: Client, more: object = {}) =>
  who.send(realNameCalls.org, {
    name: 'Harbour Bank plc',
    number: await signInClient.seal('realName', '91330100ABCD1234'),
    legalPerson: 'Olga Berg',
    validUntil: inDays(400),
    licence: await picture(who),
    ...more,
  });
const waiting = async (who: Client) => {
  const { content } = await auditor.call(authAuditCalls.page, { criteria: { outcome: 'waiting' }, page: { size: 100 } });
  return content.find((row) => row.userId === who.userId) as (typeof content)[number];
};
const stateOf = async (who: Client) => (await who.call(realNameCalls.authInfo)).state;
const night = () => app.context.unscoped((db) => app.context.enqueue(db, 'account:real-names', {})).then(app.runJobs);

test('a person hands in, is refused with a reason for a field, hands in again and is checked', async () => {
  const anna = await app.person('orgMember', bank);
  expect((await anna.call(realNameCalls.authInfo)).may).toContain('person');
  expect((await handIn(anna)).code).toBe(200);
  expect(await stateOf(anna)).toBe('3');
  const { id } = await waiting(anna);
  await auditor.call(authAuditCalls.refuse, { id, reasons: { number: 'It says 9877 in the picture' } });
  const refused = await anna.call(realNameCalls.authInfo);
  expect(refused).toMatchObject({
    state: '5',
    authenticated: false,
    request: { outcome: 'refused', reasons: { number: 'It says 9877 in the picture' } },
  });
  expect((await handIn(anna)).code).toBe(200);
  await auditor.call(authAuditCalls.approve, { id: (await waiting(anna)).id });
  const checked = await anna.call(realNameCalls.authInfo);
  expect(checked).toMatchObject({ state: '1', authenticated: true, checked: { number: '••••9876', name: 'Anna Meer' } });
  expect(await faultOf(handIn(anna))).toBe('REAL_NAME_CHECKED');
});

test('numbers and pictures are sealed where they are kept', async () => {
  const anna = await app.person('orgMember', bank);
  await handIn(anna);
  const rows = await app.context.unscoped((db) => sql<{ row: string }>`select q::text as row from account_real_name_request q`.execute(db));
  expect(JSON.stringify(rows.rows)).not.toContain('7712349876');
  const stored = await app.context.unscoped((db) =>
    sql<{ sha256: string }>`select sha256 from account_real_name_picture limit 1`.execute(db),
  );
  const bytes = [];
  for await (const part of await openStore(app.context.config).read(stored.rows[0]?.sha256 ?? '')) bytes.push(part as Buffer);
  await expect(sharp(Buffer.concat(bytes)).metadata()).rejects.toThrow();
  const audited = await app.context.unscoped((db) => sql<{ row: string }>`select a::text as row from audit_entry a`.execute(db));
  expect(JSON.stringify(audited.rows)).not.toContain('7712349876');
});

test('an auditor sees pictures and number, and each look is in the log', async () => {
  const anna = await app.person('orgMember', bank);
  await handIn(anna);
  const { id } = await waiting(anna);
  const looks = async () =>
    (
      await app.context.unscoped((db) =>
        sql<{
          n: number;
        }>`select count(*)::int as n from audit_entry where actor_id = ${auditor.userId} and call like '/sys/user/authAudit/%/view'`.execute(
          db,
        ),
      )
    ).rows[0]?.n ?? 0;
  const before = await looks();
  expect((await auditor.call(authAuditCalls.picture, { id, which: 'front' })).image).toMatch(/^data:image\/png;base64,/);
  expect((await auditor.call(authAuditCalls.picture, { id, which: 'front' })).image).toMatch(/^data:/);
  expect((await auditor.call(authAuditCalls.number, { id })).number).toBe('P-7712349876');
  expect(await looks()).toBe(before + 3);
  expect((await auditor.send(authAuditCalls.picture, { id, which: 'licence' })).code).toBe(404);
});

test('nobody else sees a document’s picture: not a colleague, not a manager, not by its id, not as a file', async () => {
  const anna = await app.person('orgMember', bank);
  const manager = await app.person('orgManager', bank);
  const own = await picture(anna);
  expect((await anna.call(realNameCalls.picture, { id: own })).image).toMatch(/^data:/);
  for (const other of [manager, auditor, await app.person('platformAdmin', app.root)]) {
    expect((await other.send(realNameCalls.picture, { id: own })).code).toBe(404);
    expect((await other.send(fileCalls.getSecurityToken, { id: own })).code).toBe(404);
  }
  // Nor hands in with it.
  expect(await faultOf(handIn(manager, { front: own }))).toBe('PICTURE_UNKNOWN');
  await handIn(anna, { front: own });
  const { id } = await waiting(anna);
  expect((await manager.send(authAuditCalls.detail, { id })).code).toBe(403);
  expect(await stateOf(manager)).toBe('0');
});

test('a picture goes with one request, and must be one', async () => {
  const anna = await app.person('orgMember', bank);
  const own = await picture(anna);
  expect(await faultOf(handIn(anna, { front: own, back: own }))).toBe('PICTURE_UNKNOWN');
  expect(await stateOf(anna)).toBe('0');
  const text = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64');
  expect(await faultOf(anna.send(realNameCalls.addPicture, { image: text }))).toBe('FILE_NOT_GENUINE');
  const answers = [];
  for (let at = 0; at < 21; at += 1) answers.push((await anna.send(realNameCalls.addPicture, { image })).code);
  expect(answers.at(-1)).toBe(429);
});

test('sent twice at once, one waits; decided twice at once, one decides', async () => {
  const anna = await app.person('orgMember', bank);
  const [one, two] = [await person(anna), await person(anna)];
  const codes = (await Promise.all([anna.send(realNameCalls.person, one), anna.send(realNameCalls.person, two)])).map(
    (answer) => answer.code,
  );
  expect(codes.sort()).toEqual([200, 400]);
  const { id } = await waiting(anna);
  const second = await app.person('auditor', app.root, 'manager');
  const decided = await Promise.all([
    auditor.send(authAuditCalls.approve, { id }),
    second.send(authAuditCalls.refuse, { id, reasons: { name: 'x' } }),
  ]);
  expect(decided.map((answer) => answer.code).sort()).toEqual([200, 409]);
});

test('nobody decides about their own, writes a state, or hands in what has run out', async () => {
  await handIn(auditor);
  const { id, allowedActions: offers } = await waiting(auditor);
  expect(offers).toEqual([]);
  expect(await faultOf(auditor.send(authAuditCalls.approve, { id }))).toBe('REAL_NAME_OWN');
  const anna = await app.person('orgMember', bank);
  for (const more of [{ state: '1' }, { userId: 1 }, { kind: 'org' }]) expect((await handIn(anna, more)).code).toBe(400);
  expect(await faultOf(handIn(anna, { validUntil: inDays(-1) }))).toBe('REAL_NAME_DAY');
  expect((await anna.send(authAuditCalls.refuse, { id, reasons: { name: 'x' } })).code).toBe(403);
});

test('an organisation is handed in by its manager alone; then it speaks for its people', async () => {
  const [manager, member] = [await app.person('orgManager', bank), await app.person('orgMember', bank)];
  await app.context.unscoped((db) => sql`update account_user set user_type = '2' where id = ${member.userId}`.execute(db));
  expect(await faultOf(org(member))).toBe('REAL_NAME_MANAGER');
  expect((await org(manager)).code).toBe(200);
  const { id, kind, legalPerson } = await waiting(manager);
  expect({ kind, legalPerson }).toEqual({ kind: 'org', legalPerson: 'Olga Berg' });
  expect((await auditor.send(authAuditCalls.refuse, { id, reasons: { front: 'there is none' } })).code).toBe(400);
  await auditor.call(authAuditCalls.approve, { id });
  expect(await member.call(realNameCalls.authInfo)).toMatchObject({ state: '0', authenticated: true });
  expect(await stateOf(manager)).toBe('2');
});

test('a checked person who becomes an organisation stays checked when that is refused', async () => {
  const manager = await app.person('orgManager', await app.dept('Pier Shop'));
  await handIn(manager);
  await auditor.call(authAuditCalls.approve, { id: (await waiting(manager)).id });
  await org(manager);
  expect(await manager.call(realNameCalls.authInfo)).toMatchObject({ state: '6', authenticated: true });
  await auditor.call(authAuditCalls.refuse, { id: (await waiting(manager)).id, reasons: { licence: 'Not readable' } });
  expect(await manager.call(realNameCalls.authInfo)).toMatchObject({ state: '1', authenticated: true });
});

test('each kind needs its own permission, and the counts tell only what one may see', async () => {
  const shop = await app.dept('Two Kinds');
  const [manager, member] = [await app.person('orgManager', shop), await app.person('orgMember', shop)];
  await org(manager);
  await handIn(member);
  const half = await app.person('auditor', app.root, 'manager');
  const reader = await app.context.unscoped((db) =>
    sql<{ id: number }>`insert into access_role (name, type, platforms, menus, dept_id, dept_path)
      values ('People only', '1', '{manager}', '{authAudit,sys:audit:person:page}', 1, '1.') returning id`.execute(db),
  );
  await app.context.unscoped((db) =>
    sql`update access_user_role set role_id = ${reader.rows[0]?.id} where user_id = ${half.userId}`.execute(db),
  );
  const both = await auditor.call(authAuditCalls.waitingCount);
  expect(both.enterpriseAuditCount).toBeGreaterThan(0);
  expect(await half.call(authAuditCalls.waitingCount)).toEqual({ ...both, enterpriseAuditCount: 0 });
  const counts = await auditor.call(menuCalls.counts);
  expect(counts).toMatchObject({ ...both, authAudit: both.enterpriseAuditCount + both.personalAuditCount });
  expect(await half.call(menuCalls.counts)).not.toHaveProperty('enterpriseAuditCount');
  expect((await half.call(authAuditCalls.page, {})).content.every((row) => row.kind === 'person')).toBe(true);
  expect((await half.send(authAuditCalls.approve, { id: (await waiting(manager)).id })).code).toBe(404);
  expect((await half.send(authAuditCalls.picture, { id: (await waiting(manager)).id, which: 'licence' })).code).toBe(404);
});

test('warned 30 days before, renewed in time; a refused renewal is good until its day, then it is over', async () => {
  const anna = await app.person('orgMember', await app.dept('In Time'));
  await handIn(anna, { validUntil: inDays(40) });
  await auditor.call(authAuditCalls.approve, { id: (await waiting(anna)).id });
  await night();
  expect(await stateOf(anna)).toBe('1');
  app.clock.now = new Date(Date.now() + 11 * DAY);
  await night();
  await night();
  expect(await anna.call(realNameCalls.authInfo)).toMatchObject({ state: '7', authenticated: true, may: ['person', 'org'] });
  expect((await handIn(anna, { validUntil: inDays(900) })).code).toBe(200);
  expect(await anna.call(realNameCalls.authInfo)).toMatchObject({ state: '3', authenticated: true });
  await auditor.call(authAuditCalls.refuse, { id: (await waiting(anna)).id, reasons: { front: 'Blurred' } });
  expect(await stateOf(anna)).toBe('7');
  app.clock.now = new Date(Date.now() + 41 * DAY);
  await night();
  expect(await anna.call(realNameCalls.authInfo)).toMatchObject({ state: '4', authenticated: false });
});

test('what nobody decided times out after 30 days; what was refused is deleted after 90, with its pictures', async () => {
  const [late, refused] = [await app.person('orgMember', bank), await app.person('orgMember', bank)];
  await handIn(late);
  await handIn(refused);
  await auditor.call(authAuditCalls.refuse, { id: (await waiting(refused)).id, reasons: { name: 'No' } });
  const pictures = async (who: Client) =>
    (
      await app.context.unscoped((db) =>
        sql<{ sha256: string }>`select sha256 from account_real_name_picture where user_id = ${who.userId}`.execute(db),
      )
    ).rows;
  const [kept] = await pictures(refused);
  const store = openStore(app.context.config);
  expect(await store.size(kept?.sha256 ?? '')).toBeGreaterThan(0);
  app.clock.now = new Date(Date.now() + 31 * DAY);
  await night();
  expect(await stateOf(late)).toBe('4');
  expect((await late.call(realNameCalls.authInfo)).request?.outcome).toBe('timedOut');
  expect(await pictures(refused)).toHaveLength(2);
  app.clock.now = new Date(Date.now() + 91 * DAY);
  await night();
  await app.runJobs();
  expect(await pictures(refused)).toHaveLength(0);
  expect(await store.size(kept?.sha256 ?? '')).toBeUndefined();
  expect((await refused.call(realNameCalls.authInfo)).request).toBeNull();
});

test('what is withheld from the unchecked is gone at once, from the menu and from keys too, and back once they are checked', async () => {
  const shop = await app.dept('Withheld Ltd');
  const member = await app.person('orgManager', shop);
  const key = await member.call(tokenCalls.add, { name: 'Register', scopes: ['device:device:page'] });
  const admin = clientOf(app.http, (await app.person('platformAdmin', app.root, 'manager')).token, 0, 'manager', 1);
  expect((await member.send(deviceCalls.page, {})).code).toBe(200);
  await admin.call(systemSettingCalls.unauthenticated, { withheld: ['device:device:page', 'device:command:send'] });
  expect((await member.send(deviceCalls.page, {})).code).toBe(403);
  expect((await member.call(userCalls.info)).permissions).not.toContain('device:device:page');
  expect((await member.call(realNameCalls.authInfo)).withheld).toEqual(['device:device:page', 'device:command:send']);
  expect(JSON.stringify(await member.call(menuCalls.nav, { menuType: 'centre' }))).not.toContain('/device/device"');
  expect((await clientOf(app.http, key.token, 0, 'centre', 0).send(deviceCalls.page, {})).code).toBe(403);
  await handIn(member);
  expect((await member.send(deviceCalls.page, {})).code).toBe(403);
  await auditor.call(authAuditCalls.approve, { id: (await waiting(member)).id });
  expect((await member.send(deviceCalls.page, {})).code).toBe(200);
  expect(await faultOf(admin.send(systemSettingCalls.unauthenticated, { withheld: ['settings:system:update'] }))).toBe('BAD_INPUT');
  await admin.call(systemSettingCalls.unauthenticated, { withheld: [] });
});
