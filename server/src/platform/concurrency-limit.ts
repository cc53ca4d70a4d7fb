import { fault } from '@mooring/contract/kit/fault';

/** Runs work, unless as much of the same owner's is under way already. Fault: TOO_MANY. */
export function concurrencyLimit(most: number): <T>(owner: number, work: () => Promise<T>) => Promise<T> {
  const busy = new Map<number, number>();
  return async (owner, work) => {
    const now = busy.get(owner) ?? 0;
    if (now >= most) throw fault('TOO_MANY', { seconds: 1 });
    busy.set(owner, now + 1);
    try {
      return await work();
    } finally {
      const left = (busy.get(owner) ?? 1) - 1;
      if (left > 0) busy.set(owner, left);
      else busy.delete(owner);
    }
  };
}

/** Work of an owner one after the other, `most` at a time; of those that wait for their turn there are `waiting` at most. Fault: TOO_MANY. */
export function inTurn(most: number, waiting: number): <T>(owner: number, work: () => Promise<T>) => Promise<T> {
  const inside = concurrencyLimit(most + waiting);
  const turns = new Map<number, { busy: number; readonly queue: (() => void)[] }>();
  return (owner, work) =>
    inside(owner, async () => {
      const turn = turns.get(owner) ?? { busy: 0, queue: [] };
      turns.set(owner, turn);
      if (turn.busy < most) turn.busy += 1;
      // Whoever is done hands its place on.
      else await new Promise<void>((begin) => turn.queue.push(begin));
      try {
        return await work();
      } finally {
        const next = turn.queue.shift();
        if (next) next();
        else if (--turn.busy === 0) turns.delete(owner);
      }
    });
}
