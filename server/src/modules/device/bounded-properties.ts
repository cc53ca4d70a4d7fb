/** What is kept of one terminal's properties. */
export const PROPERTIES_MOST = { keys: 256, bytes: 64 * 1024 };

/**
 * Of these values those for which there is room beside what is held (keys with their bytes, which is brought up to date). A value that
 * takes the place of a larger one of the same key always has room.
 */
export function withinBounds(held: Map<string, number>, values: Readonly<Record<string, unknown>>) {
  const taken: [string, unknown][] = [];
  let total = [...held.values()].reduce((sum, bytes) => sum + bytes, 0);
  let beyond = 0;
  for (const [key, value] of Object.entries(values)) {
    const bytes = Buffer.byteLength(key) + Buffer.byteLength(JSON.stringify(value));
    const before = held.get(key);
    const grows = bytes - (before ?? 0);
    if ((before === undefined && held.size >= PROPERTIES_MOST.keys) || (grows > 0 && total + grows > PROPERTIES_MOST.bytes)) {
      beyond += 1;
      continue;
    }
    held.set(key, bytes);
    total += grows;
    taken.push([key, value]);
  }
  return { taken: Object.fromEntries(taken), beyond };
}
