import { isAllowed } from '@mooring/contract/kit/permission';
import { eventsFrom, type Machine } from '@mooring/contract/kit/state-machine';
import type { Actor } from './context.ts';

/** What may be done with a row next: the life allows the event and the actor holds its permission. Events without one are the system's own. */
export const offersOf = <S extends string, E extends string>(
  machine: Machine<S, E>,
  code: string,
  actor: Actor,
  can: Readonly<Partial<Record<NoInfer<E>, string | readonly string[]>>>,
): E[] => eventsFrom(machine, code).filter((event) => can[event] !== undefined && isAllowed(actor.permissions, can[event]));
