import { sql } from 'kysely';
import type { Ctx, Db } from '../../../platform/context.ts';
import type { RolloutKind } from '../task.ts';
import { hasOf } from './has-of.ts';
import { type Held, holdWanted, touchDrift } from './wanted-rows.ts';

/** For so long after its success a terminal may still be heard saying what it had before. */
export const UNDER_WAY = sql`interval '10 minutes'`;

/**
 * What attempts that succeeded leave on their terminals, of each kind and part, whatever had become of their results. Of two of the same part
 * the one that was sent last counts, in whichever order their results come. A report may come before its result, or was under way when it came:
 * what the terminal said until then is kept beside.
 */
export async function noteWanted(
  db: Db,
  app: Pick<Ctx, 'invalidate'>,
  kinds: readonly RolloutKind[],
  offers: readonly string[],
): Promise<void> {
  if (offers.length === 0) return;
  const devices = sql<number[]>`array(select a.device_id from rollout_attempt a where a.offer = any(${[...offers]}::text[]))`;
  const held = await holdWanted(db, sql<boolean>`w.device_id = any(${devices})`);
  const has = hasOf(kinds, { kind: sql`r.kind`, part: sql`t.subject`, taskId: sql`t.id` });
  const isGone = sql`coalesce(t.content ->> 'action' in ('reset', 'uninstall'), false)`;
  // One of before may not say which version it has now: of packages and apps the release says it.
  const version = sql`case when not ${isGone} then coalesce(a.version, p.version, t.content ->> 'versionCode') end`;
  await sql`
    insert into rollout_wanted (device_id, kind, part, task_id, owner_dept_id, version, before, settled, at, sent_at, dept_path)
    select distinct on (1, 2, 3) x.device_id, x.kind, x.subject, x.task_id, x.dept_id, x.version, case when x.has is distinct from x.version then x.has end,
      x.has is not distinct from x.version, x.ended_at, x.sent_at, x.dept_path
    from (
      select r.device_id, r.kind, t.subject, t.id as task_id, t.dept_id, ${version} as version, ${has} as has, ${isGone} as gone, a.sent_at, a.ended_at, d.dept_path
      from rollout_attempt a join rollout_result r on r.id = a.result_id join rollout_task t on t.id = r.task_id
        left join rollout_package p on p.id = t.package_id join device d on d.id = r.device_id
      where a.offer = any(${[...offers]}::text[])
    ) x where x.version is not null or x.gone
    order by 1, 2, 3, x.sent_at desc
    on conflict (device_id, kind, part) do update set task_id = excluded.task_id, owner_dept_id = excluded.owner_dept_id, version = excluded.version,
      before = excluded.before, settled = excluded.settled, at = excluded.at, sent_at = excluded.sent_at, dept_path = excluded.dept_path,
      found = null, since = null, busy = false, again_task_id = null
      where rollout_wanted.sent_at <= excluded.sent_at`.execute(db);
  await dropBesides(db, kinds, offers);
  // At once, for what was said or moved beside this; and when a word that is under way must have come, from a terminal that says nothing new.
  await sql`
    insert into rollout_look (device_id, due_at)
    select distinct device_id, '-infinity'::timestamptz from unnest(${devices}) as d(device_id)
    union all select w.device_id, max(w.at) + ${UNDER_WAY} from rollout_wanted w
    where w.device_id = any(${devices}) and not w.settled and w.since is null group by w.device_id`.execute(db);
  await touchHidden(db, app, held);
}

/** What was set along with something else, or came anew with the whole, isn't what the last release of that alone left. */
async function dropBesides(db: Db, kinds: readonly RolloutKind[], offers: readonly string[]): Promise<void> {
  for (const { of, besides, renews = [] } of kinds) {
    if (!besides && renews.length === 0) continue;
    const alone = besides ? sql`w.kind = ${besides.of.kind} and w.part = ${besides.part}` : sql`false`;
    await sql`
      delete from rollout_wanted w using rollout_attempt a, rollout_result r, rollout_task t
      where a.offer = any(${[...offers]}::text[]) and r.id = a.result_id and t.id = r.task_id and r.kind = ${of.kind}
        and w.device_id = r.device_id and w.sent_at <= a.sent_at and (w.kind = any(${renews.map(({ kind }) => kind)}::text[]) or ${alone})`.execute(
      db,
    );
  }
}

/** What was listed until now, and isn't any more. */
async function touchHidden(db: Db, app: Pick<Ctx, 'invalidate'>, held: readonly Held[]): Promise<void> {
  const before = held.filter(({ shown }) => shown);
  if (before.length === 0) return;
  const { rows } = await sql<{ id: number }>`
    select id from rollout_wanted where id = any(${before.map(({ id }) => id)}::bigint[]) and since is not null and not busy`.execute(db);
  const still = new Set(rows.map(({ id }) => id));
  await touchDrift(
    db,
    app,
    before.filter(({ id }) => !still.has(id)),
  );
}

/** Another terminal stands in the place of this one: nothing is wanted of it any more. */
export async function dropWanted(db: Db, app: Pick<Ctx, 'invalidate'>, deviceId: number): Promise<void> {
  const held = await holdWanted(db, sql<boolean>`w.device_id = ${deviceId}`);
  await sql`delete from rollout_wanted where id = any(${held.map(({ id }) => id)}::bigint[])`.execute(db);
  await touchDrift(
    db,
    app,
    held.filter(({ shown }) => shown),
  );
}
