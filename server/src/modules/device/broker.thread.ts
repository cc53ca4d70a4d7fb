import { serveBroker } from '../../platform/gateway/embedded/thread.ts';
import { beatHandlers } from './beat-handlers.ts';

// The thread of a large fleet's broker (ADR 15).
await serveBroker(beatHandlers);
