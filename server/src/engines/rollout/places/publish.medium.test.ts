import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { packageCalls } from '@mooring/contract/firmware/package-calls';
import { taskCalls } from '@mooring/contract/firmware/task-calls';
import { messageCalls } from '@mooring/contract/message/calls';
import { downloadDomainCalls } from '@mooring/contract/settings/domain-calls';
import { systemSettingCalls } from '@mooring/contract/settings/system-calls';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { makeCredential, makeDevices, makeFile, makePackage, makeProduct, settlePublished } from '../../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../../test/test-app.ts';
import { diskStore } from '../../../platform/files/disk-store.ts';
import { fileUrl, ownFileUrl } from '../../../platform/gateway/file-token.ts';
import { askDomain, askStore } from './ask-place.ts';

type Way = 'relays' | 'fails' | 'lies at the end' | 'is shorter' | 'ignores ranges' | 'is empty' | 'leads on' | 'leads inside' | 'waits';
let app: TestApp;
let admin: Client;
/** Who keeps the settings of the installation. */
let keeper: Client;
let domain: Server;
let url: string;
let way: Way = 'relays';
let asked = 0;
const waited = Promise.withResolvers<void>();
const go = Promise.withResolvers<void>();
let productId: number;
let deviceId: number;
let version = 0;

/** A cache before the server: it asks the server for what it is asked for, and gives it on, well or badly. */
async function relay(path: string, range: string | undefined) {
  const headers = range === undefined || way === 'ignores ranges' ? {} : { range };
  const got = await app.http.inject({ url: path, headers });
  return { status: got.statusCode, range: got.headers['content-range'], bytes: got.rawPayload };
}

