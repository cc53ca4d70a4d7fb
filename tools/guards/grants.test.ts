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
])('%s is seen', (text) => {
  expect(pastTheGrants([{ path, text }])).toHaveLength(1);
});

test('its own file, tests, readers and those who take away are free', () => {
  expect(
    pastTheGrants([
      { path: 'server/src/modules/access/grants.ts', text: "insertInto('access_user_role')" },
      { path: 'server/src/modules/a/a.medium.test.ts', text: "insertInto('access_user_role')" },
      { path, text: "selectFrom('access_user_role'); deleteFrom('access_user_role')" },
    ]),
  ).toEqual([]);
});
