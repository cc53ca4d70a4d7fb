import { hardwareTestMachine } from '@mooring/contract/hardware-test/state-machines';
import { statefulTable } from '../../platform/db/move.ts';

export const testRows = statefulTable('hardware_test', hardwareTestMachine);
/** The group of its calls. */
export const TESTS = '/hardWareTest';
