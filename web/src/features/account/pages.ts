import { policyCalls } from '@mooring/contract/account/policy-calls';
import type { SettingsTab } from '../../kit/settings-tabs.ts';

/** Parts of the system settings. */
export const policyTabs: readonly SettingsTab[] = [
  {
    key: 'login-policy',
    title: 'account.policy.login',
    call: policyCalls.loginDetail,
    load: () => import('./policy-tabs.tsx').then((found) => found.LoginPolicyTab),
  },
  {
    key: 'password-policy',
    title: 'account.policy.password',
    call: policyCalls.pwdDetail,
    load: () => import('./policy-tabs.tsx').then((found) => found.PasswordPolicyTab),
  },
];
