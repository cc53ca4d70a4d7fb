import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@mooring/server/platform/free-port';

const main = join(import.meta.dirname, '..', 'server', 'src', 'main.ts');
const START_MS = 60_000;
/** A kept database was sealed with it. */
export const MASTER_KEY = 'a master key of the benchmark alone';

export interface BenchApp {
  readonly url: string;
  readonly dataDir: string;
  readonly pid: number;
  /** Milliseconds from the start of the process until it said that it was ready. */
  readonly startMs: number;
  stop(): Promise<void>;
}

/** The real server in a process of its own. */
export async function startApp(env: Readonly<Record<string, string>>, keep?: string): Promise<BenchApp> {
  const dataDir = keep ?? mkdtempSync(join(tmpdir(), 'mooring-bench-'));
  const [port, mqtt, tls] = [await freePort(), await freePort(), await freePort()];
  const started = performance.now();
  const child = spawn(process.execPath, [main], {
    env: {
      ...process.env,
      NODE_ENV: 'production',
      LOG_LEVEL: 'error',
      DATA_DIR: dataDir,
      PORT: String(port),
      MQTT_PORT: String(mqtt),
      MQTT_TLS_PORT: String(tls),
      MASTER_KEY,
      RATE_PUBLIC: '0',
      RATE_DEVICE: '0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const orphaned = () => child.kill('SIGKILL');
  process.once('exit', orphaned);
  await new Promise<void>((resolve, reject) => {
    const late = setTimeout(() => reject(new Error('the server did not come up')), START_MS);
    child.stdout.on('data', (part: Buffer) => {
      if (!part.toString().includes('Mooring is ready')) return;
      clearTimeout(late);
      resolve();
    });
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
  });
  child.removeAllListeners('exit');
  return {
    url: `http://127.0.0.1:${port}`,
    dataDir,
    pid: child.pid ?? 0,
    startMs: performance.now() - started,
    async stop() {
      const ended = new Promise((done) => child.once('exit', done));
      child.kill('SIGTERM');
      await ended;
      process.removeListener('exit', orphaned);
      if (!keep) rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

const agent = new Agent({ keepAlive: true, maxSockets: 128 });

/** The bytes of an answer, over connections that are kept. */
export function ask(
  url: string,
  options: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<{ status: number; body: Buffer }> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, method: options.method ?? 'GET', headers: options.headers ?? {} }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(parts) }));
      answer.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(options.body);
  });
}

/** What a person of the centre says with each call. */
export const callHeaders = (token: string): Record<string, string> => ({
  'content-type': 'application/json',
  authorization: token,
  'accept-platform': 'centre',
  'accept-deptid': '0',
  'accept-language': 'en',
});

/** A call of the console; anything but a success ends the run. */
export async function askCall(url: string, path: string, token: string, input: unknown): Promise<Record<string, unknown>> {
  const { body } = await ask(`${url}/ops${path}`, {
    method: 'POST',
    headers: callHeaders(token),
    body: JSON.stringify(input),
  });
  const answer = JSON.parse(body.toString()) as { code: number; body: Record<string, unknown>; message: string };
  if (answer.code !== 200) throw new Error(`${path}: ${answer.code} ${answer.message}`);
  return answer.body;
}
