import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { appCalls, appVersionCalls } from '@mooring/contract/app/calls';
import { messageCalls } from '@mooring/contract/message/calls';
import { downloadDomainCalls } from '@mooring/contract/settings/domain-calls';
import { systemSettingCalls } from '@mooring/contract/settings/system-calls';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { makeProduct, settlePublished } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import type { DeptAt } from '../org/api.ts';
import { becomeDeveloper, bring, describe as say } from './app.factory.ts';

let app: TestApp;
let maker: DeptAt;
let developer: Client;
let reviewer: Client;
let domain: Server;
let isDown = false;
let productId: number;
let count = 0;

beforeAll(async () => {
  app = await testApp();
  maker = await app.dept('Maker');
  developer = await app.person('developer', maker);
  reviewer = await app.person('reviewer', app.root);
  productId = await makeProduct(app, app.root);
  await becomeDeveloper(developer, reviewer);
  domain = createServer((request, response) => {
    if (isDown) return void response.writeHead(503).end();
    const { range } = request.headers;
    void app.http.inject({ url: request.url ?? '', headers: range === undefined ? {} : { range } }).then((got) => {
      const part = got.headers['content-range'];
      response.writeHead(got.statusCode, part === undefined ? {} : { 'content-range': part }).end(got.rawPayload);
    });
  });
  await new Promise<void>((done) => domain.listen(0, '127.0.0.1', done));
  const keeper = await app.person('platformAdmin', app.root, 'manager');
  await keeper.call(systemSettingCalls.outbound, { downloads: ['127.0.0.1'] });
  const url = `http://127.0.0.1:${(domain.address() as AddressInfo).port}`;
  await keeper.call(downloadDomainCalls.add, { name: 'Near', url, deptId: app.root.id });
});
afterAll(async () => {
  await new Promise((done) => domain.close(done));
  await app.stop();
});
beforeEach(() => {
  isDown = false;
});

/** Approved, to be listed at once. */
async function approve(): Promise<{ id: number; appId: number }> {
  count += 1;
  const { id, appId } = await bring(app, developer, maker, { packageName: `com.example.place${count}`, versionCode: count });
  await say(developer, { id }, productId);
  const { contentHash } = await developer.call(appVersionCalls.submit, { id });
  expect((await reviewer.call(appVersionCalls.approve, { id, contentHash, marketId: 1 })).publishState).toBe('2');
  return { id, appId };
}
const stateOf = async (id: number) => (await developer.call(appVersionCalls.detail, { id })).publishState;
const placesOf = async (id: number) => (await developer.call(appVersionCalls.places, { id })).map(({ state }) => state);
async function rounds(): Promise<void> {
  for (let round = 0; round < 3; round += 1) {
    app.clock.now = new Date(app.clock.now.getTime() + 10 * 60_000);
    await app.context.unscoped((db) => app.context.enqueue(db, 'rollout:publishing', {}));
    await app.runJob('rollout:publishing');
    await settlePublished(app);
  }
}

test('an approved version is on its way until each place has it, and only then in the catalogue', async () => {
  const { id, appId } = await approve();
  expect(await developer.call(appVersionCalls.detail, { id })).toMatchObject({ reviewState: '2', releasable: false });
  expect((await developer.call(appVersionCalls.page, { criteria: { publishState: '2' } })).content.map((one) => one.id)).toEqual([id]);
  await settlePublished(app);
  expect([await stateOf(id), await placesOf(id)]).toEqual(['1', ['there', 'there']]);
  expect(await developer.call(appVersionCalls.detail, { id })).toMatchObject({ releasable: true });
  // The history names who listed it.
  const { content } = await developer.call(appVersionCalls.history, { appId });
  expect(content.find(({ event }) => event === 'done')).toMatchObject({ life: 'appPublish', by: 'Person 2' });
  expect((await developer.call(appCalls.page, { criteria: {} })).content.find((one) => one.id === appId)).toMatchObject({
    publishState: '1',
  });
});

test('where a domain is down it is listed in part, who approved it is told, and it can be listed again', async () => {
  isDown = true;
  const { id } = await approve();
  await settlePublished(app);
  expect([await stateOf(id), await placesOf(id)]).toEqual(['2', ['there', 'failed']]);
  await rounds();
  expect(await developer.call(appVersionCalls.detail, { id })).toMatchObject({ publishState: '3', releasable: true });
  await app.runJobs();
  expect((await reviewer.call(messageCalls.page, { page: { size: 1 } })).content[0]?.title).toMatch(/was published in part/);
  isDown = false;
  await developer.call(appVersionCalls.publish, { id });
  await settlePublished(app);
  expect([await stateOf(id), await placesOf(id)]).toEqual(['1', ['there', 'there']]);
});

test('delisted on its way it never comes into the catalogue; taken back, nothing of its places is left', async () => {
  isDown = true;
  const { id } = await approve();
  await settlePublished(app);
  await reviewer.call(appVersionCalls.delist, { id, comment: 'Not now' });
  isDown = false;
  await rounds();
  expect([await stateOf(id), await placesOf(id)]).toEqual(['0', []]);
  const { id: other } = await approve();
  await settlePublished(app);
  await developer.call(appVersionCalls.unpublish, { id: other });
  expect([await stateOf(other), await placesOf(other)]).toEqual(['0', []]);
});
