import { type RawBuilder, sql } from 'kysely';
import type { RolloutKind } from '../task.ts';

interface Part {
  readonly kind: RawBuilder<unknown>;
  readonly part: RawBuilder<string>;
  /** The release that left it. */
  readonly taskId: RawBuilder<number>;
}

/** The version or digest that a device `d` says it has of a part of one of these kinds; null where it has none, or says nothing of it. */
export function hasOf(kinds: readonly RolloutKind[], { kind, part, taskId }: Part): RawBuilder<string | null> {
  const own = kinds.flatMap(({ of, has }) => (has ? [sql`when ${kind} = ${of.kind} then ${has(part, taskId)}`] : []));
  const set = sql<string | null>`d.settings ->> ${part}`;
  return own.length === 0 ? set : sql`case ${sql.join(own, sql` `)} else ${set} end`;
}
