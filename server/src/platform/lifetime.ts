const PATIENCE_MS = 10_000;
/** Longer than any that has what it needs takes: a write that ends, a database that writes out what it holds. */
const END_MS = 30_000;

/** Thrown out of a start that was told to end. */
export class Ended extends Error {}

/** Whether it ended in time. @throws what it threw. */
async function within(ms: number, work: unknown): Promise<boolean> {
  let late: NodeJS.Timeout | undefined;
  const patience = new Promise<false>((resolve) => {
    late = setTimeout(() => resolve(false), ms);
  });
  try {
    return await Promise.race([Promise.resolve(work).then(() => true), patience]);
  } finally {
    clearTimeout(late);
  }
}

/**
 * What a process has begun, so that it can end at any moment of its start: the step that is under way comes to its own
 * end first, the next one isn't begun, and then everything ends in the reverse order. One end that fails, or doesn't come,
 * keeps no other from its turn.
 */
export class Lifetime {
  readonly #ends: (() => Promise<void> | void)[] = [];
  #step: Promise<unknown> = Promise.resolve();
  #ending: Promise<void> | undefined;

  /** One step of the start, and how what it made ends. @throws Ended where `end` was called before it. */
  async begin<Made>(work: () => Promise<Made> | Made, end?: (made: Made) => Promise<void> | void): Promise<Made> {
    if (this.#ending) throw new Ended();
    const begun = (async () => {
      const made = await work();
      if (end) this.#ends.push(() => end(made));
      return made;
    })();
    this.#step = begun.catch(() => {});
    return begun;
  }

  /** Ends all, once. @throws what the first failing end threw, after all had their turn. */
  end(): Promise<void> {
    this.#ending ??= this.#endAll();
    return this.#ending;
  }

  async #endAll(): Promise<void> {
    // One that waits for what doesn't come, such as a broker that is away, isn't waited for.
    await within(PATIENCE_MS, this.#step);
    const failures: unknown[] = [];
    for (const end of this.#ends.reverse()) {
      try {
        if (!(await within(END_MS, end()))) throw new Error(`not ended after ${END_MS / 1000} s`);
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}