beforeAll(async () => {
  app = await testApp();
  admin = await app.person('platformAdmin', app.root);
  keeper = await app.person('platformAdmin', app.root, 'manager');
  domain = createServer((request, response) => {
    asked += 1;
    const path = request.url ?? '';
    if (way === 'waits') {
      waited.resolve();
      return void go.promise.then(() => response.writeHead(503).end());
    }
    if (way === 'fails') return void response.writeHead(503).end();
    if (way === 'is empty') return void response.writeHead(404).end();
    if (way === 'leads inside') return void response.writeHead(302, { location: 'http://[::1]:1/' }).end();
    if (way === 'leads on' && !path.includes('second')) return void response.writeHead(302, { location: `${path}&second=1` }).end();
    void relay(path, request.headers.range).then(({ status, range, bytes }) => {
      if (way === 'lies at the end' && bytes.length > 0) bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
      const shown = way === 'is shorter' ? range?.replace(/\d+$/, '99') : range;
      response.writeHead(status, { 'content-length': bytes.length, ...(shown === undefined ? {} : { 'content-range': shown }) }).end(bytes);
    });
  });
  await new Promise<void>((done) => domain.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(domain.address() as AddressInfo).port}`;
  productId = await makeProduct(app, app.root);
  [deviceId = 0] = await makeDevices(app, app.root, productId, ['PLACE-001']);
  await makeCredential(app, deviceId);
});
afterAll(async () => {
  await new Promise((done) => domain.close(done));
  await app.stop();
});
afterEach(async () => {
  way = 'relays';
  for (const { id } of (await keeper.call(downloadDomainCalls.page, {})).content) await keeper.call(downloadDomainCalls.delete, { id });
});

const allow = (downloads: readonly string[]) => keeper.call(systemSettingCalls.outbound, { downloads: [...downloads] });
const addDomain = async (more: { readonly checked?: boolean; readonly deptId?: number } = {}) => {
  await allow(['127.0.0.1']);
  return keeper.call(downloadDomainCalls.add, { name: 'Near', url, deptId: app.root.id, ...more });
};
const detail = (id: number) => admin.call(packageCalls.detail, { id });
async function publishNew(bytes = randomBytes(3_000_000)): Promise<number> {
  version += 1;
  const fileId = await makeFile(app, admin, app.root, bytes);
  const { id, publishState } = await admin.call(packageCalls.add, { productId, version: `1.${version}`, fileId, publish: true });
  expect(publishState).toBe('2');
  await settlePublished(app);
  return id;
}
/** The waits between the rounds go by: what is put off is found by its time, as after a stop. */
async function rounds(count = 3): Promise<void> {
  for (let round = 0; round < count; round += 1) {
    app.clock.now = new Date(app.clock.now.getTime() + 10 * 60_000);
    await app.context.unscoped((db) => app.context.enqueue(db, 'rollout:publishing', {}));
    await app.runJob('rollout:publishing');
    await settlePublished(app);
  }
}
/** Seconds until the next round. */
const waitOf = async (id: number) => {
  const { rows } = await app.context.unscoped((db) =>
    sql<{ at: Date }>`select publish_at as at from rollout_package where id = ${id}`.execute(db),
  );
  return (Number(rows[0]?.at) - app.clock.now.getTime()) / 1000;
};
/** Where a terminal is sent for a file. */
async function sentTo(id: number): Promise<string | undefined> {
  const { sha256 } = await detail(id);
  const expiresAt = new Date(app.clock.now.getTime() + 60_000);
  const { statusCode, headers } = await app.http.inject({ url: fileUrl(app.context.masterKey, { sn: 'PLACE-001', sha256, expiresAt }) });
  return statusCode === 302 ? new URL(String(headers.location)).origin : undefined;
}
const told = async () => (await admin.call(messageCalls.page, { page: { size: 1 } })).content[0]?.title;
const draft = (packageId: number) => ({ name: `T${version}`, packageId, scope: { releaseScope: '0' as const } });

test.each([100, 3_000_000])('a domain that has the same %d bytes is where terminals are sent', async (size) => {
  await addDomain();
  const id = await publishNew(randomBytes(size));
  expect(await detail(id)).toMatchObject({
    publishState: '1',
    places: [{ state: 'there' }, { name: 'Near', url, state: 'there', attempts: 1, problem: null }],
  });
  expect(await sentTo(id)).toBe(url);
});

test('a domain that leads on is followed', async () => {
  await addDomain();
  way = 'leads on';
  expect((await detail(await publishNew())).publishState).toBe('1');
});

test.each([
  ['fails', 'answer'],
  ['is empty', 'missing'],
  ['lies at the end', 'bytes'],
  ['is shorter', 'size'],
  ['ignores ranges', 'ranges'],
] as const)('a domain that %s is asked again, longer each time, then nothing is sent there', async (how, problem) => {
  await addDomain();
  way = how;
  const id = await publishNew();
  expect(await detail(id)).toMatchObject({
    publishState: '2',
    places: [{ state: 'there' }, { state: 'failed', checking: true, problem, detail: '' }],
  });
  expect(await sentTo(id)).toBeUndefined();
  const waits = [await waitOf(id)];
  await rounds(1);
  waits.push(await waitOf(id));
  await rounds(1);
  expect([...waits, await waitOf(id)]).toEqual([10, 60, 300]);
  await rounds(1);
  expect(await detail(id)).toMatchObject({
    publishState: '3',
    places: [{ state: 'there' }, { state: 'failed', checking: false, attempts: 4, problem }],
  });
  await app.runJobs();
  expect(await told()).toMatch(/was published in part/);
  expect((await admin.call(packageCalls.page, { criteria: { publishState: { in: ['3'] } } })).content.some((one) => one.id === id)).toBe(
    true,
  );
  // It may be released; terminals fetch it from where it is.
  expect(await sentTo(id)).toBeUndefined();
  const before = asked;
  await rounds(1);
  expect(asked).toBe(before);
  // The domain is well again: published once more, it is used.
  way = 'relays';
  await admin.call(packageCalls.publish, { id });
  expect(await detail(id)).toMatchObject({
    publishState: '3',
    places: [
      { state: 'there', checking: true },
      { state: 'failed', checking: true },
    ],
  });
  expect((await detail(id)).allowedActions).not.toContain('publish');
  expect((await admin.send(packageCalls.publish, { id })).code).toBe(409);
  await settlePublished(app);
  expect(await detail(id)).toMatchObject({ publishState: '1', places: [{ state: 'there' }, { state: 'there', attempts: 1 }] });
  expect(await sentTo(id)).toBe(url);
});

test('a domain that is back by the next round is well', async () => {
  await addDomain();
  way = 'fails';
  const id = await publishNew();
  way = 'relays';
  await rounds(1);
  expect(await detail(id)).toMatchObject({ publishState: '1', places: [{ state: 'there' }, { state: 'there', attempts: 2, detail: '' }] });
});

test('partly published it may be released and taken back; nothing of its places is left', async () => {
  await addDomain();
  way = 'fails';
  const id = await publishNew();
  await rounds();
  const task = await admin.call(taskCalls.add, draft(id));
  await admin.call(taskCalls.delete, { id: task.id });
  await admin.call(packageCalls.unpublish, { id });
  expect(await detail(id)).toMatchObject({ publishState: '0', places: [] });
});

test('without the bytes in the own store nothing is published, and who published it is told', async () => {
  await addDomain();
  version += 1;
  const fileId = await makeFile(app, admin, app.root);
  const { id, sha256 } = await admin.call(packageCalls.add, { productId, version: `1.${version}`, fileId });
  await admin.call(packageCalls.publish, { id });
  await diskStore(join(app.dataDir, 'blobs')).delete(sha256);
  const before = asked;
  await settlePublished(app);
  await rounds();
  expect(asked).toBe(before);
  expect(await detail(id)).toMatchObject({ publishState: '0', places: [{ state: 'failed', problem: 'missing' }, { state: 'waiting' }] });
  await app.runJobs();
  expect(await told()).toMatch(/wasn’t published/);
});

test('a domain inside the own network is asked only where the list allows it', async () => {
  await addDomain();
  await allow([]);
  const before = asked;
  const id = await publishNew();
  expect(asked).toBe(before);
  expect(await detail(id)).toMatchObject({ places: [{ state: 'there' }, { state: 'failed', problem: 'inside', detail: '' }] });
  // Nor is one followed that leads elsewhere, though that may be asked too.
  await allow(['127.0.0.1', '::1']);
  way = 'leads inside';
  expect(await detail(await publishNew())).toMatchObject({
    places: [{ state: 'there' }, { state: 'failed', problem: 'answer', detail: '' }],
  });
});

test('domains that aren’t checked, are off, or are another organisation’s are no places; unchecked ones are used', async () => {
  const theirs = await app.dept('Theirs');
  const made = await addDomain({ checked: false });
  await keeper.call(downloadDomainCalls.add, { name: 'Off', url: 'https://off.example.com', deptId: app.root.id, enabled: false });
  const id = await publishNew();
  expect(await detail(id)).toMatchObject({ publishState: '1', places: [{ url: '' }] });
  expect(await sentTo(id)).toBe(url);
  await keeper.call(downloadDomainCalls.delete, { id: made.id });
  const mine = await app.dept('Mine');
  const owner = await app.person('platformAdmin', mine);
  await keeper.call(downloadDomainCalls.add, { name: 'Theirs', url, deptId: theirs.id });
  const own = await makePackage(app, owner, mine, productId, '7.0');
  expect((await owner.call(packageCalls.detail, { id: own })).places).toHaveLength(1);
  // Whoever inherits a package sees nothing of where it lies.
  expect((await owner.call(packageCalls.detail, { id })).places).toEqual([]);
});

test('published once more it stays published and its release goes on, also where the own store is away', async () => {
  await addDomain();
  const id = await publishNew();
  const { sha256 } = await detail(id);
  const blobs = diskStore(join(app.dataDir, 'blobs'));
  const kept = await buffer(await blobs.read(sha256));
  await blobs.delete(sha256);
  const task = await admin.call(taskCalls.add, draft(id));
  await admin.call(packageCalls.publish, { id });
  await settlePublished(app);
  // Nothing is known of the domain but that it had it.
  expect(await detail(id)).toMatchObject({
    publishState: '1',
    places: [
      { state: 'failed', problem: 'missing' },
      { state: 'there', attempts: 0 },
    ],
  });
  expect(await sentTo(id)).toBe(url);
  await rounds();
  expect(await detail(id)).toMatchObject({ publishState: '3', places: [{ state: 'failed' }, { state: 'there', checking: false }] });
  expect((await admin.send(taskCalls.add, { ...draft(id), name: 'Other' })).code).toBe(200);
  await blobs.put(Readable.from([kept]));
  await admin.call(packageCalls.publish, { id });
  await settlePublished(app);
  expect(await detail(id)).toMatchObject({ publishState: '1', places: [{ state: 'there' }, { state: 'there', attempts: 1 }] });
  await admin.call(taskCalls.delete, { id: task.id });
});

test('taken back while it is asked for, and published anew, the earlier answers are of no use', async () => {
  await addDomain();
  way = 'waits';
  version += 1;
  const fileId = await makeFile(app, admin, app.root);
  const { id } = await admin.call(packageCalls.add, { productId, version: `1.${version}`, fileId, publish: true });
  const first = settlePublished(app);
  await waited.promise;
  // A second job of the same ends, and asks no one.
  const before = asked;
  await app.context.unscoped((db) => app.context.enqueue(db, 'rollout:publish', { of: 'rollout_package', id }));
  await settlePublished(app);
  expect(asked).toBe(before);
  await admin.call(packageCalls.unpublish, { id });
  await admin.call(packageCalls.publish, { id });
  way = 'relays';
  go.resolve();
  await first;
  await settlePublished(app);
  expect(await detail(id)).toMatchObject({ publishState: '1', places: [{ attempts: 1 }, { state: 'there', attempts: 1 }] });
});

test('what only a domain lacked that isn’t asked any more is published', async () => {
  const { id: domainId } = await addDomain();
  way = 'fails';
  const ids = [await publishNew(), await publishNew()];
  await rounds();
  for (const id of ids) expect(await detail(id)).toMatchObject({ publishState: '3' });
  await keeper.call(downloadDomainCalls.update, { id: domainId, name: 'Near', url, deptId: app.root.id, checked: false });
  await rounds(1);
  for (const id of ids) expect(await detail(id)).toMatchObject({ publishState: '1', places: [{ url: '' }] });
});

test('a domain that is slow has its time and no more', async () => {
  const silent = createServer(() => undefined);
  await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done));
  const at = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/x`;
  const wanted = { sha256: 'x', size: 1 };
  const began = performance.now();
  const found = await askDomain(at, wanted, [{ start: 0, end: 0, bytes: Buffer.of(1) }], { allowed: ['127.0.0.1'], onward: [] }, 300);
  expect(found).toEqual({ problem: 'silent', detail: '' });
  expect(performance.now() - began).toBeLessThan(5000);
  // Nor is the own store waited for.
  const store = { ...diskStore(app.dataDir), size: () => new Promise<never>(() => undefined) };
  expect(await askStore(store, wanted, 50)).toEqual({ problem: 'silent', detail: '' });
  silent.closeAllConnections();
  await new Promise((done) => silent.close(done));
});

