/** What became of it: `done` or the fault that it met, and three that are neither. */
export const outcomes = ['done', 'refused', 'secondStep', 'requested', 'noSession'] as const;
export type LogOutcome = (typeof outcomes)[number];

const firstSteps: readonly string[] = ['/sys/login/account', '/sys/login/msg', '/sys/login/oidc/finish'];
const has = (value: unknown, field: string): boolean => typeof value === 'object' && value !== null && field in value;

/** A right password alone signs nobody in, a change that waits for a second person changed nothing, and an ended session is no attack. */
export function outcomeOf(row: { readonly call: string; readonly result: string; readonly after: unknown }): LogOutcome {
  if (row.result === 'NO_SESSION') return 'noSession';
  // `ok` is what a command wrote in versions before.
  if (row.result !== 'done' && row.result !== 'ok') return 'refused';
  if (has(row.after, 'changeRequestId')) return 'requested';
  return firstSteps.includes(row.call) && !has(row.after, 'signedIn') ? 'secondStep' : 'done';
}
