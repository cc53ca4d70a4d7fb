import { spanOf } from '@mooring/contract/alert/conditions';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Ctx, Db } from '../../platform/context.ts';
import { invalidatePaths } from '../../platform/live/invalidate-paths.ts';
import { job } from '../../platform/module.ts';
import { ALARM_CALLS, type Found, openAlarms, recover, subjectOf, tellSoon } from '../alert/api.ts';
import { LOOK } from './note-positions.ts';
import { type OfGroups, pairOf, withinGroups } from './within-groups.ts';

export const FENCE_ALARM_CALLS = '/geofenceAlarm';
export const FENCE_CALLS = '/geofenceConfig';
const BATCH = 2000;
const RUNS = 50;

interface Due {
  readonly fence_id: number;
  readonly device_id: number;
  readonly state: string;
  readonly rule_id: number;
  readonly name: string;
  readonly alarm_on: string;
  readonly out_minutes: number;
  readonly dept_path: string;
  readonly audience: string;
  readonly group_ids: readonly (string | number)[];
}

/** What is due. A terminal that is in stock or disabled, or that the fence is no more for, by where it stands now or by its groups, is gone from it whatever it said last. */
async function dueNow(db: Db, now: Date): Promise<Due[]> {
  const { rows } = await sql<Due>`
    select s.fence_id, s.device_id, case when d.deleted_at is null and d.status not in ('4', '5') and starts_with(d.dept_path, f.dept_path) then s.state else 'gone' end as state, s.dept_path,
      f.rule_id, f.name, f.alarm_on, f.out_minutes, f.audience, f.group_ids
    from geofence_state s join geofence f on f.id = s.fence_id join device d on d.id = s.device_id where s.due_at <= ${now}
    order by s.device_id, s.fence_id limit ${BATCH} for key share of f skip locked for update of s skip locked`.execute(db);
  const asked = rows.filter((one) => one.audience === 'groups' && one.state === 'outside');
  const within = await withinGroups(db, asked);
  const left = new Set(asked.filter((one) => !within.has(pairOf(one.device_id, one.fence_id))));
  return rows.map((one) => (left.has(one) ? { ...one, state: 'gone' } : one));
}

/** Alarms that are open about these terminals, by the rules of their fences. */
async function openOf(
  db: Db,
  of: readonly Pick<Due, 'rule_id' | 'device_id'>[],
): Promise<{ id: number; rule_id: number; device_id: number }[]> {
  if (of.length === 0) return [];
  const { rows } = await sql<{ id: number; rule_id: number; device_id: number }>`
    select a.id, a.rule_id, a.device_id from unnest(${of.map((one) => one.rule_id)}::bigint[], ${of.map((one) => subjectOf(one.device_id))}::text[]) as x(rule_id, subject)
    join alert_alarm a on a.rule_id = x.rule_id and a.subject = x.subject and a.state <> 'closed' order by a.id`.execute(db);
  return rows;
}

const foundOf = ({ rule_id, device_id, name, alarm_on, out_minutes }: Due): Found => ({
  ruleId: rule_id,
  subject: subjectOf(device_id),
  deviceId: device_id,
  label: '',
  path: null,
  about: { fence: name, when: alarm_on, ...spanOf(out_minutes) },
  figure: null,
  threshold: null,
  n: 1,
});
const keyOf = (one: { readonly rule_id: number; readonly device_id: number }) => `${one.rule_id} ${one.device_id}`;

/** Raises and closes what is due. Of a muted terminal the alarm is put off by a minute. Answers whose alarms changed, and whether there may be more. */
async function takeDue(db: Db, now: Date): Promise<{ paths: string[]; isEnd: boolean }> {
  const due = await dueNow(db, now);
  const of = (state: string) => due.filter((one) => one.state === state);
  const open = await openOf(db, of('outside'));
  const isOpen = new Set(open.map(keyOf));
  const raised = of('outside').filter((one) => !isOpen.has(keyOf(one)));
  await openAlarms(db, now, raised.map(foundOf));
  const heard = new Set((await openOf(db, raised)).map(keyOf));
  const later = raised.filter((one) => !heard.has(keyOf(one)));
  const ended = async (state: string, reason: string) =>
    recover(
      db,
      now,
      (await openOf(db, of(state))).map(({ id }) => id),
      reason,
    );
  await ended('inside', 'back');
  await ended('gone', 'notFor');
  await put(
    db,
    due.filter((one) => !later.includes(one)),
    null,
  );
  await put(db, later, new Date(now.getTime() + 60_000));
  await sql`delete from geofence_state s using unnest(${of('gone').map((one) => one.device_id)}::bigint[], ${of('gone').map((one) => one.fence_id)}::bigint[]) as x(device_id, fence_id)
    where s.device_id = x.device_id and s.fence_id = x.fence_id`.execute(db);
  return { paths: due.map((one) => one.dept_path), isEnd: due.length < BATCH };
}
async function put(db: Db, rows: readonly Due[], at: Date | null): Promise<void> {
  if (rows.length === 0) return;
  await sql`update geofence_state s set due_at = ${at}
    from unnest(${rows.map((one) => one.device_id)}::bigint[], ${rows.map((one) => one.fence_id)}::bigint[]) as x(device_id, fence_id)
    where s.device_id = x.device_id and s.fence_id = x.fence_id`.execute(db);
}

