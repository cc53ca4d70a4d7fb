import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { runningDatabaseUrl, startEmbeddedPostgres } from './start-embedded-postgres.ts';

let dataDir: string;
let said: string[];
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'mooring-embedded-'));
  said = [];
});
afterEach(() => rmSync(dataDir, { recursive: true }));

const start = () => startEmbeddedPostgres({ dataDir, durable: false, log: (message) => said.push(message) });
const postmaster = () => Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);

async function ask(url: string, question: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(question)).rows;
  } finally {
    await client.end();
  }
}

test('a restart keeps the data, Unicode case works, and no password stands on a command line', async () => {
  const first = await start();
  await ask(first.url, "create table kept as select 'Ärger' as word");
  if (process.platform === 'linux') {
    const password = readFileSync(join(dataDir, 'postgres.password'), 'utf8');
    expect(readFileSync(`/proc/${postmaster()}/cmdline`, 'utf8')).not.toContain(password);
  }
  await first.stop();
  expect(runningDatabaseUrl(dataDir)).toBeUndefined();
  const second = await start();
  try {
    expect(second.url).toBe(first.url);
    expect(runningDatabaseUrl(dataDir)).toBe(second.url);
    expect(await ask(second.url, 'select upper(word) as word from kept')).toEqual([{ word: 'ÄRGER' }]);
  } finally {
    await second.stop();
  }
});

test('the database of a killed server is stopped, and its data is there', async () => {
  const script = `const { startEmbeddedPostgres } = await import(${JSON.stringify(join(import.meta.dirname, 'start-embedded-postgres.ts'))});
    const { url } = await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, durable: false, log: console.error }); console.log(url); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [url] = (await once(child.stdout, 'data')) as [Buffer];
  await ask(String(url).trim(), 'create table kept as select 1 as one');
  child.kill('SIGKILL');
  await once(child, 'exit');
  const orphan = postmaster();
  const again = await start();
  try {
    expect(said).toEqual([expect.stringContaining(`process ${orphan}`)]);
    expect(postmaster()).not.toBe(orphan);
    expect(await ask(again.url, 'select one from kept')).toEqual([{ one: 1 }]);
  } finally {
    await again.stop();
  }
});

test('a database that is killed is started again', async () => {
  const server = await start();
  try {
    const before = postmaster();
    process.kill(before, 'SIGKILL');
    await vi.waitFor(async () => expect(await ask(server.url, 'select 1 as one')).toEqual([{ one: 1 }]), { timeout: 30_000 });
    expect(postmaster()).not.toBe(before);
    expect(said).toEqual([expect.stringContaining('ended unexpectedly')]);
  } finally {
    await server.stop();
  }
  expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false);
});

test.runIf(process.platform === 'linux')('a process that a killed database left, and that hears nothing, is ended by force', async () => {
  const server = await start();
  const client = new pg.Client({ connectionString: server.url });
  client.on('error', () => {});
  await client.connect();
  const [{ pid } = { pid: 0 }] = (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows;
  try {
    process.kill(pid, 'SIGSTOP');
    process.kill(postmaster(), 'SIGKILL');
    await vi.waitFor(async () => expect(await ask(server.url, 'select 1 as one')).toEqual([{ one: 1 }]), { timeout: 40_000 });
    expect(said).toEqual([expect.stringContaining('ended unexpectedly'), expect.stringContaining(`process ${pid}`)]);
  } finally {
    await server.stop();
  }
});

test('a cluster of another PostgreSQL says how to bring it over', async () => {
  await (await start()).stop();
  writeFileSync(join(dataDir, 'postgres', 'PG_VERSION'), '17\n');
  await expect(start()).rejects.toThrow('npm run backup');
});

test.runIf(process.platform === 'linux' && process.getuid?.() === 0)(
  'as root, who else runs as the account of the database reads nothing of the cluster through its process',
  async () => {
    const server = await start();
    try {
      const { uid } = statSync(join(dataDir, 'postgres'));
      const place = `/proc/${postmaster()}`;
      const tried = spawnSync('cat', [`${place}/cwd/PG_VERSION`, `${place}/environ`], { uid, gid: uid, encoding: 'utf8' });
      expect(tried.status).not.toBe(0);
      expect(tried.stdout).toBe('');
    } finally {
      await server.stop();
    }
  },
);
