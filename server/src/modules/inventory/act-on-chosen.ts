import type { Dispatch, dispatchCalls, Transfer } from '@mooring/contract/inventory/dispatch';
import type { Arrival, Receipt } from '@mooring/contract/inventory/receipt';
import { Fault } from '@mooring/contract/kit/fault';
import type { BulkOutcome } from '@mooring/contract/kit/page';
import { type RawBuilder, sql } from 'kysely';
import type { Ctx, Db } from '../../platform/context.ts';
import type { Handler } from '../../platform/module.ts';
import { type Chosen, chosenArrivals, chosenDispatches, chosenReceipts, chosenTransfers } from './chosen.ts';
import { endable, whyStays } from './end-dispatch.ts';
import type { Failed, makeMany } from './many.ts';
import type { Part } from './parts.ts';
import { answerable } from './receiver-acts.ts';
import { sendable } from './sender-acts.ts';

export type Sending = 'send' | 'takeBack';
export type Receiving = 'accept' | 'refuse' | 'giveBack';
export type Ending = 'withdraw' | 'delete';
type Name = Sending | Receiving | Ending;
export type Run = ReturnType<typeof makeMany<Name>>['run'];
interface Asked<C> {
  readonly of: C;
  readonly preview: boolean;
}
/** Rows of a list that were chosen, and what an act asks of them. */
interface Rows {
  readonly kind: 'dispatch' | 'receipt';
  readonly from: RawBuilder<unknown>;
  readonly chosen: RawBuilder<boolean>;
  /** Which of them it may happen to, and why not to the others. */
  readonly fits: RawBuilder<boolean>;
  readonly why: RawBuilder<string>;
  readonly id: RawBuilder<number>;
  readonly label: RawBuilder<string>;
  /** The document of a row: itself in a list of documents. */
  readonly document: RawBuilder<number>;
  readonly isDocument: boolean;
  /** How many terminals of a row it is about. */
  readonly terminals: RawBuilder<number>;
}
/** What an act writes down of its rows, and in the background works through: with more of them it isn't begun. */
const MOST = 100_000;
const MOST_COUNTED = 1_000_001;
const NAMED = 20;

