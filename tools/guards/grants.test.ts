import { expect, test } from 'vitest';
import { pastTheGrants } from './grants.ts';
import { sourceFiles } from './source-files.ts';

test('rights are given in one place, which asks what their giver holds', () => {
  expect(pastTheGrants(sourceFiles())).toEqual([]);
});

const path = 'server/src/modules/a/a.ts';
test.each([
  "await db.insertInto('access_user_role').values(rows)",
  'db\n.insertInto(\n  "access_managed_dept")',
  'sql`insert into access_managed_dept (user_id, dept_id) select 1, 2`',
  'sql`INSERT INTO  org_trust values (1)`',
  "db.insertInto('account_api_token')",
  'sql`update access_user_role set role_id = 1 where user_id = 2`',
  "db.updateTable('access_managed_dept').set({ dept_id: 1 })",
  "db.updateTable('access_role as r').set({ menus: ['*'] })",
  "db\n  .insertInto('access_role')\n  .values(row)",
  'sql`update only access_role r set platforms = menus where id = 1`',
  "resource(Role, roleCalls, { table: 'access_role' })",
  'sql`merge into access_role r using x on true when matched then update set menus = x.menus`',
  "db.insertInto('account_identity').values(row)",
  'sql`update account_identity set user_id = 1`',
  "db.insertInto('account_user').values(row)",
  "db.updateTable('account_user').set({ user_type: '1' }).where('id', '=', id)",
  "db.updateTable('account_user').where('id', '=', id).set({ name, dept_path: path })",
  "db.updateTable('account_user').set('user_type', '1')",
  "sql`update account_user set name = 'a', user_type = '1' where id = 1`",
  'sql`update account_user u set dept_path = o.dept_path from org_dept o where o.id = 1`',
  "move(db, userRows, 'enable', [id], { set: { dept_path: '1.' } })",
])('%s is seen', (text) => {
  expect(pastTheGrants([{ path, text }])).toHaveLength(1);
});

test('its own file, tests, readers and those who take away are free', () => {
  expect(
    pastTheGrants([
      { path: 'server/src/modules/access/grants.ts', text: "insertInto('access_user_role')" },
      { path: 'server/src/modules/a/a.medium.test.ts', text: "insertInto('access_user_role')" },
      { path, text: "selectFrom('access_user_role'); deleteFrom('access_user_role')" },
      { path, text: "selectFrom('access_role as r'); sql`select from access_role r for update of r`" },
      { path, text: "updateTable('account_user').set({ name }).where('dept_path', '=', path).where('user_type', '=', '1')" },
      { path, text: "sql`update account_user set password_at = now() where dept_path = '1.' and user_type = '1'`" },
      { path, text: "move(db, userRows, 'disable', [id], { set: { reason } })" },
    ]),
  ).toEqual([]);
});
