import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { fileCalls } from '@mooring/contract/file/calls';
import { packageCalls } from '@mooring/contract/firmware/package-calls';
import { taskCalls, taskDeviceCalls } from '@mooring/contract/firmware/task-calls';
import { freePort } from '@mooring/server/platform/free-port';
import { type Fleet, startFleet } from '@mooring/terminal/start-fleet';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { missingPrograms } from '../server/src/modules/device/device.factory.ts';
import { type OutsideBroker, startOutsideBroker } from '../server/src/modules/device/outside-broker.factory.ts';
import { type TestDatabase, testDatabase } from '../server/test/database.ts';
import { type ObjectStore, startObjectStore } from '../server/test/object-store.ts';
import { type Api, administrator, signIn } from './api.ts';
import { makeEstate } from './estate.ts';
import { type Stack, startStack, waitFor } from './stack.ts';

const PASSWORD = 'Harbour.Light7';
const TERMINALS = 60;
const MASTER_KEY = 'two servers share one master key';
const isHere = missingPrograms('mosquitto').length === 0;
if (!isHere) process.stderr.write('two servers: skipped because mosquitto is not installed\n');

let database: TestDatabase;
let broker: OutsideBroker;
let objects: ObjectStore;
let first: Stack;
let second: Stack;
let front: { server: Server; url: string };
let admin: Api;
let fleet: Fleet;
let taskId = 0;
let takenByFirst = 0;
const bytes = randomBytes(900_000);

/** A load balancer in miniature: one after the other, past the one that doesn't answer. */
async function balance(urls: readonly string[]): Promise<{ server: Server; url: string }> {
  const ports = urls.map((url) => Number(new URL(url).port));
  let turn = 0;
  const server = createServer((client) => {
    client.on('error', () => {});
    const attempt = (left: number) => {
      turn += 1;
      const to = connect(ports[turn % ports.length] ?? 0, '127.0.0.1');
      to.once('connect', () => client.pipe(to).pipe(client));
      to.on('error', () => (to.pending && left > 0 ? attempt(left - 1) : client.destroy()));
      to.on('close', () => !to.pending && client.destroy());
      client.on('close', () => to.destroy());
    };
    attempt(ports.length - 1);
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${port}` };
}

const taken = async (stack: Stack) =>
  Number(/^mooring_messages_taken (\d+)/m.exec(await (await fetch(`${stack.url}/metrics`)).text())?.[1] ?? 0);
const detail = () => admin.call(taskCalls.detail, { id: taskId });
const ended = async () => (await detail()).tally['3'] ?? 0;

async function release(productId: number): Promise<void> {
  const form = new FormData();
  form.append('req', JSON.stringify({ type: '5', identifier: createHash('md5').update(bytes).digest('hex') }));
  form.append('file', new Blob([bytes]), 'fw.bin');
  const authorization = await signIn(front.url, 'admin', PASSWORD);
  const answer = await fetch(`${front.url}/ops${fileCalls.direct.path}`, { method: 'POST', headers: { authorization }, body: form });
  const file = ((await answer.json()) as { body: { id: number } }).body;
  const added = await admin.call(packageCalls.add, { productId, version: '2.0.0', fileId: file.id });
  await admin.call(packageCalls.publish, { id: added.id });
  const task = { name: 'Shared work', packageId: added.id, scope: { releaseScope: '0' }, delivery: { paceAtOnce: 10 }, release: true };
  taskId = (await admin.call(taskCalls.add, task)).id;
}

beforeAll(async () => {
  if (!isHere) return;
  database = await testDatabase();
  objects = await startObjectStore();
  broker = await startOutsideBroker(database.url, MASTER_KEY);
  const env = { DATABASE_URL: database.url, DATABASE_POOL: '4', MASTER_KEY, ...broker.env, ...objects.env };
  first = await startStack({ env });
  second = await startStack({ env, joins: true });
  front = await balance([first.url, second.url]);
  admin = await administrator(front.url, first.password, PASSWORD);
  const { productId, code } = await makeEstate(front.url, admin, PASSWORD, TERMINALS);
  fleet = startFleet({
    server: front.url,
    count: TERMINALS,
    code,
    product: 'A920',
    seed: 'two',
    firmware: '1.0.0',
    installSeconds: 1,
    bootSeconds: 0.2,
    speed: 400_000,
    maxBackoffSeconds: 1,
    atOnce: 20,
  });
  await fleet.whenOnline(TERMINALS, 90);
  await release(productId);
});
afterAll(async () => {
  await fleet?.stop();
  front?.server.close();
  await Promise.all([first?.stop(), second?.stop()]);
  await broker?.stop();
  await objects?.stop();
  await database?.drop();
});

test('one server is killed in the middle of a release, and the broker once: the other goes on, and both come back', async () => {
  if (!isHere) return;
  await waitFor(async () => (await ended()) >= 0.2 * TERMINALS, 'a fifth of the release', 90);
  takenByFirst = await taken(first);
  await first.kill();
  await waitFor(async () => (await ended()) >= 0.4 * TERMINALS, 'progress with one server', 90);
  await broker.kill();
  await first.start();
  await waitFor(async () => (await detail()).state === 'finished', 'the end of the release', 150);
});

test('both did a part of the work', async () => {
  if (!isHere) return;
  expect(takenByFirst).toBeGreaterThan(TERMINALS / 2);
  expect(await taken(first)).toBeGreaterThan(0);
  expect(await taken(second)).toBeGreaterThan(TERMINALS / 2);
});

test('every terminal has exactly one result and one install', async () => {
  if (!isHere) return;
  const { tally, total } = await detail();
  expect({ tally, total }).toEqual({ tally: { '3': TERMINALS }, total: TERMINALS });
  const digest = createHash('sha256').update(bytes).digest('hex');
  for (const terminal of fleet.terminals)
    expect([terminal.sn, terminal.journal.installs.map((one) => one.sha256)]).toEqual([terminal.sn, [digest]]);
  const rows = await admin.call(taskDeviceCalls.page, { criteria: { taskId }, page: { size: 100 } });
  for (const row of rows.content) {
    const attempts = await admin.call(taskDeviceCalls.attempts, { id: row.id });
    expect([row.sn, attempts.filter((one) => one.outcome === 'success' && !one.late).length]).toEqual([row.sn, 1]);
  }
});

test('a process with a broker of its own is refused on their database', async () => {
  if (!isHere) return;
  const port = String(await freePort());
  const env = { ...process.env, DATABASE_URL: database.url, MASTER_KEY, DATA_DIR: join(first.dataDir, 'third'), PORT: port };
  const [code, said] = await new Promise<[unknown, string]>((resolve) => {
    execFile(process.execPath, [join(import.meta.dirname, '../server/src/main.ts')], { env, timeout: 60_000 }, (error, out, err) =>
      resolve([error?.code, out + err]),
    );
  });
  expect(code).toBe(1);
  expect(said).toMatch(/Another server process .* serves terminals on this database already.* Set MQTT_URL/);
});
