import { createHash, randomBytes } from 'node:crypto';
import type { Platform } from '@mooring/contract/kit/call';
import { sql } from 'kysely';
import type { Db } from '../../platform/context.ts';
import { loginPolicyOf } from './policies.ts';

export const tokenHash = (token: string): Buffer => createHash('sha256').update(token).digest();

export interface Opening {
  /** When the person proved to be it, where that wasn't just now: crossing over carries it along, a mailed code is none. */
  readonly provedAt?: Date | null;
}

/** A new session; the token is in this answer only. The oldest gives way where the policy limits how many a person has. */
export async function openSession(
  db: Db,
  userId: number,
  platform: Platform,
  ip: string,
  userAgent: string,
  { provedAt }: Opening = {},
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const stored = await sql<{ value: unknown }>`select p.value from account_user u
    left join auth_policy p on p.line = product_line_of(u.dept_path) and p.kind = 'login' where u.id = ${userId}`.execute(db);
  const policy = loginPolicyOf(stored.rows[0]?.value ?? null);
  await sql`insert into auth_session (token_hash, user_id, platform, ip, user_agent, expires_at, proved_at)
    values (${tokenHash(token)}, ${userId}, ${platform}, ${ip}, ${userAgent.slice(0, 200)}, now() + make_interval(mins => ${policy.totalMinutes}), ${provedAt === undefined ? sql`now()` : provedAt})`.execute(
    db,
  );
  if (policy.sessionsPerPerson > 0)
    await sql`update auth_session set ended_at = now() where ended_at is null and id in
      (select id from auth_session where user_id = ${userId} and ended_at is null order by id desc offset ${policy.sessionsPerPerson})`.execute(
      db,
    );
  return token;
}

export async function endSession(db: Db, id: number): Promise<void> {
  await sql`update auth_session set ended_at = now() where id = ${id} and ended_at is null`.execute(db);
}

/** A password change or a disabled account ends all; `except` keeps the one that did it. */
export async function endSessionsOf(db: Db, userId: number, except?: number): Promise<void> {
  await sql`update auth_session set ended_at = now() where user_id = ${userId} and ended_at is null and id is distinct from ${except ?? null}::bigint`.execute(
    db,
  );
}

/** Everybody at and below a path is out. */
export async function endSessionsBelow(db: Db, path: string): Promise<void> {
  await sql`update auth_session set ended_at = now() where ended_at is null
    and user_id in (select id from account_user where dept_path >= ${path} and dept_path < ${`${path}~`})`.execute(db);
}

/** The person has just proved again to be it. */
export async function noteProof(db: Db, sessionId: number): Promise<void> {
  await sql`update auth_session set proved_at = now() where id = ${sessionId}`.execute(db);
}
