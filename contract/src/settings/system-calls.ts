import { z } from 'zod';
import { call, calls } from '../kit/call.ts';
import { Moment } from '../kit/schema.ts';
import { dual } from './change-request-calls.ts';
import {
  AccessReview,
  AlarmReceivers,
  Branding,
  DualControl,
  MailServer,
  OutboundList,
  Project,
  RegistrationSetting,
  Retention,
  type SettingType,
  SingleSignOn,
  SmsHook,
  Syslog,
  settingKinds,
  UnauthenticatedSetting,
} from './kinds.ts';
import { MapTiles } from './map-tiles.ts';

const Type = z.enum(Object.keys(settingKinds) as [SettingType, ...SettingType[]]);
const can = 'settings:system:update';

/** One setting as it stands; secrets are left out, `secrets` names those that are set. */
export const SystemSetting = z.object({
  type: Type,
  value: z.record(z.string(), z.unknown()),
  secrets: z.array(z.string()),
  updatedAt: Moment.nullable(),
});

/** `updatedAt` of the setting that the form was filled from: a save over a later one is OVERTAKEN. Left out, it overwrites. */
const seen = { seen: z.iso.datetime().nullish() };

/** Settings of the installation (specification, section 7: sysSetting). Each kind is saved whole. */
export const systemSettingCalls = calls('settings', '/sysSetting', {
  findByCriteria: call({
    can: 'settings:system:page',
    reads: true,
    input: z.strictObject({ criteria: z.strictObject({ type: Type.optional() }).default({}) }),
    output: z.array(SystemSetting),
  }),
  branding: call({
    can,
    path: '/sysSetting/branding/save',
    input: Branding.extend(seen),
    faults: ['PICTURE_UNKNOWN', 'SETTING_ADMINISTRATOR'],
  }),
  project: call({ can, path: '/sysSetting/project/save', input: Project.extend(seen), faults: ['SETTING_ADMINISTRATOR'] }),
  /** Whoever names the server reads every code that goes through it: platform administrators only. */
  mail: call({
    can,
    ...dual,
    path: '/sysSetting/mail/save',
    input: MailServer.extend(seen),
    faults: ['SEAL_REFUSED', 'SETTING_ADMINISTRATOR', 'ADDRESS_NOT_PUBLIC', 'SECRET_AGAIN', 'DUAL_NOBODY'],
  }),
  sms: call({
    can,
    ...dual,
    path: '/sysSetting/sms/save',
    input: SmsHook.extend(seen),
    faults: ['SEAL_REFUSED', 'SETTING_ADMINISTRATOR', 'ADDRESS_NOT_PUBLIC', 'SECRET_AGAIN', 'DUAL_NOBODY'],
  }),
  map: call({ can, path: '/sysSetting/map/save', input: MapTiles.extend(seen), faults: ['SETTING_ADMINISTRATOR'] }),
  testMap: call({
    can,
    path: '/sysSetting/map/test',
    tx: 'own',
    output: z.object({ delivered: z.boolean(), error: z.string().nullable() }),
    faults: ['TILES_UNSET', 'SETTING_ADMINISTRATOR'],
    about: 'Asks the map server for one tile with what is saved.',
  }),
  alarmReceivers: call({
    can,
    stepUp: true,
    path: '/sysSetting/alarmReceivers/save',
    input: AlarmReceivers.extend(seen),
    faults: ['SETTING_ADMINISTRATOR'],
  }),
  /** What the server may reach for people though it isn't public: webhooks, mail, text messages and single sign-on go by it. */
  outbound: call({
    can,
    ...dual,
    path: '/sysSetting/outbound/save',
    input: OutboundList.extend(seen),
    faults: ['SETTING_ADMINISTRATOR', 'DUAL_NOBODY'],
  }),
  /** Its rules give roles in the name of whoever saves them. */
  singleSignOn: call({
    can,
    ...dual,
    path: '/sysSetting/singleSignOn/save',
    input: SingleSignOn.extend(seen)
      .refine((it) => !it.enabled || it.issuer !== '', { path: ['issuer'], error: 'invalid.required' })
      .refine((it) => !it.enabled || it.clientId !== '', { path: ['clientId'], error: 'invalid.required' }),
    faults: [
      'SEAL_REFUSED',
      'SSO_UNREACHABLE',
      'ADDRESS_NOT_PUBLIC',
      'ROLE_ABOVE',
      'ROLE_NOT_HERE',
      'SETTING_ADMINISTRATOR',
      'SECRET_AGAIN',
      'DUAL_NOBODY',
    ],
    tx: 'own',
  }),
  /** The log leaves the installation by it: platform administrators only. */
  syslog: call({
    can,
    ...dual,
    path: '/sysSetting/syslog/save',
    input: Syslog.extend(seen),
    faults: ['SETTING_ADMINISTRATOR', 'ADDRESS_NOT_PUBLIC', 'DUAL_NOBODY'],
  }),
  /** A shorter time deletes what others would look for. */
  retention: call({
    can,
    ...dual,
    path: '/sysSetting/retention/save',
    input: Retention.extend(seen),
    faults: ['SETTING_ADMINISTRATOR', 'DUAL_NOBODY'],
  }),
  accessReview: call({
    can,
    stepUp: true,
    path: '/sysSetting/accessReview/save',
    input: AccessReview.extend(seen),
    faults: ['SETTING_ADMINISTRATOR'],
  }),
  registration: call({
    can,
    ...dual,
    path: '/sysSetting/registration/save',
    input: RegistrationSetting.extend(seen),
    faults: ['REGIST_PLACE', 'SETTING_ADMINISTRATOR', 'DUAL_NOBODY'],
  }),
  unauthenticated: call({
    can,
    ...dual,
    path: '/sysSetting/unauthenticated/save',
    input: UnauthenticatedSetting.extend(seen),
    faults: ['SETTING_ADMINISTRATOR', 'DUAL_NOBODY'],
  }),
  /** Switched on at once; switched off only by two. */
  dualControl: call({
    can,
    ...dual,
    path: '/sysSetting/dualControl/save',
    input: DualControl.extend(seen),
    faults: ['SETTING_ADMINISTRATOR', 'DUAL_NOBODY'],
  }),
  /** Where files are kept and how much there is. */
  storage: call({
    can: 'settings:system:page',
    reads: true,
    output: z.object({
      source: z.string(),
      place: z.string(),
      files: z.int(),
      bytes: z.number(),
      databaseBytes: z.number(),
      freeBytes: z.number().nullable(),
    }),
  }),
});

/** A picture of the branding, for people who haven't signed in: bytes named by their digest. */
export const pictureCalls = calls('settings', '/unLogin/pageSetting', {
  picture: call({
    can: 'public',
    reads: true,
    method: 'GET',
    wire: 'binary',
    path: '/unLogin/pageSetting/picture/{digest}',
    input: z.strictObject({ digest: z.string().regex(/^[0-9a-f]{64}$/, 'invalid.identifier') }),
  }),
});
