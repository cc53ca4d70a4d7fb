import { policyCalls } from '@mooring/contract/account/policy-calls';
import { tokenAdminCalls } from '@mooring/contract/account/token-calls';
import { type RouteSpec, route } from '../../kit/route.ts';
import type { SettingsTab } from '../../kit/settings-tabs.ts';

/** Parts of the system settings. */
export const policyTabs: readonly SettingsTab[] = [
  {
    key: 'login-policy',
    title: 'account.policy.login',
    group: 'signIn',
    texts: 'account.policy.',
    call: policyCalls.loginDetail,
    load: () => import('./policy-tabs.tsx').then((found) => found.LoginPolicyTab),
  },
  {
    key: 'password-policy',
    title: 'account.policy.password',
    group: 'signIn',
    texts: 'account.policy.',
    call: policyCalls.pwdDetail,
    load: () => import('./policy-tabs.tsx').then((found) => found.PasswordPolicyTab),
  },
  {
    key: 'tokens',
    title: 'settings.tab.tokens',
    group: 'connections',
    texts: 'token.',
    call: tokenAdminCalls.page,
    load: () => import('./token-lists.tsx').then((found) => found.TokensTab),
  },
];

const profile = () => import('./profile.page.tsx').then((found) => found.profilePage);
const security = () => import('./security.page.tsx').then((found) => found.securityPage);

export const accountRoutes: readonly RouteSpec[] = [
  route({ path: '/account', platform: 'centre', title: 'page.account', load: profile }),
  route({ path: '/accountSetting', platform: 'centre', title: 'page.accountSetting', load: security }),
  route({ path: '/managerAccount', platform: 'manager', title: 'page.account', load: profile }),
  route({ path: '/wating/:path', title: 'page.waiting', load: () => import('./waiting.page.tsx').then((found) => found.waitingPage) }),
  route({
    path: '/auth/:authType',
    title: 'page.realName',
    load: () => import('./real-name.page.tsx').then((found) => found.realNamePage),
  }),
  route({
    path: '/authAudit',
    platform: 'manager',
    title: 'page.authAudit',
    keepAlive: true,
    load: () => import('./real-name-audit.page.ts').then((found) => found.realNameAuditList),
  }),
  route({
    path: '/authAudit/:id',
    platform: 'manager',
    title: 'page.authAudit',
    parent: '/authAudit',
    load: () => import('./real-name-audit-detail.page.tsx').then((found) => found.realNameAuditDetail),
  }),
  route({ path: '/manager/accountSetting', platform: 'manager', title: 'page.accountSetting', load: security }),
];
