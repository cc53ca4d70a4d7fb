interface Waiting<K, V> {
  readonly key: K;
  readonly resolve: (value: V | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/** At once: one that is slow doesn't hold up all who come after it. */
const LANES = 2;

export interface BatchOptions {
  /** Of one question. */
  readonly most?: number;
  /** Who comes alone waits so long for company: for crowds to whom some milliseconds are nothing. */
  readonly waitMs?: number;
}

/**
 * Questions that come while others are being asked go together in the next one: alone nobody waits, and in a crowd many cost little more
 * than one. Nobody is answered by a question that was put before theirs.
 */
export function batchLoader<K, V>(
  ask: (keys: readonly K[]) => Promise<ReadonlyMap<K, V>>,
  { most = 100, waitMs = 0 }: BatchOptions = {},
): (key: K) => Promise<V | undefined> {
  let waiting: Waiting<K, V>[] = [];
  let running = 0;
  let timer: NodeJS.Timeout | undefined;
  const next = () => {
    if (running >= LANES || waiting.length === 0) return;
    const batch = waiting.slice(0, most);
    waiting = waiting.slice(most);
    running += 1;
    ask([...new Set(batch.map((one) => one.key))])
      .then(
        (answers) => {
          for (const one of batch) one.resolve(answers.get(one.key));
        },
        (error: unknown) => {
          for (const one of batch) one.reject(error);
        },
      )
      .finally(() => {
        running -= 1;
        come();
      });
  };
  const come = () => {
    if (waitMs === 0 || waiting.length >= most) return next();
    if (waiting.length > 0 && timer === undefined)
      timer = setTimeout(() => {
        timer = undefined;
        next();
      }, waitMs);
  };
  return (key) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject });
      come();
    });
}
