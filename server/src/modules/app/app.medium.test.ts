import { makeApk } from '@mooring/apk/apk.factory';
import { makeSigner } from '@mooring/apk/signer.factory';
import { tokenCalls } from '@mooring/contract/account/token-calls';
import { appCalls, appVersionCalls, developerCalls } from '@mooring/contract/app/calls';
import { backgroundJobCalls } from '@mooring/contract/file/background-job-calls';
import { messageCalls } from '@mooring/contract/message/calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDevices, makeProduct, settlePublished } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { faultOf } from '../merchant/merchant.factory.ts';
import type { DeptAt } from '../org/api.ts';
import { becomeDeveloper, bring, list, describe as say, TILL, uploaded } from './app.factory.ts';

let app: TestApp;
let maker: DeptAt;
let branch: DeptAt;
let shop: DeptAt;
let other: DeptAt;
let developer: Client;
let colleague: Client;
let reviewer: Client;
let ofBranch: Client;
let outsider: Client;
let productId: number;
beforeAll(async () => {
  app = await testApp();
  maker = await app.dept('Maker');
  branch = await app.dept('Branch', maker);
  shop = await app.dept('Shop', branch);
  other = await app.dept('Other');
  developer = await app.person('developer', maker);
  colleague = await app.person('developer', maker);
  reviewer = await app.person('reviewer', app.root);
  ofBranch = await app.person('orgManager', branch);
  outsider = await app.person('orgManager', other);
  productId = await makeProduct(app, app.root);
});
afterAll(() => app.stop());

const namesOf = async (who: Client, criteria: object = {}) =>
  (await who.call(appCalls.page, { criteria })).content.map(({ packageName }) => packageName).toSorted();
const codesOf = async (who: Client, appId: number) =>
  (await who.call(appVersionCalls.page, { criteria: { appId } })).content.map(({ versionCode }) => versionCode).toSorted();
const told = async (who: Client) => {
  await app.runJobs();
  return (await who.call(messageCalls.page, {})).content.map(({ title }) => title);
};
const rows = async (table: string) =>
  (await app.context.unscoped((db) => sql<{ n: number }>`select count(*)::int as n from ${sql.table(table)}`.execute(db))).rows[0]?.n;

test('an organisation applies, is accepted, suspended and resumed, and only in between brings apps', async () => {
  const fileId = await uploaded(app, developer, maker, await makeApk({ packageName: 'com.example.early' }));
  expect(await developer.call(developerCalls.own)).toBeNull();
  expect(await faultOf(developer.send(appVersionCalls.add, { fileId }))).toBe('APP_NOT_DEVELOPER');
  const both = await Promise.all(
    [1, 2].map(() => faultOf(developer.send(developerCalls.apply, { contactName: 'Ann', email: 'a@example.com' }))),
  );
  expect(both.toSorted()).toEqual([200, 'APP_DEVELOPER_KNOWN']);
  expect(await told(reviewer)).toContain('Maker wants to be a developer');
  expect(await faultOf(developer.send(appVersionCalls.add, { fileId }))).toBe('APP_NOT_DEVELOPER');
  const { id } = (await developer.call(developerCalls.own)) ?? { id: 0 };
  expect(await faultOf(developer.send(developerCalls.accept, { id }))).toBe('FORBIDDEN');
  const head = await app.person('orgManager', maker);
  expect(await faultOf(head.send(developerCalls.accept, { id }))).toBe('APP_DEVELOPER_ABOVE');
  expect((await head.call(developerCalls.detail, { id })).allowedActions).toEqual([]);
  expect(await faultOf(reviewer.send(developerCalls.refuse, { id, reason: ' ' }))).toBe('BAD_INPUT');
  await reviewer.call(developerCalls.refuse, { id, reason: 'Who are you?' });
  expect(await developer.call(developerCalls.own)).toMatchObject({ state: 'refused', reason: 'Who are you?' });
  for (const website of ['javascript:alert(1)', 'data:text/html,x', 'https://user@evil.example', 'example.com', ' //example.com'])
    expect(await faultOf(developer.send(developerCalls.apply, { contactName: 'Ann', email: 'a@example.com', website })), website).toBe(
      'BAD_INPUT',
    );
  await developer.call(developerCalls.apply, {
    contactName: 'Ann',
    email: 'a@example.com',
    about: 'Payment apps',
    website: 'https://example.com',
  });
  const decided = await Promise.all([1, 2].map(() => faultOf(reviewer.send(developerCalls.accept, { id }))));
  expect(decided.toSorted()).toEqual([200, 'OVERTAKEN']);
  expect(await told(developer)).toContain('Maker is accepted as a developer');
  await reviewer.call(developerCalls.suspend, { id, reason: 'Malware' });
  expect(await faultOf(developer.send(appVersionCalls.add, { fileId }))).toBe('APP_NOT_DEVELOPER');
  await reviewer.call(developerCalls.resume, { id });
  await developer.call(appVersionCalls.add, { fileId });
  expect(await namesOf(developer, { own: true })).toContain('com.example.early');
});

