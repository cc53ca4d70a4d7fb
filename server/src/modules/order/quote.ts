import { Fault, fault } from '@mooring/contract/kit/fault';
import type { orderCalls } from '@mooring/contract/order/calls';
import { centsOf, costOf, type Part } from '@mooring/contract/shared/money';
import type { Ctx, Db } from '../../platform/context.ts';
import { move } from '../../platform/db/move.ts';
import type { Handler } from '../../platform/module.ts';
import { type Answer, type Asked, actOn, noteEntry, type Orders } from './act.ts';
import { withdrawAsked } from './asked.ts';
import { costRows, dayOf, type OrderRow, orderRows, utcDay, warrantyRows } from './order-row.ts';
import { mayQuote } from './sides.ts';
import { tell } from './tell.ts';

type Calls = typeof orderCalls;
type Named = 'quote' | 'approveCosts' | 'declineCosts' | 'acceptWarranty' | 'disputeWarranty';
type Quote = { readonly [K in Named]: Handler<Calls[K]> };

/** An organisation that repairs its own asks nobody else for money, nor for its agreement. */
const isOwn = ({ dept_id, partner_id }: OrderRow): boolean => dept_id === partner_id;
const isOnRecord = ({ warranty_until, created_at }: OrderRow): boolean => (dayOf(warranty_until) ?? '') >= utcDay(created_at);

interface Statement {
  readonly isCovered: boolean;
  readonly isPaid: boolean;
  readonly reason: string;
}
/** What the partner says of the warranty; answers whether who ordered has to agree: in the history once, and anew where it is another answer or another reason. */
async function stateWarranty(ctx: Ctx, db: Db, row: OrderRow, { isCovered, isPaid, reason }: Statement): Promise<boolean> {
  await move(db, warrantyRows, isCovered ? 'cover' : 'deny', [row.id], { actorId: ctx.actor.userId });
  // Nobody else is there to agree, or there is nothing to agree to: no warranty is on record, and nothing is to be paid.
  const isAgreed = isOwn(row) || (!isOnRecord(row) && !isPaid);
  if (!isCovered && isAgreed) await move(db, warrantyRows, 'accept', [row.id], { actorId: ctx.actor.userId });
  const event = isCovered ? 'covered' : 'denied';
  const before = row.warranty === 'accepted' ? 'denied' : row.warranty;
  if (before !== event || row.warranty_reason !== reason) await noteEntry(ctx, db, row, 'service', { event, text: reason });
  return !isCovered && !isAgreed;
}

interface Costs {
  readonly currency: string;
  readonly parts: readonly Part[];
  readonly labour: string;
}
const asText = ({ currency, parts, labour }: Costs): string =>
  JSON.stringify([currency, labour, parts.map(({ name, quantity, price }) => [name, quantity, price])]);
/** What was agreed to, for the same reason: whoever writes the diagnosis out further asks nobody for it again, nor interrupts the repair. */
const isAgreedTo = (row: OrderRow, said: Costs, { isCovered, reason }: Omit<Statement, 'isPaid'>): boolean =>
  (row.costs === 'approved' || (row.costs === 'none' && row.warranty === 'accepted' && row.state === 'repairing')) &&
  !isCovered &&
  reason === row.warranty_reason &&
  asText(said) === asText({ ...row, parts: row.parts as Part[] });

interface Reply {
  readonly name: 'approveCosts' | 'declineCosts' | 'acceptWarranty' | 'disputeWarranty';
  readonly say: Parameters<typeof tell>[4];
  readonly text?: string;
  /** Refuses what can't be answered now, and does the rest. */
  readonly work: (db: Db, row: OrderRow) => Promise<void>;
}
/** Who ordered answers what the partner entered. */
const reply = async (ctx: Ctx, orders: Orders, asked: Asked, { name, say, text = '', work }: Reply): Promise<Answer> => {
  await actOn(ctx, asked, 'customer', async (db, row) => {
    if (row.state !== 'received') throw fault('OVERTAKEN');
    await work(db, row);
    await withdrawAsked(ctx, db, row, name);
    await noteEntry(ctx, db, row, 'customer', { event: name, text });
    await tell(ctx, db, row, 'customer', say);
  });
  return ctx.inTx((db) => orders.read(ctx, asked.id, db));
};
/** Whoever speaks for both sides doesn't agree to what they entered themselves. */
function checkOther({ actor }: Ctx, { quoted_by_id }: OrderRow): void {
  if (quoted_by_id === actor.userId) throw new Fault('ORDER_OWN_COSTS');
}

function checkMoved(moved: readonly unknown[]): void {
  if (moved.length === 0) throw fault('OVERTAKEN');
}

