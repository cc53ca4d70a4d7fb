import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileCalls } from '@mooring/contract/file/calls';
import { fetchBytes } from '@mooring/terminal/download';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeCredential, makeDevices, makeProduct } from '../../../test/firmware.ts';
import { type ObjectStore, startObjectStore } from '../../../test/object-store.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { freePort } from '../../platform/free-port.ts';
import { fileUrl } from '../../platform/gateway/file-token.ts';
import { direct, MB, sha256, upload, zipLike } from './upload.factory.ts';

let objects: ObjectStore;
let app: TestApp;
let admin: Client;
let address: string;
beforeAll(async () => {
  objects = await startObjectStore();
  app = await testApp({ env: objects.env });
  admin = await app.person('platformAdmin', app.root);
  const port = await freePort();
  await app.http.listen({ host: '127.0.0.1', port });
  address = `http://127.0.0.1:${port}`;
});
afterAll(async () => {
  await app.stop();
  await objects.stop();
});

/** A terminal's memory. */
function sink() {
  let kept = Buffer.alloc(0);
  return {
    received: () => kept.length,
    write: async (chunk: Buffer) => {
      kept = Buffer.concat([kept, chunk]);
    },
    reset: async () => {
      kept = Buffer.alloc(0);
    },
    bytes: () => kept,
  };
}

test('an upload in parts of 5 MB goes into the object store, and a terminal fetches it from there, going on where its line broke', async () => {
  const bytes = zipLike(12 * MB + 345);
  const up = upload(app.http, admin, bytes);
  expect(await up.begin()).toMatchObject({ partList: [], partSize: 5 * MB });
  for (const number of [3, 1, 2]) expect((await up.part(number)).code).toBe(200);
  await up.finish();
  await app.runJobs();
  const done = await up.check();
  expect(done).toMatchObject({ state: 'done', uploadfileDTO: { sha256: sha256(bytes), size: bytes.length } });

  const { url } = await admin.call(fileCalls.getSecurityToken, { id: done.uploadfileDTO?.id ?? 0 });
  expect((await app.http.inject({ url: `/ops${url}` })).rawPayload.equals(bytes)).toBe(true);

  const [deviceId = 0] = await makeDevices(app, app.root, await makeProduct(app, app.root), ['S3-0001']);
  await makeCredential(app, deviceId);
  const path = fileUrl(app.context.masterKey, { sn: 'S3-0001', sha256: sha256(bytes), expiresAt: new Date(Date.now() + 60_000) });
  const answer = await fetch(address + path, { redirect: 'manual' });
  expect([answer.status, answer.headers.get('location')?.startsWith(objects.place.endpoint)]).toEqual([302, true]);
  // A link is signed for its method: HEAD is led to one of its own.
  const head = await fetch(address + path, { method: 'HEAD' });
  expect([head.status, head.redirected, head.headers.get('content-length')]).toEqual([200, true, String(bytes.length)]);
  const memory = sink();
  let resets = 0;
  const fetching = {
    url: new URL(path, address),
    size: bytes.length,
    sha256: sha256(bytes),
    sink: {
      ...memory,
      reset: async () => {
        resets += 1;
        await memory.reset();
      },
    } as never,
    signal: new AbortController().signal,
  };
  expect(await fetchBytes({ ...fetching, breakAfter: 4 * MB })).toEqual({ ok: false, reason: 'broken', cause: 'line broke off' });
  expect(memory.received()).toBeGreaterThanOrEqual(4 * MB);
  expect(await fetchBytes(fetching)).toEqual({ ok: true });
  expect([resets, sha256(memory.bytes())]).toEqual([0, sha256(bytes)]);
});

test('cancelled, its parts leave the object store', async () => {
  const up = upload(app.http, admin, zipLike(6 * MB));
  await up.begin();
  await up.part(1);
  await up.cancel();
  expect((await up.begin()).partList).toEqual([]);
});

test('a store that is full, or away, is said as such', async () => {
  let word = 'XMinioStorageFull';
  let status = 507;
  const full: Server = createServer((request, answer) => {
    request.resume();
    request.on('end', () =>
      answer
        .writeHead(request.method === 'HEAD' ? 404 : status)
        .end(request.method === 'HEAD' ? '' : `<Error><Code>${word}</Code></Error>`),
    );
  });
  await new Promise<void>((resolve, reject) => {
    full.once('error', reject);
    void freePort().then((port) => full.listen(port, '127.0.0.1', resolve));
  });
  const { port } = full.address() as AddressInfo;
  const poor = await testApp({ env: { ...objects.env, S3_ENDPOINT: `http://127.0.0.1:${port}` } });
  try {
    const client = await poor.person('platformAdmin', poor.root);
    const file = { type: '5', name: 'fw.zip', bytes: zipLike(90) };
    expect(await direct(poor.http, client, file)).toMatchObject({
      code: 503,
      body: { fault: 'NO_SPACE' },
      message: 'The server has no space left for this file.',
    });
    [word, status] = ['SlowDown', 503];
    expect(await direct(poor.http, client, file)).toMatchObject({ code: 503, body: { fault: 'UNAVAILABLE' } });
    await new Promise((resolve) => full.close(resolve));
    expect(await direct(poor.http, client, file)).toMatchObject({ code: 503, body: { fault: 'UNAVAILABLE' } });
  } finally {
    full.close();
    await poor.stop();
  }
});
