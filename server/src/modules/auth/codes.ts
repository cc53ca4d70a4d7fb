import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import { sql } from 'kysely';
import type { MasterKey } from '../../platform/config/master-key.ts';
import type { Db } from '../../platform/context.ts';

/** What a code is for; a code for one thing opens nothing else. */
export type CodePurpose = 'login' | 'reset' | 'regist' | `bind:${number}`;

export const CODE_MINUTES = 10;
const TRIES = 5;

const hashOf = (key: MasterKey, purpose: CodePurpose, recipient: string, code: string) =>
  createHmac('sha256', key.derive('one-time-code')).update(`${purpose}:${recipient.toLowerCase()}:${code}`).digest();

/** A new code, which makes the earlier one of the same kind worthless. */
export async function makeCode(db: Db, key: MasterKey, purpose: CodePurpose, recipient: string): Promise<string> {
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  await sql`insert into auth_code (purpose, recipient, code_hash, expires_at)
    values (${purpose}, ${recipient.toLowerCase()}, ${hashOf(key, purpose, recipient, code)}, now() + make_interval(mins => ${CODE_MINUTES}))
    on conflict (purpose, recipient) do update set code_hash = excluded.code_hash, tries = 0, expires_at = excluded.expires_at`.execute(db);
  return code;
}

/** True once for the right code; five wrong ones use it up. Each try is a transaction of its own, or a rollback would give it back. */
export async function consumeCode(db: Db, key: MasterKey, purpose: CodePurpose, recipient: string, code: string): Promise<boolean> {
  const { rows } = await sql<{ code_hash: Buffer }>`
    update auth_code set tries = tries + 1 where purpose = ${purpose} and recipient = ${recipient.toLowerCase()} and tries < ${TRIES} and expires_at > now()
    returning code_hash`.execute(db);
  const right = rows[0] !== undefined && timingSafeEqual(rows[0].code_hash, hashOf(key, purpose, recipient, code));
  if (right) await sql`delete from auth_code where purpose = ${purpose} and recipient = ${recipient.toLowerCase()}`.execute(db);
  return right;
}
