/** What a terminal's result does to its row. */
export type OutcomeEvent = 'succeed' | 'fail' | 'lateSuccess' | 'lateFailure';

/**
 * The event for a result of an attempt (design 2, "Device result"); none where the row stays as it is and only the attempt keeps it.
 * A success of an older attempt counts, a failure of one doesn't.
 */
export function resolveOutcome(state: string, isCurrent: boolean, outcome: 'success' | 'failure'): OutcomeEvent | undefined {
  if (outcome === 'success') return state === '5' ? 'lateSuccess' : ['1', '2', '8'].includes(state) ? 'succeed' : undefined;
  if (!isCurrent) return undefined;
  return state === '5' ? 'lateFailure' : ['2', '8'].includes(state) ? 'fail' : undefined;
}
