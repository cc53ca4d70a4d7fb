const numbers = (version: string) =>
  version
    .split(/[^0-9]+/)
    .filter(Boolean)
    .map(Number);

/** Versions by their numbers, part by part; equal numbers by the text. */
export function compareVersions(a: string, b: string): number {
  const [x, y] = [numbers(a), numbers(b)];
  for (let at = 0; at < Math.max(x.length, y.length); at += 1) {
    const difference = (x[at] ?? 0) - (y[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return a < b ? -1 : a > b ? 1 : 0;
}
