import type { SettingType } from '../settings/kinds.ts';

/** What the log's targets begin with where the name alone wouldn't say what it is; longer ones first. */
export const targetKinds = [
  'webhook delivery',
  'download domain',
  'dict entry',
  'session of',
  'mail to',
  'webhook',
  'message',
  'language',
  'password',
  'product',
  'setting',
  'device',
  'login',
  'import',
  'token',
  'dict',
  'role',
  'code',
  'text',
] as const;
export type TargetKind = (typeof targetKinds)[number];

export type LogTarget =
  | { readonly kind: TargetKind; readonly name: string }
  /** Many at once: which act, and how many of what. */
  | { readonly kind: 'people' | 'devices'; readonly name: string; readonly count: number };

const starts = new RegExp(`^(${targetKinds.join('|')}):? (.+)$`, 's');
const many = /^(\w+): (\d+) (people|devices)$/;

/** The log keeps a target as it was written, once and for all; this reads it again, so that each person gets it in their words. */
export function readTarget(target: string): LogTarget | undefined {
  const counted = many.exec(target);
  if (counted) return { kind: counted[3] as 'people' | 'devices', name: counted[1] ?? '', count: Number(counted[2]) };
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
  dualControl: 'settings.tab.dualControl',
} as const satisfies Record<SettingType, string>;

type TargetText = `log.on.${LogTarget['kind']}` | (typeof settingNames)[SettingType];

export function wordsOfTarget(target: string, say: (key: TargetText, params?: Record<string, string | number>) => string): string {
  const read = readTarget(target);
  if (!read) return target;
  if ('count' in read) return say(`log.on.${read.kind}`, { count: read.count });
  const title = read.kind === 'setting' ? (settingNames as Partial<Record<string, TargetText>>)[read.name] : undefined;
  return say(`log.on.${read.kind}`, { name: title ? say(title) : read.name });
}
