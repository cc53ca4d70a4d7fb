import { Fault, fault } from '@mooring/contract/kit/fault';
import type { orderCalls } from '@mooring/contract/order/calls';
import { centsOf, costOf, type Part } from '@mooring/contract/shared/money';
import type { Ctx } from '../../platform/context.ts';
import { move } from '../../platform/db/move.ts';
import type { Handler } from '../../platform/module.ts';
import { actOn, noteEntry, type Orders } from './act.ts';
import { costRows, type OrderRow } from './order-row.ts';
import { tell } from './tell.ts';

type Calls = typeof orderCalls;
type Quote = { readonly [K in 'quote' | 'approveCosts' | 'declineCosts']: Handler<Calls[K]> };

/** An organisation that repairs its own asks nobody else for money. */
const isOwn = ({ dept_id, partner_id }: OrderRow): boolean => dept_id === partner_id;
const isFree = ({ warranty_until, created_at }: OrderRow): boolean =>
  warranty_until !== null && new Date(warranty_until).toISOString().slice(0, 10) >= created_at.toISOString().slice(0, 10);

/** What the repair costs, and whether who ordered agrees to it. */
export const makeQuote = (orders: () => Orders): Quote => {
  const answer =
    (event: 'approve' | 'decline', name: 'approveCosts' | 'declineCosts', say: 'orderApproved' | 'orderDeclined') =>
    async (ctx: Ctx, id: number, text: string, check: (row: OrderRow) => void = () => undefined) => {
      await actOn(ctx, id, 'customer', async (db, row) => {
        check(row);
        const moved = row.state === 'received' ? await move(db, costRows, event, [id], { actorId: ctx.actor.userId }) : [];
        if (moved.length === 0) throw fault('OVERTAKEN');
        await noteEntry(ctx, db, row, 'customer', { event: name, text });
        await tell(ctx, db, row, 'customer', say);
      });
      return ctx.inTx((db) => orders().read(ctx, id, db));
    };
  const [approve, decline] = [answer('approve', 'approveCosts', 'orderApproved'), answer('decline', 'declineCosts', 'orderDeclined')];
  return {
    quote: async (ctx, { id, diagnosis, currency, parts, labour }) => {
      await actOn(ctx, id, 'service', async (db, row) => {
        if (row.state !== 'received') throw fault('OVERTAKEN');
        const isPaid = !isFree(row) && !isOwn(row) && costOf(parts) + centsOf(labour) > 0;
        const said = { diagnosis, currency, parts: JSON.stringify(parts), labour, quoted_by_id: ctx.actor.userId };
        await db.updateTable('order_order').set(said).where('id', '=', id).execute();
        await move(db, costRows, isPaid ? 'ask' : 'waive', [id], { actorId: ctx.actor.userId });
        await noteEntry(ctx, db, row, 'service', { event: 'quote', text: diagnosis });
        await tell(ctx, db, row, 'service', isPaid ? 'orderCosts' : 'orderQuoted');
      });
      return ctx.inTx((db) => orders().read(ctx, id, db));
    },
    approveCosts: (ctx, { id, total, currency }) =>
      approve(ctx, id, '', (row) => {
        // Whoever speaks for both sides doesn't agree to what they asked for themselves.
        if (row.quoted_by_id === ctx.actor.userId) throw new Fault('ORDER_OWN_COSTS');
        if (row.currency !== currency || costOf(row.parts as Part[]) + centsOf(row.labour) !== total) throw fault('OVERTAKEN');
      }),
    declineCosts: (ctx, { id, reason }) => decline(ctx, id, reason),
  };
};
