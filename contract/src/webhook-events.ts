import { realNameMachine, userMachine } from './account/state-machines.ts';
import { alarmMachine } from './alert/state-machines.ts';
import { appPublishMachine, appReviewMachine, appSubscriptionMachine, developerMachine } from './app/state-machines.ts';
import { advertMachine, customizationMachine, desktopMachine } from './desktop/state-machines.ts';
import { commandMachine, deviceMachine, pendingMachine } from './device/state-machines.ts';
import { approvalMachine } from './engines/approval/state-machines.ts';
import { differenceMachine, packageMachine, resultMachine, taskMachine } from './engines/rollout/state-machines.ts';
import { hardwareTestMachine } from './hardware-test/state-machines.ts';
import { maintenanceMachine } from './merchant/state-machines.ts';
import { orderMachine } from './order/state-machines.ts';
import { orgMachine, trustMachine } from './org/state-machines.ts';
import { productMachine, thingModelMachine } from './product/state-machines.ts';
import { signingJobMachine, signingKeyMachine } from './signing/state-machines.ts';

/** The lives that other systems may hear of by webhook: `<life>.<event>`. */
export const webhookEvents = [
  deviceMachine,
  commandMachine,
  pendingMachine,
  taskMachine,
  resultMachine,
  approvalMachine,
  packageMachine,
  differenceMachine,
  advertMachine,
  customizationMachine,
  desktopMachine,
  productMachine,
  maintenanceMachine,
  hardwareTestMachine,
  orderMachine,
  appReviewMachine,
  appPublishMachine,
  developerMachine,
  appSubscriptionMachine,
  signingKeyMachine,
  signingJobMachine,
  alarmMachine,
  thingModelMachine,
  userMachine,
  realNameMachine,
  orgMachine,
  trustMachine,
] as const;
