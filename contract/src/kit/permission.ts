/**
 * Specification, section 6: no requirement passes; a list needs all; a string with `||` needs any; else that one string.
 * The only place that compares permissions.
 */
export function isAllowed(held: ReadonlySet<string>, can: string | readonly string[] | undefined): boolean {
  if (can === undefined || can === 'public' || can === 'session') return true;
  if (typeof can !== 'string') return can.every((one) => isAllowed(held, one));
  return can.split('||').some((one) => held.has(one.trim()));
}
