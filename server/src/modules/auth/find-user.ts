import { isMobile } from '@mooring/contract/shared/patterns';
import { sql } from 'kysely';
import type { Db } from '../../platform/context.ts';

/** What a door needs to know of a person. Names and addresses are found in any case. */
const users = (db: Db) =>
  db
    .selectFrom('account_user as u')
    .innerJoin('org_dept as d', 'd.id', 'u.dept_id')
    .select([
      'u.id',
      'u.account',
      'u.name',
      'u.email',
      'u.dept_path',
      'u.password_hash',
      'u.password_initial',
      'u.state',
      'u.locked_until',
      'u.cancelled_at',
      'u.mfa_on',
      'u.language',
      'u.time_zone',
      sql<string>`case when d.state = 'enabled' and not is_dept_open(d.dept_path) then 'disabled' else d.state end`.as('dept_state'),
    ]);

export const byAccount = (db: Db, typed: string) =>
  users(db)
    .where((eb) => eb.or([eb(sql`lower(u.account)`, '=', typed.toLowerCase()), eb(sql`lower(u.email)`, '=', typed.toLowerCase())]))
    // An account is a name before it is somebody's address.
    .orderBy(sql`lower(u.account) = ${typed.toLowerCase()}`, 'desc')
    .limit(1)
    .executeTakeFirst();
export const byEmail = (db: Db, email: string) => users(db).where(sql`lower(u.email)`, '=', email.toLowerCase()).executeTakeFirst();
/** Whether a person `u` has this address or number; each has its index. */
export const hasContact = (to: string) =>
  isMobile(to) ? sql<boolean>`u.mobile = ${to}` : sql<boolean>`lower(u.email) = ${to.toLowerCase()}`;
/** Since when a session counts as one of late. */
export const LATELY = sql`now() - interval '90 days'`;
/**
 * By where a code goes: an address, or a number that is somebody's once a code came back from it. A number is given to somebody else when nobody uses it:
 * that of a person who hasn't signed in of late opens nothing.
 */
export const maySignInBy = (to: string) =>
  isMobile(to)
    ? sql<boolean>`${hasContact(to)} and exists (select from auth_session s where s.user_id = u.id and s.created_at > ${LATELY})`
    : hasContact(to);
export const byContact = (db: Db, to: string) => users(db).where(maySignInBy(to)).executeTakeFirst();
export const byId = (db: Db, id: number) => users(db).where('u.id', '=', id).executeTakeFirst();
export type SignInUser = NonNullable<Awaited<ReturnType<typeof byId>>>;
