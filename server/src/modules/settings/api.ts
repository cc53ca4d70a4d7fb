export { applyOrHold } from './change-requests/hold.ts';
