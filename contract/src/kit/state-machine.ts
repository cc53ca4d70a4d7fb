import { z } from 'zod';
import { type Can, call } from './call.ts';
import { ById, Id, revises } from './schema.ts';

/** How a state looks: colour and shape come from the tone, never from the state itself. */
/** `away` and `kept` are calm: a fleet that is switched off at night, terminals on a shelf. `wait` and `bad` ask for a person. */
export type Tone = 'idle' | 'away' | 'kept' | 'wait' | 'busy' | 'good' | 'bad' | 'ended';

interface StateSpec {
  /** The stored and sent value; the specification's numeric code where it has one, else the state's name. */
  readonly code?: string;
  readonly tone: Tone;
  /** One sentence that says what the state means. */
  readonly about: string;
}

interface EventSpec<S extends string> {
  readonly from: readonly S[];
  /** Several targets: a pure, named guard in the server chooses among them. */
  readonly to: S | readonly S[];
}

export interface Machine<S extends string = string, E extends string = string> {
  readonly name: string;
  readonly initial: readonly S[];
  readonly states: { readonly [K in S]: StateSpec & { readonly code: string } };
  readonly events: { readonly [K in E]: { readonly from: readonly S[]; readonly to: readonly S[] } };
  readonly byCode: Readonly<Record<string, S>>;
}

/** A lifecycle as a table (design 1, section 3). Everything else about states is derived from it. */
export function machine<const S extends string, const E extends string>(
  name: string,
  table: { initial: NoInfer<S> | readonly NoInfer<S>[]; states: Record<S, StateSpec>; events: Record<E, EventSpec<NoInfer<S>>> },
): Machine<S, E> {
  const states = {} as Record<S, StateSpec & { code: string }>;
  const byCode: Record<string, S> = {};
  for (const [key, spec] of Object.entries(table.states) as [S, StateSpec][]) {
    const code = spec.code ?? key;
    states[key] = Object.freeze({ ...spec, code });
    byCode[code] = key;
  }
  const events = {} as Record<E, { from: readonly S[]; to: readonly S[] }>;
  for (const [key, spec] of Object.entries(table.events) as [E, EventSpec<S>][]) {
    events[key] = Object.freeze({ from: spec.from, to: (typeof spec.to === 'string' ? [spec.to] : spec.to) as readonly S[] });
  }
  const initial = (typeof table.initial === 'string' ? [table.initial] : table.initial) as readonly S[];
  return Object.freeze({ name, initial, states: Object.freeze(states), events: Object.freeze(events), byCode: Object.freeze(byCode) });
}

export const codeOf = <S extends string>(machine: Machine<S>, state: NoInfer<S>): string => machine.states[state].code;
export const codesOf = <S extends string>(machine: Machine<S>, states: readonly NoInfer<S>[]): string[] =>
  states.map((one) => codeOf(machine, one));

/** The events that a row in this state (by its code) may be offered. */
export function eventsFrom<S extends string, E extends string>(machine: Machine<S, E>, code: string): E[] {
  const state = machine.byCode[code];
  return (Object.keys(machine.events) as E[]).filter((event) => state !== undefined && machine.events[event].from.includes(state));
}

/** The state field of a row: one of the life's codes. */
export const stateOf = <S extends string, E extends string>(machine: Machine<S, E>) =>
  z.enum(Object.values<{ code: string }>(machine.states).map((one) => one.code) as [string, ...string[]]);

/** As `transition`, of what somebody has read before: `revision` is the one that they saw, and another one meanwhile answers OVERTAKEN. */
export const transitionOf = <S extends string, E extends string, O extends z.ZodType>(
  machine: Machine<S, E>,
  event: NoInfer<E>,
  entity: string,
  can: Can,
  output: O,
  faults: readonly string[] = [],
) => call({ can, input: z.strictObject({ id: Id, ...revises(entity) }), output, faults, about: `${machine.name}: ${event}` });

/** A call that moves one row: `{ id }` in, the row out. Overtaken by someone else answers 409. */
export const transition = <S extends string, E extends string, O extends z.ZodType>(
  machine: Machine<S, E>,
  event: NoInfer<E>,
  can: Can,
  output: O,
  more: { faults?: readonly string[]; stepUp?: boolean } = {},
) => call({ can, input: ById, output, faults: more.faults ?? [], stepUp: more.stepUp ?? false, about: `${machine.name}: ${event}` });
