import type { LeaseTold } from '../../platform/gateway/embedded/thread.ts';
import type { MessageHandler } from '../../platform/gateway/message.ts';
import { notePositions } from '../geofence/api.ts';
import { handleBeats } from './handle-beat.ts';

/** Everything of the server that hears beats, in its order: the broker's thread takes them by itself. */
export const beatHandlers = (lease: LeaseTold): readonly MessageHandler[] => [
  handleBeats({ set: lease }),
  ...notePositions().filter(({ kind }) => kind === 'beat'),
];
