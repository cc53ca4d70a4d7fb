import type { SettingType } from '../settings/kinds.ts';

/** What the log's targets begin with where the name alone wouldn't say what it is; longer ones first. */
export const targetKinds = [
  'help category',
  'help article',
  'webhook delivery',
  'signing key',
  'signing of',
  'key store',
  'blackout dates',
  'absence',
  'download domain',
  'dict entry',
  'maintenance of',
  'alert rule',
  'iot platform',
  'iot terminal',
  'asset sync',
  'register',
  'sale of',
  'session of',
  'thing model',
  'mail to',
  'webhook',
  'message',
  'notice',
  'change',
  'language',
  'password',
  'advert',
  'customization',
  'desktop',
  'geofence',
  'hardware test',
  'merchant',
  'app version',
  'app',
  'developer',
  'subscription',
  'package',
  'order',
  'receiver',
  'alarm',
  'dispatch',
  'receipt',
  'stock',
  'shop',
  'product',
  'group',
  'view',
  'category',
  'industry',
  'firm',
  'setting',
  'job',
  'device',
  'login',
  'import',
  'token',
  'dict',
  'role',
  'rule',
  'code',
  'text',
] as const;
export type TargetKind = (typeof targetKinds)[number];

type Many = 'people' | 'devices' | 'grants';

export type LogTarget =
  | { readonly kind: TargetKind; readonly name: string }
  /** Many at once: which act, and how many of what. */
  | { readonly kind: Many; readonly name: string; readonly count: number };

const starts = new RegExp(`^(${targetKinds.join('|')}):? (.+)$`, 's');
const many = /^(\w+): (\d+) (people|devices|grants)$/;

/** The log keeps a target as it was written, once and for all; this reads it again, so that each person gets it in their words. */
export function readTarget(target: string): LogTarget | undefined {
  const counted = many.exec(target);
  if (counted) return { kind: counted[3] as Many, name: counted[1] ?? '', count: Number(counted[2]) };
  const found = starts.exec(target);
  return found ? { kind: found[1] as TargetKind, name: found[2] ?? '' } : undefined;
}

/** What a setting of the installation is called on its screen. */
const settingNames = {
  branding: 'settings.tab.branding',
  project: 'settings.tab.project',
  mail: 'settings.tab.mail',
  sms: 'settings.tab.sms',
  alarmReceivers: 'settings.tab.alarms',
  retention: 'settings.retention.title',
  accessReview: 'settings.tab.review',
  outbound: 'settings.outbound.title',
  registration: 'register.setting',
  unauthenticated: 'authAudit.setting',
  singleSignOn: 'settings.tab.sso',
  syslog: 'settings.tab.syslog',
  map: 'settings.map.title',
  dualControl: 'settings.tab.dualControl',
} as const satisfies Record<SettingType, string>;

/** What dual control keeps besides. */
const changeNames = { ...settingNames, loginPolicy: 'change.target.loginPolicy', passwordPolicy: 'change.target.passwordPolicy' } as const;

type TargetText = 'log.on.line' | `log.on.${LogTarget['kind']}` | (typeof changeNames)[keyof typeof changeNames];

export function wordsOfTarget(target: string, say: (key: TargetText, params?: Record<string, string | number>) => string): string {
  const read = readTarget(target);
  if (!read) return target;
  if ('count' in read) return say(`log.on.${read.kind}`, { count: read.count });
  const titles: Partial<Record<string, TargetText>> = changeNames;
  const title = read.kind === 'setting' || read.kind === 'change' ? titles[read.name] : undefined;
  // Before policies were noted by the name of their line, they were by its number.
  const numbered = (read.kind === 'login' || read.kind === 'password') && /^\d+$/.test(read.name);
  const name = title ? say(title) : numbered ? say('log.on.line', { name: read.name }) : read.name;
  return say(`log.on.${read.kind}`, { name });
}
