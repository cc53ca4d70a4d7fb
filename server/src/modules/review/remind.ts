import { sql } from 'kysely';
import { z } from 'zod';
import type { Ctx, Db } from '../../platform/context.ts';
import { move } from '../../platform/db/move.ts';
import { job } from '../../platform/module.ts';
import { readSetting } from '../../platform/settings.ts';
import { codesWith } from '../access/api.ts';
import { notify } from '../message/api.ts';
import { reviewRows } from './review.queries.ts';

const AGAIN_DAYS = 7;
const can = 'access:review:confirm||access:managerReview:confirm';

/** What the day says of each right: soon, too late, or not yet (after the interval was made longer). */
async function settle(db: Db, now: Date): Promise<void> {
  const { months, remindDays } = await readSetting(db, 'accessReview');
  const due = sql`counted_from + make_interval(months => ${months}::int)`;
  const first = sql`${due} - make_interval(days => ${remindDays}::int)`;
  const set = { reminded_at: null };
  await move(db, reviewRows, 'postpone', sql`${first} > ${now}::timestamptz`, { set });
  await move(db, reviewRows, 'lapse', sql`${due} <= ${now}::timestamptz`, { set });
  await move(db, reviewRows, 'remind', sql`${first} <= ${now}::timestamptz and ${due} > ${now}::timestamptz`, { set });
}

interface Open {
  readonly dept_path: string;
  readonly user_id: number | null;
  readonly due: number;
  readonly overdue: number;
}
/** Marks what somebody hears of now, and counts it by place and holder. */
const claim = async (db: Db, now: Date) =>
  (
    await sql<Open>`
    with told as (
      update access_grant_review g set reminded_at = ${now} from (
        select g.id from access_grant_review g left join account_user u on u.id = g.user_id left join account_api_token t on g.kind = 'token' and t.id = g.subject_id
        where g.state in ('due', 'overdue') and coalesce(u.state, '0') not in ('cancelled', 'refused')
          and (t.id is null or coalesce(t.expires_at, t.created_at + interval '1 year') > ${now})
          and (g.reminded_at is null or (g.state = 'overdue' and g.reminded_at <= ${now}::timestamptz - make_interval(days => ${AGAIN_DAYS})))
      ) open where g.id = open.id returning g.dept_path, g.user_id, g.state
    )
    select dept_path, user_id, count(*) filter (where state = 'due')::int as due, count(*) filter (where state = 'overdue')::int as overdue
    from told group by 1, 2`.execute(db)
  ).rows;

interface Reviewer {
  readonly id: number;
  readonly dept_path: string;
  /** Reviews on the centre, or else on the manager platform alone. */
  readonly centre: boolean;
}
const reviewers = async (db: Db) =>
  (
    await sql<Reviewer>`
    select u.id, u.dept_path, found.centre from account_user u cross join lateral (
      select bool_or('centre' = any(r.platforms)) as centre from access_user_role ur join access_role r on r.id = ur.role_id
      where ur.user_id = u.id and r.menus && ${['*', ...codesWith(can)]}::text[]) found
    where u.state = '0' and is_dept_open(u.dept_path) and found.centre is not null`.execute(db)
  ).rows;

/** Those nearest above who may decide; nobody about themselves. */
function responsibleFor(open: Open, byPath: ReadonlyMap<string, readonly number[]>): readonly number[] {
  const parts = open.dept_path.split('.').filter(Boolean);
  for (let levels = parts.length; levels > 0; levels -= 1) {
    const found = (byPath.get(`${parts.slice(0, levels).join('.')}.`) ?? []).filter((id) => id !== open.user_id);
    if (found.length > 0) return found;
  }
  return [];
}

async function remind(ctx: Ctx, db: Db): Promise<void> {
  const now = ctx.now();
  await settle(db, now);
  const opens = await claim(db, now);
  if (opens.length === 0) return;
  const byPath = new Map<string, number[]>();
  const people = await reviewers(db);
  const onCentre = new Set(people.filter((one) => one.centre).map((one) => one.id));
  for (const one of people) byPath.set(one.dept_path, [...(byPath.get(one.dept_path) ?? []), one.id]);
  const told = new Map<number, { due: number; overdue: number; path: string }>();
  for (const open of opens)
    for (const id of responsibleFor(open, byPath)) {
      const before = told.get(id) ?? { due: 0, overdue: 0, path: open.dept_path };
      told.set(id, { ...before, due: before.due + open.due, overdue: before.overdue + open.overdue });
    }
  for (const [id, { due, overdue, path }] of told) {
    const to = { users: [id] };
    const link = onCentre.has(id) ? '/sys/review' : '/managerSys/review';
    const common = { to, deptPath: path, link, channels: ['centre', 'email'] as const };
    if (due > 0) await notify(db, { ...common, name: 'reviewDue', params: { due } });
    if (overdue > 0) await notify(db, { ...common, name: 'reviewOverdue', params: { overdue }, priority: '1' });
  }
  for (const path of new Set(opens.map((one) => one.dept_path))) await ctx.invalidate(db, '/sys/review', path);
}

/** Daily. Running again finds nobody left to remind: what was said is marked in the same transaction. */
export const remindOfReviews = job({
  name: 'review:remind',
  payload: z.object({}),
  every: '29 5 * * *',
  run: (ctx) => ctx.unscoped((db) => remind(ctx, db)),
});
