import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@mooring/server/platform/free-port';
import type { Console } from '../person.ts';
import { endTree } from '../processes.ts';
import { npmAnchor } from './npm-anchor.ts';

const PASSWORD = 'Bench.Word3x';
const START_MS = 120_000;

export interface MeshCentral {
  readonly url: string;
  readonly pid: number;
  /** Milliseconds from the start of the process until its sign-in page was answered. */
  readonly startMs: number;
  readonly console: Console;
  stop(): Promise<void>;
}
export interface MeshCentralHome {
  start(): Promise<MeshCentral>;
  remove(): void;
}

/** As its own identifiers look. */
const idOf = (text: string) => createHash('sha384').update(text).digest('base64').replaceAll('+', '@').replaceAll('/', '$');

/** One administrator, one group, and devices with what an agent says of itself when it first comes: its database is a file of lines. */
function seed(file: string, devices: number): void {
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  const user = JSON.parse(lines.findLast((line) => line.includes('"_id":"user//bench"')) ?? '{}') as Record<string, unknown>;
  const mesh = `mesh//${idOf('mesh')}`;
  const rights = 4_294_967_295;
  const rows: unknown[] = [
    { ...user, links: { [mesh]: { rights } } },
    { type: 'mesh', _id: mesh, name: 'Bench', mtype: 2, desc: '', domain: '', links: { 'user//bench': { name: 'bench', rights } } },
  ];
  for (let n = 1; n <= devices; n += 1)
    rows.push({
      type: 'node',
      mtype: 2,
      _id: `node//${idOf(String(n))}`,
      icon: 1,
      meshid: mesh,
      name: `Terminal ${n}`,
      rname: `terminal-${n}`,
      domain: '',
      agent: { ver: 0, id: 6, caps: 29 },
      host: `10.0.${n >> 8}.${n & 255}`,
      osdesc: 'Debian 12',
    });
  appendFileSync(file, `${rows.map((row) => JSON.stringify(row)).join('\n')}\n`);
}

/** An installation of MeshCentral with so many devices, on loopback and without TLS as ours; undefined where it can't be installed. */
export async function meshCentral(devices: number): Promise<MeshCentralHome | undefined> {
  const folder = await npmAnchor('meshcentral');
  if (!folder) return undefined;
  const data = mkdtempSync(join(tmpdir(), 'mooring-bench-mesh-'));
  const port = await freePort();
  const settings = {
    cert: '127.0.0.1',
    port,
    portBind: '127.0.0.1',
    redirPort: 0,
    mpsPort: 0,
    exactPorts: true,
    tlsOffload: true,
    WANonly: true,
    agentTimeStampServer: false,
    selfUpdate: false,
    autoBackup: false,
  };
  writeFileSync(join(data, 'config.json'), JSON.stringify({ settings, domains: { '': { title: 'bench', newAccounts: false } } }));
  const main = [join(folder, 'node_modules', 'meshcentral'), '--datapath', data];
  // As it is started by itself: what our own start sets for our server isn't its.
  const { MALLOC_ARENA_MAX: _ours, ...own } = process.env;
  const env = { ...own, NODE_ENV: 'production' };
  const run = (...args: string[]) => execFileSync(process.execPath, [...main, ...args], { env, stdio: 'ignore', cwd: folder });
  run('--createaccount', 'bench', '--pass', PASSWORD, '--email', 'bench@example.com');
  run('--adminaccount', 'bench');
  seed(join(data, 'meshcentral.db'), devices);
  const url = `http://127.0.0.1:${port}`;

  const start = async (): Promise<MeshCentral> => {
    const started = performance.now();
    const child = spawn(process.execPath, main, { env, cwd: folder, stdio: 'ignore' });
    const answers = () =>
      fetch(url).then(
        async (answer) => (await answer.text()).includes('loginpanel') && answer.ok,
        () => false,
      );
    while (!(await answers())) {
      if (child.exitCode !== null || performance.now() - started > START_MS) throw new Error('MeshCentral did not come up');
      await new Promise((wait) => setTimeout(wait, 20));
    }
    return {
      url,
      pid: child.pid ?? 0,
      startMs: performance.now() - started,
      console: {
        url,
        path: '/',
        rows: '#xdevices [id=devs]',
        least: Math.min(20, devices),
        async enter(context) {
          const form = { action: 'login', username: 'bench', password: PASSWORD };
          await context.request.post(`${url}/`, { form });
        },
      },
      stop: () => endTree(child.pid ?? 0),
    };
  };
  // The first start makes its keys.
  await (await start()).stop();
  return { start, remove: () => rmSync(data, { recursive: true, force: true }) };
}
