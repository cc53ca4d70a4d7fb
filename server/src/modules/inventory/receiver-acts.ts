import type { Arrival, Receipt } from '@mooring/contract/inventory/receipt';
import { type RawBuilder, sql } from 'kysely';
import { noteCustody } from '../../engines/custody/note-custody.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import { type Chosen, chosenArrivals, chosenReceipts, leading } from './chosen.ts';
import { holdDevices } from './hold-devices.ts';
import { type Act, BATCH, type Step } from './many.ts';
import { tellAnswered, tellReturned } from './tell-side.ts';
import { bring, devicesOf, failedOf, holdDispatch, type Record, type Sides, settle, sortOut, turn, turnBad } from './transfer-rows.ts';

/** All of one receipt or some, as they are named or were scanned; chosen ones of the list of arrivals; or all of chosen receipts. */
export type Arriving =
  | { readonly id: number; readonly ids?: readonly number[] | undefined; readonly sns?: readonly string[] }
  | { readonly arrivals: Chosen<typeof Arrival> }
  | { readonly receipts: Chosen<typeof Receipt> };
type OfReceipt = Arriving & {
  readonly document?: string;
  readonly signedBy?: string;
  readonly signature?: readonly (readonly number[])[];
  readonly reason?: string;
};
const none: Step = { last: undefined, done: 0, failed: [] };

function isOf(of: Arriving): RawBuilder<boolean> {
  if ('arrivals' in of) return chosenArrivals(of.arrivals);
  if ('receipts' in of) return sql<boolean>`a.receipt_id in (select r.id from inventory_receipt r where ${chosenReceipts(of.receipts)})`;
  const { id, ids, sns = [] } = of;
  return sql<boolean>`a.receipt_id = ${id} and ${ids ? sql`a.id = any(${ids}::bigint[])` : sql`true`}
    and ${sns.length > 0 ? sql`a.sn = any(${sns}::text[])` : sql`true`}`;
}
/** Arrivals `a` in these states. */
export const arrivalsIn = (of: Arriving, states: readonly string[]): RawBuilder<boolean> =>
  sql<boolean>`${isOf(of)} and not a.superseded and a.state = any(${states}::text[])`;
export const WAITING = ['1'];
export const ACCEPTED = ['3', '17'];

/** The next ones of the actor's own, now: a job may run later than it was asked for. */
const nextOf = async (ctx: Ctx, which: RawBuilder<boolean>, after: number) =>
  ctx.inTx(
    async (db) =>
      (
        await sql<{ at: number; device_id: number; receipt_id: number; dispatch_id: number }>`
          select a.id as at, a.device_id, a.receipt_id, o.dispatch_id from inventory_arrival a join inventory_receipt o on o.id = a.receipt_id
          where ${which} and a.id > ${after} order by a.id limit ${BATCH}`.execute(db)
      ).rows,
  );

type Done = Step & { readonly signature?: number | undefined };
interface Of {
  readonly of: OfReceipt;
  readonly receipt: number;
  readonly isFirst: boolean;
  /** What this run was signed with, of this receipt. */
  readonly signature: number | undefined;
}
/** What happens stands on the sender's side too, past the policy. */
const stepOn =
  (states: readonly string[], act: (ctx: Ctx, db: Db, sides: Sides, records: readonly Record[], about: Of) => Promise<Done>) =>
  async (ctx: Ctx, params: object, after: number, seen: Map<number, number>): Promise<Step> => {
    const of = params as OfReceipt;
    const next = await nextOf(ctx, arrivalsIn(of, states), after);
    const found = leading(next, (row) => row.receipt_id);
    const [first] = found;
    if (!first) return none;
    const last = next.length < BATCH && found.length === next.length ? undefined : found.at(-1)?.at;
    const receipt = first.receipt_id;
    const about = { of, receipt, isFirst: !seen.has(receipt), signature: seen.get(receipt) };
    const step = await ctx.unscoped(async (db): Promise<Done> => {
      await holdDevices(db, devicesOf(found));
      const sides = await holdDispatch(db, first.dispatch_id);
      if (!sides) return none;
      // Asked again, now that nobody else answers for them.
      const { rows } = await sql<Record>`
        select t.id, a.id as at, t.device_id, t.sn, t.state from inventory_arrival a join inventory_transfer t on t.id = a.transfer_id
        where ${arrivalsIn(of, states)} and t.state = any(${states}::text[]) and a.id = any(${found.map(({ at }) => at)}::bigint[]) order by a.id for update of t`.execute(
        db,
      );
      if (rows.length === 0) return none;
      const done = await act(ctx, db, sides, rows, about);
      await settle(ctx, db, sides);
      return done;
    });
    if (step.done > 0) seen.set(receipt, step.signature ?? 0);
    return { done: step.done, failed: step.failed, last };
  };

