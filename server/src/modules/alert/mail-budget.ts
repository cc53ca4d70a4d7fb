import { sql } from 'kysely';
import type { Db } from '../../platform/context.ts';
import type { Address } from './audience.ts';
import { hold, type Voice } from './say.ts';

/** Mails to addresses outside that the rules of one organisation send in an hour: nobody turns a fleet into a flood of mails. */
export const OUTSIDE_MAILS = 200;

const HOUR = 3_600_000;
const hourOf = (now: Date) => new Date(Math.floor(now.getTime() / HOUR) * HOUR);

/** How many of these mails may still go in this hour. */
async function take(db: Db, path: string, wanted: number, now: Date): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    insert into alert_mail_hour as h (dept_path, hour, n) values (${path}, ${hourOf(now)}, ${wanted})
    on conflict (dept_path, hour) do update set n = h.n + excluded.n returning n`.execute(db);
  const before = (rows[0]?.n ?? wanted) - wanted;
  return Math.max(0, Math.min(wanted, OUTSIDE_MAILS - before));
}

/** Addresses that are mailed now, `mails` each; the others are told in the next hour how many alarms there were. */
export async function withinBudget(db: Db, voice: Voice, addresses: readonly Address[], mails: number, n: number, now: Date) {
  if (addresses.length === 0 || mails === 0) return addresses;
  const allowed = Math.floor((await take(db, voice.dept_path, addresses.length * mails, now)) / mails);
  const late = addresses.slice(allowed);
  const due_at = new Date(hourOf(now).getTime() + HOUR);
  await hold(
    db,
    voice,
    late.map(({ email }) => ({ user_id: null, email, due_at })),
    n,
  );
  return addresses.slice(0, allowed);
}

/** Hours that are over say nothing any more. */
export const forgetMailHours = (db: Db, now: Date) => sql`delete from alert_mail_hour where hour < ${hourOf(now)}`.execute(db);
