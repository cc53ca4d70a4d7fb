import { fault } from '@mooring/contract/kit/fault';
import type { Ctx, Db } from '../../../platform/context.ts';
import { lockSet } from '../../../platform/db/lock-set.ts';
import type { RowIn } from '../../../platform/resource/resource.ts';

export type Row = RowIn<'app_subscription'>;
export type Side = 'subscriber' | 'owner';
export const isOf = (ctx: Ctx, row: Pick<Row, 'dept_path' | 'owner_path'>, side: Side): boolean =>
  (side === 'owner' ? row.owner_path : row.dept_path).startsWith(ctx.scope.path);
export const target = (row: Pick<Row, 'package_name' | 'dept_name'>) => `subscription of ${row.dept_name} to ${row.package_name}`;

export async function changed(ctx: Ctx, db: Db, row: Pick<Row, 'dept_path' | 'owner_path'>): Promise<void> {
  for (const path of new Set([row.dept_path, row.owner_path])) await ctx.invalidate(db, '/app/subscribe', path);
}

/** Nobody else decides at this moment who may have the app. It comes before any of its rows is held. */
export const aloneWith = (db: Db, appId: number) => lockSet(db, `subscription:${appId}`);

/**
 * One act of a side, in one transaction. The row is looked up under the policy and held past it: the owner reads it, but it is the row of the
 * subscriber, and so is what is noted of it. Fault: NOT_FOUND.
 */
export async function actOn<T>(ctx: Ctx, id: number, side: Side, work: (db: Db, row: Row) => Promise<T>, isAlone = false): Promise<T> {
  const seen = await ctx.inTx((db) => db.selectFrom('app_subscription').select('app_id').where('id', '=', id).executeTakeFirst());
  if (!seen) throw fault('NOT_FOUND');
  return ctx.unscoped(async (db) => {
    if (isAlone) await aloneWith(db, seen.app_id);
    const row = await db.selectFrom('app_subscription').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
    if (!row || !isOf(ctx, row, side)) throw fault('NOT_FOUND');
    const answer = await work(db, row);
    await changed(ctx, db, row);
    return answer;
  });
}
