import { fork } from 'node:child_process';
import type { DifferenceReason } from '@mooring/contract/engines/rollout/difference-calls';
import type { DifferenceSaid, DifferenceWork } from './difference-child.ts';

const entry = new URL('./difference-child.ts', import.meta.url);
const MOST_MS = 60 * 60_000;
const HEAP_MB = 256;

export type ChildEnd = { readonly frames: number } | { readonly failed: DifferenceReason; readonly message?: string };

/** Makes or tries a difference in a process of its own, bounded in memory and time; undefined where it was called off. */
export function runChild(work: DifferenceWork, signal: AbortSignal, onPercent: (percent: number) => void): Promise<ChildEnd | undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve(undefined);
    const child = fork(entry, { execArgv: [`--max-old-space-size=${HEAP_MB}`], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    const finish = (end: ChildEnd | undefined) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      child.kill('SIGKILL');
      resolve(end);
    };
    const stop = () => finish(undefined);
    const timer = setTimeout(() => finish({ failed: 'time' }), MOST_MS);
    signal.addEventListener('abort', stop);
    child.on('message', (said: DifferenceSaid) => {
      if ('percent' in said) onPercent(said.percent);
      else finish('done' in said ? said.done : said);
    });
    child.on('error', (error) => finish({ failed: 'broken', message: error.message }));
    child.once('exit', (code, by) => finish({ failed: 'broken', message: `ended by ${by ?? code}` }));
    child.send(work);
  });
}
