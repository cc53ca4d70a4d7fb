import { memberCalls } from '@mooring/contract/account/member-calls';
import { leavingCalls } from '@mooring/contract/account/own-calls';
import { settingKinds } from '@mooring/contract/settings/kinds';
import { systemSettingCalls } from '@mooring/contract/settings/system-calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { writeSetting } from '../../platform/settings.ts';
import { seededRole, setRoles } from '../access/api.ts';
import { personOf } from './sso/person.ts';

/** Whoever may save what holds for the whole installation stands at its top: holding everything elsewhere is no way back. */
let app: TestApp;
let bank: { id: number; path: string };
let platformAdmin = 0;
let top: Client;

beforeAll(async () => {
  app = await testApp({ env: { DATABASE_POOL: '12' } });
  bank = await app.dept('Bank');
  platformAdmin = await app.context.unscoped((db) => seededRole(db, 'platformAdmin'));
  await app.person('platformAdmin', bank);
});
afterAll(() => app.stop());
beforeEach(async () => {
  await run(sql`update account_user set state = '1' where dept_id = 1`);
  top = await app.person('platformAdmin', app.root, 'manager');
});

const run = (statement: ReturnType<typeof sql>) => app.context.unscoped((db) => statement.execute(db));
const faultOf = async (asked: ReturnType<Client['send']>) => {
  const { code, body } = await asked;
  return body?.fault ?? code;
};
const accountOf = async (id: number) =>
  (await app.context.unscoped((db) => db.selectFrom('account_user').select('account').where('id', '=', id).executeTakeFirstOrThrow()))
    .account;
/** That somebody can still save it. */
const saves = (who: Client) => faultOf(who.send(systemSettingCalls.registration, {}));
const move = (by: Client, of: Client, dept: { id: number }) =>
  by.send(memberCalls.update, { id: of.userId, userName: 'Moved', userType: '1', deptId: dept.id, roleIds: [platformAdmin] });

test('the last one at the top can’t leave, whoever holds everything elsewhere', async () => {
  expect(await saves(top)).toBe(200);
  expect(await faultOf(top.send(leavingCalls.cancel, { account: await accountOf(top.userId) }))).toBe('LAST_ADMINISTRATOR');
});

test('two who move each other away from the top: one stays', async () => {
  for (let round = 0; round < 4; round += 1) {
    const [a, b] = [await app.person('platformAdmin', app.root), await app.person('platformAdmin', app.root)];
    await run(sql`update account_user set state = '1' where dept_id = 1 and id not in (${a.userId}, ${b.userId})`);
    await Promise.all([move(a, b, bank), move(b, a, bank)]);
    const { rows } = await run(sql`select from account_user where dept_id = 1 and state = '0'`);
    expect(rows.length).toBeGreaterThan(0);
  }
});

test('one platform’s everything is not enough to take the place of the last one', async () => {
  const half = await app.person('orgMember', app.root, 'manager');
  const { id } = await app.context.unscoped((db) =>
    db
      .insertInto('access_role')
      .values({ name: 'Half', type: '1', platforms: ['manager'], menus: ['*'], dept_id: 1, dept_path: '1.' })
      .returning('id')
      .executeTakeFirstOrThrow(),
  );
  await app.context.unscoped((db) => setRoles(db, half.userId, [id], { by: null, way: 'system' }));
  expect(await saves(half)).toBe('SETTING_ADMINISTRATOR');
  expect(await faultOf(top.send(leavingCalls.cancel, { account: await accountOf(top.userId) }))).toBe('LAST_ADMINISTRATOR');
});

test('a group that was renamed at the provider leaves the top its administrator', async () => {
  const setting = settingKinds.singleSignOn.parse({
    issuer: 'https://id.example.com',
    clientId: 'x',
    rules: [{ group: 'admins', roleId: platformAdmin }],
  });
  await app.context.unscoped((db) => writeSetting(db, app.context.masterKey, 'singleSignOn', setting, app.clock.now, top.userId));
  await app.context.unscoped((db) =>
    db.insertInto('account_identity').values({ user_id: top.userId, issuer: setting.issuer, subject: 's' }).execute(),
  );
  const claims = {
    issuer: setting.issuer,
    subject: 's',
    email: undefined,
    emailVerified: false,
    name: 'A',
    account: 'a',
    groups: ['renamed'],
  };
  await app.context.unscoped((db) => personOf(db, setting, claims as never));
  expect(await saves(top)).toBe(200);
});
