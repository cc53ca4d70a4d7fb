const MOST_KEYS = 10_000;

/** Counts failures of an address; who guesses codes waits. Successes are free: all terminals of a shop come from one address. */
export function failureLimit(limit: { most: number; perMs: number }, now: () => number) {
  const failures = new Map<string, { count: number; since: number }>();
  return {
    note(key: string): void {
      const held = failures.get(key);
      if (held && now() - held.since < limit.perMs) held.count += 1;
      else {
        if (failures.size >= MOST_KEYS) failures.clear();
        failures.set(key, { count: 1, since: now() });
      }
    },
    blocked(key: string): boolean {
      const held = failures.get(key);
      return held !== undefined && now() - held.since < limit.perMs && held.count >= limit.most;
    },
  };
}
