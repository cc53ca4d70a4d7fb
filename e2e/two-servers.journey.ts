import { execFile } from 'node:child_process';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { freePort } from '@mooring/server/platform/free-port';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { missingPrograms } from '../server/src/modules/device/device.factory.ts';
import { type OutsideBroker, startOutsideBroker } from '../server/src/modules/device/outside-broker.factory.ts';
import { type TestDatabase, testDatabase } from '../server/test/database.ts';
import { type ObjectStore, startObjectStore } from '../server/test/object-store.ts';
import { ADMIN, administrator } from './api.ts';
import { type ReleaseUnderFire, releaseUnderFire } from './release-under-fire.ts';
import { type Stack, startStack, waitFor } from './stack.ts';

const MASTER_KEY = 'two servers share one master key';
const isHere = missingPrograms('mosquitto').length === 0;
if (!isHere) process.stderr.write('skipped: two servers, because mosquitto is not installed\n');

let database: TestDatabase;
let broker: OutsideBroker;
let objects: ObjectStore;
let first: Stack;
let second: Stack;
let front: { server: Server; url: string };
let release: ReleaseUnderFire;
let takenByFirst = 0;

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

const figure = async (stack: Stack, name: string) =>
  Number(new RegExp(`^${name} (\\d+)`, 'm').exec(await (await fetch(`${stack.url}/metrics`)).text())?.[1] ?? 0);
const taken = (stack: Stack) => figure(stack, 'mooring_messages_taken_total');
beforeAll(async () => {
  if (!isHere) return;
  database = await testDatabase();
  objects = await startObjectStore();
  broker = await startOutsideBroker(database.url, MASTER_KEY);
  const env = { DATABASE_URL: database.url, DATABASE_POOL: '4', MASTER_KEY, ...broker.env, ...objects.env };
  first = await startStack({ env });
  second = await startStack({ env, joins: true });
  front = await balance([first.url, second.url]);
  const admin = await administrator(front.url, first.password);
  release = await releaseUnderFire(front.url, admin, ADMIN, 'two');
});
afterAll(async () => {
  await release?.fleet.stop();
  front?.server.close();
  await Promise.all([first?.stop(), second?.stop()]);
  await broker?.stop();
  await objects?.stop();
  await database?.drop();
});

test.runIf(isHere)(
  'one server is killed in the middle of a release, and the broker once: the other goes on, and both come back',
  async () => {
    await waitFor(async () => (await release.ended()) >= 0.2 * release.terminals, 'a fifth of the release', 90);
    takenByFirst = await taken(first);
    await first.kill();
    await waitFor(async () => (await release.ended()) >= 0.4 * release.terminals, 'progress with one server', 90);
    await broker.kill();
    await first.start();
    await waitFor(async () => (await release.state()) === 'finished', 'the end of the release', 150);
  },
);

test.runIf(isHere)('both did a part of the work', async () => {
  expect(takenByFirst).toBeGreaterThan(release.terminals / 2);
  // Back since the release nearly ended, it takes its share of what the terminals go on saying.
  await waitFor(async () => (await taken(first)) > 0, 'the one that came back to take its share', 90);
  expect(await taken(second)).toBeGreaterThan(release.terminals / 2);
});

test.runIf(isHere)('both say how many terminals are in contact, though all are connected to the broker alone', async () => {
  const connected = () => Promise.all([first, second].map((stack) => figure(stack, 'mooring_terminals_connected')));
  await waitFor(
    async () => (await connected()).every((count) => count === release.terminals),
    'every terminal in the figures of both',
    180,
  );
});

test.runIf(isHere)('every terminal has exactly one result and one install', async () => {
  await release.check();
});

test.runIf(isHere)('a process with a broker of its own is refused on their database', async () => {
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
