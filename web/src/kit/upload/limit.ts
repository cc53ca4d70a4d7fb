/** Runs tasks with a maximum at once (specification, section 9); ends at the first failure. */
export async function atMost<T>(most: number, items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  let at = 0;
  const lane = async () => {
    while (at < items.length) await work(items[at++] as T);
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, lane));
}
