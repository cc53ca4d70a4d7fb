import type { Dispatch, dispatchCalls, Transfer } from '@mooring/contract/inventory/dispatch';
import type { Arrival, Receipt } from '@mooring/contract/inventory/receipt';
import type { BulkOutcome } from '@mooring/contract/kit/page';
import { type RawBuilder, sql } from 'kysely';
import type { Ctx, Db } from '../../platform/context.ts';
import type { Handler } from '../../platform/module.ts';
import { type Chosen, chosenArrivals, chosenDispatches, chosenReceipts, chosenTransfers } from './chosen.ts';
import { endable } from './end-dispatch.ts';
import { arrivalsIn } from './receiver-acts.ts';
import { type OfDispatch, sendable } from './sender-acts.ts';

export type Sending = 'send' | 'takeBack';
export type Receiving = 'accept' | 'refuse' | 'giveBack';
export type Ending = 'withdraw' | 'delete';
type Name = Sending | Receiving | Ending;
export type Run = (ctx: Ctx, name: Name, params: Record<string, unknown>, total: number) => Promise<BulkOutcome>;
interface Asked<C> {
  readonly of: C;
  readonly preview: boolean;
}
const MOST = 20_001;
const nothing = { done: 0, failed: [], work: null };

const count = async (db: Db, from: RawBuilder<unknown>): Promise<number> =>
  (await sql<{ n: number }>`select count(*)::int as n from (select ${from} limit ${MOST}) x`.execute(db)).rows[0]?.n ?? 0;

/** What is chosen, which of it that may happen to, and of how many rows that becomes a run. */
interface Questions {
  readonly all: RawBuilder<unknown>;
  readonly fits: RawBuilder<unknown>;
  readonly acted: RawBuilder<unknown>;
}
async function actOn(ctx: Ctx, run: Run, name: Name, preview: boolean, params: object, asked: Questions) {
  const { total, fits, acted } = await ctx.inTx(async (db) => ({
    total: await count(db, asked.all),
    fits: await count(db, asked.fits),
    acted: preview ? 0 : await count(db, asked.acted),
  }));
  if (preview || acted === 0) return { ...nothing, total, refused: preview ? total - fits : total };
  const outcome = await run(ctx, name, { ...params }, acted);
  const n = outcome.work === null ? outcome.done : acted;
  ctx.audit({ target: `dispatch (${n})`, after: { [name]: n } });
  return outcome;
}

/** Chosen terminals of dispatches are sent, or taken back. */
export const actOnTransfers =
  (run: Run, name: Sending, which: (of: OfDispatch) => RawBuilder<boolean>) =>
  (ctx: Ctx, { of, preview }: Asked<Chosen<typeof Transfer>>) => {
    const fits = sql`from inventory_transfer t where ${which({ transfers: of })}`;
    const all = sql`from inventory_transfer t where not t.superseded and ${chosenTransfers(of)}`;
    return actOn(ctx, run, name, preview, { transfers: of }, { all, fits, acted: fits });
  };

/** Whatever of chosen dispatches is left to send. */
export const sendDispatches =
  (run: Run): Handler<typeof dispatchCalls.transferMany> =>
  (ctx, { of, preview }) => {
    const which = chosenDispatches(of);
    const open = sql`h.state in ('1', '3', '5')
      and exists (select from inventory_transfer t where t.dispatch_id = h.id and not t.superseded and t.state = '1' and t.sent_at is null)`;
    return actOn(
      ctx,
      run,
      'send',
      preview,
      { dispatches: of },
      {
        all: sql`from inventory_dispatch h where ${which}`,
        fits: sql`from inventory_dispatch h where ${which} and ${open}`,
        acted: sql`from inventory_transfer t where ${sendable({ dispatches: of })}`,
      },
    );
  };

/** Chosen terminals that arrive are answered. */
export const actOnArrivals =
  (run: Run, name: Receiving, states: readonly string[]) =>
  (ctx: Ctx, { of, preview, ...more }: Asked<Chosen<typeof Arrival>>) => {
    const fits = sql`from inventory_arrival a where ${arrivalsIn({ arrivals: of }, states)}`;
    const all = sql`from inventory_arrival a where not a.superseded and ${chosenArrivals(of)}`;
    return actOn(ctx, run, name, preview, { arrivals: of, ...more }, { all, fits, acted: fits });
  };

/** Whatever of chosen receipts waits, or was accepted. */
export const actOnReceipts =
  (run: Run, name: Receiving, states: readonly string[]) =>
  (ctx: Ctx, { of, preview, ...more }: Asked<Chosen<typeof Receipt>>) => {
    const all = sql`from inventory_receipt r where ${chosenReceipts(of)}`;
    return actOn(
      ctx,
      run,
      name,
      preview,
      { receipts: of, ...more },
      {
        all,
        fits: sql`${all} and exists (select from inventory_arrival a where a.receipt_id = r.id and not a.superseded and a.state = any(${states}::text[]))`,
        acted: sql`from inventory_arrival a where ${arrivalsIn({ receipts: of }, states)}`,
      },
    );
  };

/** Chosen dispatches that end. */
export const endDispatches =
  (run: Run, name: Ending, states: readonly string[]) =>
  (ctx: Ctx, { of, preview }: Asked<Chosen<typeof Dispatch>>) => {
    const fits = sql`from inventory_dispatch h where ${endable(of, states)}`;
    const all = sql`from inventory_dispatch h where ${chosenDispatches(of)}`;
    return actOn(ctx, run, name, preview, { dispatches: of }, { all, fits, acted: fits });
  };
