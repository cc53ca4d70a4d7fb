import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { makeApk } from '@mooring/apk/apk.factory';
import type { ParsedInputOf } from '@mooring/contract/kit/call';
import { keyChangeCalls } from '@mooring/contract/signing/change-calls';
import { signingJobCalls } from '@mooring/contract/signing/job';
import { signingKeyCalls } from '@mooring/contract/signing/key';
import { signingProfileCalls } from '@mooring/contract/signing/profile';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeProduct } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { openStore } from '../../platform/files/open-store.ts';
import { changeProfile, makeKey, makeProfile, makeStore, newestChange, SUBJECT } from './signing.factory.ts';

let app: TestApp;
let author: Client;
let second: Client;
let bank = { id: 0, path: '' };
let store = 0;
let fileId = 0;
let made = 0;
let [one, other, foreign] = [0, 0, 0];

beforeAll(async () => {
  app = await testApp({ env: { RATE_PUBLIC: '0' } });
  bank = await app.dept('Bank');
  [author, second] = [await app.person('signingOfficer', bank), await app.person('signingOfficer', bank)];
  store = await makeStore(author, bank.id);
  [one, other] = [await makeProduct(app, app.root, 'S1'), await makeProduct(app, bank, 'S2')];
  foreign = await makeProduct(app, await app.dept('Other'), 'S3');
  const { sha256, md5, size } = await openStore(app.context.config, app.context.counts).put(
    Readable.from([await makeApk({ packageName: 'com.acme.pay', signers: [] })]),
  );
  const values = { kind: '4', name: 'pay.apk', size, sha256, md5, user_id: author.userId, dept_path: bank.path, created_at: app.clock.now };
  fileId = await app.context.unscoped(
    async (db) => (await db.insertInto('file_file').values(values).returning('id').executeTakeFirstOrThrow()).id,
  );
});
afterAll(() => app?.stop());

const refusal = async (sent: ReturnType<Client['send']>) => {
  const { code, body } = await sent;
  return [body?.fault ?? code, ...Object.keys(body?.fields ?? {})];
};
const policy = (id: number, productIds: number[]) => author.send(signingKeyCalls.policy, { id, productIds });
async function allowed(id: number, productIds: number[]): Promise<void> {
  await author.call(signingKeyCalls.policy, { id, productIds });
  await second.call(keyChangeCalls.approve, { id: (await newestChange(second)).id });
}
const profile = async (of: Partial<ParsedInputOf<typeof signingProfileCalls.add>>) =>
  makeProfile(author, second, { name: `Profile ${++made}`, deptId: bank.id, kind: 'none', ...of });
const nowFor = ({ id, name, remark, keyId }: Awaited<ReturnType<typeof profile>>, productIds: number[]) =>
  changeProfile(author, second, { id, name, remark, keyId, productIds });
const ask = (of: object) => author.send(signingJobCalls.add, { fileId, ...of });
const asked = async (of: object) => (await author.call(signingJobCalls.add, { fileId, ...of })).id;
const detail = (id: number) => author.call(signingJobCalls.detail, { id });
const approve = (id: number) => second.send(signingJobCalls.approve, { id });

test('the products of a policy are changed by two people, who read their names; others’ and deleted ones are refused', async () => {
  const id = await makeKey(author, second, store);
  expect(await refusal(policy(id, [foreign]))).toEqual(['NOT_FOUND']);
  const gone = await makeProduct(app, bank, 'S4');
  await author.call(signingKeyCalls.policy, { id, productIds: [one, gone] });
  const change = await newestChange(second);
  expect(change.changes).toEqual([{ field: 'products', before: [], after: ['Product S1 (S1)', 'Product S4 (S4)'] }]);
  expect((await author.call(signingKeyCalls.detail, { id })).productIds).toEqual([]);
  await app.context.unscoped((db) => sql`delete from product_product where id = ${gone}`.execute(db));
  expect(await refusal(second.send(keyChangeCalls.approve, { id: change.id }))).toEqual(['CHANGE_OUTDATED']);
  expect(await refusal(policy(id, [gone]))).toEqual(['NOT_FOUND']);
  await allowed(id, [one]);
  // Another name of a product is no change of the policy.
  await author.call(signingKeyCalls.policy, { id, productIds: [one, other] });
  await app.context.unscoped((db) => sql`update product_product set name = 'Renamed' where id = ${one}`.execute(db));
  await second.call(keyChangeCalls.approve, { id: (await newestChange(second)).id });
  expect(await author.call(signingKeyCalls.detail, { id })).toMatchObject({
    productIds: [one, other],
    products: [
      { id: other, name: 'Product S2' },
      { id: one, name: 'Renamed' },
    ],
  });
});

