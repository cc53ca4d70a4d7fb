import { makeApk } from '@mooring/apk/apk.factory';
import { makeSigner } from '@mooring/apk/signer.factory';
import { appVersionCalls, developerCalls } from '@mooring/contract/app/calls';
import { systemSettingCalls } from '@mooring/contract/settings/system-calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeAppRow } from '../../../test/apps.ts';
import { makeDevices, makeProduct, settlePublished } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { noteGiven } from '../access/api.ts';
import { faultOf } from '../merchant/merchant.factory.ts';
import type { DeptAt } from '../org/api.ts';
import { becomeDeveloper, bring, list, describe as say, uploaded } from './app.factory.ts';

let app: TestApp;
let maker: DeptAt;
let branch: DeptAt;
let shop: DeptAt;
let developer: Client;
let reviewer: Client;
let productId: number;
beforeAll(async () => {
  app = await testApp();
  maker = await app.dept('Maker');
  branch = await app.dept('Branch', maker);
  shop = await app.dept('Shop', branch);
  developer = await app.person('developer', maker);
  reviewer = await app.person('reviewer', app.root);
  productId = await makeProduct(app, app.root);
  await becomeDeveloper(developer, reviewer);
});
afterAll(() => app.stop());

test('what is for tests is for listed terminals alone', async () => {
  const { id, listing } = await bring(app, developer, maker, { packageName: 'com.example.trial', debuggable: true }, { channel: 'test' });
  const update = (more: object) =>
    developer.send(appVersionCalls.update, { id, listing, productIds: [productId], channel: 'test', ...more });
  const { body } = await update({ scope: '0' });
  expect([body?.fault, body?.fields?.scope?.key]).toEqual(['APP_TEST_SCOPE', 'fault.APP_TEST_SCOPE']);
  await makeDevices(app, maker, productId, ['TRIAL001']);
  expect(await faultOf(update({ scope: '2', sns: ['TRIAL001'] }))).toBe(200);
  await app.context.unscoped((db) => db.updateTable('app_version').set({ scope: '0' }).where('id', '=', id).execute());
  expect(await faultOf(developer.send(appVersionCalls.submit, { id }))).toBe('APP_TEST_SCOPE');
});

test('what a key signed that everybody has is for tests', async () => {
  const { id, listing } = await bring(app, developer, maker, { packageName: 'com.example.everybody' }, { channel: 'test' });
  const signedByIt = (is: boolean) =>
    app.context.unscoped((db) => db.updateTable('app_version').set({ public_test_key: is }).where('id', '=', id).execute());
  const update = (channel: string) =>
    faultOf(
      developer.send(appVersionCalls.update, { id, listing, productIds: [productId], channel, scope: '2', sns: ['TRIAL001'] } as never),
    );
  await signedByIt(true);
  expect([await update('test'), await update('release')]).toEqual([200, 'APP_TEST_ONLY']);
  await signedByIt(false);
  expect(await update('release')).toBe(200);
});

test('whoever wrote of what a version says judges it at no time, whoever wrote after them', async () => {
  const made = await bring(app, developer, maker, { packageName: 'com.example.written' });
  const both = await app.person('orgManager', maker);
  await say(both, made, productId);
  await say(developer, made, productId);
  const { contentHash } = await developer.call(appVersionCalls.submit, { id: made.id });
  const input = { id: made.id, contentHash, marketId: maker.id };
  expect(await faultOf(both.send(appVersionCalls.approve, input))).toBe('APP_OWN_REVIEW');
  expect((await both.call(appVersionCalls.detail, { id: made.id })).allowedActions).not.toContain('approve');
});

test('what a draft hands on to the next version keeps its writers', async () => {
  const first = await bring(app, developer, maker, { packageName: 'com.example.handed', versionCode: 1 });
  const both = await app.person('orgManager', maker);
  await say(both, first, productId);
  const next = await bring(app, developer, maker, { packageName: 'com.example.handed', versionCode: 2 });
  const { contentHash } = await developer.call(appVersionCalls.submit, { id: next.id });
  expect(await faultOf(both.send(appVersionCalls.approve, { id: next.id, contentHash, marketId: maker.id }))).toBe('APP_OWN_REVIEW');
});

