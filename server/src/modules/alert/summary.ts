import { Alarm, type alarmCalls } from '@mooring/contract/alert/alarm';
import type { ParsedInputOf } from '@mooring/contract/kit/call';
import { COUNT_CAP } from '@mooring/contract/kit/page';
import { WallView } from '@mooring/contract/stats/schemas';
import { sql } from 'kysely';
import type { Ctx, Db } from '../../platform/context.ts';
import { countUpTo } from '../../platform/db/page.ts';
import type { Resource } from '../../platform/resource/resource.ts';

const NEWEST = 5;
const Newest = WallView.shape.alarms.unwrap().shape.newest.element;

const ofProduct = (id: number | undefined) => (id === undefined ? sql<boolean>`true` : sql<boolean>`product_id = ${id}`);

/** How many aren't closed, up to the cap: the index of those alone is read. */
export async function countCurrent(db: Db, path: string, productId?: number): Promise<{ open: number; acknowledged: number }> {
  const { rows } = await sql<{ open: number; acknowledged: number }>`
    select count(*) filter (where state = 'open')::int as open, count(*) filter (where state = 'acknowledged')::int as acknowledged from (
      select state from alert_alarm where state <> 'closed' and dept_path >= ${path} and dept_path < ${`${path}~`} and ${ofProduct(productId)} limit ${COUNT_CAP + 1}
    ) c`.execute(db);
  return rows[0] ?? { open: 0, acknowledged: 0 };
}

const isCapped = (of: { readonly open: number; readonly acknowledged: number }) => of.open + of.acknowledged > COUNT_CAP;

async function pathOf(ctx: Ctx, deptId: number | undefined): Promise<string> {
  if (deptId === undefined) return ctx.scope.path;
  return (await ctx.db.selectFrom('org_dept').select('dept_path').where('id', '=', deptId).executeTakeFirstOrThrow()).dept_path;
}

/** What a screen on a wall shows of them. */
export async function alarmsNow(db: Db, path: string) {
  const newest = await db
    .selectFrom('alert_alarm')
    .select(['id', 'label', 'kind', 'about', 'opened_at as openedAt', 'state', 'priority'])
    .where('state', '<>', 'closed')
    .where('dept_path', '>=', path)
    .where('dept_path', '<', `${path}~`)
    .orderBy('opened_at', 'desc')
    .orderBy('id', 'desc')
    .limit(NEWEST)
    .execute();
  const counted = await countCurrent(db, path);
  return { ...counted, capped: isCapped(counted), newest: newest.map((row) => Newest.parse(row)) };
}

/** By an index, no further than lists count. */
async function raisedSince(db: Db, path: string, since: Date, productId: number | undefined) {
  const of = db
    .selectFrom('alert_alarm')
    .where('dept_path', '>=', path)
    .where('dept_path', '<', `${path}~`)
    .where('opened_at', '>=', since)
    .where(ofProduct(productId));
  const total = await countUpTo(db, of, COUNT_CAP + 1);
  return { total: Math.min(total, COUNT_CAP), capped: total > COUNT_CAP };
}

export async function summary(
  ctx: Ctx,
  { deptId, productId, days }: ParsedInputOf<typeof alarmCalls.summary>,
  of: () => Resource<typeof Alarm>,
) {
  const path = await pathOf(ctx, deptId);
  const counted = await countCurrent(ctx.db, path, productId);
  const { rows } = await sql<{ id: number }>`
    select id from alert_alarm where state <> 'closed' and dept_path >= ${path} and dept_path < ${`${path}~`} and ${ofProduct(productId)} order by opened_at desc, id desc limit ${NEWEST}`.execute(
    ctx.db,
  );
  const since = days && new Date(ctx.now().getTime() - Number(days) * 86_400_000);
  const raised = since ? await raisedSince(ctx.db, path, since, productId) : null;
  const newest = [];
  for (const { id } of rows) newest.push(Alarm.row.parse(await of().read(ctx, id)));
  return { ...counted, capped: isCapped(counted), newest, raised };
}
