import { z } from 'zod';
import { Tested } from '../alert/receiver.ts';
import { AlarmPriority, alarmChannels, QuietTime, ReceiverLists, RepeatHours } from '../alert/rule.ts';
import { Area, cornersOf } from '../device/map/area.ts';
import { call, calls } from '../kit/call.ts';
import { entity } from '../kit/entity.ts';
import { field, joined, read } from '../kit/field.ts';
import { crud } from '../kit/resource-calls.ts';
import { Id, Moment, Name, ref } from '../kit/schema.ts';
import { position } from '../merchant/fields.ts';
import { crossesItself } from './outline.ts';

/** Of one organisation. */
export const MOST_GEOFENCES = 1000;
export const MOST_DEVICES = 1000;
/** Of one organisation and those above it: fences for all of their terminals that wait for one to stay outside. */
export const MOST_EVERYWHERE = 20;
export const RADIUS = { least: 50, most: 100_000 } as const;

export const geofenceShapes = ['circle', 'polygon', 'shop'] as const;
export const GeofenceShape = z.enum(geofenceShapes);
export const geofenceAudiences = ['all', 'groups', 'devices'] as const;
/** Where a terminal stands to a fence; of one that never stood within it nothing is kept but where that alone raises an alarm. */
export const geofenceStands = ['inside', 'outside', 'unknown'] as const;

const Outline = z
  .union([z.literal(''), Area])
  .refine((area) => area === '' || !crossesItself(cornersOf(area) ?? []), 'invalid.areaCrossed')
  .default('');
const Radius = z.int().min(RADIUS.least).max(RADIUS.most).nullable().default(null);
const Audience = z.enum(geofenceAudiences).default('all');
const groupIds = z.array(ref('deviceGroup')).max(100).default([]);
const deviceIds = z.array(ref('device')).max(MOST_DEVICES).default([]);
const Margin = z.int().min(0).max(10_000).default(100);

/** A place that terminals are to stay in. Who hears of one that leaves it is said as by an alert rule, which goes with it. */
export const Geofence = entity(
  'geofence',
  {
    name: field(Name, { sort: true, unique: 'GEOFENCE_NAME_TAKEN' }),
    deptId: field(ref('dept'), { fixed: true, filter: true, help: true }),
    deptName: joined(z.string(), { text: 'geofence.deptId' }),
    shape: field(GeofenceShape.default('circle'), { filter: true }),
    ...position,
    /** In metres: around its middle, or around the shop of each terminal. */
    radius: field(Radius),
    area: field(Outline),
    audience: field(Audience, { help: true }),
    groupIds: field(groupIds, { text: 'alertRule.groupIds' }),
    deviceIds: field(deviceIds),
    alarmOn: field(z.enum(['left', 'out']).default('left'), { help: true }),
    outMinutes: field(z.int().min(1).max(10_080).default(30)),
    /** Metres beyond the outline, and the accuracy of the position, in which nothing changes. */
    margin: field(Margin, { help: true }),
    /** So many positions in a row, or so many minutes, before it counts as outside or as back. */
    fixes: field(z.int().min(1).max(20).default(3), { help: true }),
    settleMinutes: field(z.int().min(1).max(1440).default(10), { help: true }),
    priority: field(AlarmPriority.default('2'), { names: 'alert.priority.', text: 'alertRule.priority' }),
    receiverIds: field(ReceiverLists, { text: 'alertRule.receiverIds' }),
    channels: field(z.array(z.enum(alarmChannels)).max(2).default([]), { names: 'message.channel.', text: 'alertRule.channels' }),
    tellEnd: field(z.boolean().default(false)),
    repeatHours: field(RepeatHours, { text: 'alertRule.repeatHours', help: 'alertRule.repeatHours.help' }),
    escalateMinutes: field(z.int().min(1).max(10_080).nullable().default(null), {
      text: 'alertRule.escalateMinutes',
      help: 'alertRule.escalateMinutes.help',
    }),
    escalateIds: field(ReceiverLists, { text: 'alertRule.escalateIds' }),
    quietFrom: field(QuietTime, { text: 'alertRule.quietFrom', help: 'alertRule.quietFrom.help' }),
    quietTo: field(QuietTime, { text: 'alertRule.quietTo' }),
    quietThrough: field(z.boolean().default(true), { text: 'alertRule.quietThrough' }),
    enabled: field(z.boolean().default(true), { filter: true, text: 'alertRule.enabled' }),
    inside: joined(z.int()),
    outside: joined(z.int()),
    /** Up to a thousand. */
    openAlarms: joined(z.int()),
    /** The rule that goes with it, which its alarms name. */
    ruleId: read(Id, { text: 'geofence.title' }),
    createdAt: read(Moment, { sort: true, text: 'device.createdAt' }),
  },
  { rowClass: 'owned', order: 'name', search: { text: ['name'] } },
);

export const geofenceSee = 'geofence:geofence:page';
const can = <A extends string>(act: A) => `geofence:geofence:${act}` as const;

export const geofenceCalls = calls('geofence', '/geofenceConfig', {
  ...crud(
    Geofence,
    { see: geofenceSee, add: can('add'), update: can('update'), delete: can('delete') },
    { faults: { add: ['GEOFENCES_MANY', 'GEOFENCES_EVERYWHERE'], update: ['GEOFENCES_EVERYWHERE'] } },
  ),
  setEnabled: call({ can: can('update'), input: z.strictObject({ id: Id, enabled: z.boolean() }), output: Geofence.row }),
  /** Says to its receivers, by its channels, what an alarm of it would say. */
  test: call({ can: can('update'), input: z.strictObject({ id: Id }), output: Tested, tx: 'own', faults: ['ALERT_RULE_UNHEARD'] }),
  /** How many terminals stand where by their own newest word. Of very many the first 20,000 are looked at. */
  preview: call({
    can: geofenceSee,
    reads: true,
    input: z.strictObject({
      deptId: ref('dept'),
      shape: GeofenceShape,
      ...{ lat: position.lat.schema, lon: position.lon.schema },
      radius: Radius,
      area: Outline,
      audience: Audience,
      groupIds,
      deviceIds,
      margin: Margin,
    }),
    output: z.object({ inside: z.int(), outside: z.int(), unknown: z.int(), sns: z.array(z.string()), isAll: z.boolean() }),
  }),
  /** The fences that a terminal stands to. */
  ofDevice: call({
    can: geofenceSee,
    reads: true,
    input: z.strictObject({ deviceId: ref('device') }),
    output: z.array(z.object({ id: Id, name: z.string(), stands: z.enum(geofenceStands), since: Moment.nullable() })),
  }),
});