test('everything is read from the package, and what breaks a rule leaves nothing behind', async () => {
  const icon = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
  const made = await bring(app, developer, maker, {
    versionCode: 10,
    versionName: '1.0.4 [BETA]',
    minSdk: 23,
    targetSdk: 30,
    labels: { '': 'Till', 'zh-CN': '收银台' },
    permissions: ['android.permission.INTERNET', 'android.permission.CAMERA'],
    icon,
  });
  expect(made).toMatchObject({
    packageName: TILL,
    versionName: '1.0.4 [BETA]',
    versionCode: 10,
    minSdk: 23,
    targetSdk: 30,
    reviewState: '0',
  });
  expect(made.listing).toMatchObject({ en: { name: 'Till' }, 'zh-CN': { name: '收银台' } });
  expect(made.permissions).toEqual(['android.permission.INTERNET', 'android.permission.CAMERA']);
  expect(made.iconId).not.toBeNull();
  expect(made.signer?.subject).toContain('Till');

  const before = [await rows('app_app'), await rows('app_version'), await rows('file_file')];
  const refusedBy = async (bytes: Buffer, more: object = {}) => {
    const fileId = await uploaded(app, developer, maker, bytes);
    const { body } = await developer.send(appVersionCalls.add, { fileId, ...more });
    await app.context.unscoped((db) => db.deleteFrom('file_file').where('id', '=', fileId).execute());
    return [body?.fault, body?.fields?.fileId?.key];
  };
  const one = (of: object) => makeApk({ packageName: TILL, versionCode: 11, ...of });
  expect(await refusedBy(Buffer.from('PK\u0003\u0004 no archive'))).toEqual(['PACKAGE_UNREADABLE', expect.stringMatching(/^app\.rule\./)]);
  expect(await refusedBy(await one({ packageName: 'com.example.else' }), { appId: made.appId })).toEqual([
    'APP_PACKAGE_NAME',
    'fault.APP_PACKAGE_NAME',
  ]);
  expect((await refusedBy(await one({ versionCode: 10 })))[0]).toBe('APP_CODE_TAKEN');
  expect((await refusedBy(await one({ signers: [] })))[0]).toBe('APP_SIGNATURE');
  expect((await refusedBy(await one({ signers: [await makeSigner(), await makeSigner({ name: 'Second' })] })))[0]).toBe('APP_SIGNERS');
  expect((await refusedBy(await one({ debuggable: true })))[0]).toBe('APP_TEST_ONLY');
  expect((await refusedBy(await one({ testOnly: true })))[0]).toBe('APP_TEST_ONLY');
  expect([await rows('app_app'), await rows('app_version'), await rows('file_file')]).toEqual(before);

  const forTests = await bring(app, developer, maker, { versionCode: 12, debuggable: true }, { channel: 'test' });
  expect(await faultOf(developer.send(appVersionCalls.update, { id: forTests.id, listing: made.listing, channel: 'release' }))).toBe(
    'APP_TEST_ONLY',
  );
  await developer.call(appVersionCalls.delete, { id: forTests.id });
  expect(await faultOf(developer.send(appVersionCalls.add, { fileId: await uploaded(app, colleague, maker, await one({})) }))).toBe(
    'NOT_FOUND',
  );
  const picture = await uploaded(app, developer, maker, icon, '1');
  expect(await faultOf(developer.send(appVersionCalls.add, { fileId: picture }))).toBe('FILE_KIND_REFUSED');
});

