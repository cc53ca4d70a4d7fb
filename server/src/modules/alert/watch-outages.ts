import { spanOf } from '@mooring/contract/alert/conditions';
import { sql } from 'kysely';
import type { Db } from '../../platform/context.ts';
import { decide, type Open, settle } from './settle.ts';

/** Minutes that any rule may look back, and some. */
const KEPT = 120;

interface Row {
  readonly id: number;
  readonly n: number;
  readonly terminals: number;
  readonly minutes: number;
}

/** Rules over many terminals that go silent at once, by what is counted each minute. Running twice changes nothing. */
export async function lookAtOutages(db: Db, now: Date): Promise<string[]> {
  const { rows } = await sql<Row>`
    select a.id, (a.params ->> 'terminals')::int as terminals, (a.params ->> 'minutes')::int as minutes, coalesce((
      select sum(l.n) from alert_lost l
      where l.minute > ${now}::timestamptz - make_interval(mins => (a.params ->> 'minutes')::int) and l.dept_path >= a.dept_path and l.dept_path < a.dept_path || '~'
    ), 0)::int as n
    from alert_rule a where a.kind = 'outage' and a.enabled`.execute(db);
  const open = await sql<Open>`
    select id, rule_id, subject, ended_since, clear_minutes from alert_alarm where kind = 'outage' and (state <> 'closed' or quiet) and device_id is null`.execute(
    db,
  );
  const found = rows
    .filter(({ n, terminals }) => n >= terminals)
    .map(({ id, n, terminals, minutes }) => ({
      ruleId: id,
      subject: 'all',
      deviceId: null,
      label: '',
      path: null,
      about: { figure: n, ...spanOf(minutes) },
      figure: n,
      threshold: terminals,
      n: 1,
    }));
  const changed = await settle(db, now, decide(found, open.rows, now));
  await sql`delete from alert_lost where minute < ${now}::timestamptz - make_interval(mins => ${KEPT})`.execute(db);
  return changed;
}
