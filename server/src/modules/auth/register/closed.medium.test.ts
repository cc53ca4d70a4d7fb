import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { registerCalls } from '@mooring/contract/auth/register-calls';
import { settingCalls } from '@mooring/contract/settings/calls';
import { systemSettingCalls } from '@mooring/contract/settings/system-calls';
import pg from 'pg';
import { expect, test } from 'vitest';
import { testDatabase } from '../../../../test/database.ts';
import { signInClientOf } from '../../../../test/sign-in-client.ts';
import { clientOf, testApp } from '../../../../test/test-app.ts';

const migrations = join(import.meta.dirname, '../../../../../database/migrations');

test('a new installation lets nobody register before somebody opens it, and the door offers no way to', async () => {
  const fresh = await testApp();
  try {
    const { nobody, proof } = signInClientOf(fresh);
    expect(await nobody.call(registerCalls.state)).toMatchObject({ open: false, kinds: [] });
    expect((await nobody.call(settingCalls.pageSetting)).registers).toBe(false);
    const asked = await nobody.send(registerCalls.captcha, { email: 'new@example.com', proof: await proof('regist') });
    expect(asked.body).toMatchObject({ fault: 'REGIST_CLOSED' });
    const { token } = await fresh.person('platformAdmin', fresh.root, 'manager');
    const settings = clientOf(fresh.http, token, 0, 'manager', 1);
    await settings.call(systemSettingCalls.registration, { open: true, oneDeptId: null });
    expect((await nobody.call(settingCalls.pageSetting)).registers).toBe(true);
  } finally {
    await fresh.stop();
  }
});

test('an installation of before stays as open as it was', async () => {
  const database = await testDatabase();
  const client = new pg.Client(database.url);
  await client.connect();
  try {
    const upgrade = readFileSync(join(migrations, '0730-registration-closed.sql'), 'utf8');
    const stored = async () => (await client.query("select value from settings_value where type = 'registration'")).rows[0]?.value;
    await client.query(upgrade);
    expect(await stored()).toBeUndefined();
    await client.query("insert into org_dept (id, kind, name, dept_path) overriding system value values (1, 'platform', 'All', '1.')");
    await client.query("insert into account_user (account, name, dept_id, dept_path) values ('anna', 'Anna', 1, '1.')");
    await client.query(upgrade);
    expect(await stored()).toEqual({ open: true, oneDeptId: null });
    await client.query(`update settings_value set value = '{"open": false}' where type = 'registration'`);
    await client.query(upgrade);
    expect(await stored()).toEqual({ open: false });
  } finally {
    await client.end();
    await database.drop();
  }
});
