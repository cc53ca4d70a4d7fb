import { Fault, fault } from '@mooring/contract/kit/fault';
import type { orderCalls } from '@mooring/contract/order/calls';
import { heldUpBy } from '@mooring/contract/order/hold-up';
import { closableFrom, hasArrived, RETURN_DAYS } from '@mooring/contract/order/state-machines';
import { sql } from 'kysely';
import type { Ctx, Db } from '../../platform/context.ts';
import { move } from '../../platform/db/move.ts';
import type { Handler } from '../../platform/module.ts';
import { unhidden } from '../access/api.ts';
import { actOn, endOrder, noteEntry, type Orders, step } from './act.ts';
import { withdrawAsked } from './asked.ts';
import { checkDue, isOtherDue } from './due.ts';
import { engineerOf } from './engineers.ts';
import { costRows, dayOf, type OrderRow, returnedAt, together, utcDay } from './order-row.ts';
import { isOver, mayCancel, mayReach, mayShip, type Shut, shipper, sidesOf } from './sides.ts';
import { tell, tellEngineer, tellFormer } from './tell.ts';

type Calls = typeof orderCalls;
type Acts = {
  readonly [K in
    | 'accept'
    | 'assign'
    | 'cancel'
    | 'decline'
    | 'receive'
    | 'unreceive'
    | 'diagnose'
    | 'refuse'
    | 'repaired'
    | 'delivered'
    | 'closeReturn'
    | 'ship'
    | 'contact']: Handler<Calls[K]>;
};
interface Back {
  readonly backCarrier: string;
  readonly backNumber: string;
}
const back = ({ backCarrier, backNumber }: Back) => ({ back_carrier: backCarrier, back_number: backNumber });

function checkStart(row: OrderRow): Record<string, unknown> {
  const held = heldUpBy(row);
  if (held) throw new Fault(held);
  return {};
}

/** What was entered since stands on the terminal's having arrived. */
function checkUntouched({ diagnosis, warranty, costs }: OrderRow): Record<string, unknown> {
  if (diagnosis !== '' || warranty !== 'none' || costs !== 'none') throw new Fault('ORDER_DIAGNOSED');
  return {};
}

/** Who has had it, or to whom it travels, doesn't get rid of it by a word. */
async function checkNotSent(db: Db, { id, out_carrier, out_number }: OrderRow): Promise<void> {
  const had = await db
    .selectFrom('order_entry')
    .select('id')
    .where('order_id', '=', id)
    .where('event', '=', 'receive')
    .limit(1)
    .executeTakeFirst();
  if (had || out_carrier !== '' || out_number !== '') throw new Fault('ORDER_SENT');
}

async function checkUnconfirmed(ctx: Ctx, db: Db, { id }: OrderRow): Promise<Record<string, unknown>> {
  const { rows } = await sql<{ at: Date | null }>`select ${returnedAt('o')} as at from order_order o where o.id = ${id}`.execute(db);
  const from = closableFrom(rows[0]?.at ?? ctx.now());
  if (from > ctx.now()) throw new Fault('ORDER_RETURN_EARLY', { params: { date: utcDay(from), days: RETURN_DAYS } });
  return { closed_at: ctx.now() };
}

const ship =
  (orders: () => Orders): Handler<Calls['ship']> =>
  async (ctx, { id, revision, carrier, number }) => {
    await actOn(ctx, { id, revision }, ['customer', 'service'], async (db, row) => {
      const side = shipper(row);
      if (side === undefined) throw fault('OVERTAKEN');
      if (!sidesOf(ctx.scope.path, row).includes(side)) throw new Fault('ORDER_SIDE');
      if (!mayShip(side, ctx.actor)) throw fault('FORBIDDEN');
      const set = side === 'customer' ? { out_carrier: carrier, out_number: number } : { back_carrier: carrier, back_number: number };
      await db.updateTable('order_order').set(set).where('id', '=', id).execute();
      if (side === 'customer') await withdrawAsked(ctx, db, row, 'ship');
      await noteEntry(ctx, db, row, side, { event: 'ship', text: [carrier, number].filter(Boolean).join(' ') });
      await tell(ctx, db, row, side, 'orderShipped');
    });
    return ctx.inTx((db) => orders().read(ctx, id, db));
  };

const contact =
  (orders: () => Orders): Handler<Calls['contact']> =>
  async (ctx, { id, revision, contactName, phone, address }) => {
    await actOn(ctx, { id, revision }, 'customer', async (db, row) => {
      if (!mayReach(row)) throw fault('OVERTAKEN');
      await db.updateTable('order_order').set({ contact_name: contactName, phone, address }).where('id', '=', id).execute();
      await noteEntry(ctx, db, row, 'customer', { event: 'contact', text: together(contactName, phone, address) });
      await tell(ctx, db, row, 'customer', 'orderContact');
    });
    return ctx.inTx((db) => orders().read(ctx, id, db));
  };

