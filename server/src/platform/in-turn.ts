import { fault } from '@mooring/contract/kit/fault';

export interface Turns {
  readonly atOnce: number;
  /** So many wait; who comes then is sent away. */
  readonly queue: number;
  /** When who was sent away may come again. */
  readonly seconds?: number;
}

/** Work that only few may do at once, in the order in which they came. Fault: TOO_MANY. */
export function inTurn({ atOnce, queue, seconds = 5 }: Turns) {
  let running = 0;
  const waiting: (() => void)[] = [];
  /** Answers how the turn is given back. */
  return async (): Promise<() => void> => {
    if (running >= atOnce) {
      if (waiting.length >= queue) throw fault('TOO_MANY', { seconds });
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else running += 1;
    return () => {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    };
  };
}

/** The same for each owner's own work. */
export function inTurnOfOwner(turns: Turns) {
  const owners = new Map<number, { readonly turn: ReturnType<typeof inTurn>; inside: number }>();
  return async <T>(owner: number, work: () => Promise<T>): Promise<T> => {
    const own = owners.get(owner) ?? { turn: inTurn(turns), inside: 0 };
    owners.set(owner, own);
    own.inside += 1;
    try {
      const done = await own.turn();
      return await work().finally(done);
    } finally {
      own.inside -= 1;
      if (own.inside === 0) owners.delete(owner);
    }
  };
}
