import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADMIN, administrator } from './api.ts';
import { type ReleaseUnderFire, releaseUnderFire } from './release-under-fire.ts';
import { type Stack, startStack, waitFor } from './stack.ts';

let stack: Stack;
let release: ReleaseUnderFire;

beforeAll(async () => {
  stack = await startStack();
  const admin = await administrator(stack.url, stack.password);
  release = await releaseUnderFire(stack.url, admin, ADMIN, 'kills');
});
afterAll(async () => {
  await release?.fleet.stop();
  await stack?.stop();
});

test('the server is killed three times in the middle of a release, and each time it goes on', async () => {
  for (const share of [0.15, 0.4, 0.7]) {
    await waitFor(async () => (await release.ended()) >= share * release.terminals, `${share} of the release`, 90);
    await stack.killAndStart();
  }
  await waitFor(async () => (await release.state()) === 'finished', 'the end of the release', 120);
});

test('every terminal has exactly one final result, none is lost, nothing was installed twice', () => release.check());

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
  expect(await release.ended()).toBe(release.terminals);
});
