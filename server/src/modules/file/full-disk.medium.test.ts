import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { direct, PART, upload, zipLike } from './upload.factory.ts';

let app: TestApp;
let admin: Client;
const mounted: string[] = [];

/** A file system of its own and of this size, where this account may make one. */
function mountSmall(folder: string, size: string): boolean {
  try {
    mkdirSync(folder, { recursive: true });
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder], { stdio: 'ignore' });
    mounted.push(folder);
    return true;
  } catch {
    return false;
  }
}
const resize = (folder: string, size: string) => execFileSync('mount', ['-o', `remount,size=${size}`, folder], { stdio: 'ignore' });
const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => one.name);

beforeAll(async () => {
  app = await testApp();
  admin = await app.person('platformAdmin', app.root);
});
afterAll(async () => {
  for (const folder of mounted) execFileSync('umount', ['-l', folder], { stdio: 'ignore' });
  await app.stop();
});

test('a full disk is said, leaves nothing half stored, and what waited goes on when there is room', async ({ skip }) => {
  const [blobs, uploads] = [join(app.dataDir, 'blobs'), join(app.dataDir, 'uploads')];
  if (!mountSmall(blobs, '10m') || !mountSmall(uploads, '10m')) {
    process.stderr.write('this account mounts no file system: the full disk is tried by a limit on the size of files alone\n');
    return skip();
  }
  const noSpace = { code: 503, status: 503, body: { fault: 'NO_SPACE' }, message: 'The server has no space left for this file.' };
  const large = { type: '5', name: 'large.zip', bytes: zipLike(3 * PART) };
  expect(await direct(app.http, admin, large)).toMatchObject(noSpace);
  expect(filesIn(blobs)).toEqual([]);

  const up = upload(app.http, admin, zipLike(3 * PART + 1000));
  await up.begin();
  const parts = [await up.part(1), await up.part(2), await up.part(3)];
  expect(parts.find((one) => one.code !== 200)).toMatchObject(noSpace);
  expect(filesIn(uploads)).toEqual(['whole']);
  resize(uploads, '40m');
  const { partList } = await up.begin();
  expect(partList.length).toBeGreaterThan(0);
  for (const number of [1, 2, 3, 4]) expect((await up.part(number)).code).toBe(200);

  // The parts are up, and the whole has no room: they wait.
  await up.finish();
  await app.runJobs();
  expect(await up.check()).toMatchObject({
    state: 'uploading',
    reason: 'NO_SPACE',
    message: 'The server has no space left for this file.',
  });
  expect(filesIn(blobs)).toEqual([]);
  resize(blobs, '80m');
  expect((await up.begin()).partList).toHaveLength(4);
  await up.finish();
  await app.runJobs();
  const done = await up.check();
  expect(done).toMatchObject({ state: 'done', reason: null });
  expect(done.uploadfileDTO?.sha256).toBe(createHash('sha256').update(up.bytes).digest('hex'));
  expect(filesIn(uploads)).toEqual([]);
  expect((await direct(app.http, admin, large)).code).toBe(200);
});

test('a limit on the size of files is the same to the stores', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mooring-limit-'));
  const [blobs, uploads] = [join(folder, 'blobs'), join(folder, 'uploads')];
  const child = join(import.meta.dirname, 'limited-store.child.ts');
  try {
    // In blocks of 512 or 1024 bytes, by the shell: below 4 MB either way.
    const said = execFileSync('sh', ['-c', 'ulimit -f 2000 && exec "$@"', 'sh', process.execPath, child, blobs, uploads], {
      encoding: 'utf8',
    });
    expect(JSON.parse(said)).toEqual(['NO_SPACE', 'NO_SPACE']);
    expect([...filesIn(blobs), ...filesIn(uploads)]).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
