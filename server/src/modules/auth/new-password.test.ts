import { passwordPresets } from '@mooring/contract/auth/policy';
import { expect, it } from 'vitest';
import { faultOfNewPassword } from './new-password.ts';

const who = { account: 'ann.harbour', email: 'ann@example.com' };
const fault = (password: string, preset: keyof typeof passwordPresets = 'spec') =>
  faultOfNewPassword(password, passwordPresets[preset], who);

it.each(['Password1', 'PASSWORD1', 'Football99', 'Dragon2026!', 'Welcome2026!', 'Letmein12', 'Princess.1'])(
  '%s is refused, because many choose it',
  async (password) => expect(await fault(password)).toBe('PASSWORD_COMMON'),
);
it.each(['Kettle.Rope7', 'Harbour.Crane4', 'tin-Ladle-93x'])('%s is taken', async (password) =>
  expect(await fault(password)).toBeUndefined(),
);
it('the rules of the policy are told first, then the names of its person', async () => {
  expect(await fault('Password')).toBe('PASSWORD_COMMON');
  expect(await fault('pass')).toBe('PASSWORD_WEAK');
  expect(await fault('ANN@example.com')).toBe('PASSWORD_IS_EMAIL');
  expect(await fault('Password1', 'pci')).toBe('PASSWORD_WEAK');
});
