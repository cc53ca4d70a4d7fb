import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { fileCalls } from '@mooring/contract/file/calls';
import { packageCalls } from '@mooring/contract/firmware/package-calls';
import { taskCalls, taskDeviceCalls } from '@mooring/contract/firmware/task-calls';
import { type Fleet, startFleet } from '@mooring/terminal/start-fleet';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Api, administrator, signIn } from './api.ts';
import { makeEstate } from './estate.ts';
import { type Stack, startStack, waitFor } from './stack.ts';

const PASSWORD = 'Harbour.Light7';
const TERMINALS = 60;

let stack: Stack;
let admin: Api;
let fleet: Fleet;
let taskId = 0;
const bytes = randomBytes(900_000);

beforeAll(async () => {
  stack = await startStack();
  admin = await administrator(stack.url, stack.password, PASSWORD);
  const { productId, code } = await makeEstate(stack.url, admin, PASSWORD, TERMINALS);
  fleet = startFleet({
    server: stack.url,
    count: TERMINALS,
    code,
    product: 'A920',
    seed: 'kills',
    firmware: '1.0.0',
    installSeconds: 1,
    bootSeconds: 0.2,
    speed: 400_000,
    maxBackoffSeconds: 1,
    atOnce: 20,
  });
  await fleet.whenOnline(TERMINALS, 60);
  const token = await signIn(stack.url, 'admin', PASSWORD);
  const form = new FormData();
  form.append('req', JSON.stringify({ type: '5', identifier: createHash('md5').update(bytes).digest('hex') }));
  form.append('file', new Blob([bytes]), 'fw.bin');
  const answer = await fetch(`${stack.url}/ops${fileCalls.direct.path}`, {
    method: 'POST',
    headers: { authorization: token, 'accept-platform': 'centre', 'accept-deptid': '0' },
    body: form,
  });
  const file = ((await answer.json()) as { body: { id: number } }).body;
  const added = await admin.call(packageCalls.add, { productId, version: '2.0.0', fileId: file.id });
  await admin.call(packageCalls.publish, { id: added.id });
  const task = await admin.call(taskCalls.add, {
    name: 'Under fire',
    packageId: added.id,
    scope: { releaseScope: '0' },
    delivery: { paceAtOnce: 10 },
    release: true,
  });
  taskId = task.id;
});
afterAll(async () => {
  await fleet?.stop();
  await stack?.stop();
});

const ended = async () => (await admin.call(taskCalls.detail, { id: taskId })).tally['3'] ?? 0;

test('the server is killed three times in the middle of a release, and each time it goes on', async () => {
  for (const share of [0.15, 0.4, 0.7]) {
    await waitFor(async () => (await ended()) >= share * TERMINALS, `${share} of the release`, 90);
    await stack.killAndStart();
  }
  await waitFor(async () => (await admin.call(taskCalls.detail, { id: taskId })).state === 'finished', 'the end of the release', 120);
});

test('every terminal has exactly one final result, none is lost, nothing was installed twice', async () => {
  const { tally, total } = await admin.call(taskCalls.detail, { id: taskId });
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

test('a second start on the same folder says so and stops', async () => {
  const said = await new Promise<string>((resolve) => {
    execFile(
      process.execPath,
      [join(import.meta.dirname, '../server/src/main.ts')],
      { env: { ...process.env, DATA_DIR: stack.dataDir, PORT: '0' } },
      (_error, out, err) => resolve(out + err),
    );
  });
  expect(said).toMatch(/is in use by process \d+/);
});

test('a stop and a start keep everything', async () => {
  await stack.stopAndStart();
  expect(await ended()).toBe(TERMINALS);
});
