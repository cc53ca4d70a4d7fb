import { fault } from '@mooring/contract/kit/fault';
import { type RawBuilder, sql } from 'kysely';
import { noteCustody } from '../../engines/custody/note-custody.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import { holdDevices } from './hold-devices.ts';
import { type Act, BATCH, type Step } from './many.ts';
import { tellAnswered, tellReturned } from './tell-side.ts';
import { bring, devicesOf, failedOf, holdDispatch, type Record, type Sides, settle, sortOut, turn, turnBad } from './transfer-rows.ts';

export interface OfReceipt {
  readonly id: number;
  readonly ids?: readonly number[] | undefined;
  /** As they were scanned. */
  readonly sns?: readonly string[];
  readonly document?: string;
  readonly signedBy?: string;
  readonly signature?: number;
  readonly reason?: string;
}
const none: Step = { last: undefined, done: 0, failed: [] };

/** Arrivals `a` of a receipt in these states: those that are named, or all. */
export const arrivalsIn = ({ id, ids, sns = [] }: OfReceipt, states: readonly string[]): RawBuilder<boolean> =>
  sql<boolean>`a.receipt_id = ${id} and not a.superseded and a.state = any(${states}::text[]) and ${ids ? sql`a.id = any(${ids}::bigint[])` : sql`true`}
    and ${sns.length > 0 ? sql`a.sn = any(${sns}::text[])` : sql`true`}`;
export const WAITING = ['1'];
export const ACCEPTED = ['3', '17'];

/** The receipt is the actor's, now; what happens stands on the sender's side too, past the policy. */
const stepOn =
  (
    states: readonly string[],
    act: (ctx: Ctx, db: Db, sides: Sides, records: readonly Record[], of: OfReceipt, isFirst: boolean) => Promise<Step>,
  ) =>
  async (ctx: Ctx, params: object, after: number): Promise<Step> => {
    const of = params as OfReceipt;
    const own = await ctx.inTx((db) => db.selectFrom('inventory_receipt').select('dispatch_id').where('id', '=', of.id).executeTakeFirst());
    if (!own) throw fault('NOT_FOUND');
    return ctx.unscoped(async (db) => {
      const found = await sql<{ at: number; device_id: number }>`
        select a.id as at, a.device_id from inventory_arrival a where ${arrivalsIn(of, states)} and a.id > ${after} order by a.id limit ${BATCH}`.execute(
        db,
      );
      await holdDevices(db, devicesOf(found.rows));
      const sides = await holdDispatch(db, own.dispatch_id);
      if (!sides || found.rows.length === 0) return none;
      // Asked again, now that nobody else answers for them.
      const { rows } = await sql<Record>`
        select t.id, a.id as at, t.device_id, t.sn, t.state from inventory_arrival a join inventory_transfer t on t.id = a.transfer_id
        where ${arrivalsIn(of, states)} and t.state = any(${states}::text[]) and a.id = any(${found.rows.map(({ at }) => at)}::bigint[]) order by a.id for update of t`.execute(
        db,
      );
      const last = found.rows.length < BATCH ? undefined : found.rows.at(-1)?.at;
      if (rows.length === 0) return { ...none, last };
      const { done, failed } = await act(ctx, db, sides, rows, of, after === 0);
      await settle(ctx, db, sides);
      return { done, failed, last };
    });
  };

/** Whoever signs has signed for what was accepted: where that is nothing, the receipt says nothing of it. */
async function sign(db: Db, { id, document = '', signedBy = '', signature = 0 }: OfReceipt, terminals: number): Promise<void> {
  if (terminals === 0) return;
  await sql`update inventory_signature set terminals = terminals + ${terminals} where id = ${signature}`.execute(db);
  await db.updateTable('inventory_receipt').set({ document, signed_by: signedBy }).where('id', '=', id).execute();
}

export const acceptAct: Act = {
  title: 'work.receipt.accept',
  can: 'inventory:receipt:accept',
  step: stepOn(WAITING, async (ctx, db, sides, records, of) => {
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
    await sign(db, of, good.length);
    await tellAnswered(db, sides);
    return { last: undefined, done: good.length, failed: failedOf(bad) };
  }),
};

export const refuseAct: Act = {
  title: 'work.receipt.refuse',
  can: 'inventory:receipt:accept',
  step: stepOn(WAITING, async (ctx, db, sides, records, of) => {
    await turn(ctx, db, 'fail', records, { reason: 'refused', note: of.reason ?? '' });
    await tellAnswered(db, sides);
    return { last: undefined, done: records.length, failed: [] };
  }),
};

export const giveBackAct: Act = {
  title: 'work.receipt.giveBack',
  can: 'inventory:receipt:return',
  step: stepOn(ACCEPTED, async (ctx, db, sides, records, of, isFirst) => {
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
