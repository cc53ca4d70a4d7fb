import { sql } from 'kysely';
import type { Db } from '../../platform/context.ts';
import type { Address } from './audience.ts';
import { type Alarms, hold, type Voice } from './say.ts';

/** Mails to addresses outside that the rules of one organisation send in an hour: nobody turns a fleet into a flood of mails. So many calls go to other systems too, counted by themselves. */
export const OUTSIDE_MAILS = 200;
type Channel = 'mail' | 'webhook';

const HOUR = 3_600_000;
const hourOf = (now: Date) => new Date(Math.floor(now.getTime() / HOUR) * HOUR);

/** How many of these may still go in this hour. */
async function take(db: Db, path: string, channel: Channel, wanted: number, now: Date): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    insert into alert_mail_hour as h (dept_path, hour, channel, n) values (${path}, ${hourOf(now)}, ${channel}, ${wanted})
    on conflict (dept_path, hour, channel) do update set n = h.n + excluded.n returning n`.execute(db);
  const before = (rows[0]?.n ?? wanted) - wanted;
  return Math.max(0, Math.min(wanted, OUTSIDE_MAILS - before));
}

/** Addresses that are told now, `messages` each; the others are told in the next hour of how many alarms. */
export async function withinBudget(
  db: Db,
  voice: Voice,
  addresses: readonly Address[],
  messages: number,
  alarms: Alarms,
  now: Date,
): Promise<readonly Address[]> {
  if (addresses.length === 0 || messages === 0) return addresses;
  const due_at = new Date(hourOf(now).getTime() + HOUR);
  const within: Address[] = [];
  for (const channel of ['mail', 'webhook'] as const) {
    const of = addresses.filter((one) => (one.webhook_id === null) === (channel === 'mail'));
    if (of.length === 0) continue;
    const allowed = Math.floor((await take(db, voice.dept_path, channel, of.length * messages, now)) / messages);
    const late = of.slice(allowed).map(({ email }) => ({ user_id: null, email, due_at }));
    await hold(db, voice, late, alarms);
    within.push(...of.slice(0, allowed));
  }
  return within;
}

/** Hours that are over say nothing any more. */
export const forgetMailHours = (db: Db, now: Date) => sql`delete from alert_mail_hour where hour < ${hourOf(now)}`.execute(db);
