/** What is loaded once and again after a while: another process may have made new keys. A failed load is tried again at the next call. */
export function keptFresh<T>(ms: number, now: () => number, load: () => Promise<T>): () => Promise<T> {
  let held: { readonly at: number; readonly value: Promise<T> } | undefined;
  return () => {
    if (held && now() - held.at < ms) return held.value;
    const mine = { at: now(), value: load() };
    held = mine;
    mine.value.catch(() => {
      if (held === mine) held = undefined;
    });
    return mine.value;
  };
}
/** How long a process goes on with keys that were replaced. */
export const KEYS_MS = 60_000;
