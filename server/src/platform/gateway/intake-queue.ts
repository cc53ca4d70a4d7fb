/**
 * A bounded queue between sockets and the database. `push` answers nothing while there is room, and a promise when there is none:
 * whoever waits for it stops reading its socket, so that the sender feels the pressure and memory stays bounded.
 */
export interface IntakeQueue<T> {
  push(item: T): void | Promise<void>;
  /** Stops taking batches after the present ones. Waits for them. */
  stop(): Promise<void>;
  readonly size: () => number;
}

export interface QueueOptions<T> {
  readonly limit: number;
  readonly batch: number;
  /** How many batches are under way at once. */
  readonly lanes: number;
  /** After a batch of so many the next one waits a moment for company: many in one transaction cost little more than a few. */
  readonly crowd: { readonly from: number; readonly waitMs: number };
  /** Must not reject: a fault is waited out inside. */
  readonly work: (batch: readonly T[]) => Promise<void>;
}

/** The lane of a name: always the same. */
export function laneOf(name: string, lanes: number): number {
  let hash = 0;
  for (let at = 0; at < name.length; at += 1) hash = (Math.imul(hash, 31) + name.charCodeAt(at)) >>> 0;
  return hash % lanes;
}

export function intakeQueue<T>(options: QueueOptions<T>): IntakeQueue<T> {
  let items: T[] = [];
  let waiters: (() => void)[] = [];
  let running = 0;
  let stopped = false;
  let scheduled = false;
  let idle: (() => void) | undefined;

  const soon = (after: number) => {
    if (scheduled) return;
    scheduled = true;
    if (after === 0) setImmediate(pump);
    else setTimeout(pump, after);
  };
  const pump = () => {
    scheduled = false;
    while (!stopped && running < options.lanes && items.length > 0) {
      const batch = items.slice(0, options.batch);
      items = items.slice(options.batch);
      running += 1;
      void options.work(batch).finally(() => {
        running -= 1;
        if (items.length < options.limit) {
          const freed = waiters;
          waiters = [];
          for (const free of freed) free();
        }
        if (stopped && running === 0) idle?.();
        soon(batch.length >= options.crowd.from && items.length < options.batch ? options.crowd.waitMs : 0);
      });
    }
  };
  return {
    size: () => items.length,
    push(item) {
      items.push(item);
      // What arrives in the same turn goes into the same batch.
      if (running < options.lanes) soon(0);
      if (items.length >= options.limit) return new Promise<void>((resolve) => waiters.push(resolve));
    },
    async stop() {
      stopped = true;
      for (const free of waiters) free();
      if (running > 0)
        await new Promise<void>((resolve) => {
          idle = resolve;
        });
    },
  };
}