test('two at once make one app, and one code is one version', async () => {
  const files = await Promise.all(
    [1, 1, 2].map(async (versionCode) =>
      uploaded(app, developer, maker, await makeApk({ packageName: 'com.example.twice', versionCode, versionName: String(versionCode) })),
    ),
  );
  const answers = await Promise.all(files.map((fileId) => faultOf(developer.send(appVersionCalls.add, { fileId }))));
  expect(answers.map(String).toSorted()).toEqual(['200', '200', 'APP_CODE_TAKEN']);
  const { content } = await developer.call(appCalls.page, { criteria: { text: 'com.example.twice' } });
  expect(content.map(({ versions }) => versions)).toEqual([2]);
});

test('a version is sent back with words, edited, approved as it was seen, and listed for whom it is', async () => {
  const { content } = await developer.call(appVersionCalls.page, { criteria: { text: TILL } });
  const { id, appId } = content[0] ?? { id: 0, appId: 0 };
  expect(await faultOf(developer.send(appVersionCalls.submit, { id }))).toBe('APP_NO_PRODUCT');
  await say(developer, { id }, productId);
  const { contentHash, allowedActions } = await developer.call(appVersionCalls.submit, { id });
  expect(allowedActions).toEqual(['withdraw']);
  expect(await told(reviewer)).toContain('Till 1.0.4 [BETA] waits for review');
  expect(await faultOf(developer.send(appVersionCalls.submit, { id }))).toBe('OVERTAKEN');
  expect(await faultOf(developer.send(appVersionCalls.update, { id, listing: { en: { name: 'Till' } } }))).toBe('APP_VERSION_FIXED');
  expect(await faultOf(developer.send(appVersionCalls.delete, { id }))).toBe('APP_VERSION_LISTED');
  expect(await faultOf(developer.send(appVersionCalls.approve, { id, contentHash, marketId: app.root.id }))).toBe('FORBIDDEN');
  expect(await faultOf(reviewer.send(appVersionCalls.reject, { id, contentHash, comment: '' }))).toBe('BAD_INPUT');
  await reviewer.call(appVersionCalls.reject, { id, contentHash, comment: 'Say what it does.' });
  expect(await told(developer)).toContain('Till 1.0.4 [BETA] was sent back');
  expect(await namesOf(ofBranch)).not.toContain(TILL);

  await say(developer, { id }, productId, { scope: '1', deptIds: [branch.id] });
  expect(await developer.call(appVersionCalls.detail, { id })).toMatchObject({ reviewState: '0', comment: 'Say what it does.' });
  const second = await developer.call(appVersionCalls.submit, { id });
  expect(second.contentHash).not.toBe(contentHash);
  expect(await faultOf(reviewer.send(appVersionCalls.approve, { id, contentHash, marketId: app.root.id }))).toBe('OVERTAKEN');
  const own = await app.person('platformAdmin', app.root);
  await app.context.unscoped((db) => db.updateTable('app_version').set({ created_by_id: own.userId }).where('id', '=', id).execute());
  expect(await faultOf(own.send(appVersionCalls.approve, { id, contentHash: second.contentHash, marketId: app.root.id }))).toBe(
    'APP_OWN_REVIEW',
  );
  const judge = await app.person('reviewer', app.root);
  const decisions = await Promise.all([
    faultOf(reviewer.send(appVersionCalls.approve, { id, contentHash: second.contentHash, marketId: app.root.id })),
    faultOf(judge.send(appVersionCalls.reject, { id, contentHash: second.contentHash, comment: 'No' })),
  ]);
  expect(decisions.map(String).toSorted()).toEqual(['200', 'OVERTAKEN']);
  if (decisions[0] !== 200) {
    await say(developer, { id }, productId, { scope: '1', deptIds: [branch.id] });
    await list(app, developer, reviewer, { id });
  }
  await settlePublished(app);
  expect(await developer.call(appVersionCalls.detail, { id })).toMatchObject({ reviewState: '2', publishState: '1' });

  const ofShop = await app.person('orgManager', shop);
  for (const who of [ofBranch, ofShop]) {
    expect(await codesOf(who, appId)).toEqual([10]);
    const seen = await who.call(appVersionCalls.detail, { id });
    expect(seen).toMatchObject({ allowedActions: [], comment: '', submittedBy: '', sns: [], own: false });
    expect(await faultOf(who.send(appVersionCalls.delist, { id, comment: 'Mine' }))).toBe('NOT_FOUND');
    expect((await who.call(appVersionCalls.history, { appId })).content).toEqual([]);
  }
  for (const who of [outsider, await app.person('orgManager', await app.dept('Beside', maker))]) {
    expect(await namesOf(who)).not.toContain(TILL);
    expect(await faultOf(who.send(appVersionCalls.detail, { id }))).toBe('NOT_FOUND');
    expect(await faultOf(who.send(appCalls.detail, { id: appId }))).toBe('NOT_FOUND');
  }
});

