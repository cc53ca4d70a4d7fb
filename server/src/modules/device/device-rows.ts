import { deviceMachine, enrolCodeMachine, pendingMachine } from '@mooring/contract/device/state-machines';
import { statefulTable } from '../../platform/db/move.ts';

export const deviceRows = statefulTable('device', deviceMachine, 'status');
export const pendingRows = statefulTable('device_pending', pendingMachine);
export const codeRows = statefulTable('device_enrol_code', enrolCodeMachine);

/** Groups whose open lists refetch. */
export const DEVICES = '/device';
export const REGISTRATION = '/device/reg';
