import type { RowOf } from '@mooring/contract/kit/entity';
import { Fault, fault } from '@mooring/contract/kit/fault';
import type { Order } from '@mooring/contract/order/calls';
import type { z } from 'zod';
import type { Ctx, Db } from '../../platform/context.ts';
import { move } from '../../platform/db/move.ts';
import type { Resource } from '../../platform/resource/resource.ts';
import { withdrawAsked } from './asked.ts';
import { costRows, type OrderRow, orderRows } from './order-row.ts';
import { pathOf, type Side, sidesOf } from './sides.ts';
import { tell } from './tell.ts';

export type Row = RowOf<typeof Order>;
export type Answer = z.input<(typeof Order)['row']>;
export type Orders = Pick<Resource<typeof Order>, 'read'>;

export interface Entry {
  readonly event: string | null;
  readonly text?: string;
  readonly internal?: boolean;
}

/** What happened or was said stands in the history of both sides. Answers its id. */
export async function noteEntry(
  ctx: Ctx,
  db: Db,
  row: Pick<OrderRow, 'id' | 'dept_path' | 'partner_path'>,
  side: Side,
  { event, text = '', internal = false }: Entry,
): Promise<number> {
  const { userId, userName } = ctx.actor;
  // A note of one side is a row of that side: the policies keep it from the other one.
  const dept_path = internal ? pathOf(side, row) : row.dept_path;
  const made = await db
    .insertInto('order_entry')
    .values({ order_id: row.id, event, side, internal, text, by_id: userId, by_name: userName, at: ctx.now(), dept_path })
    .returning('id')
    .executeTakeFirstOrThrow();
  return made.id;
}

/** It is over without the terminal having come back by it, and nothing is to be paid. */
export async function endOrder(ctx: Ctx, db: Db, { id, costs }: Pick<OrderRow, 'id' | 'costs'>, reason: string): Promise<void> {
  const { userId: actorId } = ctx.actor;
  await move(db, orderRows, 'cancel', [id], { actorId, set: { reason, closed_at: ctx.now() } });
  if (costs === 'asked' || costs === 'approved') await move(db, costRows, 'waive', [id], { actorId });
  await withdrawAsked(ctx, db, { id }, 'cancel');
}

/** Which order is meant, as it was read: who names no revision acts on whatever it is by now. */
export interface Asked {
  readonly id: number;
  readonly revision?: number | undefined;
}
/** What has to be held before the order itself. */
type Hold = (db: Db, row: Pick<OrderRow, 'device_id'>) => Promise<void>;

/**
 * One act of a side, in one transaction. The order is looked up under the policy and held past it: who repairs reads it, but it is
 * the row of who ordered. Faults: NOT_FOUND; ORDER_SIDE, where it is the other side's to do; OVERTAKEN, where it isn't as it was read.
 */
export async function actOn(
  ctx: Ctx,
  { id, revision }: Asked,
  wanted: Side | readonly Side[],
  work: (db: Db, row: OrderRow, side: Side) => Promise<void>,
  hold?: Hold,
): Promise<void> {
  const seen = await ctx.inTx((db) => db.selectFrom('order_order').select('device_id').where('id', '=', id).executeTakeFirst());
  if (!seen) throw fault('NOT_FOUND');
  const target = await ctx.unscoped(async (db) => {
    await hold?.(db, seen);
    const row = await db.selectFrom('order_order').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
    if (!row) throw fault('NOT_FOUND');
    const side = sidesOf(ctx.scope.path, row).find((one) => (typeof wanted === 'string' ? one === wanted : wanted.includes(one)));
    if (side === undefined) throw new Fault('ORDER_SIDE');
    // The kit's own check ends with its transaction; here the row is held until it is written.
    if (revision !== undefined && revision !== row.revision) throw fault('OVERTAKEN');
    await work(db, row, side);
    for (const one of ['customer', 'service'] as const) await ctx.invalidate(db, '/order', pathOf(one, row));
    return `order ${row.number}`;
  });
  ctx.audit({ target });
}

type Event = keyof typeof orderRows.machine.events & string;
interface Step {
  readonly event: Event;
  readonly side: Side;
  readonly say: Parameters<typeof tell>[4];
}
interface Told {
  /** Checks what the step needs, and says what else is written with it. */
  readonly set?: (db: Db, row: OrderRow) => Promise<Record<string, unknown>> | Record<string, unknown>;
  readonly text?: string | ((row: OrderRow, written: Record<string, unknown>) => string);
  /** Who else hears of it. */
  readonly told?: (db: Db, row: OrderRow) => Promise<void>;
  readonly hold?: Hold;
}

/** Moves an order on and tells the other side. Fault: OVERTAKEN, where it is in another state by now. */
export async function step(
  ctx: Ctx,
  orders: Orders,
  id: number,
  { event, side, say }: Step,
  { set = () => ({}), text = '', told, hold }: Told,
): Promise<Answer> {
  await actOn(
    ctx,
    { id },
    side,
    async (db, row) => {
      if (!(orderRows.machine.events[event].from as readonly string[]).includes(row.state)) throw fault('OVERTAKEN');
      const written = await set(db, row);
      await move(db, orderRows, event, [id], { actorId: ctx.actor.userId, set: written });
      await withdrawAsked(ctx, db, row, event);
      await noteEntry(ctx, db, row, side, { event, text: typeof text === 'string' ? text : text(row, written) });
      await tell(ctx, db, { ...row, ...written }, side, say);
      await told?.(db, row);
    },
    hold,
  );
  return ctx.inTx((db) => orders.read(ctx, id, db));
}