test('what was listed binds what follows: a higher code, and the same key or one that it named', async () => {
  const refusedBy = async (of: object) =>
    faultOf(
      developer.send(appVersionCalls.add, { fileId: await uploaded(app, developer, maker, await makeApk({ packageName: TILL, ...of })) }),
    );
  expect(await refusedBy({ versionCode: 9 })).toBe('APP_CODE_LOW');
  const [first, next] = [await makeSigner(), await makeSigner({ name: 'Next' })];
  expect(await refusedBy({ versionCode: 20, signers: [next] })).toBe('APP_CERTIFICATE');
  const rotated = await bring(app, developer, maker, {
    versionCode: 20,
    versionName: '2.0',
    signers: [next],
    rotatedFrom: [first],
    permissions: ['android.permission.INTERNET', 'android.permission.READ_SMS'],
  });
  expect(rotated.products.map(({ id }) => id)).toEqual([productId]);
  expect(rotated.depts.map(({ name }) => name)).toEqual(['Branch']);
  const { now, before } = await reviewer.call(appVersionCalls.compare, { id: rotated.id });
  expect([now.versionCode, before?.versionCode]).toEqual([20, 10]);
  expect(await codesOf(ofBranch, rotated.appId)).toEqual([10]);
  await list(app, developer, reviewer, rotated, { publish: false });
  expect(await codesOf(ofBranch, rotated.appId)).toEqual([10]);
  await developer.call(appVersionCalls.publish, { id: rotated.id });
  await settlePublished(app);
  expect(await codesOf(ofBranch, rotated.appId)).toEqual([10, 20]);
  expect((await ofBranch.call(appCalls.detail, { id: rotated.appId })).listedName).toBe('2.0');

  await developer.call(appVersionCalls.unpublish, { id: rotated.id });
  expect(await codesOf(ofBranch, rotated.appId)).toEqual([10]);
  expect(await refusedBy({ versionCode: 15 })).toBe('APP_CODE_LOW');
  await developer.call(appVersionCalls.publish, { id: rotated.id });
  await settlePublished(app);
  await reviewer.call(appVersionCalls.delist, { id: rotated.id, comment: 'Reads text messages' });
  expect(await told(developer)).toContain('Till 2.0 was delisted');
  expect(await faultOf(developer.send(appVersionCalls.publish, { id: rotated.id }))).toBe('APP_NOT_APPROVED');
  expect((await ofBranch.call(appVersionCalls.page, { criteria: { appId: rotated.appId }, page: {} })).content).toMatchObject([
    { releasable: true },
  ]);
  expect(await developer.call(appVersionCalls.detail, { id: rotated.id })).toMatchObject({ releasable: false });
  const again = await developer.call(appVersionCalls.relist, { id: rotated.id, comment: 'It reads none any more' });
  expect((await developer.call(appVersionCalls.history, { appId: rotated.appId })).content[0]).toMatchObject({
    text: 'It reads none any more',
  });
  await reviewer.call(appVersionCalls.approve, { id: rotated.id, contentHash: again.contentHash, marketId: app.root.id });
  await settlePublished(app);
  expect(await codesOf(ofBranch, rotated.appId)).toEqual([10, 20]);
  const { content } = await developer.call(appVersionCalls.history, { appId: rotated.appId });
  expect(content.map(({ event }) => event)).toContain('delist');
  expect(content.find(({ event }) => event === 'delist')).toMatchObject({ text: 'Reads text messages', by: expect.any(String) });
  expect(await faultOf(developer.send(appVersionCalls.delete, { id: rotated.id }))).toBe('APP_VERSION_LISTED');
});