/** Meanwhile, mostly: whoever cancels has it as it was before. */
const arrived = () => new Fault('ORDER_ARRIVED', { code: 409 });
/** By who ordered, before it arrives; later, and by who repairs, where the other side's organisation is shut. */
const cancel =
  (orders: () => Orders): Handler<Calls['cancel']> =>
  async (ctx, { id, reason }) => {
    await actOn(ctx, { id }, ['customer', 'service'], async (db, row) => {
      const { rows } = await sql<Shut>`
        select not is_dept_open(${row.dept_path}) as customer_shut, not is_dept_open(${row.partner_path}) as partner_shut`.execute(db);
      const sides = sidesOf(ctx.scope.path, row);
      const side = sides.find((one) => mayCancel(one, { ...row, ...rows[0] }));
      if (side === undefined) throw isOver(row) ? fault('OVERTAKEN') : hasArrived(row) ? arrived() : new Fault('ORDER_SIDE');
      await endOrder(ctx, db, row, reason);
      await noteEntry(ctx, db, row, side, { event: 'cancel', text: reason });
      await tell(ctx, db, row, side, 'orderCancelled');
    });
    return ctx.inTx((db) => orders().read(ctx, id, db));
  };

/** The steps of both sides. */
export const makeActs = (orders: () => Orders): Acts => ({
  ship: ship(orders),
  contact: contact(orders),
  accept: async (ctx, { id, engineerId, dueOn }) => {
    const seen = await unhidden(ctx);
    return step(
      ctx,
      orders(),
      id,
      { event: 'accept', side: 'service', say: 'orderAccepted' },
      {
        set: async (db, row) => {
          if (isOtherDue(row, dueOn)) checkDue(ctx, dueOn);
          return { ...(await engineerOf(db, row, engineerId, seen)), ...(dueOn === undefined ? {} : { due_on: dueOn }) };
        },
        text: (row, { engineer }) => together(String(engineer), isOtherDue(row, dueOn) && (dueOn ?? '–')),
        told: async (db, row) => {
          await tellEngineer(ctx, db, row, engineerId);
          if (isOtherDue(row, dueOn)) await tell(ctx, db, row, 'service', 'orderDue', { params: { date: dueOn ?? '–' } });
        },
      },
    );
  },
  assign: async (ctx, { id, revision, engineerId, dueOn }) => {
    const seen = await unhidden(ctx);
    await actOn(ctx, { id, revision }, 'service', async (db, row) => {
      if (row.state === 'created' || isOver(row)) throw fault('OVERTAKEN');
      if (isOtherDue(row, dueOn)) checkDue(ctx, dueOn);
      const to = engineerId === undefined ? row.engineer_id : engineerId;
      const day = dueOn === undefined ? dayOf(row.due_on) : dueOn;
      const engineer = await engineerOf(db, row, to, seen);
      await db
        .updateTable('order_order')
        .set({ ...engineer, due_on: day as never })
        .where('id', '=', id)
        .execute();
      await noteEntry(ctx, db, row, 'service', { event: 'assign', text: together(engineer.engineer, day) });
      if (to !== row.engineer_id) {
        await tellEngineer(ctx, db, row, to);
        await tellFormer(ctx, db, row, engineer.engineer);
      }
      if (isOtherDue(row, dueOn)) await tell(ctx, db, row, 'service', 'orderDue', { params: { date: dueOn ?? '–' } });
    });
    return ctx.inTx((db) => orders().read(ctx, id, db));
  },
  cancel: cancel(orders),
  decline: (ctx, { id, reason }) =>
    step(
      ctx,
      orders(),
      id,
      { event: 'decline', side: 'service', say: 'orderTurnedDown' },
      {
        set: async (db, row) => {
          await checkNotSent(db, row);
          return { reason, closed_at: ctx.now() };
        },
        text: reason,
      },
    ),
  unreceive: (ctx, { id, reason }) =>
    step(
      ctx,
      orders(),
      id,
      { event: 'unreceive', side: 'service', say: 'orderUnreceived' },
      { set: (_db, row) => checkUntouched(row), text: reason },
    ),
  closeReturn: (ctx, { id, reason }) =>
    step(
      ctx,
      orders(),
      id,
      { event: 'closeReturn', side: 'service', say: 'orderReturnClosed' },
      { set: (db, row) => checkUnconfirmed(ctx, db, row), text: reason },
    ),
  receive: (ctx, { id }) => step(ctx, orders(), id, { event: 'receive', side: 'service', say: 'orderReceived' }, {}),
  diagnose: (ctx, { id }) =>
    step(ctx, orders(), id, { event: 'diagnose', side: 'service', say: 'orderRepairing' }, { set: (_db, row) => checkStart(row) }),
  refuse: (ctx, { id, reason, ...shipped }) =>
    step(
      ctx,
      orders(),
      id,
      { event: 'refuse', side: 'service', say: 'orderReturning' },
      {
        set: async (db, row) => {
          // Nothing is to be paid for what isn't done.
          if (row.costs === 'asked' || row.costs === 'approved') await move(db, costRows, 'waive', [id], { actorId: ctx.actor.userId });
          return { reason, ...back(shipped) };
        },
        text: reason,
      },
    ),
  repaired: (ctx, { id, workDone, ...shipped }) =>
    step(
      ctx,
      orders(),
      id,
      { event: 'repaired', side: 'service', say: 'orderReturning' },
      { set: () => ({ work_done: workDone, ...back(shipped) }), text: workDone },
    ),
  delivered: (ctx, { id }) =>
    step(ctx, orders(), id, { event: 'delivered', side: 'customer', say: 'orderClosed' }, { set: () => ({ closed_at: ctx.now() }) }),
});
