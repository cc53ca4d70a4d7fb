import { userMachine } from '@mooring/contract/account/state-machines';
import { Fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import type { Db } from '../../platform/context.ts';
import { lockSet } from '../../platform/db/lock-set.ts';
import { move, statefulTable } from '../../platform/db/move.ts';
import { mail } from '../../platform/mail/mail.ts';

const users = statefulTable('account_user', userMachine);

const holdsEverything = sql<boolean>`exists (select from access_user_role ur join access_role r on r.id = ur.role_id where ur.user_id = u.id and '*' = any(r.menus))`;

/**
 * Before somebody is shut out or loses roles, in the transaction that does it; `keepAdministrator` after it. Two who take each other away
 * go one after the other. Of somebody who isn't one nobody waits.
 */
export async function lockAdministrators(db: Db, userId?: number): Promise<boolean> {
  if (userId !== undefined) {
    const { rows } = await sql`select from account_user u where id = ${userId} and ${holdsEverything}`.execute(db);
    if (rows.length === 0) return false;
  }
  await lockSet(db, 'administrators');
  return true;
}

/** Somebody who holds everything can still sign in. */
export const hasAdministrator = async (db: Db): Promise<boolean> =>
  (await sql`select from account_user u where u.state = '0' and is_dept_open(u.dept_path) and ${holdsEverything} limit 1`.execute(db)).rows
    .length > 0;

/** Whether nobody else who can sign in holds everything. */
export const isOnlyAdministrator = async (db: Db, userId: number): Promise<boolean> =>
  (
    await sql`select from account_user u where u.id <> ${userId} and u.state = '0' and is_dept_open(u.dept_path) and ${holdsEverything} limit 1`.execute(
      db,
    )
  ).rows.length === 0;

/** Fault: LAST_ADMINISTRATOR. */
export async function keepAdministrator(db: Db): Promise<void> {
  if (!(await hasAdministrator(db))) throw new Fault('LAST_ADMINISTRATOR');
}

/** Tells a person once that somebody tries to guess their way in, and that each further try waits. */
export async function notifyOfTries(
  db: Db,
  user: { id: number; account: string; email: string | null; dept_path: string; language: string | null },
  minutes: number,
  ip: string,
): Promise<void> {
  if (!user.email) return;
  await mail(db, {
    to: user.email,
    lang: user.language ?? 'en',
    template: 'locked',
    params: { account: user.account, ip, minutes },
    deptPath: user.dept_path,
    userId: user.id,
  });
}

const cleared = { locked_until: null, lock_reason: null };

/** By time: accounts whose lock is over. One id, or all of them. */
export async function unlockDue(db: Db, userId?: number): Promise<void> {
  const of = userId === undefined ? sql`true` : sql`id = ${userId}`;
  await move(db, users, 'unlock', sql`${of} and locked_until is not null and locked_until <= now()`, {
    set: cleared,
    detail: { reason: 'time' },
  });
}

/** By a person: whoever may, an administrator or the owner of the mailbox. False where the account isn't locked. */
export async function unlockNow(db: Db, userId: number, actorId: number | null, reason: string): Promise<boolean> {
  const which = sql`id = ${userId} and locked_until is not null`;
  return (await move(db, users, 'unlock', which, { actorId, set: cleared, detail: { reason } })).length > 0;
}
