import { sql } from 'kysely';
import type { Db } from '../../platform/context.ts';
import { type Found, openAlarms, recover } from './open-alarms.ts';

export interface Open {
  readonly id: number;
  readonly rule_id: number | null;
  readonly subject: string;
  readonly ended_since: Date | null;
  readonly clear_minutes: number;
}
const keyOf = (ruleId: number | null, subject: string) => `${ruleId} ${subject}`;
const MINUTE = 60_000;

interface Settled {
  readonly raised: readonly Found[];
  readonly back: readonly number[];
  readonly ending: readonly number[];
  readonly over: readonly number[];
}

/** What becomes of alarms, by what is so now and which are open: nothing that comes and goes within its minutes opens or closes one. */
export function decide(found: readonly Found[], open: readonly Open[], now: Date): Settled {
  const isSo = new Set(found.map((one) => keyOf(one.ruleId, one.subject)));
  const isOpen = new Set(open.map((one) => keyOf(one.rule_id, one.subject)));
  const gone = open.filter((one) => !isSo.has(keyOf(one.rule_id, one.subject)));
  const isOver = (one: Open) => (one.ended_since ?? now).getTime() + one.clear_minutes * MINUTE <= now.getTime();
  return {
    raised: found.filter((one) => !isOpen.has(keyOf(one.ruleId, one.subject))),
    back: open.filter((one) => one.ended_since !== null && isSo.has(keyOf(one.rule_id, one.subject))).map(({ id }) => id),
    ending: gone.filter((one) => one.ended_since === null && !isOver(one)).map(({ id }) => id),
    over: gone.filter(isOver).map(({ id }) => id),
  };
}

/** Carries it out. Answers whose alarms changed. What was closed by hand counts up no more. */
export async function settle(db: Db, now: Date, { raised, back, ending, over }: Settled): Promise<string[]> {
  const opened = await openAlarms(db, now, raised);
  if (back.length > 0)
    await sql`update alert_alarm set ended_since = null, count = count + (not quiet)::int, last_at = case when quiet then last_at else ${now} end where id = any(${back}::bigint[])`.execute(
      db,
    );
  if (ending.length > 0) await sql`update alert_alarm set ended_since = ${now} where id = any(${ending}::bigint[])`.execute(db);
  await recover(db, now, over);
  const { rows } = await sql<{ dept_path: string }>`
    select distinct dept_path from alert_alarm where id = any(${[...back, ...over]}::bigint[])`.execute(db);
  return [...opened, ...rows.map((one) => one.dept_path)];
}
