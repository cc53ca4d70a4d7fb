import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../../platform/context.ts';
import { dayOf } from './subscription/taken.ts';

/** The newest of them, and so many failures of these: a page asks again and again. */
const MOST_RELEASES = 100;
const MOST_FAILURES = 50_000;

/**
 * How a version fares at its subscribers, for whoever brought it: totals, as its call-back would have told one by one. Neither which terminals nor
 * whose they are; a reason only where it is a code; what a reviewer tries is the reviewer's.
 */
export const atSubscribers = (ctx: Pick<Ctx, 'unscoped' | 'now'>, versionId: number, appId: number) =>
  ctx.unscoped(async (db) => {
    const tasks = sql`select id from rollout_task where app_version_id = ${versionId} and content ->> 'action' <> 'trial' order by id desc limit ${MOST_RELEASES}`;
    // By what lies above each place, so that thousands of places meet thousands of subscriptions once.
    const among = (places: RawBuilder<unknown>) => sql`
      takers as materialized (select dept_path from app_subscription where app_id = ${appId} and state = 'active'
        and (valid_until is null or valid_until >= ${dayOf(ctx)}::date)),
      barred as materialized (select dept_path from app_subscription where app_id = ${appId} and blacklist = '1'),
      above as materialized (select p.dept_path, a.path from (${places}) p cross join lateral unnest(path_and_above(p.dept_path)) a(path)),
      places as materialized (select dept_path from above where path in (select dept_path from takers)
        except select dept_path from above where path in (select dept_path from barred))`;
    const sums = await sql<{ state: string; n: number }>`
      with sums as materialized (select dept_path, state, sum(n)::int as n from rollout_tally where task_id in (${tasks}) group by 1, 2),
        ${among(sql`select distinct dept_path from sums`)}
      select state, sum(n)::int as n from sums join places using (dept_path) group by 1 having sum(n) <> 0`.execute(db);
    const reasons = await sql<{ reason: string; count: number }>`
      with failed as materialized (select dept_path, reason from rollout_result where task_id in (${tasks}) and state in ('4', '5', '7') limit ${MOST_FAILURES}),
        ${among(sql`select distinct dept_path from failed`)}
      select case when reason is null then 'unknown' when reason ~ '^[a-z][A-Za-z]{1,31}$' then reason else 'other' end as reason, count(*)::int as count
      from failed join places using (dept_path) group by 1 order by 2 desc limit 50`.execute(db);
    return { tally: Object.fromEntries(sums.rows.map(({ state, n }) => [state, n])), reasons: reasons.rows };
  });
