import { z } from 'zod';
import { eventLevels } from '../device/messages.ts';

type NumberParam = {
  readonly type: 'number';
  readonly unit: 'percent' | 'dbm' | 'celsius' | 'minutes' | 'terminals';
  readonly min: number;
  readonly max: number;
  /** Null: what the terminal's product says, or what holds for all. */
  readonly default: number | null;
};
type TextParam = { readonly type: 'text'; readonly max: number; readonly default: string };
type ChoiceParam = { readonly type: 'choice'; readonly options: readonly string[]; readonly default: string };
export type Param = NumberParam | TextParam | ChoiceParam;

/** What raises alarms: its parameters, what its alarms are about, and whose terminals it may be narrowed to. */
export interface Condition {
  readonly of: 'terminal' | 'event' | 'outage' | 'release' | 'fence';
  readonly params: Readonly<Record<string, Param>>;
  readonly scopes: readonly Scope[];
  /** It is over when it is so no more; else a person closes it. */
  readonly ends: boolean;
}

export const scopes = ['all', 'depts', 'groups', 'products'] as const;
export type Scope = (typeof scopes)[number];

const number = (unit: NumberParam['unit'], min: number, max: number, standard: number | null): NumberParam => ({
  type: 'number',
  unit,
  min,
  max,
  default: standard,
});
const ofTerminal = (params: Condition['params']): Condition => ({ of: 'terminal', params, scopes, ends: true });

/** A source of alarms is an entry here, an evaluator in the server, and its texts (`alert.kind.<kind>`, `alert.what.<kind>`). */
export const conditions = {
  battery: ofTerminal({ below: number('percent', 1, 100, null) }),
  storage: ofTerminal({ above: number('percent', 1, 100, null) }),
  signal: ofTerminal({ below: number('dbm', -150, 0, -100) }),
  temperature: ofTerminal({ above: number('celsius', 0, 150, 60) }),
  silent: ofTerminal({ minutes: number('minutes', 1, 129_600, null) }),
  event: {
    of: 'event',
    params: { name: { type: 'text', max: 64, default: '' }, level: { type: 'choice', options: eventLevels, default: 'alarm' } },
    scopes,
    ends: false,
  },
  outage: {
    of: 'outage',
    params: { terminals: number('terminals', 2, 1_000_000, 50), minutes: number('minutes', 1, 60, 10) },
    scopes: ['all'],
    ends: true,
  },
  release: {
    of: 'release',
    params: { when: { type: 'choice', options: ['halted', 'finished'], default: 'halted' }, failed: number('percent', 0, 100, 0) },
    scopes: ['all'],
    ends: false,
  },
  // Each geofence has one rule, which is made and changed with it.
  geofence: { of: 'fence', params: {}, scopes: ['all'], ends: true },
} as const satisfies Readonly<Record<string, Condition>>;
export type ConditionKind = keyof typeof conditions;
export const conditionKinds = Object.keys(conditions) as [ConditionKind, ...ConditionKind[]];
export const ConditionKind = z.enum(conditionKinds);
/** What people write rules about by themselves. */
export const RuleKind = ConditionKind.exclude(['geofence']);
export type RuleKind = z.infer<typeof RuleKind>;

/** The conditions of one sort. */
export const kindsOf = (of: Condition['of']): ConditionKind[] => conditionKinds.filter((kind) => conditions[kind].of === of);
export const conditionOf = (kind: ConditionKind): Condition => conditions[kind];

export const Params = z.record(z.string().max(32), z.union([z.number(), z.string().max(64), z.null()]));
export type Params = z.infer<typeof Params>;

function schemaOf(param: Param): z.ZodType<number | string | null> {
  if (param.type === 'text') return z.string().trim().max(param.max).default(param.default);
  if (param.type === 'choice') return z.enum(param.options).default(param.default);
  const value = z.int().min(param.min).max(param.max);
  return param.default === null ? value.nullable().default(null) : value.default(param.default);
}

/** Takes exactly the parameters of a condition; what isn't said is what is usual. */
export const paramsOf = (kind: ConditionKind) =>
  z.strictObject(Object.fromEntries(Object.entries(conditionOf(kind).params).map(([name, param]) => [name, schemaOf(param)])));

/** Minutes in the largest unit that they fill: 10080 are 7 days. */
export function spanOf(minutes: number): { readonly n: number; readonly unit: 'days' | 'hours' | 'minutes' } {
  if (minutes >= 1440 && minutes % 1440 === 0) return { n: minutes / 1440, unit: 'days' };
  if (minutes >= 60 && minutes % 60 === 0) return { n: minutes / 60, unit: 'hours' };
  return { n: minutes, unit: 'minutes' };
}
