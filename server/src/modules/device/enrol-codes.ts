import { createHash, randomInt } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '../../platform/context.ts';

/** Without letters and digits that are mistaken for each other. */
const ALPHABET = 'ABCDEFGHJKMNPQRSTVWXYZ23456789';
const GROUPS = 4;
const LENGTH = 5;

/** 20 signs of 30: 98 bits, written in groups that a person can read out. */
export function newEnrolCode(): string {
  const group = () => Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return Array.from({ length: GROUPS }, group).join('-');
}

export const hashOfCode = (code: string): string => createHash('sha256').update(`enrol:${code.trim().toUpperCase()}`).digest('hex');

export interface CodeRow {
  readonly id: number;
  readonly sn: string | null;
  readonly product_id: number | null;
  readonly dept_id: number;
  readonly dept_path: string;
}

export async function findCode(db: Db, code: string, now: Date): Promise<CodeRow | undefined> {
  const found = await sql<CodeRow>`
    select id, sn, product_id, dept_id, dept_path from device_enrol_code
    where code_hash = ${hashOfCode(code)} and state = 'open' and expires_at > ${now} and uses < max_uses`.execute(db);
  return found.rows[0];
}

/** Counts one use; two terminals at once can't share the last one. */
export async function useCode(db: Db, id: number): Promise<boolean> {
  const used = await sql`update device_enrol_code set uses = uses + 1 where id = ${id} and uses < max_uses and state = 'open'`.execute(db);
  return Number(used.numAffectedRows) === 1;
}
