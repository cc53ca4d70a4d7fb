import type { LoginPolicy } from '@mooring/contract/auth/policy';
import { fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import type { Ctx, Db } from '../../platform/context.ts';
import { homeOf } from '../../platform/unproven.ts';

/** Many people may share an address, so it waits later than an account does. */
const PER_ADDRESS = 6;
/** Failures are remembered for a day after the last one. */
const REMEMBERED_MINUTES = 1440;
/** Failures of an address that double the work of everybody there. */
const WORK_PER_ADDRESS = 18;
const FIRST_WAIT = 30;

/*
 * Nobody is locked out by what others try. After the tries that the policy allows each further one waits, half a minute first, then twice as
 * long each time, up to the policy's time; the last administrator's too. An account has two counts: one for the addresses from which its
 * person signed in before, each by itself, and one for all others together. So strangers make only strangers wait.
 */
export interface Attempts {
  /** How much work is asked for besides a password; undefined: none. */
  readonly work: number | undefined;
  readonly waitSeconds: number;
}
/** Who is tried, and from where; `known` where the person signed in from there before. */
export interface Trying {
  readonly who: string;
  readonly ip: string;
  readonly known: boolean;
}

export const sendingKey = (ip: string): string => `codes-from:${homeOf(ip)}`;
const addressKey = (ip: string): string => `address:${homeOf(ip)}`;
export const accountKey = (userId: number): string => `account:#${userId}`;

/** Of whom: a known person whatever name was typed, or the name as typed. */
export async function tryingOf(db: Db, userId: number | undefined, typed: string, ip: string): Promise<Trying> {
  if (userId === undefined) return { who: typed.toLowerCase(), ip, known: false };
  const { rows } =
    await sql`select 1 from auth_session where user_id = ${userId} and ip = ${ip} and created_at > now() - interval '90 days' limit 1`.execute(
      db,
    );
  return { who: `#${userId}`, ip, known: rows.length > 0 };
}

const keysOf = ({ who, ip, known }: Trying) => ({ own: known ? `pair:${who}@${ip}` : `account:${who}`, address: addressKey(ip) });

const bounds = (trying: Trying, policy: LoginPolicy) => {
  const { own, address } = keysOf(trying);
  // In one order, so that two at once wait for each other and never in a circle.
  return [
    { key: own, free: policy.maxTries },
    { key: address, free: policy.maxTries * PER_ADDRESS },
  ].sort((a, b) => (a.key < b.key ? -1 : 1));
};

/** Grows by one with each failure of the account, and more slowly with those of the address. */
function workOf(own: number, address: number, free: number): number | undefined {
  const [overOwn, overAddress] = [own - free, address - Math.max(1, free) * 3];
  const levels = [overOwn, Math.floor(overAddress / WORK_PER_ADDRESS)].filter((level) => level >= 0);
  return levels.length > 0 ? Math.max(...levels) : undefined;
}

/** Grows with what an address had sent within the hour, to whomever. */
export async function sendingLevel(db: Db, ip: string): Promise<number> {
  const { rows } = await sql<{
    failures: number;
  }>`select failures from auth_attempt where key = ${sendingKey(ip)} and until > now()`.execute(db);
  return Math.floor((rows[0]?.failures ?? 0) / PER_ADDRESS);
}

export async function attemptsOf(db: Db, trying: Trying, policy: LoginPolicy): Promise<Attempts> {
  const { own, address } = keysOf(trying);
  const { rows } = await sql<{ key: string; failures: number; wait: number }>`
    select key, failures, greatest(0, coalesce(ceil(extract(epoch from blocked_until - now())), 0))::int as wait
    from auth_attempt where key in (${own}, ${address}) and until > now()`.execute(db);
  const of = (key: string) => rows.find((row) => row.key === key) ?? { failures: 0, wait: 0 };
  return {
    work: workOf(of(own).failures, of(address).failures, policy.captchaAfter),
    waitSeconds: Math.max(of(own).wait, of(address).wait),
  };
}

/**
 * Counts a try before it is looked at: of many at once only as many as are free get through. Right ones are given back. Answers the
 * failures of the account. Fault: TOO_MANY.
 */
export function takeTry(ctx: Pick<Ctx, 'unscoped'>, trying: Trying, policy: LoginPolicy): Promise<number> {
  return ctx.unscoped(async (db) => {
    let failures = 0;
    for (const { key, free } of bounds(trying, policy)) {
      const { rows } = await sql<{ failures: number }>`
        insert into auth_attempt as a (key, failures, until, blocked_until) values (${key}, 1, now() + make_interval(mins => ${REMEMBERED_MINUTES}), null)
        on conflict (key) do update set until = excluded.until,
          failures = case when a.until < now() then 1 else a.failures + 1 end,
          blocked_until = case when a.until < now() or a.failures + 1 < ${free} then null
            else now() + make_interval(secs => least(${policy.lockMinutes * 60}, ${FIRST_WAIT} * power(2, least(30, a.failures + 1 - ${free})))) end
        where a.blocked_until is null or a.blocked_until <= now() or a.until < now() returning failures`.execute(db);
      // Thrown, so that the other count isn't left behind.
      if (!rows[0]) throw fault('TOO_MANY', { seconds: (await attemptsOf(db, trying, policy)).waitSeconds || 1 });
      if (key !== keysOf(trying).address) failures = rows[0].failures;
    }
    return failures;
  });
}

/** The try was right, but there is a second step to take. */
export async function giveBack(db: Db, trying: Trying): Promise<void> {
  for (const key of Object.values(keysOf(trying)).sort())
    await sql`update auth_attempt set failures = greatest(0, failures - 1), blocked_until = null where key = ${key}`.execute(db);
}

/** Against the address alone: what is tried there is bounded for each account otherwise. */
export const noteAddress = (db: Db, ip: string, policy: LoginPolicy): Promise<number> => countUp(db, addressKey(ip), policy.lockMinutes);

/** Counts within a time that begins anew with each count. */
export async function countUp(db: Db, key: string, minutes: number): Promise<number> {
  const { rows } = await sql<{ failures: number }>`
    insert into auth_attempt (key, failures, until) values (${key}, 1, now() + make_interval(mins => ${minutes}))
    on conflict (key) do update set failures = case when auth_attempt.until < now() then 1 else auth_attempt.failures + 1 end, until = excluded.until
    returning failures`.execute(db);
  return rows[0]?.failures ?? 1;
}

/** Somebody came in: what was tried before was theirs. The address keeps what it did to others. */
export async function forgetFailures(db: Db, trying: Trying): Promise<void> {
  await giveBack(db, trying);
  await sql`delete from auth_attempt where key = ${keysOf(trying).own}`.execute(db);
}

/** An administrator, the owner of the mailbox or the command on the server: the account waits nowhere any more. */
export async function forgetAllFailures(db: Db, userId: number): Promise<boolean> {
  const { rows } =
    await sql`delete from auth_attempt where key = ${accountKey(userId)} or key like ${`pair:#${userId}@%`} returning key`.execute(db);
  return rows.length > 0;
}

/** Until when strangers wait at these accounts. */
export async function waitsOf(db: Db, userIds: readonly number[]): Promise<ReadonlyMap<number, Date>> {
  const { rows } = await sql<{ key: string; at: Date }>`
    select key, blocked_until as at from auth_attempt where blocked_until > now() and key = any(${userIds.map(accountKey)}::text[])`.execute(
    db,
  );
  return new Map(rows.map((row) => [Number(row.key.slice('account:#'.length)), row.at]));
}
