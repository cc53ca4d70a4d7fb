import type { regCalls } from '@mooring/contract/device/reg-calls';
import { sql } from 'kysely';
import { move } from '../../platform/db/move.ts';
import type { Handler } from '../../platform/module.ts';
import { deptInScope } from './add-device.ts';
import { pendingRows } from './device-rows.ts';

interface Asked {
  id: number;
  sn: string;
  known: boolean;
  product_id: number | null;
}

/** Lets terminals in: they get their certificates at their next request. An unknown SN needs an organisation, and a product that it names or is given. */
export const acceptPending: Handler<typeof regCalls.accept> = async (ctx, { ids, deptId, productId }) => {
  const dept = deptId === undefined ? undefined : await deptInScope(ctx.db, ctx.scope.path, deptId);
  const asked = await sql<Asked>`
    select q.id, q.sn, d.id is not null as known, p.id as product_id from device_pending q
    left join device d on d.sn = q.sn and d.deleted_at is null left join product_product p on p.code = q.product_code
    where q.id = any(${ids}::bigint[]) order by q.id`.execute(ctx.db);
  const refused: { id: number; sn: string; fault: string }[] = [];
  let done = 0;
  for (const one of asked.rows) {
    const product = productId ?? one.product_id;
    if (!one.known && !(dept && product)) {
      refused.push({ id: one.id, sn: one.sn, fault: 'PENDING_NEEDS_DEPT' });
      continue;
    }
    const moved = await move(ctx.db, pendingRows, 'accept', [one.id], {
      actorId: ctx.actor.userId,
      set: { reason: null, ...(dept ? { dept_id: dept.id } : {}), ...(product ? { product_id: product } : {}) },
    });
    if (moved.length === 0) refused.push({ id: one.id, sn: one.sn, fault: 'DEVICE_STATE' });
    done += moved.length;
  }
  ctx.audit({
    target: asked.rows
      .map((one) => one.sn)
      .join(' ')
      .slice(0, 200),
  });
  return { done, refused };
};

export const refusePending: Handler<typeof regCalls.refuse> = async (ctx, { ids, reason }) => {
  const moved = new Set(
    (await move(ctx.db, pendingRows, 'refuse', ids, { actorId: ctx.actor.userId, set: { reason } })).map((one) => one.id),
  );
  const asked = await ctx.db.selectFrom('device_pending').select(['id', 'sn']).where('id', 'in', ids).execute();
  return { done: moved.size, refused: asked.filter((one) => !moved.has(one.id)).map((one) => ({ ...one, fault: 'DEVICE_STATE' })) };
};