/** Whoever signs has signed for what was accepted: where that is nothing, the receipt says nothing of it. */
async function sign(ctx: Ctx, db: Db, { of, receipt, signature }: Of, terminals: number): Promise<number | undefined> {
  if (terminals === 0) return signature;
  const { document = '', signedBy = '' } = of;
  await db.updateTable('inventory_receipt').set({ document, signed_by: signedBy }).where('id', '=', receipt).execute();
  if (signature !== undefined) {
    await sql`update inventory_signature set terminals = terminals + ${terminals} where id = ${signature}`.execute(db);
    return signature;
  }
  const { rows } = await sql<{ id: number }>`
    insert into inventory_signature (receipt_id, document, signed_by, signature, terminals, at, dept_path)
    select id, ${document}, ${signedBy}, ${JSON.stringify(of.signature ?? [])}, ${terminals}, ${ctx.now()}, dept_path from inventory_receipt
    where id = ${receipt} returning id`.execute(db);
  return rows[0]?.id;
}

export const acceptAct: Act = {
  title: 'work.receipt.accept',
  can: 'inventory:receipt:accept',
  step: stepOn(WAITING, async (ctx, db, sides, records, about) => {
    const { of } = about;
    const { good, bad } = await sortOut(db, records, sides.from.path, sides.to.path);
    await turnBad(ctx, db, 'fail', bad);
    await bring(ctx, db, devicesOf(good), sides.to);
    await turn(ctx, db, 'succeed', good);
    await noteCustody(db, devicesOf(good), {
      event: 'received',
      entryType: '3',
      from: sides.from.name,
      to: sides.to.name,
      document: of.document || sides.number,
      remark: of.signedBy ?? '',
      by: ctx.actor.userName,
      now: ctx.now(),
    });
    const signature = await sign(ctx, db, about, good.length);
    await tellAnswered(db, sides);
    return { last: undefined, done: good.length, failed: failedOf(bad), signature };
  }),
};

export const refuseAct: Act = {
  title: 'work.receipt.refuse',
  can: 'inventory:receipt:accept',
  step: stepOn(WAITING, async (ctx, db, sides, records, { of }) => {
    await turn(ctx, db, 'fail', records, { reason: 'refused', note: of.reason ?? '' });
    await tellAnswered(db, sides);
    return { last: undefined, done: records.length, failed: [] };
  }),
};

export const giveBackAct: Act = {
  title: 'work.receipt.giveBack',
  can: 'inventory:receipt:return',
  step: stepOn(ACCEPTED, async (ctx, db, sides, records, { of, isFirst }) => {
    await turn(ctx, db, 'return', records);
    const { good, bad } = await sortOut(db, records, sides.to.path, sides.from.path);
    await bring(ctx, db, devicesOf(good), sides.from);
    await turn(ctx, db, 'returned', good, { note: of.reason ?? '' });
    await turnBad(ctx, db, 'returnFail', bad);
    await noteCustody(db, devicesOf(good), {
      event: 'returned',
      entryType: '9',
      from: sides.to.name,
      to: sides.from.name,
      document: sides.number,
      remark: of.reason ?? '',
      by: ctx.actor.userName,
      now: ctx.now(),
    });
    if (isFirst && good.length > 0) await tellReturned(db, sides);
    return { last: undefined, done: good.length, failed: failedOf(bad) };
  }),
};
