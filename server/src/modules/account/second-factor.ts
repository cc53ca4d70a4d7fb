import { createHmac, randomBytes } from 'node:crypto';
import type { MfaMethod } from '@mooring/contract/auth/calls';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { MasterKey } from '../../platform/config/master-key.ts';
import type { Db } from '../../platform/context.ts';
import { base32, newSecret, stepOfCode } from './totp.ts';

export const SEALED = 'totp-seed';
const CODES = 10;

/** What a person can be asked for besides the password. Recovery codes stand in for either. */
export async function factorsOf(db: Db, userId: number): Promise<z.infer<typeof MfaMethod>[]> {
  const { rows } = await sql<{ totp: boolean; passkey: boolean; recovery: boolean }>`select
    exists (select from account_totp where user_id = ${userId} and bound_at is not null) as totp,
    exists (select from account_passkey where user_id = ${userId}) as passkey,
    exists (select from account_recovery_code where user_id = ${userId} and used_at is null) as recovery`.execute(db);
  const has = rows[0];
  if (!has || !(has.totp || has.passkey)) return [];
  return [
    ...(has.totp ? (['totp'] as const) : []),
    ...(has.passkey ? (['passkey'] as const) : []),
    ...(has.recovery ? (['recovery'] as const) : []),
  ];
}

/** Begins a binding: a new seed, which counts only once a code of it was given. */
export async function beginTotp(db: Db, key: MasterKey, userId: number): Promise<Buffer> {
  const secret = newSecret();
  const sealed = key.seal(SEALED, secret);
  await sql`insert into account_totp (user_id, secret_sealed) values (${userId}, ${sealed})
    on conflict (user_id) do update set secret_sealed = excluded.secret_sealed, last_step = 0, created_at = now() where account_totp.bound_at is null`.execute(
    db,
  );
  return secret;
}

/** True for a right code whose step was not used yet; the row is locked, so of two at once one wins. `bound` picks which seed counts. */
export async function consumeTotp(db: Db, key: MasterKey, userId: number, code: string, now: Date, bound = true): Promise<boolean> {
  const { rows } = await sql<{ secret_sealed: Buffer; last_step: number }>`select secret_sealed, last_step from account_totp
    where user_id = ${userId} and (bound_at is not null) = ${bound} and created_at > now() - case when ${bound} then interval '100 years' else interval '1 hour' end for update`.execute(
    db,
  );
  const row = rows[0];
  const step = row && stepOfCode(key.open(SEALED, row.secret_sealed), code, now, row.last_step);
  if (step === undefined) return false;
  await sql`update account_totp set last_step = ${step}, bound_at = coalesce(bound_at, now()) where user_id = ${userId}`.execute(db);
  return true;
}

const hashOf = (key: MasterKey, userId: number, code: string) =>
  createHmac('sha256', key.derive('recovery-code'))
    .update(`${userId}:${code.replace(/[^A-Z2-7]/gi, '').toUpperCase()}`)
    .digest();

/** Ten new codes, shown once; the earlier ones are worthless from now on. */
export async function makeRecoveryCodes(db: Db, key: MasterKey, userId: number): Promise<string[]> {
  const codes = Array.from({ length: CODES }, () => base32(randomBytes(10)).replace(/.{4}(?=.)/g, '$&-'));
  await sql`delete from account_recovery_code where user_id = ${userId}`.execute(db);
  for (const code of codes)
    await sql`insert into account_recovery_code (user_id, hash) values (${userId}, ${hashOf(key, userId, code)})`.execute(db);
  return codes;
}

export async function consumeRecoveryCode(db: Db, key: MasterKey, userId: number, code: string): Promise<boolean> {
  const { rows } =
    await sql`update account_recovery_code set used_at = now() where user_id = ${userId} and hash = ${hashOf(key, userId, code)} and used_at is null returning user_id`.execute(
      db,
    );
  return rows.length > 0;
}

/** Takes everything away that is asked for besides the password. */
export async function unbindFactors(db: Db, userId: number): Promise<void> {
  for (const table of ['account_totp', 'account_passkey', 'account_recovery_code'])
    await sql`delete from ${sql.table(table)} where user_id = ${userId}`.execute(db);
}

/** The app goes; its recovery codes too, unless a passkey is left that they stand in for. */
export async function unbindTotp(db: Db, userId: number): Promise<void> {
  await sql`delete from account_totp where user_id = ${userId}`.execute(db);
  await dropIdleRecovery(db, userId);
}

export async function dropIdleRecovery(db: Db, userId: number): Promise<void> {
  if ((await factorsOf(db, userId)).length === 0) await sql`delete from account_recovery_code where user_id = ${userId}`.execute(db);
}