test('a new key has its policy from its first day: who approves it reads it, and where it is kept until when', async () => {
  const generate = (of: object) =>
    author.send(signingKeyCalls.generate, { storeId: store, name: `New ${++made}`, algorithm: 'p256', subject: SUBJECT, ...of });
  expect(await refusal(generate({ productIds: [foreign] }))).toEqual(['NOT_FOUND']);
  expect(await refusal(generate({ hourFrom: 8 }))).toEqual(['KEY_HOURS', 'hourTo']);
  expect(await refusal(generate({ hourFrom: 8, hourTo: 8 }))).toEqual(['KEY_HOURS', 'hourTo']);
  expect(await refusal(generate({ packageNames: ['*'] }))).toEqual(['BAD_INPUT', 'packageNames.0']);
  const limits = { packageNames: ['com.acme.till'], profiles: ['apk'], mostUses: 3, hourFrom: 22, hourTo: 4 };
  expect((await generate({ ...limits, productIds: [one] })).code).toBe(200);
  const change = await newestChange(second);
  const read = Object.fromEntries(change.changes.map(({ field, after }) => [field, after]));
  const notAfter = new Date(String(read.notAfter)).getUTCFullYear() - app.clock.now.getUTCFullYear();
  expect({ ...read, notAfter }).toMatchObject({ ...limits, products: ['Renamed (S1)'], kind: 'software', notAfter: 30 });
  await second.call(keyChangeCalls.approve, { id: change.id });
  expect(await author.call(signingKeyCalls.detail, { id: change.keyId })).toMatchObject({ ...limits, productIds: [one], state: 'active' });
  expect(await refusal(ask({ keyId: change.keyId }))).toEqual(['KEY_PACKAGE', 'fileId']);
});

test('a key for some products signs by a profile for those alone; the refusal stands at what has to be another', async () => {
  const keyId = await makeKey(author, second, store);
  await allowed(keyId, [one, other]);
  expect(await refusal(ask({ keyId }))).toEqual(['KEY_PRODUCT', 'profileId']);
  const [any, wide] = [await profile({}), await profile({ productIds: [one, await makeProduct(app, bank)] })];
  for (const { id: profileId } of [any, wide]) expect(await refusal(ask({ keyId, profileId }))).toEqual(['KEY_PRODUCT', 'keyId']);
  expect(await refusal(author.send(signingProfileCalls.add, { name: 'Own', deptId: bank.id, kind: 'cms', keyId }))).toEqual([
    'KEY_PRODUCT',
    'keyId',
  ]);
  const own = await profile({ kind: 'cms', keyId, productIds: [other] });
  const id = await asked({ profileId: own.id });
  expect((await detail(id)).products).toEqual(['Product S2']);
  expect((await approve(id)).code).toBe(200);
  await app.runJobs();
  expect(await detail(id)).toMatchObject({ state: 'signed', reason: null });
  await allowed(keyId, [one]);
  expect(await refusal(ask({ profileId: own.id }))).toEqual(['KEY_PRODUCT', 'profileId']);
});

test('policy and profile may change while a request waits: it is judged again at the approval and before it is signed', async () => {
  const keyId = await makeKey(author, second, store);
  const [first, next] = [await makeProduct(app, bank), await makeProduct(app, bank)];
  await allowed(keyId, [first, next]);
  const of = await profile({ productIds: [first] });
  const [waits, agreed] = [await asked({ profileId: of.id, keyId }), await asked({ profileId: of.id, keyId })];
  // Approved, and not signed yet.
  expect((await approve(agreed)).code).toBe(200);
  await nowFor(of, [first, await makeProduct(app, bank)]);
  expect(await refusal(approve(waits))).toEqual(['KEY_PRODUCT', 'keyId']);
  await app.runJobs();
  expect(await detail(agreed)).toMatchObject({ state: 'failed', reason: 'KEY_PRODUCT' });
  // What was asked for one product isn't signed as one for another, though key and profile agree on that by now.
  await allowed(keyId, [next]);
  await nowFor(of, [next]);
  expect(await refusal(approve(waits))).toEqual(['KEY_PRODUCT', 'keyId']);
  await nowFor(of, []);
  expect(await refusal(approve(waits))).toEqual(['KEY_PRODUCT', 'keyId']);
  await author.call(signingJobCalls.withdraw, { id: waits });
});

