import { differenceCallsOf } from '../engines/rollout/difference-calls.ts';
import { packageCallsOf } from '../engines/rollout/package-calls.ts';
import { firmwareKind } from './kind.ts';

export const packageCalls = packageCallsOf(firmwareKind, {});
export const differenceCalls = differenceCallsOf(firmwareKind);
