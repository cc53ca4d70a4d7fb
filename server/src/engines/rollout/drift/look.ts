import { driftGroups } from '@mooring/contract/engines/rollout/task-kind';
import { sql } from 'kysely';
import type { AppContext } from '../../../platform/app-context.ts';
import type { Db } from '../../../platform/context.ts';
import { invalidatePaths } from '../../../platform/live/invalidate-paths.ts';
import { kindNamed, type RolloutKind } from '../task.ts';
import { hasOf } from './has-of.ts';

/** Marks that one transaction takes. */
const BATCH = 2000;
/** For so long after its success a terminal may still be heard saying what it had before. */
const UNDER_WAY = '10 minutes';

/** These have said what they are: those of which something is wanted are looked at, by the worker. In the transaction that writes what they said. */
export const lookSoon = async (db: Db, deviceIds: readonly number[], now: Date): Promise<void> => {
  if (deviceIds.length === 0) return;
  await sql`
    insert into rollout_look (device_id, at) select d.id, ${now}::timestamptz from unnest(${[...deviceIds]}::bigint[]) as d(id)
    where exists (select from rollout_wanted w where w.device_id = d.id)`.execute(db);
};

interface Changed {
  readonly kind: string;
  readonly dept_path: string;
}

/** Of releases that don't reach these terminals any more. A release that is gone wants on: nobody took back what it left. */
const dropUnreached = (db: Db, ids: readonly number[]) =>
  sql<Changed>`
    delete from rollout_wanted w using device d, rollout_task t
    where w.device_id = any(${[...ids]}::bigint[]) and d.id = w.device_id and t.id = w.task_id and not starts_with(d.dept_path, t.dept_path)
    returning w.kind, w.dept_path`.execute(db);

/** What these terminals say, beside what is wanted of them. Answers what shows otherwise now. Of those that have said nothing since they were restored nothing is known. */
const compare = (db: Db, kinds: readonly RolloutKind[], looks: readonly { readonly id: number; readonly at: Date }[]) =>
  sql<Changed>`
    with asked as (
      select * from jsonb_to_recordset(${JSON.stringify(looks)}::jsonb) as l(id bigint, at timestamptz)
    ), said as (
      select w.*, l.at as look_at, ${hasOf(kinds, { kind: sql`w.kind`, part: sql`w.part`, taskId: sql`w.task_id` })} as has,
        exists (select from rollout_result r join rollout_task t on t.id = r.task_id
          where r.device_id = w.device_id and r.state in ('1', '2', '8') and r.kind = w.kind and t.subject = w.part) as is_sent,
        exists (select from rollout_task t where t.id = w.again_task_id and t.gathered_at is null and t.state not in ('finished', 'cancelled', 'rejected')) as is_again
      from asked l join rollout_wanted w on w.device_id = l.id join device d on d.id = w.device_id
      where d.deleted_at is null and d.hello_hash is not null
    ), judged as (
      select id, kind, dept_path, has, look_at, is_sent or is_again as is_busy, is_again, has is not distinct from version as holds,
        not settled and (has is null or has is not distinct from before and look_at < at + interval '${sql.raw(UNDER_WAY)}') as unheard,
        since is not null and not busy as was_shown, found as was_found
      from said
    ), kept as (
      update rollout_wanted w set settled = w.settled or j.holds, found = case when j.holds or j.unheard then null else j.has end,
        since = case when j.holds or j.unheard then null else coalesce(w.since, j.look_at) end, busy = j.is_busy,
        again_task_id = case when j.is_again then w.again_task_id end
      from judged j where w.id = j.id and (w.settled, w.found, w.since is null, w.busy, w.again_task_id is null)
        is distinct from (w.settled or j.holds, case when j.holds or j.unheard then null else j.has end, j.holds or j.unheard, j.is_busy, not j.is_again)
      returning w.id, w.since is not null and not w.busy as is_shown, w.found
    )
    select distinct j.kind, j.dept_path from kept k join judged j on j.id = k.id
    where j.was_shown <> k.is_shown or k.is_shown and j.was_found is distinct from k.found`.execute(db);

/** The next terminals that wait to be looked at. Answers how many marks there were. Twice is harmless, and two at once take others, or one waits for the rows of the other. */
async function lookOnce(db: Db, app: Pick<AppContext, 'now' | 'invalidate'>, kinds: readonly RolloutKind[]): Promise<number> {
  const { rows: marks } = await sql<{ device_id: number; at: Date | null }>`
    delete from rollout_look where id in (select id from rollout_look order by id limit ${BATCH} for update skip locked) returning device_id, at`.execute(
    db,
  );
  if (marks.length === 0) return 0;
  const now = app.now();
  const newest = new Map<number, Date>();
  for (const { device_id: id, at } of marks) {
    const said = at ?? now;
    const other = newest.get(id);
    if (!other || other < said) newest.set(id, said);
  }
  const ids = [...newest.keys()];
  // Held before they are compared: whoever compares them later sees what is committed by then.
  await sql`select from rollout_wanted where device_id = any(${ids}::bigint[]) order by device_id, kind, part for update`.execute(db);
  const dropped = await dropUnreached(db, ids);
  const compared = await compare(
    db,
    kinds,
    [...newest].map(([id, at]) => ({ id, at })),
  );
  const byKind = Map.groupBy([...dropped.rows, ...compared.rows], (row) => row.kind);
  for (const [name, rows] of byKind) {
    const kind = kindNamed(kinds, name);
    const paths = rows.map((row) => row.dept_path);
    for (const group of kind ? driftGroups(kind.of) : []) await invalidatePaths(db, app, group, paths);
  }
  return marks.length;
}

/** One round. Answers whether there may be more at once. */
export const lookAtDrift = async (app: AppContext, kinds: readonly RolloutKind[]): Promise<boolean> =>
  (await app.inBulk((db) => lookOnce(db, app, kinds))) === BATCH;
