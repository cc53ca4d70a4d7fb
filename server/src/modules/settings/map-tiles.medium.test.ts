import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mapCalls } from '@mooring/contract/device/map/map-calls';
import { systemSettingCalls } from '@mooring/contract/settings/system-calls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { pictureOrigin } from '../../platform/http/picture-origin.ts';
import { writeSetting } from '../../platform/settings.ts';

let app: TestApp;
let admin: Client;
let server: Server;
let origin = '';
const asked: string[] = [];
beforeAll(async () => {
  app = await testApp();
  admin = await app.person('platformAdmin', app.root, 'manager');
  server = createServer((request, answer) => {
    asked.push(request.url ?? '');
    if (request.url?.startsWith('/page')) return answer.writeHead(200, { 'content-type': 'text/html' }).end('no');
    return answer.writeHead(200, { 'content-type': 'image/png' }).end('png');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.close();
  await app.stop();
});
const save = (url: string, key = '') => admin.send(systemSettingCalls.map, { url, key });

test('consoles ask no other server until one is named; the policy of a page names that one alone', async () => {
  expect(await admin.call(mapCalls.tiles, {})).toBeNull();
  expect((await admin.send(systemSettingCalls.testMap, {})).body?.fault).toBe('TILES_UNSET');
  const read = pictureOrigin({ ...app.context, now: () => app.clock.now });
  expect(await read()).toBeUndefined();
  expect((await save('https://tiles.example.com;x/{z}/{x}/{y}')).body?.fields?.url?.key).toBe('invalid.tiles');
  expect((await save('https://tiles.example.com/{z}/{x}/{y}.png?key={key}', 'abc')).code).toBe(200);
  const banker = await app.person('orgManager', await app.dept('Bank'));
  expect(await banker.call(mapCalls.tiles, {})).toMatchObject({ url: 'https://tiles.example.com/{z}/{x}/{y}.png?key=abc', maxZoom: 19 });
  expect((await banker.send(systemSettingCalls.map, { url: '' })).code).toBe(403);
  app.clock.now = new Date(app.clock.now.getTime() + 60_000);
  expect(await read()).toBe('https://tiles.example.com');
});

test('the test says whether there is a picture, and reaches nothing inside that isn’t let', async () => {
  await save(`${origin}/{z}/{x}/{y}.png?key={key}`, 'k');
  expect(await admin.call(systemSettingCalls.testMap, {})).toMatchObject({
    delivered: false,
    error: expect.stringContaining('Reachable private networks'),
  });
  expect(asked).toEqual([]);
  await app.context.unscoped((db) =>
    writeSetting(
      db,
      app.context.masterKey,
      'outbound',
      { allowed: ['127.0.0.1'], webhooks: [], alarms: [], registers: [], iot: [], timestamps: [], callbacks: [], downloads: [] },
      app.clock.now,
    ),
  );
  expect(await admin.call(systemSettingCalls.testMap, {})).toEqual({ delivered: true, error: null });
  expect(asked).toEqual(['/1/1/0.png?key=k']);
  await save(`${origin}/page/{z}/{x}/{y}`);
  expect(await admin.call(systemSettingCalls.testMap, {})).toEqual({ delivered: false, error: 'HTTP 200 text/html' });
});
