export interface PasswordRules {
  readonly passwordMinLength: number;
  readonly passwordMaxLength: number;
  readonly charTypeMin: number;
  readonly sameCharLimit: number;
}

/** Specification, section 9. */
export const defaultPasswordRules: PasswordRules = { passwordMinLength: 8, passwordMaxLength: 16, charTypeMin: 2, sameCharLimit: 0 };

export type CheckState = 'pending' | 'failed' | 'passed';
export type PasswordCheck = 'length' | 'types' | 'sequence' | 'same';
export type PasswordProblem = PasswordCheck | 'account' | 'email';

export interface PasswordVerdict {
  readonly ok: boolean;
  /** The four checks that a form shows while the person types. */
  readonly checks: Readonly<Record<PasswordCheck, CheckState>>;
  readonly problems: readonly PasswordProblem[];
}

const rows = ['~!@#$%^&*()_+', '`1234567890-=', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm'];
const sequences = new Set(
  rows.flatMap((row) =>
    Array.from({ length: row.length - 2 }, (_, at) => row.slice(at, at + 3)).flatMap((three) => [three, [...three].reverse().join('')]),
  ),
);
const types = [/[a-z]/, /[A-Z]/, /\d/, /[$@!%*#?&.]/];

function longestRun(value: string): number {
  let longest = 0;
  let run = 0;
  let before = '';
  for (const char of value) {
    run = char === before ? run + 1 : 1;
    before = char;
    longest = Math.max(longest, run);
  }
  return longest;
}

function hasSequence(value: string): boolean {
  const lower = value.toLowerCase();
  for (let at = 0; at + 3 <= lower.length; at++) if (sequences.has(lower.slice(at, at + 3))) return true;
  return false;
}

/** The password rules of specification section 5, for the form and for the server. */
export function checkPassword(
  value: string,
  rules: PasswordRules = defaultPasswordRules,
  who: { account?: string | null; email?: string | null } = {},
): PasswordVerdict {
  if (value === '') {
    return { ok: false, checks: { length: 'pending', types: 'pending', sequence: 'pending', same: 'pending' }, problems: ['length'] };
  }
  const counted = types.filter((type) => type.test(value)).length;
  const passed: Record<PasswordCheck, boolean> = {
    length: value.length >= rules.passwordMinLength && value.length <= rules.passwordMaxLength,
    types: counted >= Math.max(1, rules.charTypeMin),
    sequence: !hasSequence(value),
    same: rules.sameCharLimit <= 0 || longestRun(value) <= rules.sameCharLimit,
  };
  const problems: PasswordProblem[] = [];
  const isName = (name: string | null | undefined) => Boolean(name) && value.toLowerCase() === name?.toLowerCase();
  if (isName(who.account)) problems.push('account');
  if (isName(who.email)) problems.push('email');
  for (const check of Object.keys(passed) as PasswordCheck[]) if (!passed[check]) problems.push(check);
  const state = (check: PasswordCheck): CheckState => (passed[check] ? 'passed' : 'failed');
  return {
    ok: problems.length === 0,
    checks: { length: state('length'), types: state('types'), sequence: state('sequence'), same: state('same') },
    problems,
  };
}

/** The repeat is asked for again when it is empty or differs. */
export const isRepeated = (password: string, repeat: string): boolean => repeat !== '' && repeat === password;
