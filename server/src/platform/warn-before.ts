import { type RawBuilder, sql } from 'kysely';

/** How something that ends is announced: so many days before, once each. A row keeps which warning it had last, null where it had none. */
export interface WarningsBefore {
  /** From so many days before on. */
  readonly most: number;
  /** Which warning it is with so many days left; Infinity where there is time yet. */
  dueAt(left: number): number;
  /** Of a row: whether a warning is due that it hasn't had. */
  isDue(left: RawBuilder<unknown>, told: string): RawBuilder<boolean>;
}

export const warningsBefore = (...days: readonly number[]): WarningsBefore => ({
  most: Math.max(...days),
  dueAt: (left) => Math.min(...days.filter((one) => left <= one)),
  isDue: (left, told) =>
    sql<boolean>`exists (select from unnest(${days}::int[]) as w(days) where ${left} <= w.days and (${sql.ref(told)} is null or ${sql.ref(told)} > w.days))`,
});