test('whose domain is of an organisation above sees neither its name nor what it answered', async () => {
  await addDomain();
  const below = await app.dept('Below');
  const owner = await app.person('platformAdmin', below);
  const id = await makePackage(app, owner, below, productId, '8.0');
  expect((await owner.call(packageCalls.detail, { id })).places).toMatchObject([
    { url: '' },
    { name: '', url, state: 'there', detail: '' },
  ]);
  expect((await detail(id)).places).toMatchObject([{ url: '' }, { name: 'Near' }]);
});

test('of the same bytes in several packages the newest answer counts', async () => {
  await addDomain();
  const bytes = randomBytes(1000);
  const id = await publishNew(bytes);
  expect(await sentTo(id)).toBe(url);
  way = 'is empty';
  app.clock.now = new Date(app.clock.now.getTime() + 60_000);
  await publishNew(bytes);
  expect(await sentTo(id)).toBeUndefined();
});

test('what a stopped server left in the middle goes on, once; what was taken up twice ends once', async () => {
  version += 1;
  const fileId = await makeFile(app, admin, app.root);
  const { id } = await admin.call(packageCalls.add, { productId, version: `1.${version}`, fileId, publish: true });
  // As a worker leaves it that is gone: its job is nobody's for hours.
  await app.context.pools.owner.query(
    "select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs where task_identifier = 'rollout:publish'))",
  );
  await rounds(1);
  expect((await detail(id)).publishState).toBe('1');
  await rounds(1);
  const ended = await app.context.unscoped((db) =>
    sql<{ n: number }>`select count(*)::int as n from state_change where life = 'package' and row_id = ${id} and event = 'done'`.execute(
      db,
    ),
  );
  expect(ended.rows[0]?.n).toBe(1);
});

test('the server’s own link opens that file alone, to no terminal’s account, until it ends', async () => {
  const id = await publishNew();
  const { sha256 } = await detail(id);
  const soon = new Date(app.clock.now.getTime() + 60_000);
  const link = ownFileUrl(app.context.masterKey, sha256, soon);
  expect((await app.http.inject({ url: link, headers: { range: 'bytes=0-9' } })).statusCode).toBe(206);
  expect((await app.http.inject({ url: `${link}x` })).statusCode).toBe(403);
  expect((await app.http.inject({ url: ownFileUrl(app.context.masterKey, sha256, app.clock.now) })).statusCode).toBe(410);
});
