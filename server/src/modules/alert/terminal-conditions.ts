import { type ConditionKind, spanOf } from '@mooring/contract/alert/conditions';
import { type RawBuilder, sql } from 'kysely';
import { fullStorage, lowBattery, silentFor, silentSince, usual } from '../../engines/devices/attention.ts';

type Sql = RawBuilder<unknown>;
export type About = Readonly<Record<string, string | number>>;

/** Of a terminal `d`, its presence `p`, its product `r` and a rule `a`: whether it is so, its figure and the limit. */
export interface TerminalCondition {
  readonly limit: Sql;
  readonly figure: (now: Date) => Sql;
  readonly met: (limit: Sql, now: Date) => Sql;
  /** Its figures were told by the terminal, and say nothing of one that is silent. */
  readonly isTold: boolean;
  /** What its alarm says, of the figure and the limit. */
  readonly about: (figure: number, limit: number) => About;
}

const param = (name: string) => sql`(a.params ->> ${sql.lit(name)})::numeric`;
const figures = (figure: number, threshold: number): About => ({ figure: Math.round(figure * 10) / 10, threshold });

/** One evaluator for each condition of terminals that the contract declares. */
export const terminalConditions = {
  battery: {
    limit: sql`coalesce(${param('below')}, ${usual.battery})`,
    figure: () => sql`p.battery`,
    met: lowBattery,
    isTold: true,
    about: figures,
  },
  storage: {
    limit: sql`coalesce(${param('above')}, ${usual.storage})`,
    figure: () => sql`100 - p.storage_free * 100.0 / nullif(p.storage_total, 0)`,
    met: fullStorage,
    isTold: true,
    about: figures,
  },
  signal: {
    limit: param('below'),
    figure: () => sql`p.signal`,
    met: (limit) => sql`(p.signal < ${limit})`,
    isTold: true,
    about: figures,
  },
  temperature: {
    limit: param('above'),
    figure: () => sql`p.temperature`,
    met: (limit) => sql`(p.temperature > ${limit})`,
    isTold: true,
    about: figures,
  },
  silent: {
    limit: sql`coalesce(${param('minutes')}, ${usual.silentMinutes})`,
    figure: (now) => sql`extract(epoch from ${now}::timestamptz - ${silentSince}) / 60`,
    met: silentFor,
    isTold: false,
    about: (_figure, limit) => ({ ...spanOf(limit) }),
  },
} as const satisfies Partial<Record<ConditionKind, TerminalCondition>>;
export type TerminalKind = keyof typeof terminalConditions;

const entries = Object.entries(terminalConditions) as [TerminalKind, TerminalCondition][];
/** `case a.kind when … end` over all of them. */
export const byKind = (of: (condition: TerminalCondition) => Sql): Sql =>
  sql`case a.kind ${sql.join(
    entries.map(([kind, condition]) => sql`when ${sql.lit(kind)} then ${of(condition)}`),
    sql` `,
  )} end`;
