import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keyChangeCalls } from '@mooring/contract/signing/change-calls';
import { signingKeyCalls } from '@mooring/contract/signing/key';
import { signingProfileCalls } from '@mooring/contract/signing/profile';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeProduct } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { setRoles } from '../access/api.ts';
import { profilesOf } from './api.ts';
import { authorities } from './profile.factory.ts';
import { makeKey, makeProfile, makeStore, newestChange } from './signing.factory.ts';

/** Dual control is off here: what releases trust asks for two people all the same, as keys do. */
let app: TestApp;
let author: Client;
let second: Client;
let bank = { id: 0, path: '' };
let folder = '';
let ca: ReturnType<typeof authorities>;

beforeAll(async () => {
  app = await testApp({ env: { RATE_PUBLIC: '0' } });
  app.clock.now = new Date(app.clock.now.getTime() + 3_600_000);
  bank = await app.dept('Bank');
  author = await app.person('signingOfficer', bank);
  second = await app.person('signingOfficer', bank);
  folder = mkdtempSync(join(tmpdir(), 'mooring-hands-'));
  ca = authorities(folder);
});
afterAll(async () => {
  await app?.stop();
  rmSync(folder, { recursive: true, force: true });
});
const faultOf = async (sent: ReturnType<Client['send']>) => {
  const { code, body } = await sent;
  return body?.fault ?? code;
};
const named = async (text: string) => (await author.call(signingProfileCalls.page, { criteria: { text } })).content;
const approve = async (as: Client) => faultOf(as.send(keyChangeCalls.approve, { id: (await newestChange(as)).id }));
const fields = async () =>
  Object.fromEntries((await newestChange(second)).changes.map(({ field, before, after }) => [field, [before, after]]));
const changed = ({ id, name, remark, root, keyId, productIds }: Awaited<ReturnType<typeof makeProfile>>, of: object) => ({
  ...{ id, name, remark, root, keyId, productIds },
  ...of,
});

test('a new profile is nothing before somebody else approves it, and says whose it was to ask', async () => {
  const root = ca.root('New');
  const productId = await makeProduct(app, bank, 'N1');
  const input = { name: 'New one', deptId: bank.id, kind: 'chain' as const, root: root.pem, productIds: [productId] };
  expect(await author.call(signingProfileCalls.add, input)).toEqual({ changeRequestId: expect.any(Number) });
  expect(await named('New one')).toEqual([]);
  expect(await newestChange(second)).toMatchObject({
    target: 'profileAdd',
    keyName: 'New one',
    state: 'waiting',
    allowedActions: ['approve', 'refuse'],
  });
  expect(await fields()).toMatchObject({
    asks: [null, 'chain'],
    covers: [null, ['Product N1 (N1)']],
    root: [null, 'CN=New, O=Acquirer'],
    rootSha256: [null, expect.stringMatching(/^[0-9a-f]{64}$/)],
  });
  expect(Object.keys(await fields())).not.toContain('signer');
  expect((await newestChange(author)).allowedActions).toEqual(['withdraw']);
  expect(await approve(author)).toBe('CHANGE_OWN');
  expect(await approve(second)).toBe(200);
  const [made] = await named('New one');
  const { rows } = await app.context.unscoped((db) =>
    sql<{ name: string }>`select name from account_user where id = ${author.userId}`.execute(db),
  );
  expect(made).toMatchObject({ rootSubject: 'CN=New, O=Acquirer', createdBy: rows[0]?.name, productIds: [productId] });
});

test('what is trusted, for which products, and whether anything is asked for at all, is changed by two', async () => {
  const [root, next] = [ca.root('Before'), ca.root('Next')];
  const profile = await makeProfile(author, second, { name: 'Trusting', deptId: bank.id, kind: 'chain', root: root.pem });
  const productId = await makeProduct(app, bank, 'N2');
  for (const [of, field] of [
    [{ root: next.pem }, 'rootSha256'],
    [{ productIds: [productId] }, 'covers'],
  ] as const) {
    await author.call(signingProfileCalls.update, changed(profile, of));
    expect(Object.keys(await fields())).toContain(field);
    expect(await author.call(signingProfileCalls.detail, { id: profile.id })).toEqual(profile);
    await second.call(keyChangeCalls.refuse, { id: (await newestChange(second)).id, remark: 'no' });
  }
  await author.call(signingProfileCalls.delete, { id: profile.id });
  expect(await author.call(signingProfileCalls.detail, { id: profile.id })).toEqual(profile);
  expect(await approve(second)).toBe(200);
  expect(await named('Trusting')).toEqual([]);
});

test('a name and a remark alone are one person’s, and outdate what waits', async () => {
  const root = ca.root('Named');
  const profile = await makeProfile(author, second, { name: 'Named', deptId: bank.id, kind: 'chain', root: root.pem });
  await author.call(signingProfileCalls.update, changed(profile, { root: ca.root('Other').pem }));
  expect(await author.call(signingProfileCalls.update, changed(profile, { name: 'Renamed', remark: 'why' }))).toBeNull();
  expect(await named('Renamed')).toMatchObject([{ name: 'Renamed', remark: 'why', rootSha256: profile.rootSha256 }]);
  expect(await approve(second)).toBe('CHANGE_OUTDATED');
});

