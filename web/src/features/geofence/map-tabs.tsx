import { geofenceCalls } from '@mooring/contract/geofence/geofence';
import { geofenceAlarmCalls } from '@mooring/contract/geofence/geofence-alarm';
import { mayCall } from '../../kit/session.ts';
import { FenceAlarms } from './fence-alarms.tsx';
import { FenceHead, Fences } from './fences.tsx';

/** The tabs of the map that are about fences. */
export const mapTabs = [
  { key: 'fences', title: 'geofence.title', when: () => mayCall(geofenceCalls.page), Head: FenceHead, Body: Fences },
  { key: 'fenceAlarms', title: 'geofenceAlarm.title', when: () => mayCall(geofenceAlarmCalls.page), Body: FenceAlarms },
] as const;
