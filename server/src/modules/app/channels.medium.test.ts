import { makeSigner } from '@mooring/apk/signer.factory';
import { appVersionCalls } from '@mooring/contract/app/calls';
import { softAppTaskCalls } from '@mooring/contract/app/release-calls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDevices, makeProduct, settlePublished } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { faultOf } from '../merchant/merchant.factory.ts';
import type { DeptAt } from '../org/api.ts';
import { becomeDeveloper, bring, list, describe as say } from './app.factory.ts';
import { saysApps } from './catalogue.factory.ts';

/** What is for shops and what is for tests follow each other's versions in nothing. */
let app: TestApp;
let maker: DeptAt;
let developer: Client;
let reviewer: Client;
let productId: number;
beforeAll(async () => {
  app = await testApp();
  maker = await app.dept('Maker');
  developer = await app.person('developer', maker);
  reviewer = await app.person('reviewer', app.root);
  productId = await makeProduct(app, app.root);
  await becomeDeveloper(developer, reviewer);
  await makeDevices(app, maker, productId, ['BENCH001']);
});
afterAll(() => app.stop());

const forTests = { channel: 'test', scope: '2', sns: ['BENCH001'] };
/** In the catalogue, of the channel. */
async function listed(of: Parameters<typeof bring>[3], channel = 'release') {
  const made = await bring(app, developer, maker, of, { channel });
  await say(developer, made, productId, channel === 'test' ? forTests : {});
  await list(app, developer, reviewer, made);
  return made.id;
}
const delist = (id: number) => reviewer.call(appVersionCalls.delist, { id, comment: 'Not now' });
const besides = async (of: Parameters<typeof bring>[3], channel = 'release') => {
  const { id } = await bring(app, developer, maker, of, { channel });
  return async () => (await reviewer.call(appVersionCalls.compare, { id })).before?.id;
};

test('a test build by a key of its own keeps no version for shops out, nor they it', async () => {
  const packageName = 'com.example.keys';
  const [shop, bench] = [await makeSigner({ name: 'Shop' }), await makeSigner({ name: 'Bench' })];
  await listed({ packageName, versionCode: 7, debuggable: true, signers: [bench] }, 'test');
  await listed({ packageName, versionCode: 5, signers: [shop] });
  await listed({ packageName, versionCode: 8, debuggable: true, signers: [bench] }, 'test');
  // Within a channel both are held against each other.
  await expect(bring(app, developer, maker, { packageName, versionCode: 6, signers: [bench] })).rejects.toThrow('APP_CERTIFICATE');
  await expect(bring(app, developer, maker, { packageName, versionCode: 4, signers: [shop] })).rejects.toThrow('APP_CODE_LOW');
  await expect(bring(app, developer, maker, { packageName, versionCode: 9, signers: [shop] }, { channel: 'test' })).rejects.toThrow(
    'APP_CERTIFICATE',
  );
});

test('what was in the catalogue keeps its channel; a draft goes over to shops only as it may follow there', async () => {
  const packageName = 'com.example.over';
  const [shop, bench] = [await makeSigner({ name: 'Shop' }), await makeSigner({ name: 'Bench' })];
  const id = await listed({ packageName, versionCode: 7, signers: [bench] }, 'test');
  await listed({ packageName, versionCode: 5, signers: [shop] });
  await delist(id);
  const { listing } = await developer.call(appVersionCalls.detail, { id });
  const over = (which: number) =>
    developer.send(appVersionCalls.update, { id: which, listing, productIds: [productId], channel: 'release' });
  expect(await faultOf(over(id))).toBe('APP_CHANNEL_LISTED');
  const draft = await bring(app, developer, maker, { packageName, versionCode: 8, signers: [bench] }, { channel: 'test' });
  expect(await faultOf(over(draft.id))).toBe('APP_CERTIFICATE');
});

test('a version for shops is compared with what shops have, and only without it with what was listed last', async () => {
  const packageName = 'com.example.compared';
  const first = await listed({ packageName, versionCode: 1 });
  const second = await listed({ packageName, versionCode: 2 });
  const third = await listed({ packageName, versionCode: 3, debuggable: true }, 'test');
  await delist(second);
  const [forShops, forBench] = [await besides({ packageName, versionCode: 4 }), await besides({ packageName, versionCode: 5 }, 'test')];
  expect([await forShops(), await forBench()]).toEqual([first, third]);
  await delist(first);
  await delist(third);
  expect(await forShops()).toBe(third);
});

test('approved again, a version that a reviewer had taken out is its developer’s to list', async () => {
  const id = await listed({ packageName: 'com.example.again' });
  await delist(id);
  const { contentHash } = await developer.call(appVersionCalls.relist, { id });
  await reviewer.call(appVersionCalls.approve, { id, contentHash, marketId: 1, publish: false });
  expect((await developer.call(appVersionCalls.detail, { id })).allowedActions).toContain('publish');
  await developer.call(appVersionCalls.publish, { id });
  await settlePublished(app);
  expect(await developer.call(appVersionCalls.detail, { id })).toMatchObject({ publishState: '1' });
  // Taken out once more it is the reviewer's word again.
  await reviewer.call(appVersionCalls.unpublish, { id });
  expect(await faultOf(developer.send(appVersionCalls.publish, { id }))).toBe('APP_WITHHELD');
});

test('installed counts by any certificate that the version proves to come after', async () => {
  const packageName = 'com.example.rotated';
  const [old, next, other] = [await makeSigner(), await makeSigner({ name: 'Next' }), await makeSigner({ name: 'Other' })];
  const id = await listed({ packageName, versionCode: 1, signers: [next], rotatedFrom: [old] });
  const foreign = (await bring(app, developer, maker, { packageName: 'com.example.foreign', signers: [other] })).certificateSha256;
  const { certificateSha256, lineage } = await developer.call(appVersionCalls.detail, { id });
  const before = lineage.find((one) => one !== certificateSha256);
  await makeDevices(app, maker, productId, ['ROT1', 'ROT2', 'ROT3']);
  for (const [sn, certificate] of [
    ['ROT1', before],
    ['ROT2', certificateSha256],
    ['ROT3', foreign],
  ] as const)
    await saysApps(app, sn, [{ id: packageName, code: 1, certificate } as never]);
  expect(await developer.call(appVersionCalls.onTerminals, { id })).toMatchObject({ installed: 2, others: 1 });
  // A release finds it there, too, and sends it to who has another maker's.
  const manager = await app.person('orgManager', maker);
  const scope = { releaseScope: '2' as const, sns: ['ROT1', 'ROT2', 'ROT3'] };
  const { byVersion } = await manager.call(softAppTaskCalls.preview, { scope, content: { action: 'install', versionId: id } } as never);
  expect(byVersion.map(({ version, count }) => [version, count])).toEqual([['(1)', 1]]);
});
