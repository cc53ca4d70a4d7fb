export interface Tally {
  readonly passed: number;
  readonly failed: number;
}

export const sum = (tallies: readonly Tally[]): Tally => ({
  passed: tallies.reduce((total, one) => total + one.passed, 0),
  failed: tallies.reduce((total, one) => total + one.failed, 0),
});

/** The closing line, which other programs read, and the exit code. */
export function close(tally: Tally): void {
  console.log(`${tally.passed} passed, ${tally.failed} failed`);
  process.exitCode = tally.failed === 0 ? 0 : 1;
}
