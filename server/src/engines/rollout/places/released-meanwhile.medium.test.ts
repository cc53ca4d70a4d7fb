import { packageCalls } from '@mooring/contract/firmware/package-calls';
import { taskCalls, taskDeviceCalls } from '@mooring/contract/firmware/task-calls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDevices, makeFile, makeProduct, settlePublished } from '../../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../../test/test-app.ts';
import { rolloutsOf } from '../release.factory.ts';
import { round } from '../tick.ts';

let app: TestApp;
let admin: Client;
beforeAll(async () => {
  app = await testApp();
  admin = await app.person('platformAdmin', app.root);
});
afterAll(() => app.stop());

test('with the own store alone one quick job publishes; what is released meanwhile is sent from then on', async () => {
  const productId = await makeProduct(app, app.root, 'A920');
  const fileId = await makeFile(app, admin, app.root);
  const { id } = await admin.call(packageCalls.add, { productId, version: '1.1', fileId, publish: true });
  expect((await admin.call(packageCalls.page, { criteria: { publishState: { in: ['2'] } } })).content.map((one) => one.id)).toEqual([id]);
  const sn = 'EARLY-1';
  await makeDevices(app, app.root, productId, [sn]);
  const { id: taskId } = await admin.call(taskCalls.add, {
    name: 'Early',
    packageId: id,
    scope: { releaseScope: '2', sns: [sn] },
    release: true,
  });
  const isSent = async () => {
    app.clock.now = new Date(app.clock.now.getTime() + 61_000);
    for (let turns = 0; turns < 20 && (await round(app.context, rolloutsOf(app))); turns += 1);
    const { content } = await admin.call(taskDeviceCalls.page, { criteria: { taskId } });
    return content.map((one) => one.state);
  };
  expect(await isSent()).toEqual(['1']);
  await settlePublished(app);
  expect(await admin.call(packageCalls.detail, { id })).toMatchObject({
    publishState: '1',
    places: [{ name: '', url: '', state: 'there', attempts: 1, problem: null }],
  });
  expect(await isSent()).toEqual(['2']);
});
