export interface Tally {
  readonly passed: number;
  readonly failed: number;
  /** What could not be tried here, such as for want of a program. */
  readonly skipped?: number;
  /** What failed, a line or few each: told once more at the end, an hour behind where it happened. */
  readonly failures?: readonly string[];
}

export const sum = (tallies: readonly Tally[]): Tally => ({
  passed: tallies.reduce((total, one) => total + one.passed, 0),
  failed: tallies.reduce((total, one) => total + one.failed, 0),
  skipped: tallies.reduce((total, one) => total + (one.skipped ?? 0), 0),
  failures: tallies.flatMap((one) => one.failures ?? []),
});

/** What failed, the closing line, which other programs read, and the exit code. */
export function close(tally: Tally): void {
  for (const failure of tally.failures ?? []) console.log(`✗ ${failure}`);
  console.log(`${tally.passed} passed, ${tally.failed} failed${tally.skipped ? `, ${tally.skipped} skipped` : ''}`);
  process.exitCode = tally.failed === 0 ? 0 : 1;
}
