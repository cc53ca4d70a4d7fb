import { GeofenceAlarm, geofenceAlarmCalls } from '@mooring/contract/geofence/geofence-alarm';
import { sql } from 'kysely';
import type { Ctx } from '../../platform/context.ts';
import { type Resource, resource } from '../../platform/resource/resource.ts';
import { t } from '../../platform/texts/translate.ts';
import { many, one } from '../alert/api.ts';

const OF_FENCES = sql<boolean>`kind = 'geofence'`;
const read = (ctx: Ctx, id: number) => geofenceAlarms.read(ctx, id);

/** The alarms that fences raise: the same rows as those of all alert rules. */
export const geofenceAlarms: Resource<typeof GeofenceAlarm> = resource(GeofenceAlarm, geofenceAlarmCalls, {
  table: 'alert_alarm',
  target: (row) => `alarm ${row.label}`,
  joined: (query) => query.innerJoin('org_dept as o', 'o.id', 't.dept_id').where('t.kind', '=', 'geofence').select(['o.name as dept_name']),
  acts: { acknowledge: geofenceAlarmCalls.acknowledge, close: geofenceAlarmCalls.close },
  shown: (row) => ({ about: row.about as Record<string, string | number> }),
  cells: { about: (about, lang) => t(lang, 'alert.what.geofence', about) },
  handlers: {
    acknowledge: one('acknowledge', read),
    close: one('close', read),
    acknowledgeMany: many('acknowledge', OF_FENCES),
    closeMany: many('close', OF_FENCES),
  },
});
