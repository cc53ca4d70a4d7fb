import type { LoginPolicy } from '@mooring/contract/auth/policy';
import { sql } from 'kysely';
import type { Db } from '../../platform/context.ts';

/** Many people may share an address, so it waits later than an account does. */
const PER_ADDRESS = 6;

export interface Attempts {
  readonly captcha: boolean;
  /** The account waits everywhere: it is locked, or would be if it existed. */
  readonly lockedSeconds: number;
  readonly waitSeconds: number;
  /** Failures of this account, from anywhere. */
  readonly failures: number;
}

/** Of whom: a known person whatever name was typed, or the name as typed. */
export const whoOf = (userId: number | undefined, typed: string): string => (userId === undefined ? typed.toLowerCase() : `#${userId}`);

const keysOf = (who: string, ip: string) => ({ account: `account:${who}`, pair: `pair:${who}@${ip}`, address: `address:${ip}` });

export async function attemptsOf(db: Db, who: string, ip: string, policy: LoginPolicy): Promise<Attempts> {
  const keys = keysOf(who, ip);
  const { rows } = await sql<{ key: string; failures: number; wait: number }>`
    select key, failures, ceil(extract(epoch from until - now()))::int as wait from auth_attempt where key in (${sql.join(Object.values(keys))}) and until > now()`.execute(
    db,
  );
  const rowOf = (key: string) => rows.find((row) => row.key === key);
  const waitAfter = (key: string, most: number) => ((rowOf(key)?.failures ?? 0) >= most ? (rowOf(key)?.wait ?? 0) : 0);
  const failures = rowOf(keys.account)?.failures ?? 0;
  return {
    captcha: failures >= policy.captchaAfter || (rowOf(keys.address)?.failures ?? 0) >= Math.max(1, policy.captchaAfter) * 3,
    lockedSeconds: waitAfter(keys.account, policy.maxTries),
    waitSeconds: Math.max(waitAfter(keys.pair, policy.maxTries), waitAfter(keys.address, policy.maxTries * PER_ADDRESS)),
    failures,
  };
}

export async function noteFailure(db: Db, who: string, ip: string, policy: LoginPolicy): Promise<void> {
  // In one order, so that two at once wait for each other and never in a circle.
  for (const key of Object.values(keysOf(who, ip)).sort()) await countUp(db, key, policy.lockMinutes);
}

/** Against the address alone: what is tried there is bounded for each account otherwise. */
export const noteAddress = (db: Db, ip: string, policy: LoginPolicy): Promise<number> =>
  countUp(db, keysOf('', ip).address, policy.lockMinutes);

/** Counts within a time that begins anew with each count. */
export async function countUp(db: Db, key: string, minutes: number): Promise<number> {
  const { rows } = await sql<{ failures: number }>`
    insert into auth_attempt (key, failures, until) values (${key}, 1, now() + make_interval(mins => ${minutes}))
    on conflict (key) do update set failures = case when auth_attempt.until < now() then 1 else auth_attempt.failures + 1 end, until = excluded.until
    returning failures`.execute(db);
  return rows[0]?.failures ?? 1;
}

export async function forgetFailures(db: Db, who: string, ip: string): Promise<void> {
  const keys = keysOf(who, ip);
  await sql`delete from auth_attempt where key in (${keys.account}, ${keys.pair})`.execute(db);
}

/** An administrator unlocks: the account waits nowhere any more. */
export async function forgetAllFailures(db: Db, userId: number): Promise<void> {
  const who = whoOf(userId, '');
  await sql`delete from auth_attempt where key = ${`account:${who}`} or key like ${`pair:${who}@%`}`.execute(db);
}
