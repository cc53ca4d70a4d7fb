import { memberCalls } from '@mooring/contract/account/member-calls';
import { tokenCalls } from '@mooring/contract/account/token-calls';
import { invitedCalls } from '@mooring/contract/auth/invite-calls';
import { backgroundJobCalls } from '@mooring/contract/file/background-job-calls';
import type { Call } from '@mooring/contract/kit/call';
import { deptCalls } from '@mooring/contract/org/calls';
import { deptInviteCalls } from '@mooring/contract/org/invite-calls';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type SignInClient, signInClientOf } from '../../../test/sign-in-client.ts';
import { type Client, clientOf, type TestApp, testApp } from '../../../test/test-app.ts';
import { seededRole, setManaged, setRoles } from '../access/api.ts';
import { addDept, type DeptAt } from './add-dept.ts';

let app: TestApp;
let signInClient: SignInClient;
let admin: Client;
/** Works on the centre alone. */
let line: Client;
const LINE: DeptAt = { id: 2, path: '1.2.' };
let region: DeptAt;
/** The attacker's own organisation, with the second mailbox as its manager; the bank that it is after, and its manager. */
let own: DeptAt;
let bank: DeptAt;
let banker: Client;

beforeAll(async () => {
  app = await testApp({ env: { RATE_PUBLIC: '0' } });
  signInClient = signInClientOf(app);
  admin = await app.person('platformAdmin', app.root);
  line = await app.person('productLineAdmin', LINE);
});
afterAll(() => app.stop());

let made = 0;
beforeEach(async () => {
  made += 1;
  region = await app.context.unscoped((db) => addDept(db, { kind: 'businessUnit', name: `Region ${made}`, parent: LINE }));
  bank = await app.dept(`Bank ${made}`, region);
  banker = await app.person('orgManager', bank, 'manager');
  own = await founded(`mine${made}@example.com`);
});

/** An organisation that the line's administrator had founded by a mailbox of their own. */
async function founded(email: string): Promise<DeptAt> {
  await line.call(deptInviteCalls.add, { email, name: `Own ${made}`, parentId: region.id });
  const invite = /invite=([\w-]+)/.exec((await signInClient.mailTo(email))?.text ?? '')?.[1] ?? '';
  await signInClient.nobody.call(invitedCalls.deptRegist, {
    invite,
    name: `Own ${made}`,
    account: `mine${made}`,
    userName: 'Mine',
    password: await signInClient.seal('regist', 'Fresh.Water8'),
  });
  const { id } = await app.context.unscoped((db) =>
    db.selectFrom('org_dept').select('id').where('name', '=', `Own ${made}`).executeTakeFirstOrThrow(),
  );
  return { id, path: `${region.path}${id}.` };
}
const faultOf = async (asked: ReturnType<Client['send']>) => {
  const { code, body } = await asked;
  return body?.fault ?? code;
};
const both = async (client: Client, call: Call, input: object) => [
  await faultOf(client.send(call, { ...input, preview: true })),
  await faultOf(client.send(call, input)),
];
const reasonOf = async (client: Client, work: number | null) => {
  const { state, reason } = await client.call(backgroundJobCalls.detail, { id: work ?? 0 });
  return reason ?? state;
};
const rolesAt = (dept: DeptAt) =>
  app.context.unscoped(async (db) => {
    const rows = await db
      .selectFrom('account_user as u')
      .leftJoin('access_user_role as ur', 'ur.user_id', 'u.id')
      .leftJoin('access_role as r', 'r.id', 'ur.role_id')
      .select(['u.id', 'r.code'])
      .where('u.dept_id', '=', dept.id)
      .execute();
    return rows.map((row) => `${row.id} ${row.code ?? '-'}`);
  });

test('nobody comes along into a merged organisation with what the one who merges doesn’t hold', async () => {
  expect(await both(line, deptCalls.merge, { id: own.id, into: bank.id })).toEqual(['TARGET_PEOPLE_ABOVE', 'TARGET_PEOPLE_ABOVE']);
  // The bank’s own people hold no more than the line’s administrator: still nobody of the source does.
  await app.context.unscoped(async (db) => setRoles(db, banker.userId, [await seededRole(db, 'marketAdmin')], { by: null, way: 'system' }));
  expect(await both(line, deptCalls.merge, { id: own.id, into: bank.id })).toEqual(['SOURCE_PEOPLE_ABOVE', 'SOURCE_PEOPLE_ABOVE']);
  // Whoever gave up their account could come back within 30 days.
  await app.context.unscoped((db) => db.updateTable('account_user').set({ state: 'cancelled' }).where('dept_id', '=', own.id).execute());
  expect(await faultOf(line.send(deptCalls.merge, { id: own.id, into: bank.id }))).toBe('SOURCE_PEOPLE_ABOVE');
  await app.context.unscoped((db) => db.updateTable('account_user').set({ state: '0' }).where('dept_id', '=', own.id).execute());
  const { work } = await admin.call(deptCalls.merge, { id: own.id, into: bank.id });
  await app.runJobs();
  expect(await reasonOf(admin, work)).toBe('done');
});

