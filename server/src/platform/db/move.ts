import { codeOf, codesOf, type Machine } from '@mooring/contract/kit/state-machine';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../context.ts';

/** A table whose rows have a state machine. */
export interface StatefulTable<S extends string, E extends string> {
  readonly table: string;
  readonly machine: Machine<S, E>;
  readonly state: string;
}
export const statefulTable = <S extends string, E extends string>(
  table: string,
  machine: Machine<S, E>,
  state = 'state',
): StatefulTable<S, E> => ({
  table,
  machine,
  state,
});

export interface Move<S extends string> {
  /** Which target, where the event names several. */
  readonly to?: S;
  readonly actorId?: number | null;
  /** Columns written in the same statement. */
  readonly set?: Readonly<Record<string, unknown>>;
  readonly detail?: unknown;
}
export interface Moved {
  readonly id: number;
  readonly from: string;
}

/**
 * The one write path of every lifecycle: one statement moves the rows that are in a state of the event's `from`, for one id
 * as for a million, so a race is settled by the database; it writes their state_change in the same statement.
 * `which` is a list of ids or a condition. Rows in another state are left alone and aren't in the answer.
 */
export async function move<S extends string, E extends string>(
  db: Db,
  rows: StatefulTable<S, E>,
  event: NoInfer<E>,
  which: readonly number[] | RawBuilder<unknown>,
  options: Move<NoInfer<S>> = {},
): Promise<Moved[]> {
  const { from, to: targets } = rows.machine.events[event];
  const to = options.to ?? targets[0];
  if (!to || !targets.includes(to) || (targets.length > 1 && !options.to))
    throw new Error(`${rows.machine.name}: ${event} leads to ${targets.join(' or ')}`);
  const state = sql.ref(rows.state);
  const isListed = Array.isArray(which);
  const condition = isListed ? sql`id = any(${which}::bigint[])` : (which as RawBuilder<unknown>);
  // Listed rows are found by their ids alone: with the bare state an index of all that are in it was read beside them, a million for a few.
  const was = isListed ? sql`coalesce(${state}, '')` : state;
  const set = Object.entries(options.set ?? {}).map(([column, value]) => sql`, ${sql.ref(column)} = ${value}`);
  const result = await sql<Moved>`
    with found as (
      select id, ${state} as was from ${sql.table(rows.table)} where ${condition} and ${was} = any(${codesOf(rows.machine, from)}) order by id for update
    ), moved as (
      update ${sql.table(rows.table)} t set ${state} = ${codeOf(rows.machine, to)}${sql.join(set, sql``)}
      from found where t.id = found.id returning t.id, found.was, t.dept_path
    ), noted as (
      insert into state_change (life, row_id, event, from_state, to_state, actor_id, dept_path, detail)
      select ${rows.machine.name}, id, ${event}, was, ${codeOf(rows.machine, to)}, ${options.actorId ?? null}::bigint, dept_path, ${options.detail === undefined ? null : JSON.stringify(options.detail)}::jsonb from moved
    )
    select id, was as "from" from moved`.execute(db);
  return result.rows;
}

/** Notes the first state of rows that were just inserted, so that a timeline has its beginning. */
export async function recordCreated<S extends string, E extends string>(
  db: Db,
  rows: StatefulTable<S, E>,
  ids: readonly number[],
  actorId: number | null,
): Promise<void> {
  await sql`
    insert into state_change (life, row_id, event, to_state, actor_id, dept_path)
    select ${rows.machine.name}, id, 'created', ${sql.ref(rows.state)}, ${actorId}::bigint, dept_path from ${sql.table(rows.table)} where id = any(${ids}::bigint[])`.execute(
    db,
  );
}
