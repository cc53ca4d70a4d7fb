import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

export interface KeptProcess {
  readonly name: string;
  readonly pid: () => number | undefined;
  readonly isUp: () => boolean;
  /** SIGKILL, as a power cut does it; it stays down until `start`. */
  kill(): Promise<void>;
  /** Resolves when it is ready. As a service manager does, it is started again until then and whenever it ends later. */
  start(): Promise<void>;
  stop(): Promise<void>;
  send(message: object): void;
  onMessage(listen: (message: object) => void): void;
  /** Milliseconds by which its clock is wrong, over restarts too. */
  shiftClock(ms: number): void;
  /** How often it ended without being told to, after it had been ready, and its last words each time. */
  readonly deaths: string[];
  /** What it has printed since its last start. */
  output(): string;
}
interface What {
  readonly name: string;
  readonly argv: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** What it prints, or sends as `{ ready: true }`, when it is there. */
  readonly ready: string;
}

const AGAIN_MS = 500;
const KEPT_WORDS = 4000;
const clock = join(import.meta.dirname, 'shift-clock.ts');

export function keepProcess(what: What): KeptProcess {
  let child: ChildProcess | undefined;
  let wanted = false;
  let ready = false;
  let shift = 0;
  let printed = '';
  const onReady: (() => void)[] = [];
  const listeners: ((message: object) => void)[] = [];
  const deaths: string[] = [];
  const tail = () => printed.slice(-KEPT_WORDS);
  const isReady = () => {
    ready = true;
    for (const one of onReady.splice(0)) one();
  };
  const begin = () => {
    printed = '';
    ready = false;
    const mine = spawn(process.execPath, ['--import', clock, ...what.argv], {
      env: { ...process.env, ...what.env },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    child = mine;
    if (shift !== 0) mine.send({ clockMs: shift });
    const read = (chunk: Buffer) => {
      printed = (printed + chunk.toString()).slice(-10 * KEPT_WORDS);
      if (!ready && printed.includes(what.ready)) isReady();
    };
    mine.stdout?.on('data', read);
    mine.stderr?.on('data', read);
    mine.on('message', (message: { ready?: boolean }) => {
      if (message.ready) isReady();
      for (const listen of listeners) listen(message);
    });
    mine.on('error', () => {});
    mine.once('exit', (code, signal) => {
      if (child === mine) child = undefined;
      if (!wanted) return;
      if (ready) deaths.push(`${what.name} ended by itself (${code ?? signal}):\n${tail()}`);
      ready = false;
      setTimeout(() => wanted && !child && begin(), AGAIN_MS);
    });
  };
  const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
    wanted = false;
    ready = false;
    const ending = child;
    child = undefined;
    if (!ending || ending.exitCode !== null || ending.signalCode !== null) return;
    const gone = new Promise((resolve) => ending.once('exit', resolve));
    ending.kill(signal);
    await gone;
  };
  return {
    name: what.name,
    pid: () => child?.pid,
    isUp: () => ready,
    deaths,
    output: () => printed,
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    start() {
      wanted = true;
      const there = ready ? Promise.resolve() : new Promise<void>((resolve) => onReady.push(resolve));
      if (!child) begin();
      return there;
    },
    send: (message) => void (child?.connected && child.send(message, () => {})),
    onMessage: (listen) => void listeners.push(listen),
    shiftClock(ms) {
      shift = ms;
      if (child?.connected) child.send({ clockMs: ms }, () => {});
    },
  };
}
