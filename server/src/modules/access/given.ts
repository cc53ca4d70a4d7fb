import { sql } from 'kysely';
import type { Db } from '../../platform/context.ts';
import { readSetting, savedAt } from '../../platform/settings.ts';

/** What puts one person's account into another's hands for a while, besides roles, which say themselves by whom they were given. */
export type GivenWhat = 'account' | 'password' | 'factor' | 'contact' | 'role';

/** Noted in the transaction that gives it. Nobody has a hold on themselves, and the installation isn't anybody. */
export async function noteGiven(db: Db, userIds: readonly number[], by: number | null, what: GivenWhat): Promise<void> {
  const rows = by === null || by === 0 ? [] : userIds.filter((id) => id !== by).map((user_id) => ({ user_id, given_by: by, what }));
  if (rows.length > 0) await db.insertInto('account_given').values(rows).execute();
}

const HOLD_DAYS = 7;
/** The same for what waits for two people whatever the installation asks for: no switch stands at its beginning. */
export const weekBefore = (at: Date): Date => new Date(at.getTime() - HOLD_DAYS * 86_400_000);

/**
 * Since when a hold counts for what is asked for at a moment: a week, but only since dual control is on. Whoever makes the second account of a fresh
 * installation could else never switch it on and go on working.
 */
export async function heldSince(db: Db, at: Date): Promise<Date> {
  const { enabled } = await readSetting(db, 'dualControl');
  const switchedOn = (enabled && (await savedAt(db, 'dualControl'))) || at;
  return new Date(Math.max(weekBefore(at).getTime(), switchedOn.getTime()));
}

/** Whether two people may be one: the same person stands behind both. Asked past the range policy. */
export async function areOneHand(db: Db, one: number, other: number, since: Date): Promise<boolean> {
  const { rows } = await sql`select people_behind(${one}, ${since}) intersect select people_behind(${other}, ${since}) limit 1`.execute(db);
  return rows.length > 0;
}

/**
 * While dual control is on: whether who decides now may be one of those who handed something in. What these got later was no way to hand it in; what
 * the deciding one got counts for a week. Asked past the range policy.
 */
export async function isHandOf(db: Db, decider: number, authors: readonly number[], at: { handedIn: Date; now: Date }): Promise<boolean> {
  const { enabled } = await readSetting(db, 'dualControl');
  if (!enabled) return false;
  const [then, lately] = [await heldSince(db, at.handedIn), await heldSince(db, at.now)];
  const { rows } = await sql`
    select people_behind(a, ${then}, ${at.handedIn}) from unnest(${authors}::bigint[]) a
    intersect select people_behind(${decider}, ${lately}) limit 1`.execute(db);
  return rows.length > 0;
}

export const forgetGiven = (db: Db) => sql`delete from account_given where at < now() - interval '30 days'`.execute(db);