async function misfitsOf(db: Db, { from, chosen, fits, why, id, label }: Rows): Promise<{ refused: number; failed: Failed[] }> {
  const others = sql`${from} where ${chosen} and (${fits}) is not true`;
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from (select ${others} limit ${MOST_COUNTED}) x`.execute(db);
  const refused = rows[0]?.n ?? 0;
  if (refused === 0) return { refused, failed: [] };
  const named = await sql<Failed>`select ${id} as id, ${label} as label, ${why} as fault ${others} order by 1 limit ${NAMED}`.execute(db);
  return { refused, failed: named.rows };
}

/** Those that it may happen to, by their documents: found once, since what happens to them changes what finds them. Fault: CHOSEN_MANY. */
async function partsOf(db: Db, { from, chosen, fits, id, document, isDocument, terminals }: Rows) {
  const { rows } = await sql<{ document: number; id: number; n: number }>`
    select ${document} as document, ${id} as id, ${terminals} as n ${from} where ${chosen} and ${fits} order by 1, 2 limit ${MOST + 1}`.execute(
    db,
  );
  if (rows.length > MOST) throw new Fault('CHOSEN_MANY', { code: 413, params: { most: MOST } });
  const ids = new Map<number, number[]>();
  for (const row of rows) {
    const before = ids.get(row.document);
    if (before) before.push(row.id);
    else ids.set(row.document, [row.id]);
  }
  const parts: Part[] = [...ids].map(([one, of]) => (isDocument ? { id: one } : { id: one, ids: of }));
  return { parts, rows: rows.length, terminals: rows.reduce((sum, { n }) => sum + Number(n), 0) };
}

const targetOf = async (ctx: Ctx, { kind }: Rows, parts: readonly Part[]): Promise<string> => {
  const [only] = parts;
  if (!only || parts.length > 1) return `${kind} (${parts.length})`;
  const table = sql.table(`inventory_${kind}`);
  const { rows } = await ctx.inTx((db) => sql<{ number: string }>`select number from ${table} where id = ${only.id}`.execute(db));
  return `${kind} ${rows[0]?.number ?? only.id}`;
};

interface Doing {
  readonly name: Name;
  readonly preview: boolean;
  /** What is said of it, as a receiver does; its lines aren't for the log. */
  readonly said?: { readonly signature?: unknown };
  /** Counts documents, however many terminals each has. */
  readonly byDocument?: boolean;
}
async function actOn(ctx: Ctx, run: Run, rows: Rows, { name, preview, said = {}, byDocument = false }: Doing): Promise<BulkOutcome> {
  const { found, misfits } = await ctx.inTx(async (db) => ({ found: await partsOf(db, rows), misfits: await misfitsOf(db, rows) }));
  const nothing = { total: found.rows + misfits.refused, done: 0, ...misfits, work: null };
  if (preview || found.rows === 0) return nothing;
  const { parts, terminals } = found;
  const target = await targetOf(ctx, rows, parts);
  const isOfTerminals = rows.isDocument && !byDocument;
  const total = isOfTerminals ? terminals : nothing.total;
  const outcome = await run(ctx, name, { parts, ...said }, total, { weight: terminals, ...misfits });
  const { signature, ...told } = said;
  const n = outcome.work === null ? outcome.done : isOfTerminals ? terminals : found.rows;
  ctx.audit({ target, after: { [name === 'accept' ? 'accepted' : name]: n, ...told } });
  return outcome;
}

const one = sql<number>`1`;

/** Chosen terminals of dispatches are sent, or taken back. */
export const actOnTransfers =
  (run: Run, name: Sending, fits: RawBuilder<boolean>) =>
  (ctx: Ctx, { of, preview }: Asked<Chosen<typeof Transfer>>) => {
    const rows: Rows = {
      kind: 'dispatch',
      from: sql`from inventory_transfer t`,
      chosen: sql<boolean>`not t.superseded and ${chosenTransfers(of)}`,
      fits,
      why: sql<string>`'DISPATCH_STATE'`,
      id: sql<number>`t.id`,
      label: sql<string>`t.sn`,
      document: sql<number>`t.dispatch_id`,
      isDocument: false,
      terminals: one,
    };
    return actOn(ctx, run, rows, { name, preview });
  };

const dispatches = (of: Chosen<typeof Dispatch>) => ({
  kind: 'dispatch' as const,
  from: sql`from inventory_dispatch h`,
  chosen: chosenDispatches(of),
  id: sql<number>`h.id`,
  label: sql<string>`h.number`,
  document: sql<number>`h.id`,
  isDocument: true,
});

/** Whatever of chosen dispatches is left to send. */
export const sendDispatches =
  (run: Run): Handler<typeof dispatchCalls.transferMany> =>
  (ctx, { of, preview }) => {
    const left = sql`from inventory_transfer t where t.dispatch_id = h.id and ${sendable(false)}`;
    const rows: Rows = {
      ...dispatches(of),
      fits: sql<boolean>`exists (select ${left})`,
      why: sql<string>`'DISPATCH_STATE'`,
      terminals: sql<number>`(select count(*)::int ${left})`,
    };
    return actOn(ctx, run, rows, { name: 'send', preview });
  };

/** Chosen terminals that arrive are answered. */
export const actOnArrivals =
  (run: Run, name: Receiving, states: readonly string[]) =>
  (ctx: Ctx, { of, preview, ...said }: Asked<Chosen<typeof Arrival>>) => {
    const rows: Rows = {
      kind: 'receipt',
      from: sql`from inventory_arrival a`,
      chosen: sql<boolean>`not a.superseded and ${chosenArrivals(of)}`,
      fits: answerable(states),
      why: sql<string>`'RECEIPT_STATE'`,
      id: sql<number>`a.id`,
      label: sql<string>`a.sn`,
      document: sql<number>`a.receipt_id`,
      isDocument: false,
      terminals: one,
    };
    return actOn(ctx, run, rows, { name, preview, said });
  };

/** Whatever of chosen receipts waits, or was accepted. */
export const actOnReceipts =
  (run: Run, name: Receiving, states: readonly string[]) =>
  (ctx: Ctx, { of, preview, ...said }: Asked<Chosen<typeof Receipt>>) => {
    const left = sql`from inventory_arrival a where a.receipt_id = r.id and ${answerable(states)}`;
    const rows: Rows = {
      kind: 'receipt',
      from: sql`from inventory_receipt r`,
      chosen: chosenReceipts(of),
      fits: sql<boolean>`exists (select ${left})`,
      why: sql<string>`'RECEIPT_STATE'`,
      id: sql<number>`r.id`,
      label: sql<string>`r.number`,
      document: sql<number>`r.id`,
      isDocument: true,
      terminals: sql<number>`(select count(*)::int ${left})`,
    };
    return actOn(ctx, run, rows, { name, preview, said });
  };

/** Chosen dispatches that end. */
export const endDispatches =
  (run: Run, name: Ending, states: readonly string[]) =>
  (ctx: Ctx, { of, preview }: Asked<Chosen<typeof Dispatch>>) => {
    const rows: Rows = { ...dispatches(of), fits: endable(states), why: whyStays, terminals: sql<number>`h.total + 1` };
    return actOn(ctx, run, rows, { name, preview, byDocument: true });
  };
