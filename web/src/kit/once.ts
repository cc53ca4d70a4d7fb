/** The same work with the same input runs once at a time: whoever asks meanwhile gets what is under way. */
export function makeOnce<I, O>(): (input: I, work: (input: I) => Promise<O>) => { readonly made: Promise<O>; readonly isFirst: boolean } {
  const running = new Map<string, Promise<O>>();
  return (input, work) => {
    const key = JSON.stringify(input) ?? '';
    const before = running.get(key);
    if (before) return { made: before, isFirst: false };
    const made = work(input).finally(() => running.delete(key));
    running.set(key, made);
    return { made, isFirst: true };
  };
}
