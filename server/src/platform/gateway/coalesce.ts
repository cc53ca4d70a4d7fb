/** Many questions of a moment become one: a reconnect storm asks the database once per batch, not once per terminal. */
export function coalesce<K, V>(ask: (keys: readonly K[]) => Promise<ReadonlyMap<K, V>>, options: { waitMs?: number; max?: number } = {}) {
  const max = options.max ?? 500;
  let waiting: { key: K; resolve: (value: V | undefined) => void; reject: (error: unknown) => void }[] = [];
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    const batch = waiting;
    waiting = [];
    if (batch.length === 0) return;
    ask([...new Set(batch.map((one) => one.key))]).then(
      (answers) => {
        for (const one of batch) one.resolve(answers.get(one.key));
      },
      (error: unknown) => {
        for (const one of batch) one.reject(error);
      },
    );
  };
  return (key: K): Promise<V | undefined> =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject });
      if (waiting.length >= max) flush();
      else timer ??= setTimeout(flush, options.waitMs ?? 5);
    });
}
