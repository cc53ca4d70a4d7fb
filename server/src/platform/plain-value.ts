const MAX_DEPTH = 12;

/** Deeper than any input of ours: a schema that calls itself would run out of stack on it. */
export function tooDeep(value: unknown, depth = 0): boolean {
  if (value === null || typeof value !== 'object') return false;
  if (depth >= MAX_DEPTH) return true;
  return Object.values(value).some((one) => tooDeep(one, depth + 1));
}

/** NUL and halves of characters are no text to the database; they come from programs alone. Where the first one stands. */
export function noTextAt(value: unknown, path: readonly string[] = []): string | undefined {
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed() ? path.join('.') : undefined;
  if (value === null || typeof value !== 'object') return undefined;
  for (const [key, one] of Object.entries(value)) {
    const found = noTextAt(key, path) ?? noTextAt(one, [...path, key]);
    if (found !== undefined) return found;
  }
  return undefined;
}
