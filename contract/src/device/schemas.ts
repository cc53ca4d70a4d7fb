import { z } from 'zod';
import { allowedActions } from '../kit/allowed-actions.ts';
import { Id, Moment, Name, Remark, ref, revises, revision } from '../kit/schema.ts';
import { stateOf } from '../kit/state-machine.ts';
import { ConfigValues } from './config-values.ts';
import { SN } from './limits.ts';
import { commandMachine, deviceMachine } from './state-machines.ts';

export const Sn = z.string().trim().toUpperCase().regex(SN, { message: 'invalid.sn' });
export const Tag = z.string().trim().min(1).max(32);
export const MOST_TAGS = 20;
export const Tags = z.array(Tag).max(MOST_TAGS);
export const DeviceStatus = stateOf(deviceMachine);
/** Specification section 4: remote lock states. Locking comes with remote hands; until then every device is 00. */
export const LockState = z.enum(['00', '01', '02', '03', '04', '05']);

/** A row of the device lists. */
export const Device = z.object({
  id: Id,
  sn: z.string(),
  name: z.string(),
  status: DeviceStatus,
  lockStatus: LockState,
  productId: Id,
  productName: z.string(),
  deptId: Id,
  deptName: z.string(),
  /** Null too where the merchant belongs to an organisation above, which isn't seen from here. */
  merchantId: Id.nullable(),
  merchantName: z.string().nullable(),
  shopId: Id.nullable(),
  shopName: z.string().nullable(),
  firmware: z.string().nullable(),
  battery: z.number().nullable(),
  charging: z.boolean().nullable(),
  network: z.string().nullable(),
  signal: z.number().nullable(),
  timeZone: z.string().nullable(),
  /** Numbers of its hardware, as it reports them. */
  pn: z.string().nullable(),
  imei: z.string().nullable(),
  mac: z.string().nullable(),
  iccid: z.string().nullable(),
  tags: z.array(z.string()),
  /** Apps that wait for review may be tried on it. */
  testTerminal: z.boolean(),
  /** Those of the organisations in sight. */
  groups: z.array(z.object({ id: Id, name: z.string() })),
  lastSeenAt: Moment.nullable(),
  activatedAt: Moment.nullable(),
  createdAt: Moment,
  deletedAt: Moment.nullable(),
  ...revision,
  ...allowedActions,
});
export type Device = z.infer<typeof Device>;

export const Health = z.object({
  battery: z.number().nullable(),
  charging: z.boolean().nullable(),
  network: z.string().nullable(),
  signal: z.number().nullable(),
  storageTotal: z.number().nullable(),
  storageFree: z.number().nullable(),
  temperature: z.number().nullable(),
  uptime: z.number().nullable(),
  lat: z.number().nullable(),
  lon: z.number().nullable(),
  positionSource: z.string().nullable(),
  counters: z.record(z.string(), z.number()),
});

export const Credential = z.object({
  id: Id,
  serial: z.string(),
  fingerprint: z.string(),
  issuedAt: Moment,
  expiresAt: Moment,
  revokedAt: Moment.nullable(),
});

export const ScreenSize = z.object({ width: z.int(), height: z.int() });
/** Of the terminals that report one number so many are shown by name. */
export const DOUBLES_SHOWN = 5;
export const DeviceDetail = Device.extend({
  productCode: z.string(),
  model: z.string().nullable(),
  agent: z.string().nullable(),
  patch: z.string().nullable(),
  /** As it reports it. */
  screen: ScreenSize.nullable(),
  modules: z.record(z.string(), z.string()),
  /** What was set on it and holds: section → digest, as it reported. */
  settings: z.record(z.string(), z.string()),
  /** Null: a secret is set. */
  androidParams: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).nullable()),
  apps: z.array(
    z.object({
      packageName: z.string(),
      name: z.string().nullable(),
      /** False: a release brought it, and the terminal doesn't say it any more. */
      installed: z.boolean(),
      versionName: z.string(),
      versionCode: z.number().nullable(),
      certificate: z.string().nullable(),
      /** Can't be removed. */
      system: z.boolean(),
      since: Moment.nullable(),
      /** What the last release that succeeded left of it there; no code where it was removed. */
      release: z.object({ taskId: Id, taskName: z.string(), versionName: z.string(), versionCode: z.number().nullable() }).nullable(),
      /** It isn't that any more. */
      differs: z.boolean(),
    }),
  ),
  /** Terminals of the own range that report the same IMEI or ICCID: the first of each, and one more where there are more than are shown. */
  doubles: z.array(z.object({ id: Id, sn: z.string(), imei: z.boolean(), iccid: z.boolean() })),
  capabilities: z.array(z.string()),
  remark: z.string(),
  notes: z.string(),
  connectedAt: Moment.nullable(),
  leaseUntil: Moment.nullable(),
  health: Health,
  credentials: z.array(Credential),
  config: z.object({ revision: z.int(), reported: z.int().nullable(), values: ConfigValues }),
});
export type DeviceDetail = z.infer<typeof DeviceDetail>;

export const DeviceNew = z.strictObject({
  sn: Sn,
  name: Name.optional(),
  productId: ref('product'),
  deptId: ref('dept'),
  stocked: z.boolean().default(false),
  tags: Tags.default([]),
  testTerminal: z.boolean().default(false),
  remark: Remark.default(''),
});
/** Groups that a terminal may be put into when it is made. */
const MOST_NEW_GROUPS = 50;
/** A terminal with its place, its groups and its settings, in one go. */
export const DeviceSave = DeviceNew.extend({
  merchantId: ref('merchant').nullable().default(null),
  shopId: ref('shop').nullable().default(null),
  groupIds: z.array(ref('deviceGroup')).max(MOST_NEW_GROUPS).default([]),
  /** Instead of those of its product. */
  config: ConfigValues.optional(),
});
export const DeviceChange = z.strictObject({
  id: Id,
  ...revises('device'),
  name: Name,
  tags: Tags.default([]),
  /** Left out, it stays what it is. */
  testTerminal: z.boolean().optional(),
  remark: Remark.default(''),
  notes: z.string().trim().max(4000).default(''),
});

/** What a timeline shows: moves of the device, events it sent, commands it got. */
export const TimelineEntry = z.object({
  key: z.string(),
  at: Moment,
  kind: z.enum(['move', 'event', 'command', 'task']),
  /** Event of a life, name of a terminal's event, or kind of a command. */
  name: z.string(),
  state: z.string().nullable(),
  level: z.enum(['info', 'warning', 'alarm']),
  by: z.string().nullable(),
  detail: z.record(z.string(), z.json()).nullable(),
});
export type TimelineEntry = z.infer<typeof TimelineEntry>;

export const DeviceCommand = z.object({
  id: Id,
  kind: z.string(),
  state: stateOf(commandMachine),
  params: z.record(z.string(), z.json()),
  createdAt: Moment,
  sentAt: Moment.nullable(),
  answeredAt: Moment.nullable(),
  expiresAt: Moment,
  attempts: z.int(),
  reason: z.string().nullable(),
  message: z.string().nullable(),
  output: z.json().nullable(),
  by: z.string().nullable(),
  ...allowedActions,
});
export type DeviceCommand = z.infer<typeof DeviceCommand>;
