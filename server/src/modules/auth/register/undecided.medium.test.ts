import { menuCalls } from '@mooring/contract/access/calls';
import { memberCalls } from '@mooring/contract/account/member-calls';
import { registerCalls } from '@mooring/contract/auth/register-calls';
import { deptCalls } from '@mooring/contract/org/calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRegistration, type SignInClient, signInClientOf } from '../../../../test/sign-in-client.ts';
import { type Client, type TestApp, testApp } from '../../../../test/test-app.ts';
import { addDept, type DeptAt } from '../../org/api.ts';

let app: TestApp;
let signInClient: SignInClient;
let unit: DeptAt;
let maintainer: Client;
let admin: Client;

beforeAll(async () => {
  app = await testApp();
  signInClient = signInClientOf(app);
  unit = await app.context.unscoped((db) => addDept(db, { kind: 'businessUnit', name: 'Region North', parent: { id: 2, path: '1.2.' } }));
  maintainer = await app.person('regionMaintainer', unit);
  admin = await app.person('platformAdmin', app.root);
  await openRegistration(app);
});
afterAll(() => app.stop());

async function registerOrg(name: string, email: string): Promise<void> {
  await app.context.unscoped((db) => sql`delete from auth_attempt`.execute(db));
  await signInClient.nobody.send(registerCalls.captcha, { email, proof: await signInClient.proof('regist') });
  const code = (await signInClient.mailTo(email))?.code ?? '';
  const password = await signInClient.seal('regist', 'Fresh.Water8');
  await signInClient.nobody.call(registerCalls.dept, {
    unitId: unit.id,
    name,
    account: 'anna.new',
    userName: name,
    email,
    code,
    password,
  } as never);
}
const registrantOf = async (email: string) =>
  (await admin.call(memberCalls.page, { criteria: { text: email } })).content[0] ?? expect.fail('nobody');

test('who came with an organisation is let in or kept out with it, and not by themselves', async () => {
  await registerOrg('Quay Stores', 'quay@example.com');
  const row = await registrantOf('quay@example.com');
  expect([row.state, row.allowedActions]).toEqual(['joining', []]);
  expect((await admin.send(memberCalls.refuse, { id: row.id, reason: 'no' })).body?.fault).toBe('MEMBER_WITH_ORG');
  const roleIds = row.roles.map((one) => one.id);
  expect((await admin.send(memberCalls.approve, { id: row.id, roleIds })).body?.fault).toBe('MEMBER_WITH_ORG');
  const waiting = (await admin.call(menuCalls.counts)) as unknown as Record<string, number>;
  expect([waiting.member ?? 0, waiting.dept]).toEqual([0, 1]);
  await admin.call(deptCalls.approve, { id: row.deptId });
  expect((await registrantOf('quay@example.com')).state).toBe('0');
});

test('what nobody decides about is said again every third day to those who decide, once', async () => {
  await registerOrg('Pier Foods', 'pier@example.com');
  await registerOrg('Tide Kiosks', 'tide@example.com');
  const told = async (days: number) => {
    app.clock.now = new Date(start + days * 86_400_000);
    await app.context.unscoped((db) => app.context.enqueue(db, 'auth:undecided', {}));
    await app.runJobs();
    const { rows } = await app.context.unscoped((db) =>
      sql<{ params: unknown; target: unknown; link: string }>`
        select params, target, link from message_message where text_key = 'undecided' order by id`.execute(db),
    );
    return rows;
  };
  const start = Date.now();
  expect(await told(2)).toEqual([]);
  const said = { params: { count: 2, days: 3 }, target: { users: [maintainer.userId] }, link: '/sys/dept?tab=applications' };
  expect(await told(3.1)).toEqual([said]);
  expect(await told(3.2)).toEqual([said]);
  const tide = await registrantOf('tide@example.com');
  await admin.call(deptCalls.approve, { id: tide.deptId });
  expect(await told(6.2)).toEqual([said, { ...said, params: { count: 1, days: 6 } }]);
});
