import { Fault, fault } from '@mooring/contract/kit/fault';
import { type RawBuilder, sql } from 'kysely';
import { noteCustody } from '../../engines/custody/note-custody.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import { recordCreated } from '../../platform/db/move.ts';
import { holdDevices } from './hold-devices.ts';
import { type Act, BATCH, type Step } from './many.ts';
import { tellReceiver } from './tell-side.ts';
import {
  bring,
  devicesOf,
  failedOf,
  holdDispatch,
  idsOf,
  type Reason,
  type Record,
  type Sides,
  settle,
  sortOut,
  transferRows,
  turn,
  turnBad,
  untouched,
} from './transfer-rows.ts';

export interface OfDispatch {
  readonly id: number;
  readonly ids?: readonly number[] | undefined;
}
const none: Step = { last: undefined, done: 0, failed: [] };
const isNamed = (ids: readonly number[] | undefined) => (ids ? sql<boolean>`t.id = any(${ids}::bigint[])` : sql<boolean>`true`);

/** Which records may be sent: those that weren't yet; of named ones also those that failed or came back. */
export const sendable = ({ id, ids }: OfDispatch): RawBuilder<boolean> => sql<boolean>`
  t.dispatch_id = ${id} and not t.superseded and ((t.state = '1' and t.sent_at is null) or (${ids !== undefined} and t.state in ('5', '9', '15'))) and ${isNamed(ids)}`;
/** And which may be taken back: on their way, or with the receiver. */
export const takeable = ({ id, ids }: OfDispatch): RawBuilder<boolean> => sql<boolean>`
  t.dispatch_id = ${id} and not t.superseded and ((t.state = '1' and t.sent_at is not null) or t.state in ('3', '11')) and ${isNamed(ids)}`;

const recordsOf = async (db: Db, which: RawBuilder<boolean>, more: RawBuilder<unknown>): Promise<Record[]> =>
  (await sql<Record>`select t.id, t.id as at, t.device_id, t.sn, t.state from inventory_transfer t where ${which} and ${more}`.execute(db))
    .rows;

/** The dispatch is the actor's, now: a job may run later than it was asked for. */
async function ownDispatch(ctx: Ctx, id: number): Promise<void> {
  const own = await ctx.inTx((db) => db.selectFrom('inventory_dispatch').select('id').where('id', '=', id).executeTakeFirst());
  if (!own) throw fault('NOT_FOUND');
}

/** Past the policy: what happens stands on the receiver's side too. */
const stepOn =
  (
    which: (of: OfDispatch) => RawBuilder<boolean>,
    act: (ctx: Ctx, db: Db, of: Sides, records: readonly Record[], isFirst: boolean) => Promise<Step>,
  ) =>
  async (ctx: Ctx, params: object, after: number): Promise<Step> => {
    const of = params as OfDispatch;
    await ownDispatch(ctx, of.id);
    return ctx.unscoped(async (db) => {
      const found = await recordsOf(db, which(of), sql`t.id > ${after} order by t.id limit ${BATCH}`);
      await holdDevices(db, devicesOf(found));
      const sides = await holdDispatch(db, of.id);
      if (!sides || found.length === 0) return none;
      // Asked again, now that nobody else answers for them.
      const records = await recordsOf(db, which(of), sql`t.id = any(${idsOf(found)}::bigint[]) order by t.id for update`);
      const last = found.length < BATCH ? undefined : found.at(-1)?.at;
      if (records.length === 0) return { ...none, last };
      const { done, failed } = await act(ctx, db, sides, records, after === 0);
      await settle(ctx, db, sides);
      return { done, failed, last };
    });
  };

/** The receiver's side begins with the first terminal that is sent. */
const openReceipt = (ctx: Ctx, db: Db, { id, from, to }: Sides) =>
  sql`
    insert into inventory_receipt (dispatch_id, number, from_name, remark, sent_by, created_at, dept_id, dept_path)
    select d.id, d.number, ${from.name}, d.remark, ${ctx.actor.userName}, ${ctx.now()}, ${to.id}, ${to.path} from inventory_dispatch d where d.id = ${id}
    on conflict (dispatch_id) do nothing`.execute(db);

