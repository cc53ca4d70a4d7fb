import { z } from 'zod';
import { Id, sealed } from '../kit/schema.ts';
import { isCidr } from '../shared/cidr.ts';
import { Email } from '../shared/patterns.ts';
import { MapTiles } from './map-tiles.ts';

const line = (max = 128) => z.string().trim().max(max).default('');
const link = z.union([z.literal(''), z.url({ protocol: /^https?$/ }).max(512)]).default('');
/** SHA-256 of a picture that was uploaded as file kind 1; empty where there is none. */
const picture = z
  .string()
  .regex(/^([0-9a-f]{64})?$/, 'invalid.identifier')
  .default('');

/** Specification, section 3, "Page settings"; empty fields fall back to the built-in ones. */
export const Branding = z.strictObject({
  systemName: line(40),
  systemLogo: picture,
  companyName: line(),
  companyAddress: line(256),
  loginPageImg: picture,
  productList: z
    .array(z.strictObject({ image: picture, link }))
    .max(8)
    .default([]),
  relationPageList: z
    .array(z.strictObject({ icon: picture, abbr: line(40), description: line(256), link }))
    .max(12)
    .default([]),
});
export type Branding = z.infer<typeof Branding>;

/**
 * The project-config fields of specification section 3, and the key of a maps service. The console itself reads the two sites alone; the
 * others are kept and handed out for programs: the key as the system setting that it is there, by `findByCriteria`.
 */
export const Project = z.strictObject({
  afterSalesUrl: link,
  supportWebUrl: link,
  projectKey: line(64),
  pageId: line(64),
  mapsKey: line(256),
});

/** The mail server. A password that isn't sent stays as it is; an empty user sends without signing in. */
export const MailServer = z.strictObject({
  host: line(255),
  port: z.int().min(1).max(65_535).default(587),
  security: z.enum(['none', 'starttls', 'tls']).default('starttls'),
  user: line(128),
  password: sealed('setting').optional(),
  fromAddress: z.union([z.literal(''), Email]).default(''),
  fromName: line(64),
});

/** Text messages go as a signed JSON POST to this address (Standard Webhooks signature with the secret). */
export const SmsHook = z.strictObject({ url: link, secret: sealed('setting').optional() });

/** Who hears of what goes wrong in the installation itself, besides the administrators' message centre. */
export const AlarmReceivers = z.strictObject({ emails: z.array(Email).max(20).default([]) });

/** How long history is kept, in months, and files of the task centre, in days. */
export const Retention = z.strictObject({
  changesMonths: z.int().min(3).max(120).default(24),
  eventsMonths: z.int().min(1).max(60).default(12),
  alarmsMonths: z.int().min(1).max(60).default(12),
  auditMonths: z.int().min(6).max(240).default(84),
  exportDays: z.int().min(1).max(90).default(7),
  /** Hourly figures of terminals. */
  healthDays: z.int().min(1).max(90).default(14),
  /** Where terminals were. */
  trackDays: z.int().min(1).max(90).default(14),
  /** Lines of their logs. */
  logDays: z.int().min(1).max(90).default(30),
});

/** How often somebody says of each right that it is still needed, and how long before its day they are first reminded. */
export const AccessReview = z.strictObject({
  months: z.int().min(1).max(60).default(12),
  remindDays: z.int().min(1).max(28).default(28),
});

/** Whether a change that decides who may sign in waits for a second person's approval. */
export const DualControl = z.strictObject({ enabled: z.boolean().default(false) });

const networks = z
  .array(
    z
      .string()
      .trim()
      .max(255)
      .refine((one) => isCidr(one) || /^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/.test(one), 'invalid.cidr'),
  )
  .max(50)
  .default([]);
/** Networks and names that the server may reach though they aren't public: for what administrators set, and for webhooks, those of alarm receivers, asset registers, IoT platforms, time stamps, call-backs of apps and download domains, which others set too. */
export const OutboundList = z.strictObject({
  allowed: networks,
  webhooks: networks,
  alarms: networks,
  registers: networks,
  iot: networks,
  timestamps: networks,
  callbacks: networks,
  downloads: networks,
});

/** The log goes to a syslog server too (RFC 5424; over TLS RFC 5425). `ca` is the authority of its certificate, as PEM; those of the system where it is empty. */
export const Syslog = z.strictObject({
  enabled: z.boolean().default(false),
  host: line(255),
  port: z.int().min(1).max(65_535).default(6514),
  security: z.enum(['tls', 'none']).default('tls'),
  ca: z.string().trim().max(20_000).default(''),
  facility: z.int().min(0).max(23).default(13),
  what: z.enum(['all', 'security']).default('all'),
});

/** Sign-in by an identity provider (OpenID Connect). Groups that it names become roles, and say where new people belong. */
export const SingleSignOn = z.strictObject({
  enabled: z.boolean().default(false),
  name: line(40),
  issuer: link,
  clientId: line(256),
  clientSecret: sealed('setting').optional(),
  scopes: z.string().trim().max(256).default('openid profile email'),
  groupsClaim: z.string().trim().max(64).default('groups'),
  /** Whoever the provider knows gets an account at the first sign-in; else only people who are linked by their address. */
  provision: z.boolean().default(false),
  /** An account with the same address, which the provider calls verified, is the same person. */
  linkByEmail: z.boolean().default(false),
  rules: z
    .array(
      z.strictObject({
        group: z.string().trim().min(1).max(128),
        roleId: Id.optional(),
        deptId: Id.optional(),
      }),
    )
    .max(100)
    .default([]),
});

/** What strangers may register at the door, and the unit that single people come into. */
export const RegistrationSetting = z.strictObject({
  open: z.boolean().default(false),
  oneDeptId: z.int().positive().nullable().default(null),
});

/** Permissions that are withheld from those whose real name isn't checked. */
export const UnauthenticatedSetting = z.strictObject({
  withheld: z
    .array(
      z
        .string()
        .max(64)
        .regex(/^[A-Za-z]+:[A-Za-z]+:[A-Za-z]+(:[A-Za-z]+)?$/, 'invalid.permission')
        // Or nobody could check anybody, or take this back.
        .refine((one) => !/^(settings:system|sys:audit|account:authAudit):/.test(one), 'invalid.withheld'),
    )
    .max(200)
    .default([]),
});

/** Every setting of the installation: one schema each, whose defaults are the values of a new installation. */
export const settingKinds = {
  branding: Branding,
  project: Project,
  mail: MailServer,
  sms: SmsHook,
  alarmReceivers: AlarmReceivers,
  retention: Retention,
  accessReview: AccessReview,
  outbound: OutboundList,
  registration: RegistrationSetting,
  unauthenticated: UnauthenticatedSetting,
  singleSignOn: SingleSignOn,
  syslog: Syslog,
  dualControl: DualControl,
  map: MapTiles,
} as const;
export type SettingType = keyof typeof settingKinds;
export type SettingOf<T extends SettingType> = z.output<(typeof settingKinds)[T]>;

/** Fields that are sealed at rest and never sent back. */
export const settingSecrets: { readonly [T in SettingType]?: readonly string[] } = {
  mail: ['password'],
  sms: ['secret'],
  singleSignOn: ['clientSecret'],
};