test('nobody gains an organisation that is moved below theirs, or merged into it, with what the one who moves it doesn’t hold', async () => {
  expect(await both(line, deptCalls.move, { id: bank.id, parentId: own.id })).toEqual(['TARGET_PEOPLE_ABOVE', 'TARGET_PEOPLE_ABOVE']);
  expect(await both(line, deptCalls.merge, { id: bank.id, into: own.id })).toEqual(['TARGET_PEOPLE_ABOVE', 'TARGET_PEOPLE_ABOVE']);
  // Nor below a unit whose people are above the target.
  const below = await app.dept(`Below own ${made}`, own);
  expect(await faultOf(line.send(deptCalls.move, { id: bank.id, parentId: below.id }))).toBe('TARGET_PEOPLE_ABOVE');
});

test('also whoever manages the target, or is its trustee, gains nothing that isn’t held', async () => {
  const [target, elsewhere] = [await app.dept(`Target ${made}`, region), await app.dept(`Elsewhere ${made}`, region)];
  const manager = await app.person('orgManager', elsewhere, 'manager');
  expect(await faultOf(line.send(deptCalls.move, { id: bank.id, parentId: target.id, preview: true }))).toBe(200);
  await app.context.unscoped((db) => setManaged(db, manager.userId, [target.id], null));
  expect(await faultOf(line.send(deptCalls.move, { id: bank.id, parentId: target.id }))).toBe('TARGET_PEOPLE_ABOVE');
  await app.context.unscoped((db) => setManaged(db, manager.userId, [], null));
  await app.context.unscoped((db) =>
    db
      .insertInto('org_trust')
      .values({
        pair: '00000000-0000-4000-8000-000000000000',
        side: 'trustee',
        dept_id: target.id,
        trustee_id: elsewhere.id,
        until: new Date(app.clock.now.getTime() + 86_400_000),
        given_by: 'x',
        dept_path: elsewhere.path,
      })
      .execute(),
  );
  expect(await faultOf(line.send(deptCalls.move, { id: bank.id, parentId: target.id }))).toBe('TARGET_PEOPLE_ABOVE');
});

test('a line’s administrator moves and merges where nobody gains what they don’t hold', async () => {
  const other = await app.context.unscoped((db) => addDept(db, { kind: 'businessUnit', name: `Other region ${made}`, parent: LINE }));
  await app.person('regionMaintainer', other);
  const [empty, target] = [await app.dept(`Empty ${made}`, region), await app.dept(`Target ${made}`, other)];
  const works = [
    await line.call(deptCalls.move, { id: bank.id, parentId: other.id }),
    await line.call(deptCalls.merge, { id: empty.id, into: target.id }),
  ];
  await app.runJobs();
  for (const { work } of works) expect(await reasonOf(line, work)).toBe('done');
});

test('it is asked again in the transaction that moves: who came meanwhile counts, and who comes beside it is left without roles', async () => {
  const [source, target] = [await app.dept(`Source ${made}`, region), await app.dept(`Target ${made}`, region)];
  const first = await line.call(deptCalls.merge, { id: source.id, into: target.id });
  const late = await app.person('orgManager', source, 'manager');
  await app.runJobs();
  expect(await reasonOf(line, first.work)).toBe('SOURCE_PEOPLE_ABOVE');
  await app.context.unscoped((db) => setRoles(db, late.userId, [], { by: null, way: 'system' }));
  const second = await line.call(deptCalls.merge, { id: source.id, into: target.id });
  await app.runJobs();
  expect(await reasonOf(line, second.work)).toBe('done');
  // Begun under the old path, committed after the merge: the sweep takes them along.
  const beside = await app.person('orgManager', source, 'manager');
  await app.context.pools.owner.query(`update graphile_worker._private_jobs set run_at = now()`);
  await app.runJobs();
  expect(await rolesAt(source)).toEqual([]);
  expect((await rolesAt(target)).sort()).toEqual([`${late.userId} -`, `${beside.userId} -`].sort());
});

test('what comes beside is taken along, and left without roles, also where whoever merged was disabled meanwhile', async () => {
  const [source, target] = [await app.dept(`Source ${made}`, region), await app.dept(`Target ${made}`, region)];
  const maker = await app.person('platformAdmin', app.root);
  const { work } = await maker.call(deptCalls.merge, { id: source.id, into: target.id });
  await app.runJobs();
  expect(await reasonOf(maker, work)).toBe('done');
  await app.context.pools.owner.query(`update account_user set state = '1' where id = $1`, [maker.userId]);
  const beside = await app.person('orgManager', source, 'manager');
  await app.context.pools.owner.query(`update graphile_worker._private_jobs set run_at = now()`);
  await app.runJobs();
  expect(await rolesAt(source)).toEqual([]);
  expect(await rolesAt(target)).toEqual([`${beside.userId} -`]);
});

test('an API token regroups within what its scopes hold', async () => {
  const { token } = await admin.call(tokenCalls.add, { name: 'regroup', scopes: ['org:dept:page', 'org:dept:move'], days: 1 });
  const system = clientOf(app.http, token, admin.userId, 'centre', 0);
  expect(await faultOf(system.send(deptCalls.merge, { id: own.id, into: bank.id }))).toBe('TARGET_PEOPLE_ABOVE');
  expect(await faultOf(line.send(memberCalls.resetPassword, { id: banker.userId }))).toBe('MEMBER_ABOVE');
});
