import { sql } from 'kysely';
import type { Db } from '../context.ts';

/**
 * Whoever counts a set of rows and then changes it locks the set first, until the end of the transaction: two side by side would both
 * count before either wrote. The name says which set, such as `administrators` or `tokens:7`.
 */
export const lockSet = (db: Db, name: string) => sql`select pg_advisory_xact_lock(hashtextextended(${`set:${name}`}, 0))`.execute(db);

/** Beside others who do the same, and never beside whoever locks the set. */
export const shareSet = (db: Db, name: string) =>
  sql`select pg_advisory_xact_lock_shared(hashtextextended(${`set:${name}`}, 0))`.execute(db);
