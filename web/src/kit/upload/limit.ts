/**
 * Runs tasks with a maximum at once (specification, section 9). At the first failure nothing further begins, and what is under way is
 * waited for: another try then finds no task of this one still running.
 */
export async function atMost<T>(most: number, items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  let at = 0;
  let failure: { readonly error: unknown } | undefined;
  const lane = async () => {
    while (at < items.length && !failure) {
      const item = items[at++] as T;
      await work(item).catch((error: unknown) => {
        failure ??= { error };
      });
    }
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, lane));
  if (failure) throw failure.error;
}
