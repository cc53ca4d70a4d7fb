export { addDevice } from './add-device.ts';
export { type BehindVersion, behindIn, behindOf, newestVersions } from './behind.ts';
export { deviceRows } from './device-rows.ts';
export { handleHello } from './handle-hello.ts';
export { loseDevices } from './lose-devices.ts';
export { makeEnrolCode } from './make-enrol-code.ts';
export { makeDevice } from './module.ts';
export { timerWheel } from './timer-wheel.ts';
export { watchAttention } from './watch-attention.ts';
