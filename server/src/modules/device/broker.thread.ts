import { serveBroker } from '../../platform/gateway/embedded/thread.ts';
import { takeBeats } from './take-beat.ts';

// The thread of a large fleet's broker (ADR 15).
await serveBroker((lease) => [takeBeats({ set: lease })]);
