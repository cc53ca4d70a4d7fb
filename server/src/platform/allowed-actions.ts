import type { Call } from '@mooring/contract/kit/call';
import { isAllowed } from '@mooring/contract/kit/permission';
import { eventsFrom, type Machine } from '@mooring/contract/kit/state-machine';
import type { Actor, Ctx } from './context.ts';

export interface Standing {
  /** Its machine and the code of its state: an event of the machine is allowed where it may happen. */
  readonly machine?: Machine | undefined;
  readonly state?: string | undefined;
  /** The path of who owns it, where nobody else may change it. */
  readonly owner?: string | undefined;
}

/** What the person may do with a row next, by the names of the calls: the only place that decides it. */
export const allowedActions = <A extends string>(
  ctx: Pick<Ctx, 'actor' | 'scope'>,
  calls: Readonly<Record<A, Pick<Call, 'can'>>>,
  { machine, state = '', owner = ctx.scope.path }: Standing = {},
): A[] => {
  if (!owner.startsWith(ctx.scope.path)) return [];
  const next: readonly string[] = machine ? eventsFrom(machine, state) : [];
  const isNext = (act: string) => machine === undefined || !Object.hasOwn(machine.events, act) || next.includes(act);
  return (Object.keys(calls) as A[]).filter((act) => isNext(act) && isAllowed(ctx.actor.permissions, calls[act].can));
};

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
