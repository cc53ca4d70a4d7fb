import { deviceLife, enrolCodeLife, pendingLife } from '@mooring/contract/device/lives';
import { living } from '../../platform/db/move.ts';

export const deviceRows = living('device', deviceLife, 'status');
export const pendingRows = living('device_pending', pendingLife);
export const codeRows = living('device_enrol_code', enrolCodeLife);

/** Groups whose open lists refetch. */
export const DEVICES = '/device';
export const REGISTRATION = '/device/reg';
