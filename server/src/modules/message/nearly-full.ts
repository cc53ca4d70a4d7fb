import { uploadMonitorCalls } from '@mooring/contract/file/upload-monitor-calls';
import type { TellNearlyFull } from '../file/api.ts';
import { notify } from './notify.ts';

/** Whoever looks after the storage of an organisation, there or above it, hears that it is nearly full, or full. */
export const tellNearlyFull: TellNearlyFull = (db, { dept, deptPath, percent, isFull }) =>
  notify(db, {
    name: isFull ? 'storageFull' : 'storageNearlyFull',
    params: { dept, percent },
    to: { above: deptPath, can: uploadMonitorCalls.storage.can as string },
    deptPath,
    priority: isFull ? '1' : '2',
    link: '/uploadMonitor?tab=storage',
    channels: ['centre', 'email'],
  });
