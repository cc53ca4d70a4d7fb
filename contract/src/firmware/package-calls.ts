import { packageCallsOf } from '../engines/rollout/package-calls.ts';
import { firmwareKind } from './kind.ts';

export const packageCalls = packageCallsOf(firmwareKind, {});
