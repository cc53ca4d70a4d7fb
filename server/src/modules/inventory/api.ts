export { holdDevices, unusableOf } from './hold-devices.ts';
