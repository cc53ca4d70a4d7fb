import { eventsFrom, type Life } from '@mooring/contract/kit/life';
import { isAllowed } from '@mooring/contract/kit/permission';
import type { Actor } from './context.ts';

/** What may be done with a row next: the life allows the event and the actor holds its permission. Events without one are the system's own. */
export const offersOf = <S extends string, E extends string>(
  life: Life<S, E>,
  code: string,
  actor: Actor,
  can: Readonly<Partial<Record<NoInfer<E>, string | readonly string[]>>>,
): E[] => eventsFrom(life, code).filter((event) => can[event] !== undefined && isAllowed(actor.permissions, can[event]));