/** Terminals with an open alarm that are no longer in the groups of its fence: they may say nothing more. Answers where to go on. */
const CHECKED = 5000;
async function leaveGroups(db: Db, now: Date, after: number): Promise<number | undefined> {
  const { rows } = await sql<OfGroups & { id: number }>`
    select a.id, f.id as fence_id, a.device_id, f.group_ids from alert_alarm a join geofence f on f.rule_id = a.rule_id and f.enabled and f.audience = 'groups'
    where a.kind = 'geofence' and a.state <> 'closed' and a.device_id is not null and a.id > ${after} order by a.id limit ${CHECKED}`.execute(
    db,
  );
  const within = await withinGroups(db, rows);
  const left = rows.filter((one) => !within.has(pairOf(one.device_id, one.fence_id)));
  // The fences first, and then one order of all who write where terminals stand.
  await sql`
    with x as materialized (
      select * from unnest(${left.map((one) => one.device_id)}::bigint[], ${left.map((one) => one.fence_id)}::bigint[]) as u(device_id, fence_id)
    ), fences as materialized (
      select id from geofence where id in (select fence_id from x) order by id for key share skip locked
    ), states as materialized (
      select s.device_id, s.fence_id from geofence_state s join x using (device_id, fence_id) where s.state <> 'gone' and s.fence_id in (select id from fences)
      order by 1, 2 for no key update of s
    )
    update geofence_state s set state = 'gone', due_at = ${now} from states x where s.device_id = x.device_id and s.fence_id = x.fence_id`.execute(
    db,
  );
  return rows.length < CHECKED ? undefined : rows.at(-1)?.id;
}

async function takeAll(ctx: Ctx): Promise<void> {
  const now = ctx.now();
  for (let at = 0; at < RUNS; at += 1) {
    const isEnd = await ctx.inBulk(async (db) => {
      const taken = await takeDue(db, now);
      if (taken.paths.length > 0) {
        for (const group of [ALARM_CALLS, FENCE_ALARM_CALLS, FENCE_CALLS]) await invalidatePaths(db, ctx, group, taken.paths);
        await tellSoon(db);
      }
      return taken.isEnd;
    });
    if (isEnd) return;
  }
}

/** Adds the differences of each fence up into one row. Running twice changes nothing. */
const foldCounts = (db: Db) =>
  sql`with many as materialized (
      select fence_id from geofence_tally group by 1 having count(*) > 1 limit 1000
    ), gone as (
      delete from geofence_tally t using many m where t.fence_id = m.fence_id returning t.*
    )
    insert into geofence_tally (fence_id, inside, outside, dept_path)
    select fence_id, sum(inside), sum(outside), min(dept_path) from gone group by 1`.execute(db);

/** Likewise, of what says whether fences were changed: its sum stays. */
const foldVersion = (db: Db) =>
  sql`with gone as (delete from geofence_version returning n) insert into geofence_version select sum(n) from gone having count(*) > 0`.execute(
    db,
  );

/** What a terminal's word changed is taken at once. */
export const lookNow = job({ name: LOOK, payload: z.object({}), run: takeAll });
/** Each minute: who stayed outside for long enough, who left its group, and what the look at once didn't take. */
export const watchFences = job({
  name: 'geofence:watch',
  payload: z.object({}),
  every: '* * * * *',
  run: async (ctx) => {
    for (let after: number | undefined = 0; after !== undefined; ) {
      const from: number = after;
      after = await ctx.inBulk((db) => leaveGroups(db, ctx.now(), from));
    }
    await takeAll(ctx);
    await ctx.inBulk(foldCounts);
    await ctx.inBulk(foldVersion);
  },
});
