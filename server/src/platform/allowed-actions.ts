import { isAllowed } from '@mooring/contract/kit/permission';
import { eventsFrom, type Machine } from '@mooring/contract/kit/state-machine';
import type { Actor } from './context.ts';

/** The events that may happen to a row next: its machine allows them and the actor holds their permission. Events without one are the system's own. */
export const allowedEvents = <S extends string, E extends string>(
  machine: Machine<S, E>,
  code: string,
  actor: Actor,
  can: Readonly<Partial<Record<NoInfer<E>, string | readonly string[]>>>,
): E[] => eventsFrom(machine, code).filter((event) => can[event] !== undefined && isAllowed(actor.permissions, can[event]));

/** How a row answers what may be done with it: under its name, and under that of 0.1 (see the contract's `allowedActions`). */
export const allowing = <A extends string>(allowedActions: A[]): { allowedActions: A[]; offers: A[] } => ({
  allowedActions,
  offers: allowedActions,
});
