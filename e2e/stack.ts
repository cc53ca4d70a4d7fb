import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deviceCalls } from '@mooring/contract/device/calls';
import { LIVE_TERMINALS } from '@mooring/server/demo/estate';
import { runningDatabaseUrl } from '@mooring/server/platform/embedded-postgres/start-embedded-postgres';
import { freePort } from '@mooring/server/platform/free-port';
import { copyFolder } from '../server/test/test-server.ts';
import { ADMIN, type Api, administrator, api, settleIn, signIn } from './api.ts';
import { fillFresh } from './data-template.ts';
import { onceInRun } from './once-in-run.ts';

const main = join(import.meta.dirname, '../server/src/main.ts');
const START_SECONDS = 300;

export interface Stack {
  readonly url: string;
  readonly dataDir: string;
  /** Of the first administrator: `ADMIN`, or what a fresh first start printed. */
  readonly password: string;
  /** Of its embedded database, while it runs. */
  databaseUrl(): string;
  /** What the process has printed since its last start. */
  output(): string;
  /** SIGKILL, as a power cut does it; then the same again on the same data. */
  killAndStart(): Promise<void>;
  kill(): Promise<void>;
  start(): Promise<void>;
  stopAndStart(): Promise<void>;
  /** As an operator ends it: its data stay. */
  end(): Promise<void>;
  stop(): Promise<void>;
}

export interface StackOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  /** Another version's entry, in the place of this one's. */
  readonly main?: string;
  /** A further process of an installation prints no first password. */
  readonly joins?: boolean;
  /** Data to go on with, in the place of a fresh installation's: copied, not touched. Its passwords are known to whoever made it. */
  readonly from?: string;
  /** As a first start leaves it, with its one-time password: for journeys that begin at the door. */
  readonly fresh?: boolean;
}

export interface Server {
  readonly child: ChildProcess;
  /** What it has printed so far. */
  output(): string;
  /** @returns its exit code; `undefined` where a signal ended it. */
  readonly ended: Promise<number | undefined>;
}

/** One process of the server on a data folder, with ports of its own. */
export async function serverOn(dataDir: string, options: StackOptions = {}): Promise<{ url: string; spawnServer: () => Server }> {
  const [port, mqtt, mqttTls] = [await freePort(), await freePort(), await freePort()];
  const env = {
    ...process.env,
    DATA_DIR: dataDir,
    PORT: String(port),
    MQTT_PORT: String(mqtt),
    MQTT_TLS_PORT: String(mqttTls),
    LOG_LEVEL: 'warn',
    NODE_ENV: 'production',
    ...options.env,
  };
  const spawnServer = () => {
    let printed = '';
    const child = spawn(process.execPath, [options.main ?? main, ...(options.args ?? [])], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const read = (chunk: Buffer) => {
      printed += chunk.toString();
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    const ended = new Promise<number | undefined>((resolve) => child.once('exit', (code) => resolve(code ?? undefined)));
    return { child, output: () => printed, ended };
  };
  return { url: `http://127.0.0.1:${port}`, spawnServer };
}

/** A command of an operator, to its end. */
export async function runTool(name: string, args: readonly string[], env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, [join(import.meta.dirname, `../tools/${name}.ts`), ...args], { env: { ...process.env, ...env } });
  let output = '';
  const read = (chunk: Buffer) => {
    output += chunk.toString();
  };
  child.stdout.on('data', read);
  child.stderr.on('data', read);
  const code = await new Promise<number>((resolve) => child.once('exit', (ended) => resolve(ended ?? 1)));
  return { code, output };
}

/** The server as a person starts it: its own process, embedded database and broker, ports of its own. */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const dataDir = mkdtempSync(join(tmpdir(), 'mooring-journey-'));
  // What is started by another entry begins with nothing, as a newcomer does; a database that is brought along has what it has.
  const isBare = options.main !== undefined || options.env?.DATABASE_URL !== undefined;
  const from = options.from ?? (isBare || options.fresh ? undefined : (await begun()).dataDir);
  if (from) copyFolder(from, dataDir);
  else if (!isBare) fillFresh(dataDir);
  const { url, spawnServer } = await serverOn(dataDir, options);
  let server: Server | undefined;
  let printed = () => '';
  const start = async () => {
    const started = spawnServer();
    server = started;
    printed = started.output;
    const early = started.ended.then((code) => {
      throw new Error(`the server ended with ${code}:\n${printed()}`);
    });
    early.catch(() => {});
    await Promise.race([waitFor(() => printed().includes('Mooring is ready'), 'the server', START_SECONDS), early]);
  };
  const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
    server?.child.kill(signal);
    await server?.ended;
  };
  await start();
  // The first sign-in is printed right after the address.
  const printedPassword = () => waitFor(() => /First sign-in: admin \/ (\S+)/.exec(printed())?.[1], 'the first password');
  const password = options.joins || options.from ? '' : from ? ADMIN : await printedPassword();
  return {
    url,
    dataDir,
    password,
    databaseUrl() {
      const address = runningDatabaseUrl(dataDir);
      if (address === undefined) throw new Error('no embedded database runs');
      return address;
    },
    output: () => printed(),
    async killAndStart() {
      await end('SIGKILL');
      await start();
    },
    kill: () => end('SIGKILL'),
    start,
    async stopAndStart() {
      await end('SIGTERM');
      await start();
    },
    end: () => end('SIGTERM'),
    async stop() {
      await end('SIGTERM');
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/** What a first start and the administrator's first sign-in leave. Whoever wants it first makes it for the whole run. */
const begun = () =>
  onceInRun('begun', async () => {
    const stack = await startStack({ fresh: true });
    await settleIn(stack.url, 'admin', stack.password);
    await stack.end();
    return { dataDir: stack.dataDir };
  });

export interface Demo {
  readonly stack: Stack;
  readonly admin: Api;
  /** What the sample people share. */
  readonly password: string;
}

async function seeded(): Promise<Demo> {
  const stack = await startStack({ args: ['--demo'], fresh: true });
  const password = await waitFor(() => /sign in with (\S+)/.exec(stack.output())?.[1], 'the sample people');
  const admin = await administrator(stack.url, stack.password);
  await waitFor(async () => (await admin.call(deviceCalls.counts)).byStatus['3'] === LIVE_TERMINALS, 'the living terminals');
  return { stack, password, admin };
}

interface DemoOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Its living terminals come, too: a sixth of a processor, all the time. */
  readonly live?: boolean;
}
/** With the sample estate. Whoever wants it first makes it for the whole run. */
export async function startDemo({ env = {}, live = false }: DemoOptions = {}): Promise<Demo> {
  const { dataDir, password } = await onceInRun('demo', async () => {
    const { stack, password } = await seeded();
    await stack.end();
    return { dataDir: stack.dataDir, password };
  });
  const stack = await startStack({ args: live ? ['--demo'] : [], env, from: dataDir });
  return { stack, password, admin: api(stack.url, await signIn(stack.url, 'admin', ADMIN), 'centre') };
}

/** Asks until it is so. What is waited for is named in the failure. */
export async function waitFor<T>(ask: () => T | Promise<T>, what: string, seconds = 180, everyMs = 100): Promise<NonNullable<T>> {
  const until = Date.now() + seconds * 1000;
  for (;;) {
    const found = await Promise.resolve(ask()).catch(() => undefined);
    if (found) return found as NonNullable<T>;
    if (Date.now() > until) throw new Error(`waited ${seconds} s for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