test('with dual control, whoever has an author’s account in their hands approves nothing that comes from it', async () => {
  const boss = await app.person('platformAdmin', app.root, 'manager');
  await app.person('platformAdmin', app.root, 'manager');
  const made = await bring(app, developer, maker, { packageName: 'com.example.hands' });
  await say(developer, made, productId);
  const other = await app.person('reviewer', app.root);
  const given = (to: readonly Client[], by: Client) =>
    app.context.unscoped((db) =>
      noteGiven(
        db,
        to.map(({ userId }) => userId),
        by.userId,
        'password',
      ),
    );
  const submit = async () => (await developer.call(appVersionCalls.submit, { id: made.id })).contentHash;
  const approve = (who: Client, contentHash: string) =>
    faultOf(who.send(appVersionCalls.approve, { id: made.id, contentHash, marketId: app.root.id, publish: false }));
  const again = () =>
    app.context.unscoped((db) => db.updateTable('app_version').set({ review_state: '0' }).where('id', '=', made.id).execute());
  const later = () => {
    app.clock.now = new Date(Date.now() + 1000);
  };
  await given([developer], reviewer);
  later();
  // It is switched off.
  expect(await approve(reviewer, await submit())).toBe(200);
  await again();
  app.clock.now = new Date();
  await boss.call(systemSettingCalls.dualControl, { enabled: true });
  await given([developer], reviewer);
  await given([developer, other], boss);
  later();
  const handedIn = await submit();
  expect([await approve(reviewer, handedIn), await approve(other, handedIn)]).toEqual(['CHANGE_ONE_HAND', 'CHANGE_ONE_HAND']);
  const device = (await makeDevices(app, app.root, productId, ['HANDS001']))[0] ?? 0;
  await app.context.unscoped((db) =>
    sql`update device set capabilities = '{softApp}', test_terminal = true where id = ${device}`.execute(db),
  );
  const trial = { id: made.id, contentHash: handedIn, deviceIds: [device] };
  expect(await faultOf(reviewer.send(appVersionCalls.trial, trial))).toBe('CHANGE_ONE_HAND');
  // What its author got later was no way to hand it in; who approves may be in other hands since then.
  await app.context.unscoped((db) => sql`delete from account_given`.execute(db));
  app.clock.now = new Date(Date.now() - 60_000);
  await again();
  const early = await submit();
  app.clock.now = new Date(Date.now() + 60_000);
  await given([developer], reviewer);
  expect(await approve(reviewer, early)).toBe(200);
  await app.context.unscoped((db) => sql`delete from account_given`.execute(db));
});

