import { latestValueBuffer } from './latest-value-buffer.ts';
import type { Taken } from './message.ts';

export interface Beats {
  add(sn: string, payload: Buffer, at: Date): void;
  /** Terminals of which something waits. */
  size(): number;
  /** Writes what waits. */
  stop(): Promise<void>;
}

const EVERY_MS = 1000;
// Small enough that others' statements fit in between.
const BATCH = 250;

/** What was gathered in one period is written evenly over the next one, so that whoever else needs the processor finds it free. */
export function batchBeats(
  read: (sn: string, payload: Buffer, at: Date) => Taken | undefined,
  write: (batch: readonly Taken[]) => Promise<void>,
): Beats {
  const buffer = latestValueBuffer(read);
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let goOn = () => {};
  const rest = (ms: number) =>
    new Promise<void>((done) => {
      goOn = done;
      timer = setTimeout(done, ms);
    });
  const flush = async () => {
    const each = EVERY_MS / Math.ceil(buffer.size() / BATCH);
    let due = performance.now();
    for (const batch of buffer.drain(BATCH)) {
      if (due > performance.now() && !stopped) await rest(due - performance.now());
      await write(batch);
      due += each;
    }
  };
  const beat = async () => {
    while (!stopped) {
      const began = performance.now();
      await flush();
      const left = began + EVERY_MS - performance.now();
      if (left > 0 && !stopped) await rest(left);
    }
  };
  const beating = beat();
  return {
    add: buffer.add,
    size: buffer.size,
    async stop() {
      stopped = true;
      clearTimeout(timer);
      goOn();
      await beating;
      await flush().catch(() => {});
    },
  };
}
