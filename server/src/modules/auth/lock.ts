import { userMachine } from '@mooring/contract/account/state-machines';
import { Fault } from '@mooring/contract/kit/fault';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/context.ts';
import { lockSet } from '../../platform/db/lock-set.ts';
import { move, statefulTable } from '../../platform/db/move.ts';
import { mail } from '../../platform/mail/mail.ts';

const users = statefulTable('account_user', userMachine);

const everythingOn = (platform: string) =>
  sql`exists (select from access_user_role ur join access_role r on r.id = ur.role_id
    where ur.user_id = u.id and '*' = any(r.menus) and ${platform} = any(r.platforms))`;
/**
 * Of `account_user u`. At the top stand those who may save what holds for the whole installation; somebody who holds everything elsewhere can't
 * do that, and can let nobody in who could.
 */
const administers = {
  top: sql<boolean>`(u.dept_path = '1.' and ${everythingOn('centre')} and ${everythingOn('manager')})`,
  anywhere: sql<boolean>`(${everythingOn('centre')} or ${everythingOn('manager')})`,
};
/** `anywhere` only where nobody is left at the top, as versions before allowed it. */
export type Administering = keyof typeof administers;

const exists = async (db: Db, where: RawBuilder<boolean>): Promise<boolean> =>
  (await sql`select from account_user u where ${where} limit 1`.execute(db)).rows.length > 0;
const able = sql<boolean>`u.state = '0' and is_dept_open(u.dept_path)`;

/** Somebody who administers so can still sign in. */
export const hasAdministrator = (db: Db, of: Administering): Promise<boolean> => exists(db, sql`${able} and ${administers[of]}`);

/**
 * Before somebody is shut out or loses roles, in the transaction that does it; `keepAdministrator` after it, with what this answers. Two who take
 * each other away go one after the other. Of somebody who isn't one nobody waits.
 */
export async function lockAdministrators(db: Db, userId?: number): Promise<Administering | undefined> {
  const isOne = (of: Administering) => (userId === undefined ? true : exists(db, sql`u.id = ${userId} and ${administers[of]}`));
  if (!(await isOne('anywhere'))) return undefined;
  await lockSet(db, 'administrators');
  if (await hasAdministrator(db, 'top')) return (await isOne('top')) ? 'top' : undefined;
  return 'anywhere';
}

/** Whether nobody else at the top who can sign in holds everything. */
export const isOnlyAdministrator = async (db: Db, userId: number): Promise<boolean> =>
  !(await exists(db, sql`u.id <> ${userId} and ${able} and ${administers.top}`));

/** Fault: LAST_ADMINISTRATOR. */
export async function keepAdministrator(db: Db, of: Administering | undefined): Promise<void> {
  if (of && !(await hasAdministrator(db, of))) throw new Fault('LAST_ADMINISTRATOR');
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
