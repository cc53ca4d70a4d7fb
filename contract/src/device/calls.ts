import { z } from 'zod';
import { call, calls } from '../kit/call.ts';
import { exporting } from '../kit/export.ts';
import { BulkOutcome, bulkOf, criteriaOf, filter, pageOf, pageQuery, selectionOf } from '../kit/page.ts';
import { ById, Id, ref } from '../kit/schema.ts';
import { transition } from '../kit/state-machine.ts';
import { Attention, DoubleKind } from './attention.ts';
import { COMMAND_HOURS, commandParams } from './commands.ts';
import { ConfigValues, configChange } from './config-values.ts';
import { AppPackage } from './manifest.ts';
import { Area, CellName } from './map/area.ts';
import {
  Device,
  DeviceChange,
  DeviceCommand,
  DeviceDetail,
  DeviceNew,
  DeviceSave,
  DeviceStatus,
  Tag,
  Tags,
  TimelineEntry,
} from './schemas.ts';
import { commandMachine } from './state-machines.ts';

/** Where a terminal that was replaced goes. */
export const oldGoes = ['stock', 'disabled'] as const;

export const seeing = 'device:device:page||device:all:page';

/** The last days, of which today is one. */
export const FailedDays = z.enum(['1', '7', '30']);

export const deviceFilters = {
  /** A part of the SN or of the name. */
  text: filter.text(64),
  sn: filter.text(32),
  status: filter.exact(DeviceStatus),
  productId: filter.exact(Id),
  deptId: filter.exact(Id),
  /** Of this organisation or of one below it. */
  below: Id,
  firmware: filter.exact(z.string().max(64)),
  tag: filter.exact(Tag),
  testTerminal: z.boolean(),
  /** Has any of these apps, by package name. */
  app: filter.exact(AppPackage),
  /** Of these apps, or of any, one whose version code is lower. */
  appBelow: z.string().regex(/^\d{1,15}$/, 'invalid.versionCode'),
  merchantId: filter.exact(Id),
  shopId: filter.exact(Id),
  /** In any of these groups. */
  groupId: filter.exact(Id),
  createdAt: filter.moment(),
  attention: filter.exact(Attention),
  /** Reports a number that another terminal of the range reports too. */
  doubles: filter.exact(DoubleKind),
  /** Below the newest published full package of its product. */
  behind: z.boolean(),
  /** Inside this outline on the map, or in this square of it. */
  area: Area,
  cell: CellName,
  /** Whether it stands anywhere on the map. */
  placed: z.boolean(),
  /** Something failed on it, or an alarm of it is open, in so many days; with `cell` while it stood there. */
  failed: FailedDays,
  /** Deleted ones are kept for 30 days. */
  deleted: z.boolean(),
};
const commandFilters = { deviceId: Id, kind: filter.exact(z.string().max(64)), state: filter.exact(DeviceCommand.shape.state) };
export const deviceCriteria = criteriaOf(deviceFilters);
const bulk = bulkOf(deviceCriteria);
const onMany = (can: `${string}:${string}`) => call({ can, input: bulk, output: BulkOutcome, tx: 'own' });

const commandInput = <K extends keyof typeof commandParams>(kind: K) =>
  z.strictObject({ kind: z.literal(kind), params: commandParams[kind] });
export const CommandInput = z.discriminatedUnion('kind', [commandInput('reboot'), commandInput('message'), commandInput('logPull')]);