test('products that are too old, foreign terminals and foreign organisations are refused at their fields', async () => {
  const old = await makeProduct(app, app.root);
  await app.context.unscoped((db) => db.updateTable('product_product').set({ android_sdk: 22 }).where('id', '=', old).execute());
  const { id, listing } = await bring(app, developer, maker, { packageName: 'com.example.new', minSdk: 26 });
  const input = { id, listing };
  const fieldOf = async (more: object) =>
    Object.keys((await developer.send(appVersionCalls.update, { ...input, ...more })).body?.fields ?? {});
  expect(await fieldOf({ productIds: [old] })).toEqual(['productIds']);
  const arm = await makeProduct(app, app.root);
  await app.context.unscoped((db) =>
    db
      .updateTable('product_product')
      .set({ abis: ['armeabi-v7a'] })
      .where('id', '=', arm)
      .execute(),
  );
  const native = await bring(app, developer, maker, { packageName: 'com.example.native', abis: ['arm64-v8a', 'x86'] });
  expect(await faultOf(developer.send(appVersionCalls.update, { id: native.id, listing: native.listing, productIds: [arm] }))).toBe(
    'APP_ABI',
  );
  const older = await bring(app, developer, maker, { packageName: 'com.example.older', abis: ['armeabi'] });
  expect((await developer.send(appVersionCalls.update, { id: older.id, listing: older.listing, productIds: [arm] })).status).toBe(200);
  expect(await fieldOf({ scope: '1' })).toEqual(['deptIds']);
  expect(await fieldOf({ scope: '1', deptIds: [1] })).toEqual(['deptIds']);
  expect(await faultOf(developer.send(appVersionCalls.update, { ...input, scope: '1', deptIds: [other.id] }))).toBe('NOT_FOUND');
  expect(await fieldOf({ scope: '2' })).toEqual(['sns']);
  await makeDevices(app, other, productId, ['FOREIGN01']);
  await makeDevices(app, branch, productId, ['BRANCH001']);
  expect(await fieldOf({ scope: '2', sns: ['BRANCH001', 'FOREIGN01'] })).toEqual(['sns']);
  expect(await fieldOf({ listing: { en: { name: 'x', description: '![](1)' } } })).toEqual(['listing']);
  expect(await fieldOf({ listing: { de: { name: 'x' } } })).toEqual(['listing']);
  await developer.call(appVersionCalls.update, { ...input, productIds: [productId], scope: '2', sns: ['BRANCH001', 'BRANCH001'] });
  await list(app, developer, reviewer, { id });
  expect(await namesOf(ofBranch)).toContain('com.example.new');
  const ofShop = await app.person('orgManager', shop);
  expect(await namesOf(ofShop)).not.toContain('com.example.new');
});

test('the result of a review is pending, approved or rejected, and none where a version isn’t handed in', async () => {
  const { id, appId } = await bring(app, developer, maker, { packageName: 'com.example.judged' });
  const result = async () => (await developer.call(appVersionCalls.detail, { id })).auditResult;
  const found = async (auditResult: '0' | '1' | '2') =>
    (await developer.call(appVersionCalls.page, { criteria: { appId, auditResult } })).total;
  expect(await result()).toBeNull();
  await say(developer, { id }, productId);
  const { contentHash } = await developer.call(appVersionCalls.submit, { id });
  expect([await result(), await found('0'), await found('1')]).toEqual(['0', 1, 0]);
  await reviewer.call(appVersionCalls.reject, { id, contentHash, comment: 'Say what it does.' });
  expect([await result(), await found('2'), await found('0')]).toEqual(['2', 1, 0]);
  const file = { criteria: { appId }, format: 'csv' as const, columns: ['versionName', 'auditResult'] };
  const { work } = await developer.call(appVersionCalls.export, file);
  await app.runJobs();
  const { url } = await developer.call(backgroundJobCalls.download, { id: work });
  expect((await app.http.inject({ url: `/ops${url}` })).body).toMatch(/Review result\r\n[^\r]*,Rejected/);
  // Being changed it is still what was sent back; taken back it is judged by nobody.
  await say(developer, { id }, productId);
  expect(await result()).toBe('2');
  await developer.call(appVersionCalls.submit, { id });
  await developer.call(appVersionCalls.withdraw, { id });
  expect(await result()).toBeNull();
  await list(app, developer, reviewer, { id });
  expect([await result(), await found('1')]).toEqual(['1', 1]);
  await reviewer.call(appVersionCalls.delist, { id, comment: 'Old' });
  expect(await result()).toBe('1');
  await developer.call(appVersionCalls.relist, { id });
  expect(await result()).toBe('0');
});

