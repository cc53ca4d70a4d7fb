import { declaredRoutes } from '../tools/declared/routes.ts';
import { sourceFiles } from '../tools/guards/source-files.ts';

export type Platform = 'centre' | 'manager';
export const platforms = ['centre', 'manager'] as const;

const routes = declaredRoutes(sourceFiles());

/** Every page of a platform behind the sign-in, as it is declared: some show a row, whose number stands in their address. */
export const patternsOf = (platform: Platform): string[] => [
  ...new Set(routes.filter((one) => one.permission !== 'public' && (one.platform ?? platform) === platform).map(({ path }) => path)),
];

/** `rows` fill in the patterns that show a row: one that they lack is a page that nobody looks at. */
export function addressesAt(pattern: string, rows: Readonly<Record<string, readonly string[]>>): readonly string[] {
  if (!pattern.includes(':')) return [pattern];
  const found = rows[pattern];
  if (!found) throw new Error(`every-row.ts makes no row for ${pattern}`);
  return found;
}

/** What a stranger reaches: the doors as they are declared, links that work no longer, and an address that leads nowhere. */
export const publicAddresses: readonly string[] = [
  ...routes
    .filter(({ permission }) => permission === 'public')
    .map(({ path }) => (path.includes(':') ? `${path.replaceAll(/:\w+/g, '1')}?sign=${'x'.repeat(32)}` : path)),
  '/reg?invite=a-code-that-nobody-has',
  '/dashboard?wall=1',
  '/no/such/page',
];

/** Pages in a further state that their address says: a tab, a search that finds nothing, a dialog. */
export const furtherAddresses: Readonly<Record<Platform, readonly string[]>> = {
  centre: [
    '/message?tab=sent',
    ...['/device/fota', '/device/module', '/pos/patch', '/appPermission', '/networkConfig', '/post/paramfile/task', '/task'].map(
      (list) => `${list}?tab=drift`,
    ),
    ...['tab=invites', 'text=nobody-like-that'].map((part) => `/sys/member?${part}`),
    ...['applications', 'trust', 'invites'].map((tab) => `/sys/dept?tab=${tab}`),
    '/error/not-found',
    ...['tab=verify', 'tab=profiles', 'tab=changes', 'do=profile'].map((part) => `/apkTool?${part}`),
  ],
  manager: [
    '/device/product?text=nothing-like-it',
    ...['tab=model', 'tab=sharing'].map((part) => `/device/product/1?${part}`),
    ...['firms', 'industries', 'categories'].map((part) => `/device/product?do=${part}`),
    '/businessUnit?tab=lines',
    ...[
      ...['login-policy', 'password-policy', 'branding', 'project', 'mail', 'sms', 'outbox', 'alarms', 'domains', 'webhooks', 'outbound'],
      ...['sso', 'review', 'storage', 'tokens', 'registration', 'real-name'],
    ].map((tab) => `/system/settings?tab=${tab}`),
    '/paramsDic?row=1',
    '/labelManage?tab=texts&lang=zh-CN',
    '/userFootprint?user=1',
    '/userFootprint?tab=online',
    '/authAudit?text=nobody-like-that',
    '/device/amap?show=failures',
  ],
};