/** One page call serves both lists: `/device/device` of the centre and `/device/all` of the manager platform. */
export const deviceCalls = calls('device', '/device', {
  page: call({ can: seeing, reads: true, input: pageQuery(deviceFilters, ['-createdAt', 'sn', 'name']), output: pageOf(Device) }),
  detail: call({ can: seeing, reads: true, input: ById, output: DeviceDetail }),
  counts: call({
    can: seeing,
    reads: true,
    output: z.object({ byStatus: z.record(z.string(), z.int()), total: z.int() }),
    about: 'Devices in scope by status, from the counters that the writers keep.',
  }),
  add: call({
    can: 'device:device:add||device:all:add',
    input: DeviceNew,
    output: Device,
    faults: ['SN_TAKEN', 'PRODUCT_UNPUBLISHED', 'DEVICE_PRODUCT'],
  }),
  save: call({
    can: 'device:device:add||device:all:add',
    input: DeviceSave,
    output: Device,
    faults: [
      'SN_TAKEN',
      'PRODUCT_UNPUBLISHED',
      'DEVICE_PRODUCT',
      'MERCHANT_ELSEWHERE',
      'SHOP_ELSEWHERE',
      'GROUP_BY_RULE',
      'GROUP_ELSEWHERE',
    ],
    about:
      'Adds a terminal as it is to be: with merchant, shop, groups and settings, all of it or nothing. Merchant and settings need the right to edit terminals, groups the one to edit groups.',
  }),
  update: call({ can: 'device:device:update||device:all:update', input: DeviceChange, output: Device }),
  disable: onMany('device:device:update||device:all:update'),
  enable: onMany('device:device:update||device:all:update'),
  stockIn: onMany('device:device:update||device:all:update'),
  issue: onMany('device:device:update||device:all:update'),
  delete: onMany('device:device:delete||device:all:delete'),
  restore: call({ can: 'device:device:delete||device:all:delete', input: ById, output: Device }),
  restoreMany: onMany('device:device:delete||device:all:delete'),
  move: call({
    can: 'device:device:move||device:all:move',
    input: z.strictObject({ of: selectionOf(deviceCriteria), deptId: ref('dept'), preview: z.boolean().default(false) }),
    output: BulkOutcome,
    tx: 'own',
  }),
  retag: call({
    can: 'device:device:update||device:all:update',
    input: z
      .strictObject({
        of: selectionOf(deviceCriteria),
        add: Tags.default([]),
        remove: Tags.default([]),
        preview: z.boolean().default(false),
      })
      .refine(({ add, remove }) => add.length + remove.length > 0, { error: 'device.retag.nothing', path: ['add'] })
      .refine(({ add, remove }) => !add.some((tag) => remove.includes(tag)), { error: 'device.retag.both', path: ['remove'] }),
    output: BulkOutcome,
    tx: 'own',
    about: 'Tags of the chosen terminals: some are added, some taken away, the others stay.',
  }),
  swap: call({
    can: 'device:device:update||device:all:update',
    input: z.strictObject({
      id: ref('device'),
      /** Stands in its place from now on. */
      otherId: ref('device'),
      /** What becomes of the old one. */
      goes: z.enum(oldGoes).default('stock'),
      remark: z.string().trim().max(200).default(''),
    }),
    output: z.object({ id: Id, sn: z.string() }),
    tx: 'own',
    faults: ['SWAP_SAME', 'SWAP_STOCKED', 'SWAP_PLACED', 'DEVICE_STATE', 'DEVICE_IN_TRANSFER', 'DEVICE_SOLD', 'DEVICE_PRODUCT'],
    about: 'Another terminal takes the place of this one: merchant, shop, groups, name, settings, sale and open releases.',
  }),
  timeline: call({
    can: seeing,
    reads: true,
    input: z.strictObject({ id: Id, before: z.string().max(64).optional(), size: z.int().min(1).max(100).default(30) }),
    output: z.object({ content: z.array(TimelineEntry), next: z.string().nullable() }),
  }),
  commands: call({
    can: seeing,
    reads: true,
    input: pageQuery(commandFilters, ['-createdAt']),
    output: pageOf(DeviceCommand),
  }),
  exportCommands: exporting('device:device:export||device:all:export', criteriaOf(commandFilters)),
  /** A sheet of labels as PDF, of at most 500 terminals: a QR code of the SN, the SN, its product and organisation. */
  labels: call({
    can: seeing,
    reads: true,
    wire: 'binary',
    tx: 'own',
    input: z.strictObject({ of: selectionOf(deviceCriteria) }),
    faults: ['LABELS_MANY'],
  }),
  /** SNs of the chosen terminals, for a release to these and no others. */
  serials: call({
    can: seeing,
    reads: true,
    tx: 'own',
    input: z.strictObject({ of: selectionOf(deviceCriteria) }),
    output: z.object({ sns: z.array(z.string()) }),
    faults: ['SNS_MANY'],
  }),
  command: call({
    can: 'device:command:send||device:all:command',
    tx: 'own',
    input: z.strictObject({
      of: selectionOf(deviceCriteria),
      command: CommandInput,
      hours: z.int().min(1).max(720).default(COMMAND_HOURS),
      preview: z.boolean().default(false),
    }),
    output: BulkOutcome,
    faults: ['LOG_PULL_OLD'],
  }),
  withdraw: transition(commandMachine, 'withdraw', 'device:command:send||device:all:command', DeviceCommand),
  export: exporting('device:device:export||device:all:export', deviceCriteria),
  tags: call({ can: seeing, reads: true, output: z.array(z.string()), about: 'Tags in use in the scope, the 200 most used.' }),
  firmwares: call({
    can: seeing,
    reads: true,
    input: z.strictObject({ productId: Id.optional() }).prefault({}),
    output: z.array(z.object({ version: z.string(), count: z.int() })),
    about: 'Firmware versions in the scope with how many run them, from the counters.',
  }),
  apps: call({
    can: seeing,
    reads: true,
    input: z.strictObject({ text: z.string().trim().max(64).default('') }).prefault({}),
    output: z.array(z.object({ packageName: z.string(), name: z.string() })),
    about: 'Apps on terminals of the scope, up to 50.',
  }),
  revoke: call({
    can: 'device:credential:revoke||device:all:revoke',
    input: ById,
    about: 'Revokes all certificates and tokens of the device and cuts its connection.',
  }),
  setConfig: call({
    can: 'device:device:update||device:all:update',
    input: z.strictObject({
      id: Id,
      /** The one that the change was made from; somebody else’s meanwhile answers OVERTAKEN. */
      revision: z.int().optional(),
      values: ConfigValues,
    }),
    output: z.object({ revision: z.int() }),
  }),
  setConfigMany: call({
    can: 'device:device:update||device:all:update',
    input: z
      .strictObject({ of: selectionOf(deviceCriteria), ...configChange, preview: z.boolean().default(false) })
      .refine(({ values, remove }) => Object.keys(values).length + remove.length > 0, {
        error: 'device.configMany.nothing',
        path: ['values'],
      })
      .refine(({ values, remove }) => !remove.some((name) => name in values), { error: 'device.configMany.both', path: ['remove'] }),
    output: BulkOutcome,
    tx: 'own',
    about: 'Settings of the chosen terminals: some get these values, some are taken away, the others stay.',
  }),
});
