import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { fillFresh } from './data-template.ts';
import { type Server, serverOn, waitFor } from './stack.ts';

const MOMENT_MS = 5;
let dataDir = '';
let server: Server | undefined;

afterEach(async () => {
  server?.child.kill('SIGKILL');
  await server?.ended;
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 });
});

/** A server on a new data folder, and how another is started there. */
async function begin({ args = [], isMade = true }: { args?: readonly string[]; isMade?: boolean } = {}) {
  dataDir = mkdtempSync(join(tmpdir(), 'mooring-journey-'));
  if (isMade) fillFresh(dataDir);
  const { url, spawnServer } = await serverOn(dataDir, { args });
  const start = () => {
    server = spawnServer();
    return server;
  };
  return { url, start, first: start() };
}
const isIn = (file: string) => () => existsSync(join(dataDir, file));
const answers = async (_: Server, url: string) => (await fetch(`${url}/healthz`)).ok;
/** Told to stop, it ends well and leaves nothing of itself running. */
async function endsInOrder(one: Server): Promise<void> {
  expect(await one.ended).toBe(0);
  expect([isIn('mooring.lock')(), isIn('postgres/postmaster.pid')()]).toEqual([false, false]);
}
const says = (text: string) => (one: Server) => one.output().includes(text);

/** With a database that it makes, and with one that was made before. */
const moments: readonly (readonly [name: string, isMade: boolean, (one: Server, url: string) => boolean | Promise<boolean>])[] = [
  ['the data folder is taken', false, isIn('mooring.lock')],
  ['the database is being made', false, isIn('postgres/PG_VERSION')],
  ['the database runs', false, isIn('postgres/postmaster.pid')],
  ['the address answers', true, answers],
  ['the first password is printed', true, says('First sign-in')],
  ['the sample people are printed', true, says('Sample people')],
];

test.each(moments)('told to stop when %s, it ends, leaves nothing behind and starts again', async (name, isMade, moment) => {
  const { url, start, first } = await begin({ args: isMade ? ['--demo'] : [], isMade });
  await waitFor(() => moment(first, url), name, 60, MOMENT_MS);
  first.child.kill('SIGTERM');
  await endsInOrder(first);
  expect(first.output()).toContain('Stopping');
  expect(first.output()).not.toMatch(/error|lost|"level":[45]0/i);

  const again = start();
  await waitFor(() => says('Mooring is ready')(again), 'the start after it');
  again.child.kill('SIGTERM');
  expect(await again.ended).toBe(0);
});

test('told twice, as with all of its group, it ends once and in order', async () => {
  const { first: told } = await begin();
  await waitFor(() => says('First sign-in')(told), 'the start');
  told.child.kill('SIGTERM');
  await waitFor(() => says('Stopping')(told), 'its word', 10, MOMENT_MS);
  told.child.kill('SIGTERM');
  await endsInOrder(told);
});

test('nobody reads any more what it says, and it goes on and ends in order', async () => {
  const { url, first: unread } = await begin();
  await waitFor(() => says('Mooring is ready')(unread), 'the start');
  unread.child.stdout?.destroy();
  await waitFor(() => answers(unread, url), 'its answer');
  unread.child.kill('SIGTERM');
  await endsInOrder(unread);
});

/** Processes that were started with a file of this data folder. */
const ofFolder = () =>
  readdirSync('/proc').filter((one) => {
    try {
      return /^\d+$/.test(one) && readFileSync(`/proc/${one}/cmdline`, 'utf8').includes(join(dataDir, 'fleet.json'));
    } catch {
      return false;
    }
  });

test.skipIf(process.platform !== 'linux')(
  'virtual terminals end with the server that started them, also with one that was killed',
  async () => {
    const { start, first: killed } = await begin({ args: ['--demo'] });
    await waitFor(() => says('virtual terminals')(killed), 'the virtual terminals');
    await waitFor(() => ofFolder().length === 1, 'their process');
    killed.child.kill('SIGKILL');
    await killed.ended;
    await waitFor(() => ofFolder().length === 0, 'their end');
    const again = start();
    await waitFor(() => says('virtual terminals')(again), 'the start after it');
    again.child.kill('SIGTERM');
    expect(await again.ended).toBe(0);
    expect(ofFolder()).toEqual([]);
  },
);
