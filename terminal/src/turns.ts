/** Whose turn it is to work. */
export interface Turn {
  /** Waits for something without keeping others from their work; goes on when it is this one's turn again. */
  aside<T>(wait: () => Promise<T>): Promise<T>;
  end(): void;
}
/** Where nothing else works. */
export const alone: Turn = { aside: (wait) => wait(), end() {} };

/** One works at a time, in the order in which they came; who waits for something else lets the next ones pass. */
export function makeTurns() {
  let last: Promise<unknown> = Promise.resolve();
  let taken = 0;
  let open = 0;
  const line = new Set<string>();
  const next = async (): Promise<() => void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const before = last;
    last = promise;
    taken += 1;
    await before;
    return () => {
      taken -= 1;
      resolve();
    };
  };
  return {
    /** Who has a turn or waits for one. */
    count: () => open,
    /** Who waits for a first turn. */
    inLine: (): readonly string[] => [...line],
    async take(name: string): Promise<Turn> {
      open += 1;
      if (taken > 0) line.add(name);
      let end = await next();
      line.delete(name);
      return {
        async aside(wait) {
          end();
          try {
            return await wait();
          } finally {
            end = await next();
          }
        },
        end() {
          open -= 1;
          end();
        },
      };
    },
  };
}

/** The same for work that may be given up: what was, while it stood in line again, doesn't go on. */
export const aside =
  (turn: Turn, signal: AbortSignal) =>
  async <T>(wait: () => Promise<T>): Promise<T> => {
    const waited = await turn.aside(wait);
    signal.throwIfAborted();
    return waited;
  };
