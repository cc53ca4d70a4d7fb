import { expect, test } from 'vitest';
import { checkPassword, defaultPasswordRules } from './password.ts';

test('a password is neither the account nor the address, in whatever capitals', () => {
  const who = { account: 'Jane.doe7', email: 'jane7@bank.example' };
  const problems = (value: string) => checkPassword(value, { ...defaultPasswordRules, passwordMaxLength: 64 }, who).problems;
  for (const value of ['Jane.doe7', 'JANE.DOE7', 'jane.DOE7']) expect(problems(value)).toContain('account');
  expect(problems('Jane7@BANK.example')).toContain('email');
  expect(problems('Fresh.Water8')).toEqual([]);
});
