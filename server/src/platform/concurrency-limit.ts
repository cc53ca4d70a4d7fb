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
