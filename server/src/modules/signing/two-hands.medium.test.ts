import { generateKeyPairSync } from 'node:crypto';
import { allCalls } from '@mooring/contract/index';
import type { Call } from '@mooring/contract/kit/call';
import { keyChangeCalls } from '@mooring/contract/signing/change-calls';
import { signingKeyCalls } from '@mooring/contract/signing/key';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { sealForVault } from '../../../test/seal.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { setRoles } from '../access/api.ts';
import { makeKey, makeStore, newestChange, SUBJECT } from './signing.factory.ts';

/** Dual control is off here, as on every fresh installation: keys ask for two people all the same. */
let app: TestApp;
let author: Client;
let second: Client;
let third: Client;
let store = 0;

beforeAll(async () => {
  app = await testApp({ env: { RATE_PUBLIC: '0' } });
  const bank = await app.dept('Bank');
  author = await app.person('signingOfficer', bank);
  second = await app.person('signingOfficer', bank);
  third = await app.person('signingOfficer', bank);
  store = await makeStore(author, bank.id);
});
afterAll(() => app?.stop());
const run = (statement: ReturnType<typeof sql>) => app.context.unscoped((db) => statement.execute(db));
afterEach(() => run(sql`delete from account_given`));
const faultOf = async (sent: ReturnType<Client['send']>) => {
  const { code, body } = await sent;
  return body?.fault ?? code;
};
const given = (to: Client, by: Client, what: string, days = 0) =>
  run(
    sql`insert into account_given (user_id, given_by, what, at) values (${to.userId}, ${by.userId}, ${what}, now() - make_interval(days => ${days}::int))`,
  );
const approve = async (as: Client) => faultOf(as.send(keyChangeCalls.approve, { id: (await newestChange(as)).id }));
const isAsked = async (who: Client) => {
  await app.runJobs();
  const { rows } = await app.context.unscoped((db) =>
    sql<{
      target: { users: number[] };
    }>`select target from message_message where text_key = 'keyChangeWaiting' order by id desc limit 1`.execute(db),
  );
  return rows[0]?.target.users.includes(who.userId);
};

test.each(['account', 'password'])('whose %s somebody gave before the request, isn’t their second person for a week', async (what) => {
  await given(second, author, what);
  await author.call(signingKeyCalls.generate, { storeId: store, name: `Own ${what}`, algorithm: 'p256', subject: SUBJECT });
  expect([await isAsked(second), await isAsked(third)]).toEqual([false, true]);
  expect(await approve(second)).toBe('CHANGE_ONE_HAND');
  expect(await approve(third)).toBe(200);
  await run(sql`delete from account_given`);
  await given(second, author, what, 8);
  await author.call(signingKeyCalls.generate, { storeId: store, name: `Later ${what}`, algorithm: 'p256', subject: SUBJECT });
  expect(await approve(second)).toBe(200);
});

test('who takes over the other’s account after an export has neither half of it', async () => {
  const id = await makeKey(author, second, store, { exportable: true });
  await author.call(signingKeyCalls.exportKey, { id });
  expect(await approve(second)).toBe(200);
  await given(second, author, 'password');
  expect(await faultOf(second.send(signingKeyCalls.exportPassword, { id }))).toBe('CHANGE_ONE_HAND');
  expect(await faultOf(author.send(signingKeyCalls.exportFile, { id }))).toBe('CHANGE_ONE_HAND');
  await run(sql`delete from account_given`);
  expect(await faultOf(second.send(signingKeyCalls.exportPassword, { id }))).toBe(200);
});

test('the brake takes the halves of an export away, and a request to export that was made before it', async () => {
  const id = await makeKey(author, second, store, { exportable: true });
  await author.call(signingKeyCalls.exportKey, { id });
  await author.call(signingKeyCalls.suspend, { id });
  expect(await approve(second)).toBe('CHANGE_OUTDATED');
  await author.call(signingKeyCalls.exportKey, { id });
  expect(await approve(second)).toBe(200);
  await author.call(signingKeyCalls.resume, { id });
  expect(await approve(second)).toBe(200);
  expect(await faultOf(second.send(signingKeyCalls.exportPassword, { id }))).toBe('KEY_NO_EXPORT');
  expect(await faultOf(author.send(signingKeyCalls.exportFile, { id }))).toBe('KEY_NO_EXPORT');
});

test('what a database says of a key doesn’t make it one that leaves', async () => {
  const id = await makeKey(author, second, store);
  await run(sql`update signing_key set exportable = true where id = ${id}`);
  await author.call(signingKeyCalls.exportKey, { id });
  expect(await approve(second)).not.toBe(200);
  const { rows } = await run(sql`select from signing_export where key_id = ${id}`);
  expect(rows).toEqual([]);
});

test('the request for a new key is replaced by nobody', async () => {
  await author.call(signingKeyCalls.generate, { storeId: store, name: 'Waiting', algorithm: 'p256', subject: SUBJECT });
  const before = await newestChange(second);
  for (const one of [author, third]) expect(await faultOf(one.send(signingKeyCalls.activate, { id: before.keyId }))).toBe('FORBIDDEN');
  const now = await newestChange(second);
  expect([now.id, now.state, now.changes.length]).toEqual([before.id, 'waiting', before.changes.length]);
  expect((await author.call(signingKeyCalls.detail, { id: before.keyId })).state).toBe('waiting');
});

