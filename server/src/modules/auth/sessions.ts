import { createHash, randomBytes } from 'node:crypto';
import type { Platform } from '@mooring/contract/kit/call';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/context.ts';
import { cut } from '../../platform/cut.ts';
import { lockSet } from '../../platform/db/lock-set.ts';
import { invalidateRights } from '../access/api.ts';
import { loginPolicyOf } from './policies.ts';
import { endTicketsOf } from './tickets.ts';

export const tokenHash = (token: string): Buffer => createHash('sha256').update(token).digest();

export interface Opening {
  /** When the person proved to be it, where that wasn't just now: crossing over carries it along, a mailed code is none. */
  readonly provedAt?: Date | null;
  /** The session it comes out of: they share their beginning and their end. */
  readonly from?: number;
}

/** A new session; the token is in this answer only. The oldest gives way where the policy limits how many a person has. */
export async function openSession(
  db: Db,
  userId: number,
  platform: Platform,
  ip: string,
  userAgent: string,
  { provedAt, from }: Opening = {},
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const stored = await sql<{ value: unknown }>`select p.value from account_user u
    left join auth_policy p on p.line = product_line_of(u.dept_path) and p.kind = 'login' where u.id = ${userId}`.execute(db);
  const policy = loginPolicyOf(stored.rows[0]?.value ?? null);
  if (policy.sessionsPerPerson > 0) await lockSet(db, `sessions:${userId}`);
  const proof = provedAt === undefined ? sql`now()` : sql`${provedAt}::timestamptz`;
  const own = [tokenHash(token), userId, platform, ip, cut(userAgent, 200)] as const;
  if (from === undefined)
    await sql`insert into auth_session (token_hash, user_id, platform, ip, user_agent, expires_at, proved_at)
      values (${sql.join(own)}, now() + make_interval(mins => ${policy.totalMinutes}), ${proof})`.execute(db);
  else
    await sql`insert into auth_session (token_hash, user_id, platform, ip, user_agent, expires_at, proved_at, created_at, family)
      select ${sql.join(own)}, s.expires_at, ${proof}, s.created_at, coalesce(s.family, s.id)
      from auth_session s where s.id = ${from} and s.ended_at is null for update`.execute(db);
  if (policy.sessionsPerPerson > 0)
    await endWhere(
      db,
      sql`id in (select id from auth_session where user_id = ${userId} and ended_at is null order by id desc offset ${policy.sessionsPerPerson})`,
    );
  return token;
}

/** Open tabs ask anew what they may, and hear that they are out. */
async function endWhere(db: Db, these: RawBuilder<unknown>): Promise<void> {
  const end = sql<{ user_id: number }>`update auth_session set ended_at = now() where ended_at is null and ${these} returning user_id`;
  // Again: the first may have waited for one from which another came out meanwhile, and didn't see that one.
  const ended = [...(await end.execute(db)).rows, ...(await end.execute(db)).rows];
  if (ended.length > 0)
    await invalidateRights(
      db,
      ended.map((row) => row.user_id),
    );
}

/** With whatever came out of the same sign-in. */
export const endSession = (db: Db, id: number): Promise<void> =>
  endWhere(db, sql`coalesce(family, id) = (select coalesce(o.family, o.id) from auth_session o where o.id = ${id})`);

/** A password change or a disabled account ends all, and what was begun at a door; `except` keeps the one that did it. */
export async function endSessionsOf(db: Db, userId: number, except?: number): Promise<void> {
  await endWhere(db, sql`user_id = ${userId} and id is distinct from ${except ?? null}::bigint`);
  await endTicketsOf(db, userId);
}

/** Everybody at and below a path is out. */
export const endSessionsBelow = (db: Db, path: string): Promise<void> =>
  endWhere(db, sql`user_id in (select id from account_user where dept_path >= ${path} and dept_path < ${`${path}~`})`);

/** The person has just proved again to be it. */
export async function noteProof(db: Db, sessionId: number): Promise<void> {
  await sql`update auth_session set proved_at = now() where id = ${sessionId}`.execute(db);
}
