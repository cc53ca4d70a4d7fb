import { checkPassword, type PasswordRules } from '@mooring/contract/shared/password';

const faults: Readonly<Record<string, string>> = { account: 'PASSWORD_IS_ACCOUNT', email: 'PASSWORD_IS_EMAIL' };

let list: Promise<ReadonlySet<string>> | undefined;
/** 49,000 that people choose again and again; read at the first new password. */
const common = () => (list ??= import('@zxcvbn-ts/language-common').then(({ dictionary }) => new Set(dictionary['passwords-common'])));

/** As it stands in the list, in any capitals, or with only digits and signs behind it: `Password1`, `Dragon2026!`. */
async function isCommon(password: string): Promise<boolean> {
  const lower = password.toLowerCase();
  const known = await common();
  return known.has(lower) || known.has(lower.replace(/[^\p{L}]+$/u, ''));
}

/** What is wrong with a password that somebody wants to set: the name of a fault. All ways of setting one ask here. */
export async function faultOfNewPassword(
  password: string,
  rules: PasswordRules,
  who: { account: string | null; email: string | null },
): Promise<string | undefined> {
  const problem = checkPassword(password, rules, who).problems[0];
  if (problem) return faults[problem] ?? 'PASSWORD_WEAK';
  return (await isCommon(password)) ? 'PASSWORD_COMMON' : undefined;
}
