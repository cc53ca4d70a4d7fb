import { z } from 'zod';
import { Alarm, alarmActs } from '../alert/alarm.ts';
import { AlarmPriority } from '../alert/rule.ts';
import { alarmMachine } from '../alert/state-machines.ts';
import { calls } from '../kit/call.ts';
import { entity } from '../kit/entity.ts';
import { joined, read, state } from '../kit/field.ts';
import { crud } from '../kit/resource-calls.ts';
import { Id, Moment } from '../kit/schema.ts';
import { geofenceSee } from './geofence.ts';

/** Why an alarm of a fence closed without a person: it came back, or nobody waits for it any more. */
export const geofenceReasons = ['', 'back', 'changed', 'off', 'deleted', 'notFor'] as const;

/** An alarm as the map shows it: of those that fences raise. */
export const GeofenceAlarm = entity(
  'geofenceAlarm',
  {
    label: read(z.string(), { code: true }),
    state: state(alarmMachine, { filter: true, text: 'alarm.state' }),
    priority: read(AlarmPriority, { filter: true, names: 'alert.priority.', text: 'alarm.priority' }),
    about: Alarm.fields.about,
    ruleId: read(Id, { filter: true, text: 'geofenceAlarm.ruleName' }),
    ruleName: read(z.string()),
    deviceId: read(Id.nullable(), { filter: true, text: 'geofenceAlarm.label' }),
    deptId: read(Id, { filter: true, text: 'alarm.deptName' }),
    deptName: joined(z.string(), { text: 'alarm.deptName' }),
    count: read(z.int(), { text: 'alarm.count' }),
    openedAt: read(Moment, { sort: true, filter: true, text: 'alarm.openedAt' }),
    lastAt: read(Moment, { sort: true, text: 'alarm.lastAt' }),
    acknowledgedBy: read(z.string(), { text: 'alarm.acknowledgedBy' }),
    acknowledgedAt: read(Moment.nullable(), { text: 'alarm.acknowledgedAt' }),
    closedBy: read(z.string(), { text: 'alarm.closedBy' }),
    closedAt: read(Moment.nullable(), { text: 'alarm.closedAt' }),
    reason: read(z.enum(geofenceReasons)),
    note: read(z.string(), { text: 'alarm.note' }),
  },
  { rowClass: 'owned', order: '-openedAt', search: { text: ['label', 'ruleName'] } },
);

export const geofenceAlarmCalls = calls('geofence', '/geofenceAlarm', {
  ...crud(GeofenceAlarm, { see: geofenceSee }),
  ...alarmActs(GeofenceAlarm, 'geofence:alarm:handle'),
});