/** Those that failed or came back are sent under a record of their own; the earlier one stays as it ended. */
async function sendAgain(ctx: Ctx, db: Db, dispatchId: number, records: readonly Record[]): Promise<Record[]> {
  if (records.length === 0) return [];
  await sql`update inventory_transfer set superseded = true where id = any(${idsOf(records)}::bigint[])`.execute(db);
  const { rows } = await sql<Record>`
    insert into inventory_transfer (dispatch_id, device_id, sn, product_name, sent_at, changed_at, dept_path)
    select ${dispatchId}, device_id, sn, product_name, ${ctx.now()}, ${ctx.now()}, dept_path from inventory_transfer where id = any(${idsOf(records)}::bigint[])
    returning id, id as at, device_id, sn, state`.execute(db);
  await recordCreated(db, transferRows, idsOf(rows), ctx.actor.userId);
  return rows;
}

export const sendAct: Act = {
  title: 'work.dispatch.transfer',
  can: 'inventory:dispatch:transfer',
  step: stepOn(sendable, async (ctx, db, sides, records, isFirst) => {
    if (!sides.to.isOpen) throw new Fault('DISPATCH_TARGET');
    if (!['1', '3', '5'].includes(sides.state)) return none;
    const { good, bad } = await sortOut(db, records, sides.from.path, sides.to.path);
    if (good.length > 0) await openReceipt(ctx, db, sides);
    // What failed before stays as it is; what was never sent fails now.
    await turnBad(
      ctx,
      db,
      'fail',
      bad.filter(({ state }) => state === '1'),
    );
    const first = good.filter(({ state }) => state === '1');
    await sql`update inventory_transfer set sent_at = ${ctx.now()}, changed_at = ${ctx.now()} where id = any(${idsOf(first)}::bigint[])`.execute(
      db,
    );
    await sendAgain(
      ctx,
      db,
      sides.id,
      good.filter(({ state }) => state !== '1'),
    );
    await noteCustody(db, devicesOf(good), {
      event: 'dispatched',
      from: sides.from.name,
      to: sides.to.name,
      document: sides.number,
      by: ctx.actor.userName,
      now: ctx.now(),
    });
    if (isFirst && good.length > 0) await tellReceiver(db, 'dispatchSent', sides);
    return { last: undefined, done: good.length, failed: failedOf(bad) };
  }),
};

const hasReason = (one: Record & { reason: Reason | undefined }): one is Record & { reason: Reason } => one.reason !== undefined;

export const takeBackAct: Act = {
  title: 'work.dispatch.takeBack',
  can: 'inventory:dispatch:withdraw',
  step: stepOn(takeable, async (ctx, db, sides, records, isFirst) => {
    const onTheirWay = records.filter(({ state }) => state === '1');
    await turn(ctx, db, 'fail', onTheirWay, { reason: 'takenBack' });
    const there = records.filter(({ state }) => state !== '1');
    await turn(ctx, db, 'withdraw', there);
    const sorted = await sortOut(db, there, sides.to.path, sides.from.path);
    // What the receiver uses is its own by now; it gives it back, or nobody does.
    const used = await untouched(db, sorted.good);
    const good = sorted.good.filter(({ id }) => !used.has(id));
    const bad = [...sorted.bad, ...sorted.good.flatMap((one) => ({ ...one, reason: used.get(one.id) })).filter(hasReason)];
    await bring(ctx, db, devicesOf(good), sides.from);
    await turn(ctx, db, 'withdrawn', good);
    await turnBad(ctx, db, 'withdrawFail', bad);
    const note = {
      event: 'withdrawn' as const,
      from: sides.to.name,
      to: sides.from.name,
      document: sides.number,
      by: ctx.actor.userName,
      now: ctx.now(),
    };
    // What was on its way has never left the stock.
    await noteCustody(db, devicesOf(onTheirWay), note);
    await noteCustody(db, devicesOf(good), { ...note, entryType: '4' });
    if (isFirst && records.length > 0) await tellReceiver(db, 'dispatchRecalled', sides);
    return { last: undefined, done: onTheirWay.length + good.length, failed: failedOf(bad) };
  }),
};
