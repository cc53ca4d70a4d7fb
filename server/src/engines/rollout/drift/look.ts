import { type RawBuilder, sql } from 'kysely';
import type { AppContext } from '../../../platform/app-context.ts';
import type { Db } from '../../../platform/context.ts';
import type { RolloutKind } from '../task.ts';
import { hasOf } from './has-of.ts';
import { UNDER_WAY } from './note-wanted.ts';
import { holdWanted, isShown, touchDrift } from './wanted-rows.ts';

/** Marks that one transaction takes. */
const BATCH = 2000;
/** One looks at a time: of two, the one that read first could write last. */
const LOCK = 7210;

/**
 * These have said what they are, and those of `changed` something else than before: where something is wanted of them, or wasn't seen there yet,
 * they are looked at, by the worker. In the transaction that writes what they said.
 */
export async function lookSoon(db: Db, deviceIds: readonly number[], changed: (id: number) => boolean, now: Date): Promise<void> {
  if (deviceIds.length === 0) return;
  await sql`
    insert into rollout_look (device_id, at) select d.id, ${now}::timestamptz
    from unnest(${[...deviceIds]}::bigint[], ${deviceIds.map(changed)}::boolean[]) as d(id, changed)
    where case when d.changed then exists (select from rollout_wanted w where w.device_id = d.id)
      else exists (select from rollout_wanted w where w.device_id = d.id and not w.settled and w.since is null) end`.execute(db);
}

interface Look {
  readonly id: number;
  readonly at: Date;
}

/** That a later one of the same succeeded there, which a server of before took the word of. */
const isLater = sql<boolean>`exists (
  select from rollout_result r join rollout_task t on t.id = r.task_id join rollout_attempt a on a.result_id = r.id
  where r.device_id = f.device_id and r.kind = f.kind and r.sent_at > f.sent_at and t.subject = f.part and a.outcome = 'success' and a.sent_at > f.sent_at)`;

/**
 * What these terminals say, beside what is wanted of them: rows `ruled`, with what each is to say from now on. Out of the reach of whose the
 * release is nothing is wanted any more, also where the release is gone. Of those that have said nothing since they were restored nothing is known.
 */
const ruling = (kinds: readonly RolloutKind[], looks: readonly Look[], among: RawBuilder<boolean>) => sql`
  facts as materialized (
    select w.*, l.at as look_at, d.dept_path as now_path, ${isShown} as was_shown,
      ${hasOf(kinds, { kind: sql`w.kind`, part: sql`w.part`, taskId: sql`w.task_id` })} as has,
      d.id is null or not starts_with(d.dept_path, coalesce(t.dept_path, m.dept_path, o.dept_path, '?')) as is_lost,
      coalesce(d.deleted_at is null and d.hello_hash is not null, false) as is_known, coalesce(p.seen_at > w.at, false) as is_heard,
      exists (select from rollout_result r join rollout_task s on s.id = r.task_id
        where r.device_id = w.device_id and r.state in ('1', '2', '8') and r.kind = w.kind and s.subject = w.part) as is_sent,
      g.id as tied_to, coalesce(g.state in ('auditing', 'scheduled', 'running'), false) as is_again
    from jsonb_to_recordset(${JSON.stringify(looks)}::jsonb) as l(id bigint, at timestamptz) join rollout_wanted w on w.device_id = l.id
      left join device d on d.id = w.device_id left join device_presence p on p.device_id = w.device_id
      left join rollout_task t on t.id = w.task_id left join org_dept o on o.id = w.owner_dept_id left join org_dept m on m.id = o.merged_into
      left join rollout_task g on g.id = w.again_task_id and g.gathered_at is null and g.state not in ('finished', 'cancelled', 'rejected')
    where ${among}
  ), said as (
    select *, case when not is_known then 'unknown' when has is not distinct from version then 'holds'
      when not settled and (has is null or has is not distinct from before) and (look_at < at + ${UNDER_WAY} or not is_heard) then 'waits'
      when ${isLater} then 'later' else 'drifts' end as verdict
    from facts f
  ), judged as (
    select *, settled or verdict = 'holds' as now_settled, case verdict when 'unknown' then found when 'drifts' then has end as now_found,
      case verdict when 'unknown' then since when 'drifts' then coalesce(since, look_at) end as now_since, is_sent or is_again as now_busy
    from said
  ), ruled as (
    select *, is_lost or (dept_path, settled, found, since is null, busy, again_task_id is null)
        is distinct from (now_path, now_settled, now_found, now_since is null, now_busy, tied_to is null) as is_changed,
      not is_lost and now_since is not null and not now_busy as is_shown
    from judged
  )`;

/** Answers what shows otherwise now. */
const rule = (db: Db, kinds: readonly RolloutKind[], looks: readonly Look[], ids: readonly number[]) =>
  sql<{ kind: string; dept_path: string }>`
    with ${ruling(kinds, looks, sql<boolean>`w.id = any(${[...ids]}::bigint[])`)}, dropped as (
      delete from rollout_wanted w using ruled j where w.id = j.id and j.is_lost
    ), kept as (
      update rollout_wanted w set dept_path = j.now_path, settled = j.now_settled, found = j.now_found, since = j.now_since, busy = j.now_busy, again_task_id = j.tied_to
      from ruled j where w.id = j.id and j.is_changed and not j.is_lost
    )
    select distinct j.kind, x.path as dept_path from ruled j, unnest(array[j.dept_path, j.now_path]) as x(path)
    where x.path is not null and (j.was_shown <> j.is_shown or j.is_shown and (j.found is distinct from j.now_found or j.dept_path <> j.now_path))`.execute(
    db,
  );

/** The next terminals that wait to be looked at. Answers how many marks there were; none where another server looks. Twice is harmless. */
async function lookOnce(db: Db, app: Pick<AppContext, 'now' | 'invalidate'>, kinds: readonly RolloutKind[]): Promise<number> {
  const got = await sql<{ got: boolean }>`select pg_try_advisory_xact_lock(${LOCK}) as got`.execute(db);
  if (!got.rows[0]?.got) return 0;
  const now = app.now();
  const { rows: marks } = await sql<{ device_id: number; at: Date | null }>`
    delete from rollout_look where id = any(array(select id from rollout_look where due_at <= ${now} order by due_at, id limit ${BATCH}))
    returning device_id, at`.execute(db);
  if (marks.length === 0) return 0;
  const newest = new Map<number, Date>();
  for (const { device_id: id, at } of marks) {
    const said = at ?? now;
    const other = newest.get(id);
    if (!other || other < said) newest.set(id, said);
  }
  const looks = [...newest].map(([id, at]) => ({ id, at }));
  // Most have what is wanted of them: only what differs is held, and judged anew once it is.
  const differing = await sql<{ id: number }>`
    with ${ruling(kinds, looks, sql<boolean>`true`)} select id from ruled where is_changed`.execute(db);
  if (differing.rows.length === 0) return marks.length;
  const held = await holdWanted(db, sql<boolean>`w.id = any(${differing.rows.map(({ id }) => id)}::bigint[])`);
  const shown = await rule(
    db,
    kinds,
    looks,
    held.map(({ id }) => id),
  );
  await touchDrift(db, app, shown.rows);
  return marks.length;
}

/** One round. Answers whether there may be more at once. */
export const lookAtDrift = async (app: AppContext, kinds: readonly RolloutKind[]): Promise<boolean> =>
  (await app.inBulk((db) => lookOnce(db, app, kinds))) === BATCH;
