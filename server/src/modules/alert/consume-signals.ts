import { sql } from 'kysely';
import type { Db } from '../../platform/context.ts';
import { onUp } from '../../platform/gateway/message.ts';
import { enqueue } from '../../platform/jobs/enqueue.ts';
import { isOfRule, ofGroups, rulesAbove } from './in-scope.ts';
import { type Found, openAlarms, subjectOf } from './open-alarms.ts';

export const CONSUME = 'alert:consume';
const MOST = 5000;

/** Whether a rule `a` waits for an event of this name and level. */
const waitsFor = sql<boolean>`(a.params ->> 'name' = '' or lower(a.params ->> 'name') = lower(e.name))
  and array_position(array['info', 'warning', 'alarm'], e.level) >= array_position(array['info', 'warning', 'alarm'], a.params ->> 'level')`;

/** Events of terminals that a rule waits for, in the transaction that keeps them. Repeated ones were dropped before. */
export const noteEvents = onUp('event', async (db, batch, app) => {
  const rows = JSON.stringify(
    batch.map((one) => ({ device_id: one.deviceId, dept_path: one.deptPath, name: one.data.name, level: one.data.level })),
  );
  const noted = await sql`
    insert into alert_signal (kind, row_id, at, data, dept_path)
    select 'event', e.device_id, ${app.now()}, jsonb_build_object('name', e.name, 'level', e.level), e.dept_path
    from jsonb_to_recordset(${rows}::jsonb) as e(device_id bigint, dept_path text, name text, level text)
    where exists (select from alert_rule a where a.kind = 'event' and a.enabled and a.dept_path = any(paths_above(e.dept_path)) and ${waitsFor})`.execute(
    db,
  );
  if ((noted.numAffectedRows ?? 0n) > 0n) await tellSoon(db);
});

/** What was raised or ended in this transaction is told after it, not with the look of the minute. */
export async function tellSoon(db: Db): Promise<void> {
  if (await isFirst(db)) await enqueue(db, CONSUME, { payload: {} }, { key: CONSUME });
}

/**
 * Whether nobody else queues the job right now: its row is held until the end of a batch, and the others would wait for it. What comes too late for
 * that job is taken by the look of the minute.
 */
async function isFirst(db: Db): Promise<boolean> {
  const { rows } = await sql<{ is: boolean }>`select pg_try_advisory_xact_lock(hashtextextended(${CONSUME}, 0)) as is`.execute(db);
  return rows[0]?.is ?? false;
}

interface Signal {
  readonly kind: string;
  readonly row_id: number;
  readonly data: { readonly name?: string; readonly level?: string; readonly when?: string };
  readonly dept_path: string;
}

interface Happened {
  readonly rule_id: number;
  readonly device_id: number;
  readonly scope: string;
  readonly group_ids: readonly number[];
  readonly name: string;
  readonly n: number;
}

async function ofEvents(db: Db, signals: readonly Signal[]): Promise<Found[]> {
  if (signals.length === 0) return [];
  const rows = JSON.stringify(signals.map(({ row_id, data }) => ({ device_id: row_id, ...data })));
  const devices = new Map(signals.map(({ row_id, dept_path }) => [row_id, { device_id: row_id, dept_path }]));
  const found: Happened[] = [];
  for await (const pairs of rulesAbove(db, ['event'], [...devices.values()])) {
    const page = await sql<Happened>`
    select a.id as rule_id, d.id as device_id, a.scope, a.group_ids, max(e.name) as name, count(*)::int as n
    from jsonb_to_recordset(${rows}::jsonb) as e(device_id bigint, name text, level text)
    join unnest(${pairs.map((one) => one.device_id)}::bigint[], ${pairs.map((one) => one.rule_id)}::bigint[]) as x(device_id, rule_id) on x.device_id = e.device_id
    join device d on d.id = e.device_id and d.deleted_at is null
    join alert_rule a on a.id = x.rule_id and ${waitsFor}
    where ${isOfRule} group by a.id, d.id`.execute(db);
    found.push(...page.rows);
  }
  return (await ofGroups(db, found)).map(({ rule_id, device_id, name, n }) => ({
    ruleId: rule_id,
    subject: subjectOf(device_id),
    deviceId: device_id,
    label: '',
    path: null,
    about: { name },
    figure: null,
    threshold: null,
    n,
  }));
}

const FAILED = ['4', '5', '7'];
const SETTLED = ['3', '4', '5', '6', '7', '9', '10'];

/** Releases that were halted, or finished with so many failures. */
async function ofReleases(db: Db, signals: readonly Signal[]): Promise<Found[]> {
  if (signals.length === 0) return [];
  const rows = JSON.stringify(signals.map(({ row_id, data }) => ({ task_id: row_id, when: data.when })));
  const found = await sql<{
    rule_id: number;
    task_id: number;
    name: string;
    kind: string;
    when: string;
    dept_path: string;
    failed: number;
    ended: number;
    percent: number;
  }>`
    select a.id as rule_id, t.id as task_id, t.name, t.kind, e.when, t.dept_path, n.failed, n.ended, (a.params ->> 'failed')::int as percent
    from jsonb_to_recordset(${rows}::jsonb) as e(task_id bigint, "when" text)
    join rollout_task t on t.id = e.task_id
    cross join lateral (
      select coalesce(sum(y.n) filter (where y.state = any(${FAILED}::text[])), 0)::int as failed,
        coalesce(sum(y.n) filter (where y.state = any(${SETTLED}::text[])), 0)::int as ended from rollout_tally y where y.task_id = t.id
    ) n
    join alert_rule a on a.kind = 'release' and a.enabled and a.dept_path = any(paths_above(t.dept_path)) and a.params ->> 'when' = e.when
    where e.when = 'halted' or (n.failed > 0 and n.failed * 100.0 / nullif(n.ended, 0) >= (a.params ->> 'failed')::int)`.execute(db);
  return found.rows.map((row) => ({
    ruleId: row.rule_id,
    subject: `t${row.task_id}`,
    deviceId: null,
    label: row.name,
    path: row.dept_path,
    about: { when: row.when, failed: row.failed, ended: row.ended, taskId: row.task_id, taskKind: row.kind },
    figure: row.ended === 0 ? null : Math.round((row.failed * 100) / row.ended),
    threshold: row.percent,
    n: 1,
  }));
}

/** Takes what happened, in the transaction that raises its alarms. Answers whether there may be more, and whose alarms changed. */
export async function consumeSignals(db: Db, now: Date): Promise<{ isEnd: boolean; changed: string[] }> {
  const { rows } = await sql<Signal>`
    delete from alert_signal where id in (select id from alert_signal order by id limit ${MOST} for update skip locked)
    returning kind, row_id, data, dept_path`.execute(db);
  const of = (kind: string) => rows.filter((one) => one.kind === kind);
  const changed = await openAlarms(db, now, [...(await ofEvents(db, of('event'))), ...(await ofReleases(db, of('release')))]);
  return { isEnd: rows.length < MOST, changed };
}
