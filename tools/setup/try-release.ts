import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import { freePort } from '@mooring/server/platform/free-port';

const STARTS_IN_MS = 60_000;

/** What a release has shown on this machine, in an empty folder and with nothing of its maker's environment. */
export interface Tried {
  readonly unpackedMb: number;
  readonly startedMs: number;
}

/** Unpacks an archive and starts it with its own Node, no registry and no other packages: health, console, a clean end. Throws with its output. */
export async function tryRelease(archive: string, name: string): Promise<Tried> {
  const place = mkdtempSync(join(tmpdir(), 'mooring-release-'));
  try {
    run('tar', ['-xzf', archive, '-C', place]);
    const folder = join(place, name);
    const unpackedMb = Number.parseInt(run('du', ['-sm', folder]), 10);
    const [node] = globSync(join(folder, 'node_modules/node-*/bin/node'));
    if (!node) throw new Error('The release has no Node of its own.');
    const port = await freePort();
    const env = {
      HOME: place,
      PATH: '/usr/bin:/bin',
      DATA_DIR: join(place, 'data'),
      PORT: String(port),
      BROKER_PORT: String(await freePort()),
    };
    const server = spawn(node, ['tools/run.mjs', 'start'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    return { unpackedMb, startedMs: await watch(server, `http://127.0.0.1:${port}`) };
  } finally {
    rmSync(place, { recursive: true, force: true, maxRetries: 5 });
  }
}

function run(program: string, args: readonly string[]): string {
  const ended = spawnSync(program, args, { encoding: 'utf8' });
  if (ended.status !== 0) throw new Error(`${program}: ${ended.stderr}`);
  return ended.stdout;
}

async function watch(server: ChildProcess, url: string): Promise<number> {
  let output = '';
  for (const stream of [server.stdout, server.stderr])
    stream?.on('data', (text: Buffer) => {
      output += text.toString();
    });
  const began = performance.now();
  const answers = (path: string) =>
    fetch(`${url}${path}`).then(
      async (answer) => (answer.ok ? await answer.text() : ''),
      () => '',
    );
  try {
    while ((await answers('/healthz')) === '') {
      if (server.exitCode !== null || performance.now() - began > STARTS_IN_MS) throw new Error('The release doesn’t start.');
      await later(100);
    }
    const startedMs = Math.round(performance.now() - began);
    if (!(await answers('/')).includes('<script')) throw new Error('The release serves no console.');
    server.kill('SIGTERM');
    const [code] = (await once(server, 'exit')) as [number | null];
    if (code !== 0) throw new Error(`The release ends with ${code}.`);
    return startedMs;
  } catch (error) {
    if (server.exitCode === null) server.kill('SIGKILL');
    throw new Error(`${error instanceof Error ? error.message : String(error)}\n${output}`, { cause: error });
  }
}
