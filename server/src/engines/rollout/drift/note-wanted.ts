import { sql } from 'kysely';
import type { Db } from '../../../platform/context.ts';
import type { RolloutKind } from '../task.ts';
import { hasOf } from './has-of.ts';

/**
 * What attempts that succeeded leave on their terminals, of each kind and part. Of two of the same part the one that was sent last counts, in
 * whichever order their results come. A report may come before its result, or was under way when it came: what the terminal said until then
 * is kept beside.
 */
export async function noteWanted(db: Db, kinds: readonly RolloutKind[], offers: readonly string[], now: Date): Promise<void> {
  if (offers.length === 0) return;
  const has = hasOf(kinds, { kind: sql`r.kind`, part: sql`t.subject`, taskId: sql`t.id` });
  const isGone = sql`coalesce(t.content ->> 'action' in ('reset', 'uninstall'), false)`;
  // One of before may not say which version it has now: of packages and apps the release says it.
  const version = sql`case when not ${isGone} then coalesce(a.version, p.version, t.content ->> 'versionCode') end`;
  await sql`
    insert into rollout_wanted (device_id, kind, part, task_id, version, before, settled, at, sent_at, dept_path)
    select distinct on (1, 2, 3) x.device_id, x.kind, x.subject, x.task_id, x.version, case when x.has is distinct from x.version then x.has end,
      x.has is not distinct from x.version, ${now}::timestamptz, x.sent_at, x.dept_path
    from (
      select r.device_id, r.kind, t.subject, t.id as task_id, ${version} as version, ${has} as has, ${isGone} as gone, a.sent_at, d.dept_path
      from rollout_attempt a join rollout_result r on r.id = a.result_id join rollout_task t on t.id = r.task_id
        left join rollout_package p on p.id = t.package_id join device d on d.id = r.device_id
      where a.offer = any(${[...offers]}::text[])
    ) x where x.version is not null or x.gone
    order by 1, 2, 3, x.sent_at desc
    on conflict (device_id, kind, part) do update set task_id = excluded.task_id, version = excluded.version, before = excluded.before,
      settled = excluded.settled, at = excluded.at, sent_at = excluded.sent_at, found = null, since = null, busy = false, again_task_id = null
      where rollout_wanted.sent_at <= excluded.sent_at`.execute(db);
  await dropBesides(db, kinds, offers);
}

/** What was set along with something else isn't what the last release of that alone left. */
async function dropBesides(db: Db, kinds: readonly RolloutKind[], offers: readonly string[]): Promise<void> {
  for (const { of, besides } of kinds) {
    if (!besides) continue;
    await sql`
      delete from rollout_wanted w using rollout_attempt a, rollout_result r, rollout_task t
      where a.offer = any(${[...offers]}::text[]) and r.id = a.result_id and t.id = r.task_id and r.kind = ${of.kind}
        and w.device_id = r.device_id and w.kind = ${besides.of.kind} and w.part = ${besides.part}`.execute(db);
  }
}

/** Another terminal stands in the place of this one: nothing is wanted of it any more. */
export const dropWanted = async (db: Db, deviceId: number): Promise<void> => {
  await sql`delete from rollout_wanted where device_id = ${deviceId}`.execute(db);
};