/** What the repair costs and whether warranty covers it, and whether who ordered agrees. */
export const makeQuote = (orders: () => Orders): Quote => {
  const pay = async (ctx: Ctx, db: Db, event: 'approve' | 'decline', id: number) =>
    checkMoved(await move(db, costRows, event, [id], { actorId: ctx.actor.userId }));
  const agree = async (ctx: Ctx, db: Db, event: 'accept' | 'dispute', id: number) =>
    checkMoved(await move(db, warrantyRows, event, [id], { actorId: ctx.actor.userId }));
  return {
    quote: async (ctx, { id, revision, diagnosis, currency, parts, labour, covered, warrantyReason }) => {
      await actOn(ctx, { id, revision }, 'service', async (db, row) => {
        if (!mayQuote(row.state)) throw fault('OVERTAKEN');
        const isCovered = covered ?? (row.warranty === 'none' ? isOnRecord(row) : row.warranty === 'covered');
        const isStated = covered !== undefined || row.warranty !== 'none';
        if (covered === undefined && (warrantyReason !== '' || row.warranty === 'disputed'))
          throw new Fault('BAD_INPUT', { fields: { covered: 'invalid.required' } });
        const reason = covered === undefined ? row.warranty_reason : warrantyReason;
        if (covered !== undefined && covered !== isOnRecord(row) && reason === '' && !isOwn(row))
          throw new Fault('BAD_INPUT', { fields: { warrantyReason: 'invalid.required' } });
        if (isAgreedTo(row, { currency, parts, labour }, { isCovered, reason })) {
          await db.updateTable('order_order').set({ diagnosis }).where('id', '=', id).execute();
          await noteEntry(ctx, db, row, 'service', { event: 'quote', text: diagnosis });
          return;
        }
        const isPaid = !isCovered && !isOwn(row) && costOf(parts) + centsOf(labour) > 0;
        const said = { diagnosis, currency, parts: JSON.stringify(parts), labour, warranty_reason: reason };
        await db
          .updateTable('order_order')
          .set({ ...said, quoted_by_id: ctx.actor.userId })
          .where('id', '=', id)
          .execute();
        await move(db, costRows, isPaid ? 'ask' : 'waive', [id], { actorId: ctx.actor.userId });
        await noteEntry(ctx, db, row, 'service', { event: 'quote', text: diagnosis });
        const isAsked = isStated && (await stateWarranty(ctx, db, row, { isCovered, isPaid, reason }));
        if (row.state === 'repairing' && (isPaid || isAsked)) {
          await move(db, orderRows, 'interrupt', [id], { actorId: ctx.actor.userId });
          await noteEntry(ctx, db, row, 'service', { event: 'interrupt' });
        }
        await withdrawAsked(ctx, db, row, 'quote');
        await tell(ctx, db, row, 'service', isPaid ? 'orderCosts' : isAsked ? 'orderDenied' : 'orderQuoted', {
          isAsked: isPaid || isAsked,
        });
      });
      return ctx.inTx((db) => orders().read(ctx, id, db));
    },
    approveCosts: (ctx, { id, revision, total, currency }) =>
      reply(
        ctx,
        orders(),
        { id, revision },
        {
          name: 'approveCosts',
          say: 'orderApproved',
          work: async (db, row) => {
            checkOther(ctx, row);
            if (row.currency !== currency || row.total !== total) throw fault('OVERTAKEN');
            await pay(ctx, db, 'approve', id);
            // Who agrees to pay agrees that nothing covers it.
            if (row.warranty === 'denied') await agree(ctx, db, 'accept', id);
          },
        },
      ),
    declineCosts: (ctx, { id, revision, reason }) =>
      reply(
        ctx,
        orders(),
        { id, revision },
        {
          name: 'declineCosts',
          say: 'orderDeclined',
          text: reason,
          work: (db) => pay(ctx, db, 'decline', id),
        },
      ),
    acceptWarranty: (ctx, { id, revision, diagnosis, warrantyReason }) =>
      reply(
        ctx,
        orders(),
        { id, revision },
        {
          name: 'acceptWarranty',
          say: 'orderWarrantyAccepted',
          work: async (db, row) => {
            checkOther(ctx, row);
            if (row.diagnosis !== diagnosis || row.warranty_reason !== warrantyReason) throw fault('OVERTAKEN');
            await agree(ctx, db, 'accept', id);
          },
        },
      ),
    disputeWarranty: (ctx, { id, revision, reason }) =>
      reply(
        ctx,
        orders(),
        { id, revision },
        {
          name: 'disputeWarranty',
          say: 'orderWarrantyDisputed',
          text: reason,
          work: async (db, row) => {
            await agree(ctx, db, 'dispute', id);
            if (row.costs === 'asked') await pay(ctx, db, 'decline', id);
          },
        },
      ),
  };
};
