import { serveBroker } from '../../platform/gateway/embedded/thread.ts';
import { handleBeats } from './handle-beat.ts';

// The thread of a large fleet's broker (ADR 15).
await serveBroker((lease) => [handleBeats({ set: lease })]);