test('many are submitted, delisted and deleted, and those that it isn’t for are named', async () => {
  const one = await bring(app, developer, maker, { packageName: 'com.example.many', versionCode: 1, versionName: '1' });
  const two = await bring(app, developer, maker, { packageName: 'com.example.many', versionCode: 2, versionName: '2' });
  await say(developer, one, productId);
  const ids = [one.id, two.id];
  expect(await developer.call(appVersionCalls.submitMany, { of: { ids } })).toMatchObject({
    done: 1,
    refused: 1,
    failed: [{ id: two.id, fault: 'APP_NO_PRODUCT' }],
  });
  const { contentHash } = await developer.call(appVersionCalls.detail, { id: one.id });
  await reviewer.call(appVersionCalls.approve, { id: one.id, contentHash, marketId: app.root.id });
  await settlePublished(app);
  const criteria = { text: 'com.example.many' };
  expect(await reviewer.call(appVersionCalls.delistMany, { of: { criteria }, comment: 'Old', preview: true })).toMatchObject({
    refused: 1,
  });
  expect(await reviewer.call(appVersionCalls.delistMany, { of: { criteria }, comment: 'Old' })).toMatchObject({ done: 1, refused: 1 });
  expect(await developer.call(appVersionCalls.deleteMany, { of: { criteria } })).toMatchObject({ done: 1, refused: 1 });
  expect(await codesOf(developer, one.appId)).toEqual([1]);
});

test('the last draft takes its app along, with its picture and its package', async () => {
  const { id, appId, fileId } = await bring(app, developer, maker, { packageName: 'com.example.gone' });
  await developer.call(appVersionCalls.delete, { id });
  expect(await faultOf(developer.send(appCalls.detail, { id: appId }))).toBe('NOT_FOUND');
  const left = await app.context.unscoped((db) => db.selectFrom('file_file').select('id').where('id', '=', fileId).execute());
  expect(left).toEqual([]);
});

test('two organisations may each carry the same maker’s app', async () => {
  const theirs = await app.person('developer', other);
  await becomeDeveloper(theirs, reviewer);
  const made = await bring(app, theirs, other, { versionCode: 3 });
  expect(made.packageName).toBe(TILL);
  expect(await namesOf(outsider)).toEqual([TILL]);
  expect((await reviewer.call(appCalls.page, { criteria: { text: TILL } })).total).toBe(2);
});

test('a build server uploads in one call with its own key, and what is refused leaves no file', async () => {
  const { token } = await developer.call(tokenCalls.add, { name: 'ci', scopes: ['app:dev:add'], days: 1 });
  const send = async (bytes: Buffer) => {
    const part = (head: string) => `--edge\r\nContent-Disposition: form-data; ${head}\r\n\r\n`;
    const payload = Buffer.concat([
      Buffer.from(`${part('name="req"')}{"channel":"release"}\r\n${part('name="file"; filename="app.apk"')}`),
      bytes,
      Buffer.from('\r\n--edge--\r\n'),
    ]);
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'multipart/form-data; boundary=edge' };
    return (await app.http.inject({ method: 'POST', url: '/ops/appRelease/upload', headers, payload })).json();
  };
  const made = await send(await makeApk({ packageName: 'com.example.ci', versionCode: 7 }));
  expect(made).toMatchObject({ code: 200, body: { packageName: 'com.example.ci', versionCode: 7, reviewState: '0' } });
  const before = await rows('file_file');
  expect(await send(await makeApk({ packageName: 'com.example.ci', versionCode: 7 }))).toMatchObject({ body: { fault: 'APP_CODE_TAKEN' } });
  expect(await send(Buffer.from('no archive at all'))).toMatchObject({ body: { fault: 'FILE_NOT_GENUINE' } });
  expect(await rows('file_file')).toBe(before);
});