test('what is approved is what was seen, by somebody who wrote nothing of it, for whom they act', async () => {
  const made = await bring(app, developer, maker, { packageName: 'com.example.seen' });
  await say(developer, made, productId, { scope: '1', deptIds: [branch.id] });
  const { contentHash } = await developer.call(appVersionCalls.submit, { id: made.id });
  const input = { id: made.id, contentHash, marketId: app.root.id };
  const approve = (more: object = {}, who = reviewer) => faultOf(who.send(appVersionCalls.approve, { ...input, ...more }));
  const set = (values: object) =>
    app.context.unscoped((db) => db.updateTable('app_version').set(values).where('id', '=', made.id).execute());
  expect(await approve({ marketId: maker.id })).toBe('OVERTAKEN');
  await set({ edited_by_id: reviewer.userId });
  expect(await approve()).toBe('APP_OWN_REVIEW');
  await set({ edited_by_id: developer.userId });
  const toShop = (to: DeptAt) =>
    app.context.unscoped((db) => db.updateTable('app_version_dept').set({ dept_id: to.id }).where('version_id', '=', made.id).execute());
  await toShop(shop);
  expect(await approve()).toBe('APP_CHANGED');
  await toShop(branch);
  const { id } = (await developer.call(developerCalls.own)) ?? { id: 0 };
  await reviewer.call(developerCalls.suspend, { id, reason: 'Malware' });
  expect(await approve()).toBe('APP_NOT_DEVELOPER');
  await reviewer.call(developerCalls.resume, { id });
  expect(await approve({ publish: false })).toBe(200);
  await reviewer.call(developerCalls.suspend, { id, reason: 'Malware' });
  expect(await faultOf(developer.send(appVersionCalls.publish, { id: made.id }))).toBe('APP_NOT_DEVELOPER');
  await reviewer.call(developerCalls.resume, { id });
  await developer.call(appVersionCalls.publish, { id: made.id });
  await settlePublished(app);
  await reviewer.call(appVersionCalls.unpublish, { id: made.id });
  expect(await faultOf(developer.send(appVersionCalls.publish, { id: made.id }))).toBe('APP_WITHHELD');
  expect((await developer.call(appVersionCalls.detail, { id: made.id })).allowedActions).not.toContain('publish');
  await reviewer.call(appVersionCalls.publish, { id: made.id });
  await settlePublished(app);
  await developer.call(appVersionCalls.unpublish, { id: made.id });
  await developer.call(appVersionCalls.publish, { id: made.id });
  await settlePublished(app);
});

test('what became another since it was submitted goes back to its developer', async () => {
  const made = await bring(app, developer, maker, { packageName: 'com.example.stuck', minSdk: 29 });
  await say(developer, made, productId, { scope: '1', deptIds: [branch.id] });
  const { contentHash } = await developer.call(appVersionCalls.submit, { id: made.id });
  const input = { id: made.id, contentHash };
  const lower = (to: number | null) =>
    app.context.unscoped((db) => db.updateTable('product_product').set({ android_sdk: to }).where('id', '=', productId).execute());
  await lower(28);
  expect(await faultOf(reviewer.send(appVersionCalls.approve, { ...input, marketId: app.root.id }))).toBe('APP_ANDROID');
  await lower(null);
  await app.context.unscoped((db) =>
    db.updateTable('app_version_dept').set({ dept_id: shop.id }).where('version_id', '=', made.id).execute(),
  );
  expect(await faultOf(reviewer.send(appVersionCalls.approve, { ...input, marketId: app.root.id }))).toBe('APP_CHANGED');
  expect((await reviewer.call(appVersionCalls.reject, { ...input, comment: 'Merged' })).reviewState).toBe('3');
  const again = await developer.call(appVersionCalls.detail, { id: made.id });
  expect(again.allowedActions).toContain('update');
});

test('a delisted version whose terminals are gone is edited, and reviewed again', async () => {
  const made = await bring(app, developer, maker, { packageName: 'com.example.relisted' });
  await makeDevices(app, maker, productId, ['GONE0001', 'KEPT0001']);
  await say(developer, made, productId, { scope: '2', sns: ['GONE0001'] });
  const first = await developer.call(appVersionCalls.submit, { id: made.id });
  await reviewer.call(appVersionCalls.approve, { id: made.id, contentHash: first.contentHash, marketId: app.root.id });
  await settlePublished(app);
  await reviewer.call(appVersionCalls.delist, { id: made.id, comment: 'Faulty' });
  await app.context.unscoped((db) => db.updateTable('device').set({ deleted_at: new Date() }).where('sn', '=', 'GONE0001').execute());
  expect(await faultOf(developer.send(appVersionCalls.relist, { id: made.id }))).toBe('APP_SN_UNKNOWN');
  await say(developer, made, productId, { scope: '2', sns: ['KEPT0001'] });
  const edited = await developer.call(appVersionCalls.detail, { id: made.id });
  expect([edited.reviewState, edited.sns]).toEqual(['0', ['KEPT0001']]);
  expect(edited.allowedActions).not.toContain('delete');
  const { contentHash } = await developer.call(appVersionCalls.submit, { id: made.id });
  await reviewer.call(appVersionCalls.approve, { id: made.id, contentHash, marketId: app.root.id });
  await settlePublished(app);
  expect((await developer.call(appVersionCalls.detail, { id: made.id })).publishState).toBe('1');
});

