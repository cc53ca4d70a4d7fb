import type { AppContext } from '../../platform/app-context.ts';
import type { Module } from '../../platform/module.ts';
import { makeGeofences } from './geofence.resource.ts';
import { geofenceAlarms } from './geofence-alarm.resource.ts';
import { notePositions } from './note-positions.ts';
import { lookNow, watchFences } from './watch.ts';

/** Places that terminals are to stay in, and the alarms of those that leave them. */
export const makeGeofence = (app: AppContext): Module => ({
  name: 'geofence',
  resources: [makeGeofences(app), geofenceAlarms],
  jobs: [lookNow, watchFences],
  messages: notePositions(),
});
