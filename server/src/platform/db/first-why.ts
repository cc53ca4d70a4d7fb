import { type RawBuilder, sql } from 'kysely';

/** The first of these that holds; null where none does. */
export const firstWhy = <W extends string>(whys: readonly (readonly [why: W, holds: RawBuilder<boolean>])[]): RawBuilder<W | null> =>
  sql<W | null>`case ${sql.join(
    whys.map(([why, holds]) => sql`when ${holds} then ${sql.lit(why)}`),
    sql` `,
  )} end`;