test('what was approved by an organisation that is merged, and merged again, stays in the catalogue', async () => {
  const { appVersion } = await makeAppRow(app, maker, 'Moving');
  const [first, second, last] = [await app.dept('First'), await app.dept('Second'), await app.dept('Last')];
  const merge = (from: DeptAt, to: DeptAt) =>
    app.context.unscoped((db) => db.updateTable('org_dept').set({ merged_into: to.id }).where('id', '=', from.id).execute());
  await app.context.unscoped((db) =>
    db
      .updateTable('app_version')
      .set({ review_state: '2', publish_state: '1', market_id: first.id })
      .where('id', '=', appVersion)
      .execute(),
  );
  await merge(first, second);
  await merge(second, last);
  const who = await app.person('orgManager', last);
  expect(await faultOf(who.send(appVersionCalls.detail, { id: appVersion }))).toBe(200);
});

test('a key must lead on from every version in the catalogue', async () => {
  const [old, next] = [await makeSigner(), await makeSigner({ name: 'Next' })];
  const of = { packageName: 'com.example.keys' };
  for (const [versionCode, more] of [
    [1, {}],
    [2, { signers: [next], rotatedFrom: [old] }],
  ] as const) {
    const made = await bring(app, developer, maker, { ...of, versionCode, ...more });
    await say(developer, made, productId);
    await list(app, developer, reviewer, made);
  }
  const fileId = await uploaded(app, developer, maker, await makeApk({ ...of, versionCode: 3, signers: [next] }));
  expect(await faultOf(developer.send(appVersionCalls.add, { fileId }))).toBe('APP_CERTIFICATE');
});

test('of two apps of one name a new version is the one’s that was named; a version that comes while the last draft goes stays', async () => {
  const of = { packageName: 'com.example.twin' };
  const first = await bring(app, developer, maker, of);
  await app.context.unscoped((db) => db.updateTable('app_app').set({ twin: true }).where('id', '=', first.appId).execute());
  const second = await bring(app, developer, maker, of);
  expect(second.appId).not.toBe(first.appId);
  expect((await bring(app, developer, maker, { ...of, versionCode: 5 }, { appId: first.appId })).appId).toBe(first.appId);
  const fileId = await uploaded(app, developer, maker, await makeApk({ ...of, versionCode: 6 }));
  const [gone, came] = await Promise.all([
    faultOf(developer.send(appVersionCalls.delete, { id: second.id })),
    developer.call(appVersionCalls.add, { fileId }),
  ]);
  expect(gone).toBe(200);
  expect((await developer.call(appVersionCalls.detail, { id: came.id })).versionCode).toBe(6);
});

test('a picture that a version shows no more is forgotten', async () => {
  const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
  const made = await bring(app, developer, maker, { packageName: 'com.example.shots' });
  const files = [await uploaded(app, developer, maker, png, '1'), await uploaded(app, developer, maker, png, '1')];
  const kept = async () =>
    (await app.context.unscoped((db) => db.selectFrom('file_file').select('id').where('id', 'in', files).execute())).map(({ id }) => id);
  await say(developer, made, productId, { screenshots: files });
  await say(developer, made, productId, { screenshots: files.slice(1) });
  expect(await kept()).toEqual(files.slice(1));
  await developer.call(appVersionCalls.delete, { id: made.id });
  expect(await kept()).toEqual([]);
});

test('a package name without a dot is no app’s', async () => {
  const fileId = await uploaded(app, developer, maker, await makeApk({ packageName: 'android' }));
  const { body } = await developer.send(appVersionCalls.add, { fileId });
  expect([body?.fault, body?.fields?.fileId?.key]).toEqual(['PACKAGE_UNREADABLE', 'app.rule.MANIFEST_NAME']);
});
