import type { Module } from '../../platform/module.ts';
import { geofences } from './geofence.resource.ts';
import { geofenceAlarms } from './geofence-alarm.resource.ts';
import { notePositions } from './note-positions.ts';
import { lookNow, watchFences } from './watch.ts';

/** Places that terminals are to stay in, and the alarms of those that leave them. */
export const makeGeofence = (): Module => ({
  name: 'geofence',
  resources: [geofences, geofenceAlarms],
  jobs: [lookNow, watchFences],
  messages: notePositions(),
});
