import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import { sql } from 'kysely';
import type { MasterKey } from '../../platform/config/master-key.ts';
import type { Db } from '../../platform/context.ts';
import { countUp } from './attempts.ts';

/** What a code is for; a code for one thing opens nothing else. */
export type CodePurpose = 'login' | 'reset' | 'regist' | `bind:${number}`;

export const CODE_MINUTES = 10;
/** Of one code. */
export const TRIES = 5;
/** How many are sent to somebody within an hour. */
export const CODES_AN_HOUR = 5;
/** Codes that nobody entered rightly count for a month after the last one. */
const REMEMBERED_MINUTES = 43_200;

const hashOf = (key: MasterKey, purpose: CodePurpose, recipient: string, code: string) =>
  createHmac('sha256', key.derive('one-time-code')).update(`${purpose}:${recipient.toLowerCase()}:${code}`).digest();

/**
 * Grows with the codes for somebody that were never entered: five guesses at each of them go on for ever otherwise. Whoever reads the mailbox copies a
 * longer one as easily.
 */
export const digitsAfter = (unused: number): number => (unused < 3 ? 6 : unused < 10 ? 8 : unused < 30 ? 10 : 12);
const unusedKey = (purpose: CodePurpose, recipient: string) => `unused:${purpose}:${recipient.toLowerCase()}`;

/**
 * To whom it went, and for which asking: what somebody else tries with an asking of their own uses up nobody's code but theirs. Where only one person can
 * ask (who is signed in, or registers) there is no ticket.
 */
const asked = (recipient: string, ticket: string): string => (ticket === '' ? recipient : `${recipient} ${ticket}`).toLowerCase();

/** A new code, which makes the earlier one of the same asking worthless. */
export async function makeCode(db: Db, key: MasterKey, purpose: CodePurpose, recipient: string, ticket = ''): Promise<string> {
  const made = await countUp(db, unusedKey(purpose, recipient), REMEMBERED_MINUTES);
  const digits = digitsAfter(made - 1);
  const code = String(randomInt(10 ** digits)).padStart(digits, '0');
  await sql`insert into auth_code (purpose, recipient, code_hash, expires_at)
    values (${purpose}, ${asked(recipient, ticket)}, ${hashOf(key, purpose, recipient, code)}, now() + make_interval(mins => ${CODE_MINUTES}))
    on conflict (purpose, recipient) do update set code_hash = excluded.code_hash, tries = 0, expires_at = excluded.expires_at`.execute(db);
  return code;
}

/** True once for the right code; five wrong ones use it up. Each try is a transaction of its own, or a rollback would give it back. */
export async function consumeCode(
  db: Db,
  key: MasterKey,
  purpose: CodePurpose,
  recipient: string,
  code: string,
  ticket = '',
): Promise<boolean> {
  const { rows } = await sql<{ code_hash: Buffer }>`
    update auth_code set tries = tries + 1 where purpose = ${purpose} and recipient = ${asked(recipient, ticket)} and tries < ${TRIES} and expires_at > now()
    returning code_hash`.execute(db);
  const right = rows[0] !== undefined && timingSafeEqual(rows[0].code_hash, hashOf(key, purpose, recipient, code));
  if (right) {
    await sql`delete from auth_code where purpose = ${purpose} and recipient = ${asked(recipient, ticket)}`.execute(db);
    await sql`delete from auth_attempt where key = ${unusedKey(purpose, recipient)}`.execute(db);
  }
  return right;
}
