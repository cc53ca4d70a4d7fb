import { fault } from '@mooring/contract/kit/fault';

export interface Turns {
  readonly atOnce: number;
  /** So many wait; who comes then is sent away. */
  readonly queue: number;
}

/** Work that only few may do at once, in the order in which they came. Fault: TOO_MANY. */
export function inTurn({ atOnce, queue }: Turns) {
  let running = 0;
  const waiting: (() => void)[] = [];
  /** Answers how the turn is given back. */
  return async (): Promise<() => void> => {
    if (running >= atOnce) {
      if (waiting.length >= queue) throw fault('TOO_MANY', { seconds: 5 });
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else running += 1;
    return () => {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    };
  };
}
