import type { LoginPolicy } from '@mooring/contract/auth/policy';
import { fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import type { Ctx, Db } from '../../platform/context.ts';
import { homeOf } from '../../platform/unproven.ts';
import { LATELY } from './find-user.ts';

/** Many people may share an address, so it waits later than an account does. */
const PER_ADDRESS = 6;
/** Failures are remembered for a day after the last one. */
const REMEMBERED_MINUTES = 1440;
/** Failures of an address that double the work of everybody there. */
const WORK_PER_ADDRESS = 18;
const FIRST_WAIT = 30;

/*
 * Nobody is locked out by what others try. After the tries that the policy allows each further one waits, half a minute first, then twice as
 * long each time, up to the policy's time; the last administrator's too. What is tried is counted apart where its person signed in from that
 * address before, so strangers make only strangers wait.
 *
 * There are two counts of it. The one of the name that was typed is shown, by waits and work. The one of the person, whatever name was typed, is shown
 * nowhere, or it would tell which account and which address belong together: once it waits, nothing is looked at, and the answer is that of a wrong try.
 */
export interface Attempts {
  /** How much work is asked for besides a password; undefined: none. */
  readonly work: number | undefined;
  readonly waitSeconds: number;
}
/** Who is tried, by which name, and from where; `known` where the person signed in from there before. */
export interface Trying {
  readonly who: string;
  /** Without one (a passkey, single sign-on) nothing that is shown is counted. */
  readonly typed: string | undefined;
  readonly ip: string;
  readonly known: boolean;
}
export interface Try {
  /** Of the person, with this one; 0 where it isn't looked at. */
  readonly failures: number;
  /** False where all tries for the person are used up, by whatever name: even the right one is refused as a wrong one is. */
  readonly counts: boolean;
}

export const sendingKey = (ip: string): string => `codes-from:${homeOf(ip)}`;
const addressKey = (ip: string): string => `address:${homeOf(ip)}`;

/** Of whom: a known person whatever name was typed, or the name as typed. */
export async function tryingOf(db: Db, userId: number | undefined, name: string | undefined, ip: string): Promise<Trying> {
  const typed = name?.toLowerCase();
  // Asked for nobody as well, so that the answer takes as long.
  const { rows } =
    await sql`select 1 from auth_session where user_id = ${userId ?? 0} and ip = ${ip} and created_at > ${LATELY} limit 1`.execute(db);
  return userId === undefined
    ? { who: `?${typed ?? ''}`, typed, ip, known: false }
    : { who: `#${userId}`, typed, ip, known: rows.length > 0 };
}

interface Keys {
  readonly person: string;
  readonly shown: string | undefined;
  readonly address: string;
}
function keysOf({ who, typed, ip, known }: Trying): Keys {
  const shown = known ? `typed-at:${homeOf(ip)} ${typed}` : `typed:${typed}`;
  return {
    person: known ? `pair:${who}@${ip}` : `account:${who}`,
    shown: typed === undefined ? undefined : shown,
    address: addressKey(ip),
  };
}
// In one order, so that two at once wait for each other and never in a circle.
const listOf = ({ person, shown, address }: Keys): string[] => [person, ...(shown === undefined ? [] : [shown]), address].sort();

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
  const { shown = '', address } = keysOf(trying);
  const { rows } = await sql<{ key: string; failures: number; wait: number }>`
    select key, failures, greatest(0, coalesce(ceil(extract(epoch from blocked_until - now())), 0))::int as wait
    from auth_attempt where key in (${shown}, ${address}) and until > now()`.execute(db);
  const of = (key: string) => rows.find((row) => row.key === key) ?? { failures: 0, wait: 0 };
  return {
    work: workOf(of(shown).failures, of(address).failures, policy.captchaAfter),
    waitSeconds: Math.max(of(shown).wait, of(address).wait),
  };
}

/**
 * Counts a try before it is looked at: of many at once only as many as are free get through. Right ones are given back. Fault: TOO_MANY.
 */
