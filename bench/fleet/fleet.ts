import { fork } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Counts, Credential, Order, Plan } from './plan.ts';

const PROCESSES = 2;
let addresses = 0;

/** A process that does what it is told and answers. */
export function startChild<O>(file: string, options: { readonly execArgv?: readonly string[]; readonly env?: NodeJS.ProcessEnv } = {}) {
  const child = fork(join(import.meta.dirname, file), [], {
    execArgv: [...(options.execArgv ?? [])],
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const waiting = new Map<number, { resolve: (value: never) => void; reject: (error: Error) => void }>();
  let last = 0;
  const answer = (id: number) => new Promise<never>((resolve, reject) => waiting.set(id, { resolve, reject }));
  child.on('message', ({ id, value, error }: { id: number; value: never; error?: string }) => {
    const one = waiting.get(id);
    waiting.delete(id);
    if (error) one?.reject(new Error(error));
    else one?.resolve(value);
  });
  child.once('exit', (code) => {
    for (const one of waiting.values()) one.reject(new Error(`${file} ended with ${code}`));
  });
  const ready = answer(0);
  return {
    pid: child.pid ?? 0,
    async tell<T>(order: O): Promise<T> {
      await ready;
      last += 1;
      const told = answer(last);
      child.send({ id: last, order });
      return (await told) as T;
    },
    stop: () =>
      new Promise<void>((resolve) => {
        if (child.exitCode !== null || child.signalCode !== null) return resolve();
        child.once('exit', () => resolve());
        child.kill('SIGKILL');
      }),
  };
}

export interface Fleet {
  /** The moment from which `uptime` of a beat counts. */
  readonly base: number;
  /** Milliseconds until all were connected. */
  readonly tookMs: number;
  beats(rate: number, seconds: number): Promise<void>;
  burst(rate: number, seconds: number): Promise<void>;
  counts(): Promise<Counts>;
  newest(): Promise<Map<string, number>>;
  /** Waits until the counts say so. */
  until(reached: (counts: Counts) => boolean, seconds: number): Promise<void>;
  stop(): Promise<void>;
}
export type FleetOptions = Pick<Plan, 'port' | 'terminals'> & Partial<Pick<Plan, 'protocol' | 'tls' | 'atOnce' | 'hello'>>;

/** Many terminals in two processes, all connected when this answers. */
export async function startTerminals(options: FleetOptions): Promise<Fleet> {
  const folder = mkdtempSync(join(tmpdir(), 'mooring-fleet-'));
  const base = Date.now();
  const started = performance.now();
  const size = Math.ceil(options.terminals.length / PROCESSES);
  const parts = Array.from({ length: PROCESSES }, (_, at) => options.terminals.slice(at * size, (at + 1) * size));
  const processes = parts.map(() => startChild<Order>('terminals-process.ts'));
  const all = <T>(order: Order) => Promise.all(processes.map((one) => one.tell<T>(order)));
  const counts = async (): Promise<Counts> => {
    const each = await all<Counts>({ do: 'counts' });
    const sum = (of: keyof Counts) => each.reduce((total, one) => total + one[of], 0);
    return {
      connected: sum('connected'),
      lost: sum('lost'),
      beats: sum('beats'),
      commands: sum('commands'),
      offers: sum('offers'),
      acks: sum('acks'),
      open: sum('open'),
      repeated: sum('repeated'),
    };
  };
  const stop = async () => {
    await Promise.all(processes.map((one) => one.stop()));
    rmSync(folder, { recursive: true, force: true });
  };
  const connect = async (part: readonly Credential[], at: number) => {
    addresses += 1;
    const plan: Plan = {
      protocol: 'mqtt',
      hello: true,
      atOnce: options.tls ? 24 : 100,
      base,
      ...options,
      terminals: part,
      source: `127.1.${addresses >> 8}.${addresses & 255 || 1}`,
    };
    const file = join(folder, `${at}.json`);
    writeFileSync(file, JSON.stringify(plan), { mode: 0o600 });
    await processes[at]?.tell({ do: 'connect', plan: file });
  };
  try {
    await Promise.all(parts.map(connect));
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    base,
    tookMs: performance.now() - started,
    beats: async (rate, seconds) => void (await all({ do: 'beats', rate: rate / PROCESSES, seconds })),
    burst: async (rate, seconds) => void (await all({ do: 'burst', rate: rate / PROCESSES, seconds })),
    counts,
    newest: async () => new Map((await all<[string, number][]>({ do: 'newest' })).flat()),
    async until(reached, seconds) {
      const end = performance.now() + seconds * 1000;
      for (let seen = await counts(); !reached(seen); seen = await counts()) {
        if (performance.now() > end) throw new Error(`terminals wait: ${JSON.stringify(seen)}`);
        await new Promise((resolve) => setTimeout(resolve, 25));
      }
    },
    stop,
  };
}
