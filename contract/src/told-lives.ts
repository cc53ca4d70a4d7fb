import { realNameLife, userLife } from './account/lives.ts';
import { commandLife, deviceLife, pendingLife } from './device/lives.ts';
import { resultLife, taskLife } from './engines/rollout/lives.ts';
import { packageLife } from './firmware/lives.ts';
import { orgLife, trustLife } from './org/lives.ts';
import { productLife } from './product/lives.ts';

/** The lives that other systems may hear of by webhook: `<life>.<event>`. */
export const toldLives = [
  deviceLife,
  commandLife,
  pendingLife,
  taskLife,
  resultLife,
  packageLife,
  productLife,
  userLife,
  realNameLife,
  orgLife,
  trustLife,
] as const;