test('a key whose only product was deleted doesn’t sign for all', async () => {
  const keyId = await makeKey(author, second, store);
  const gone = await makeProduct(app, bank);
  await allowed(keyId, [gone]);
  await app.context.unscoped((db) => sql`delete from product_product where id = ${gone}`.execute(db));
  expect(await author.call(signingKeyCalls.detail, { id: keyId })).toMatchObject({ productIds: [gone], products: [] });
  expect(await refusal(ask({ keyId }))).toEqual(['KEY_PRODUCT', 'profileId']);
  await allowed(keyId, []);
  expect((await ask({ keyId })).code).toBe(200);
});

test('who doesn’t see a product of the policy changes the rest of it, and reads no name; what a call leaves out stays', async () => {
  const wide = await app.person('signingOfficer', { id: 2, path: '1.2.' });
  const id = await makeKey(author, second, store);
  const gone = await makeProduct(app, bank, 'S5');
  await wide.call(signingKeyCalls.policy, { id, productIds: [one, foreign, gone], mostUses: 9, packageNames: ['com.acme.*'] });
  await second.call(keyChangeCalls.approve, { id: (await newestChange(second)).id });
  await app.context.unscoped((db) => sql`delete from product_product where id = ${gone}`.execute(db));
  const agreed = async () => second.call(keyChangeCalls.approve, { id: (await newestChange(second)).id });
  const kept = { productIds: [one, foreign, gone], mostUses: 9, packageNames: ['com.acme.*'] };
  // All that the form shows, and the hours alone.
  for (const given of [{ ...kept, profiles: [], hourFrom: 8, hourTo: 18 }, { hourTo: 20 }]) {
    await author.call(signingKeyCalls.policy, { id, ...given });
    await agreed();
    expect(await author.call(signingKeyCalls.detail, { id })).toMatchObject({ ...kept, hourFrom: 8, hourTo: given.hourTo });
  }
  expect(await refusal(author.send(signingKeyCalls.policy, { id, hourTo: null }))).toEqual(['KEY_HOURS', 'hourTo']);
  await author.call(signingKeyCalls.policy, { id, productIds: [one, foreign] });
  expect((await newestChange(second)).changes).toEqual([
    { field: 'products', before: ['Renamed (S1)', null, null], after: ['Renamed (S1)', null] },
  ]);
  await agreed();
  await author.call(signingKeyCalls.policy, { id, productIds: [one] });
  await agreed();
  expect(await refusal(policy(id, [one, foreign]))).toEqual(['NOT_FOUND']);
  expect(await author.call(signingKeyCalls.detail, { id })).toMatchObject({ productIds: [one], mostUses: 9 });
});

test('a change of a policy that waits since before there were products is approved as it was read', async () => {
  const id = await makeKey(author, second, store);
  await author.call(signingKeyCalls.policy, { id, mostUses: 5 });
  const change = await newestChange(second);
  // As the version before wrote it.
  await app.context.unscoped((db) =>
    sql`update settings_change_request set before = before - 'productIds', after = after - 'productIds' - 'productNames'
      where id = ${change.id}`.execute(db),
  );
  expect(await refusal(second.send(keyChangeCalls.approve, { id: change.id }))).toEqual(['CHANGE_OUTDATED']);
  const migration = readFileSync(new URL('../../../../database/migrations/0963-signing-products.sql', import.meta.url), 'utf8');
  const upgrade = migration.split(';').find((one) => one.includes('update settings_change_request'));
  await app.context.unscoped((db) => sql.raw(upgrade ?? '').execute(db));
  expect((await newestChange(second)).changes).toEqual([{ field: 'mostUses', before: null, after: 5 }]);
  await second.call(keyChangeCalls.approve, { id: change.id });
  expect(await author.call(signingKeyCalls.detail, { id })).toMatchObject({ mostUses: 5, productIds: [] });
});

test('an approver reads how many products of a request they don’t see', async () => {
  const wide = await app.person('signingOfficer', { id: 2, path: '1.2.' });
  const gone = await makeProduct(app, bank, 'S6');
  const keyId = await makeKey(author, second, store);
  const of = await makeProfile(wide, second, { name: 'Wide', deptId: bank.id, kind: 'cms', keyId, productIds: [foreign, gone] });
  const id = await asked({ profileId: of.id });
  expect(await second.call(signingJobCalls.detail, { id })).toMatchObject({ products: ['Product S6'], productsUnseen: 1 });
  await app.context.unscoped((db) => sql`delete from product_product where id = ${gone}`.execute(db));
  expect(await second.call(signingJobCalls.detail, { id })).toMatchObject({ products: [], productsUnseen: 2 });
  expect((await wide.call(signingJobCalls.detail, { id })).products).toEqual(['Product S3']);
});
