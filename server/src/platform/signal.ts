import { EventEmitter, once } from 'node:events';

export interface Signal {
  ring(what: string): void;
  /** Until it rings for this, or that time is over: who works at it may be another process. */
  heard(what: string, ms: number): Promise<void>;
}

/** Tells those who wait in this process that something is done. */
export function signal(): Signal {
  const rung = new EventEmitter().setMaxListeners(0);
  return {
    ring: (what) => void rung.emit(what),
    heard: (what, ms) =>
      once(rung, what, { signal: AbortSignal.timeout(ms) }).then(
        () => {},
        () => {},
      ),
  };
}
