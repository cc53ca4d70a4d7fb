const PATIENCE_MS = 10_000;

/** Thrown out of a start that was told to end. */
export class Ended extends Error {}

/**
 * What a process has begun, so that it can end at any moment of its start: the step that is under way comes to its own
 * end first, the next one isn't begun, and then everything ends in the reverse order. One end that fails keeps no other
 * from its turn.
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
    let late: NodeJS.Timeout | undefined;
    const patience = new Promise<void>((resolve) => {
      late = setTimeout(resolve, PATIENCE_MS);
    });
    await Promise.race([this.#step, patience]);
    clearTimeout(late);
    const failures: unknown[] = [];
    for (const end of this.#ends.reverse()) {
      try {
        await end();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}
