import { createHash, randomBytes } from 'node:crypto';
import type { Platform } from '@mooring/contract/kit/call';
import { sql } from 'kysely';
import type { Db } from '../../platform/context.ts';

/** Design 5, "Sessions", preset `spec`. */
export const IDLE_HOURS = 12;
const TOTAL_DAYS = 7;

export const tokenHash = (token: string): Buffer => createHash('sha256').update(token).digest();

/** A new session; the token is in this answer only. */
export async function openSession(db: Db, userId: number, platform: Platform, ip: string, userAgent: string): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await sql`insert into auth_session (token_hash, user_id, platform, ip, user_agent, expires_at)
    values (${tokenHash(token)}, ${userId}, ${platform}, ${ip}, ${userAgent.slice(0, 200)}, now() + make_interval(days => ${TOTAL_DAYS}))`.execute(
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