test('who may approve and nothing else is asked, and does', async () => {
  const dept = await app.context.unscoped((db) =>
    db
      .selectFrom('signing_store as s')
      .innerJoin('org_dept as o', 'o.id', 's.dept_id')
      .select(['o.id', 'o.dept_path as path'])
      .executeTakeFirstOrThrow(),
  );
  const approver = await app.person('auditor', dept);
  const values = { name: 'Approvers', type: '1', platforms: ['centre'], menus: ['keyStore', 'signing:key:approve'] };
  await app.context.unscoped(async (db) => {
    const role = await db
      .insertInto('access_role')
      .values({ ...values, dept_id: dept.id, dept_path: dept.path } as never)
      .returning('id')
      .executeTakeFirstOrThrow();
    await setRoles(db, approver.userId, [role.id], { by: null, way: 'system' });
  });
  await author.call(signingKeyCalls.generate, { storeId: store, name: 'Approved alone', algorithm: 'p256', subject: SUBJECT });
  expect(await isAsked(approver)).toBe(true);
  expect(await approve(approver)).toBe(200);
});

test('hours of which the first is the last are none', async () => {
  const id = await makeKey(author, second, store);
  const policy = { id, packageNames: [], profiles: [], mostUses: null, hourFrom: 8, hourTo: 8 };
  expect(await faultOf(author.send(signingKeyCalls.policy, policy))).toBe('KEY_HOURS');
});

interface Alone {
  readonly call: Call;
  readonly input: (id: number) => Promise<object> | object;
  /** What a key that somebody has alone is afterwards. */
  readonly state: string;
}
const pem = () =>
  Buffer.from(generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey.export({ type: 'pkcs8', format: 'pem' })).toString(
    'base64',
  );
const alone: readonly Alone[] = [
  {
    call: signingKeyCalls.generate,
    input: () => ({ storeId: store, name: 'Alone', algorithm: 'p256', subject: SUBJECT }),
    state: 'waiting',
  },
  {
    call: signingKeyCalls.import,
    input: () => sealForVault(author, { storeId: store, name: 'Brought', file: pem(), subject: SUBJECT }),
    state: 'waiting',
  },
  { call: signingKeyCalls.policy, input: (id) => ({ id, packageNames: [], mostUses: 9, hourFrom: 1, hourTo: 2 }), state: 'active' },
  {
    call: signingKeyCalls.chain,
    input: async (id) => ({ id, certificates: (await author.call(signingKeyCalls.detail, { id })).chain.join('') }),
    state: 'active',
  },
  { call: signingKeyCalls.next, input: async (id) => ({ id, nextId: await makeKey(author, second, store) }), state: 'active' },
  {
    call: signingKeyCalls.dropNext,
    input: async (id) => {
      await author.call(signingKeyCalls.next, { id, nextId: await makeKey(author, second, store) });
      await approve(second);
      return { id };
    },
    state: 'active',
  },
  {
    call: signingKeyCalls.resume,
    input: async (id) => {
      await author.call(signingKeyCalls.suspend, { id });
      return { id };
    },
    state: 'suspended',
  },
  { call: signingKeyCalls.retire, input: (id) => ({ id }), state: 'active' },
  { call: signingKeyCalls.destroy, input: (id) => ({ id }), state: 'active' },
  {
    call: signingKeyCalls.writeOff,
    input: async (id) => {
      await run(sql`update signing_key set state = 'destroyed', remains = 'elsewhere' where id = ${id}`);
      return { id };
    },
    state: 'destroyed',
  },
  { call: signingKeyCalls.exportKey, input: (id) => ({ id }), state: 'active' },
];

test.each(alone)('one person alone gets nothing by $call.path', async ({ call, input, state }) => {
  const made = await makeKey(author, second, store, { exportable: true });
  const sent = await input(made);
  const before = await author.call(signingKeyCalls.detail, { id: made });
  expect(await faultOf(author.send(call, sent))).toBe(200);
  const { id, keyId } = await newestChange(author);
  expect(keyId === made).toBe(state !== 'waiting');
  const waits = await author.call(signingKeyCalls.detail, { id: keyId });
  expect(waits.state).toBe(state);
  expect(await faultOf(author.send(keyChangeCalls.approve, { id }))).toBe('CHANGE_OWN');
  // Asked again, with what stands in the request: that is no second person either.
  expect(await faultOf(author.send(signingKeyCalls.activate, { id: keyId }))).toBe('FORBIDDEN');
  expect(await author.call(signingKeyCalls.detail, { id: keyId })).toEqual(waits);
  expect(await author.call(signingKeyCalls.detail, { id: made })).toEqual(before);
  for (const half of [signingKeyCalls.exportFile, signingKeyCalls.exportPassword])
    expect(await faultOf(author.send(half, { id: keyId }))).toBe('KEY_NO_EXPORT');
  expect(await faultOf(second.send(keyChangeCalls.refuse, { id, remark: 'no' }))).toBe(200);
  expect(await author.call(signingKeyCalls.detail, { id: made })).toEqual(before);
});

test('what one person alone tries is every call for two', () => {
  const dual = allCalls.filter(({ group, dual }) => group === '/api/keystore/key' && dual).map(({ path }) => path);
  expect([...alone.map(({ call }) => call.path), signingKeyCalls.activate.path].sort()).toEqual(dual.sort());
});
