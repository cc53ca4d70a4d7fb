/**
 * Runs tasks with a maximum at once (specification, section 9), asked again after each. At the first failure nothing further begins, and
 * what is under way is waited for: another try then finds no task of this one still running.
 */
export async function atMost<T>(most: () => number, items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  let at = 0;
  let lanes = Math.min(most(), items.length);
  let failure: { readonly error: unknown } | undefined;
  const lane = async () => {
    while (at < items.length && !failure) {
      const item = items[at++] as T;
      await work(item).catch((error: unknown) => {
        failure ??= { error };
      });
      if (lanes > most()) {
        lanes -= 1;
        return;
      }
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  if (failure) throw failure.error;
}

/** Runs what it is given one after the other. */
export function oneByOne(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work, work);
    last = next;
    return next;
  };
}
