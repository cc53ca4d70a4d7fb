export { holdDevices } from './hold-devices.ts';
