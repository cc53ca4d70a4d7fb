import { userLife } from '@mooring/contract/account/lives';
import { sql } from 'kysely';
import type { Db } from '../../platform/context.ts';
import { living, move } from '../../platform/db/move.ts';
import { mail } from '../../platform/mail/mail.ts';

const users = living('account_user', userLife);

/** Whether nobody else could let this person in again: the last enabled holder of everything. */
export async function isLastAdministrator(db: Db, userId: number): Promise<boolean> {
  const { rows } = await sql<{ id: number }>`
    select u.id from account_user u where u.state = '0'
      and exists (select from access_user_role ur join access_role r on r.id = ur.role_id where ur.user_id = u.id and '*' = any(r.menus))
    limit 2`.execute(db);
  return rows.length === 1 && rows[0]?.id === userId;
}

/** Tells a person once that somebody tries to guess their way in, and that each further try waits. */
export async function tellOfTries(
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
