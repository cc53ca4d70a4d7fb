import { alarmMachine } from '@mooring/contract/alert/state-machines';
import { sql } from 'kysely';
import type { Db } from '../../platform/context.ts';
import { move, recordCreated, statefulTable } from '../../platform/db/move.ts';
import type { About } from './terminal-conditions.ts';

export const alarmRows = statefulTable('alert_alarm', alarmMachine);

/** What a rule waits for and is so. */
export interface Found {
  readonly ruleId: number;
  /** Within its rule: what it is about. */
  readonly subject: string;
  readonly deviceId: number | null;
  /** Of what is no terminal: what it is called, and whose it is. */
  readonly label: string;
  readonly path: string | null;
  readonly about: About;
  readonly figure: number | null;
  readonly threshold: number | null;
  /** How often it happened. */
  readonly n: number;
}
export const subjectOf = (deviceId: number): string => `d${deviceId}`;

/** What came several times at once is one, so often. */
function once(found: readonly Found[]): Found[] {
  const byKey = new Map<string, Found>();
  for (const one of found) {
    const key = `${one.ruleId} ${one.subject}`;
    byKey.set(key, { ...one, n: one.n + (byKey.get(key)?.n ?? 0) });
  }
  return [...byKey.values()];
}

/**
 * Opens an alarm for each, or counts it up where one is open. Muted rules and terminals raise none. Who comes at the same time finds the other's
 * alarm by its unique index. Answers whose they are.
 */
export async function openAlarms(db: Db, now: Date, found: readonly Found[]): Promise<string[]> {
  if (found.length === 0) return [];
  const rows = JSON.stringify(
    once(found).map(({ ruleId, subject, deviceId, label, path, about, figure, threshold, n }) => ({
      rule_id: ruleId,
      subject,
      device_id: deviceId,
      label,
      path,
      about,
      figure,
      threshold,
      n,
    })),
  );
  const { rows: made } = await sql<{ id: number; fresh: boolean; dept_path: string }>`
    insert into alert_alarm as t (subject, label, priority, kind, about, rule_id, rule_name, device_id, product_id, figure, threshold, clear_minutes, count,
      opened_at, last_at, tell_at, escalate_at, dept_id, dept_path)
    select x.subject, coalesce(d.sn, nullif(x.label, ''), o.name), a.priority, a.kind, x.about, a.id, a.name, x.device_id, d.product_id, x.figure, x.threshold, a.clear_minutes, x.n,
      ${now}, ${now}, ${now}, ${now}::timestamptz + make_interval(mins => a.escalate_minutes), o.id, o.dept_path
    from jsonb_to_recordset(${rows}::jsonb) as x(rule_id bigint, subject text, device_id bigint, label text, path text, about jsonb, figure real, threshold real, n int)
    join alert_rule a on a.id = x.rule_id and a.enabled and (a.muted_until is null or a.muted_until <= ${now})
    left join device d on d.id = x.device_id
    join org_dept o on o.dept_path = coalesce(d.dept_path, x.path, a.dept_path)
    where not exists (select from alert_mute m where m.device_id = x.device_id and m.until > ${now} and starts_with(a.dept_path, m.by_path))
    order by x.rule_id, x.subject
    on conflict (rule_id, subject) where state <> 'closed'
      do update set count = t.count + excluded.count, last_at = excluded.last_at, ended_since = null, about = excluded.about, figure = excluded.figure
    returning id, xmax = 0 as fresh, dept_path`.execute(db);
  const fresh = made.filter((one) => one.fresh).map((one) => one.id);
  if (fresh.length > 0) await recordCreated(db, alarmRows, fresh, null);
  return made.map((one) => one.dept_path);
}

/** Alarms that are over by themselves; whoever asked for it is told. */
export async function recover(db: Db, now: Date, ids: readonly number[], reason = ''): Promise<void> {
  if (ids.length === 0) return;
  const tell = sql`case when exists (select from alert_rule a where a.id = t.rule_id and a.tell_end and a.enabled) then ${now}::timestamptz end`;
  await sql`update alert_alarm set quiet = false, ended_since = null where id = any(${ids}::bigint[]) and quiet`.execute(db);
  await move(db, alarmRows, 'recover', ids, { set: { closed_at: now, ended_since: null, escalate_at: null, tell_at: tell, reason } });
}