test('what stopped being so by the time of the approval is said to who approves', async () => {
  const productId = await makeProduct(app, bank, 'N3');
  const input = { deptId: bank.id, kind: 'none' as const, productIds: [productId] };
  await author.call(signingProfileCalls.add, { ...input, name: 'First come' });
  const first = await newestChange(second);
  await author.call(signingProfileCalls.add, { ...input, name: 'Late' });
  expect(await approve(second)).toBe(200);
  expect(await faultOf(second.send(keyChangeCalls.approve, { id: first.id }))).toBe('SIGNING_PROFILE_PRODUCT');
  const gone = await makeProduct(app, bank, 'N4');
  await author.call(signingProfileCalls.add, { ...input, name: 'Gone', productIds: [gone] });
  await app.context.unscoped((db) => sql`delete from product_product where id = ${gone}`.execute(db));
  expect(await approve(second)).toBe('CHANGE_OUTDATED');
});

test('where nobody else could approve, nothing is asked for', async () => {
  const lonely = await app.person('signingOfficer', await app.dept('Lonely'));
  const { rows } = await app.context.unscoped((db) =>
    sql<{ id: number }>`select dept_id as id from account_user where id = ${lonely.userId}`.execute(db),
  );
  const input = { name: 'Alone', deptId: Number(rows[0]?.id), kind: 'none' as const };
  expect(await faultOf(lonely.send(signingProfileCalls.add, input))).toBe('DUAL_NOBODY');
});

test('who has profiles and no keys sees, and takes back, the requests of profiles alone', async () => {
  const person = await app.person('auditor', bank);
  const values = { name: 'Profiles', type: '1', platforms: ['centre'], menus: ['apkTool', 'signing:profile:add'] };
  await app.context.unscoped(async (db) => {
    const role = await db
      .insertInto('access_role')
      .values({ ...values, dept_id: bank.id, dept_path: bank.path } as never)
      .returning('id')
      .executeTakeFirstOrThrow();
    await setRoles(db, person.userId, [role.id], { by: null, way: 'system' });
  });
  const key = await makeKey(author, second, await makeStore(author, bank.id));
  await author.call(signingKeyCalls.retire, { id: key });
  await person.call(signingProfileCalls.add, { name: 'Own', deptId: bank.id, kind: 'none' });
  const seen = await person.call(keyChangeCalls.page, {});
  expect(new Set(seen.content.map(({ target }) => target.slice(0, 7)))).toEqual(new Set(['profile']));
  const own = await newestChange(person);
  expect(own.allowedActions).toEqual(['withdraw']);
  expect((await person.call(keyChangeCalls.withdraw, { id: own.id })).state).toBe('withdrawn');
  const ofKeys = await author.call(keyChangeCalls.page, { criteria: { of: 'key' } });
  expect(ofKeys.content.every(({ keyId, profileId }) => keyId !== null && profileId === null)).toBe(true);
});

test('who could approve is told by the profile’s name, and its author of what became of it', async () => {
  await author.call(signingProfileCalls.add, { name: 'Told', deptId: bank.id, kind: 'none' });
  await second.call(keyChangeCalls.refuse, { id: (await newestChange(second)).id, remark: 'no need' });
  const { rows } = await app.context.unscoped((db) =>
    sql`select text_key, params ->> 'subject' as subject, link from message_message where text_key like 'profileChange%' order by id desc limit 1`.execute(
      db,
    ),
  );
  expect(rows).toEqual([{ text_key: 'profileChangeRefused', subject: 'Told', link: '/apkTool?tab=changes' }]);
});

test('nobody gets round a profile by merging two organisations: what each of them asks for counts', async () => {
  const productId = await makeProduct(app, app.root, 'M1');
  const [lax, strict] = [await app.dept('Lax'), await app.dept('Strict')];
  await app.context.unscoped(async (db) => {
    for (const [dept, kind] of [
      [lax, 'none'],
      [strict, 'cms'],
    ] as const)
      await db
        .insertInto('signing_profile')
        .values({ name: dept.path, kind, product_ids: [productId], dept_id: dept.id, dept_path: dept.path })
        .execute();
    await db.updateTable('signing_profile').set({ dept_id: strict.id, dept_path: strict.path }).where('dept_id', '=', lax.id).execute();
    const asked = await profilesOf(db, [productId], { sha256: 'a'.repeat(64), certificates: null }, strict.path, app.clock.now);
    expect(asked.map(({ kind }) => kind)).toEqual(['none', 'cms']);
  });
});

test('what is approved is what was read: not a key whose certificate became another one meanwhile', async () => {
  const keyId = await makeKey(author, second, await makeStore(author, bank.id));
  await author.call(signingProfileCalls.add, { name: 'By key', deptId: bank.id, kind: 'cms', keyId });
  await app.context.unscoped((db) => sql`update signing_key set certificate_sha256 = ${'b'.repeat(64)} where id = ${keyId}`.execute(db));
  expect(await approve(second)).toBe('CHANGE_OUTDATED');
  expect(await named('By key')).toEqual([]);
});
