import { sql } from 'kysely';
import type { Db } from '../../platform/context.ts';

/** Design 5, "People": captcha after three failures; a wait after more, per account at one address, so that nobody can lock out another. */
export const CAPTCHA_AFTER = 3;
const WAIT_AFTER = 8;
const WAIT_AFTER_ADDRESS = 60;
const FORGET_MINUTES = 15;

export interface Attempts {
  readonly captcha: boolean;
  readonly waitSeconds: number;
}

const keysOf = (account: string, ip: string) => ({
  account: `account:${account.toLowerCase()}`,
  pair: `pair:${account.toLowerCase()}@${ip}`,
  address: `address:${ip}`,
});

export async function attemptsOf(db: Db, account: string, ip: string): Promise<Attempts> {
  const keys = keysOf(account, ip);
  const rows = await sql<{ key: string; failures: number; wait: number }>`
    select key, failures, ceil(extract(epoch from until - now()))::int as wait from auth_attempt where key in (${sql.join(Object.values(keys))}) and until > now()`.execute(
    db,
  );
  const failures = (key: string) => rows.rows.find((row) => row.key === key)?.failures ?? 0;
  const waits = rows.rows.filter(
    (row) => (row.key === keys.pair && row.failures >= WAIT_AFTER) || (row.key === keys.address && row.failures >= WAIT_AFTER_ADDRESS),
  );
  return {
    captcha: failures(keys.account) >= CAPTCHA_AFTER || failures(keys.address) >= CAPTCHA_AFTER * 3,
    waitSeconds: Math.max(0, ...waits.map((row) => row.wait)),
  };
}

export async function noteFailure(db: Db, account: string, ip: string): Promise<void> {
  for (const key of Object.values(keysOf(account, ip))) {
    await sql`
      insert into auth_attempt (key, failures, until) values (${key}, 1, now() + make_interval(mins => ${FORGET_MINUTES}))
      on conflict (key) do update set failures = case when auth_attempt.until < now() then 1 else auth_attempt.failures + 1 end, until = excluded.until`.execute(
      db,
    );
  }
}

export async function forgetFailures(db: Db, account: string, ip: string): Promise<void> {
  const keys = keysOf(account, ip);
  await sql`delete from auth_attempt where key in (${keys.account}, ${keys.pair})`.execute(db);
}