export function countTry(ctx: Pick<Ctx, 'unscoped'>, trying: Trying, policy: LoginPolicy): Promise<Try> {
  const keys = keysOf(trying);
  return ctx.unscoped(async (db) => {
    let failures = 0;
    for (const key of listOf(keys)) {
      const free = key === keys.address ? policy.maxTries * PER_ADDRESS : policy.maxTries;
      const { rows } = await sql<{ failures: number }>`
        insert into auth_attempt as a (key, failures, until, blocked_until) values (${key}, 1, now() + make_interval(mins => ${REMEMBERED_MINUTES}), null)
        on conflict (key) do update set until = excluded.until,
          failures = case when a.until < now() then 1 else a.failures + 1 end,
          blocked_until = case when a.until < now() or a.failures + 1 < ${free} then null
            else now() + make_interval(secs => least(${policy.lockMinutes * 60}, ${FIRST_WAIT} * power(2, least(30, a.failures + 1 - ${free})))) end
        where a.blocked_until is null or a.blocked_until <= now() or a.until < now() returning failures`.execute(db);
      if (key === keys.person) failures = rows[0]?.failures ?? 0;
      // Thrown, so that the other counts aren't left behind.
      else if (!rows[0]) throw fault('TOO_MANY', { seconds: (await attemptsOf(db, trying, policy)).waitSeconds || 1 });
    }
    return { failures, counts: failures > 0 };
  });
}

/** The try was right, but there is a second step to take. */
export async function giveBack(db: Db, trying: Trying): Promise<void> {
  for (const key of listOf(keysOf(trying)))
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

/** Somebody came in: what was tried before was theirs. The address keeps what it did to others, and another name of theirs what was tried by it. */
export async function forgetFailures(db: Db, trying: Trying): Promise<void> {
  const { person, shown } = keysOf(trying);
  await giveBack(db, trying);
  await sql`delete from auth_attempt where key = any(${[person, ...(shown === undefined ? [] : [shown])]}::text[])`.execute(db);
}

// Where strangers wait at a person: by either name, or by both.
const unknownKeys = sql`array['account:#' || u.id, 'typed:' || lower(u.account), 'typed:' || lower(u.email)]`;

/** An administrator, the owner of the mailbox or the command on the server: the account waits nowhere any more, by no name. */
export async function forgetAllFailures(db: Db, userId: number): Promise<boolean> {
  const { rows } = await sql`delete from auth_attempt a using account_user u where u.id = ${userId} and (a.key = any(${unknownKeys})
    or a.key like ${`pair:#${userId}@%`} or (a.key like 'typed-at:%' and substr(a.key, strpos(a.key, ' ') + 1) in (lower(u.account), lower(u.email)))) returning a.key`.execute(
    db,
  );
  return rows.length > 0;
}

/** Until when strangers wait at these accounts. */
export async function waitsOf(db: Db, userIds: readonly number[]): Promise<ReadonlyMap<number, Date>> {
  const { rows } = await sql<{ id: number; at: Date }>`
    select u.id, max(a.blocked_until) as at from account_user u join auth_attempt a on a.key = any(${unknownKeys})
    where u.id = any(${userIds}::bigint[]) and a.blocked_until > now() group by u.id`.execute(db);
  return new Map(rows.map((row) => [row.id, row.at]));
}

/** Counts within a time that began with the first: whoever goes on asking makes it no longer. Answers how many, and the seconds until it is over. */
export async function countWithin(db: Db, key: string, minutes: number): Promise<{ count: number; seconds: number }> {
  const { rows } = await sql<{ count: number; seconds: number }>`
    insert into auth_attempt as a (key, failures, until) values (${key}, 1, now() + make_interval(mins => ${minutes}))
    on conflict (key) do update set failures = case when a.until < now() then 1 else a.failures + 1 end,
      until = case when a.until < now() then excluded.until else a.until end
    returning failures as count, ceil(extract(epoch from until - now()))::int as seconds`.execute(db);
  return rows[0] ?? { count: 1, seconds: minutes * 60 };
}
