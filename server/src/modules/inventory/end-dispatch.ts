import { Fault, fault } from '@mooring/contract/kit/fault';
import { type RawBuilder, sql } from 'kysely';
import { noteCustody } from '../../engines/custody/note-custody.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import { move } from '../../platform/db/move.ts';
import { holdDevices } from './hold-devices.ts';
import type { Act } from './many.ts';
import { partAt } from './parts.ts';
import { devicesOf, dispatchRows, transferRows } from './transfer-rows.ts';

interface Held {
  readonly id: number;
  readonly number: string;
  readonly to_name: string;
  readonly dept_id: number;
}
/** What is still listed, or on its way, goes nowhere; of what was sent custody says that it came back. */
async function endRecords(ctx: Ctx, db: Db, { id, number, to_name, dept_id }: Held): Promise<void> {
  const sent = await sql<{ device_id: number }>`
    select device_id from inventory_transfer where dispatch_id = ${id} and state = '1' and sent_at is not null`.execute(db);
  const open = sql<boolean>`dispatch_id = ${id} and state = '1'`;
  const set = { changed_at: ctx.now(), reason: 'takenBack' };
  await move(db, transferRows, 'fail', open, { actorId: ctx.actor.userId, set });
  const own = await db.selectFrom('org_dept').select('name').where('id', '=', dept_id).executeTakeFirst();
  const note = { event: 'withdrawn', from: to_name, to: own?.name, document: number, by: ctx.actor.userName, now: ctx.now() } as const;
  await noteCustody(db, devicesOf(sent.rows), note);
}
async function heldRow(ctx: Ctx, id: number) {
  const open = await sql<{ device_id: number }>`select device_id from inventory_transfer where dispatch_id = ${id} and state = '1'`.execute(
    ctx.db,
  );
  await holdDevices(ctx.db, devicesOf(open.rows));
  const row = await ctx.db.selectFrom('inventory_dispatch').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
  if (!row) throw fault('NOT_FOUND');
  if (row.received > 0) throw new Fault('DISPATCH_OUT');
  return row;
}
const touch = async (ctx: Ctx, db: Db, toId: number) => {
  const { rows } = await ctx.unscoped((all) =>
    sql<{ path: string }>`select dept_path as path from org_dept where id = ${toId}`.execute(all),
  );
  for (const group of ['/device/receipt', '/device/receipt/arrival']) await ctx.invalidate(db, group, rows[0]?.path ?? '');
};

/** Both answer what its document is. Faults: DISPATCH_OUT, OVERTAKEN. */
export async function withdrawDispatch(ctx: Ctx, id: number): Promise<string> {
  const row = await heldRow(ctx, id);
  await endRecords(ctx, ctx.db, row);
  const moved = await move(ctx.db, dispatchRows, 'withdraw', [id], { actorId: ctx.actor.userId });
  if (moved.length === 0) throw fault('OVERTAKEN');
  await touch(ctx, ctx.db, row.to_id);
  return row.number;
}
/** Its history says so still; the rows of its receiver stay theirs. */
export async function deleteDispatch(ctx: Ctx, id: number): Promise<string> {
  const row = await heldRow(ctx, id);
  const moved = await move(ctx.db, dispatchRows, 'delete', [id], { actorId: ctx.actor.userId });
  if (moved.length === 0) throw fault('OVERTAKEN');
  await endRecords(ctx, ctx.db, row);
  await move(ctx.db, dispatchRows, 'deleted', [id], { actorId: ctx.actor.userId });
  await ctx.db.deleteFrom('inventory_dispatch').where('id', '=', id).execute();
  await touch(ctx, ctx.db, row.to_id);
  return row.number;
}

/** Dispatches `h` that may end so. */
export const endable = (states: readonly string[]): RawBuilder<boolean> =>
  sql<boolean>`h.received = 0 and h.state = any(${states}::text[])`;
export const WITHDRAWABLE = ['1', '3', '5'];
export const DELETABLE = ['1', '7'];
/** Why others may not. */
export const whyStays = sql<string>`case when h.received > 0 then 'DISPATCH_OUT' when h.state = '7' then 'DISPATCH_WITHDRAWN' else 'DISPATCH_ON_WAY' end`;

const numberOf = (ctx: Ctx, id: number) =>
  ctx.inTx((db) => db.selectFrom('inventory_dispatch').select('number').where('id', '=', id).executeTakeFirst());
/** Each in a transaction of its own: what one is refused for holds no other up. */
const endAct = (title: Act['title'], can: string, end: (ctx: Ctx, id: number) => Promise<string>): Act => ({
  title,
  can,
  step: async (ctx, params, place, note) => {
    const { part, after } = partAt(params, place);
    try {
      return await ctx.withScope(async (inner) => {
        await end(inner, part.id);
        for (const group of ['/device/dispatch', '/device/dispatch/transfer']) await inner.invalidate(inner.db, group);
        const step = { next: after, done: 1, failed: [] };
        await note(inner.db, step);
        return step;
      });
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      const row = await numberOf(ctx, part.id);
      return { next: after, done: 0, failed: [{ id: part.id, label: row?.number ?? String(part.id), fault: error.fault }] };
    }
  },
});
export const withdrawAct = endAct('work.dispatch.withdraw', 'inventory:dispatch:withdraw', withdrawDispatch);
export const deleteAct = endAct('work.dispatch.delete', 'inventory:dispatch:delete', deleteDispatch);
