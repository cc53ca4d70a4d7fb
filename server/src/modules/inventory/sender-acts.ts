import { Fault } from '@mooring/contract/kit/fault';
import { type RawBuilder, sql } from 'kysely';
import { noteCustody } from '../../engines/custody/note-custody.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import { recordCreated } from '../../platform/db/move.ts';
import { holdDevices } from './hold-devices.ts';
import { type Act, BATCH, type Step } from './many.ts';
import { type Part, partAt } from './parts.ts';
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

type Done = Pick<Step, 'done' | 'failed'>;
/** Transfers `t` of one dispatch: all or some. */
export const ofDispatch = ({ id, ids }: Part): RawBuilder<boolean> =>
  sql<boolean>`t.dispatch_id = ${id} and ${ids ? sql<boolean>`t.id = any(${ids}::bigint[])` : sql<boolean>`true`}`;
const isUnderWay = sql<boolean>`exists (select from inventory_dispatch w where w.id = t.dispatch_id and w.state in ('1', '3', '5'))`;

/** Which records may be sent: those that weren't yet; of named ones also those that failed or came back. */
export const sendable = (isNamed: boolean): RawBuilder<boolean> => sql<boolean>`
  not t.superseded and ((t.state = '1' and t.sent_at is null) or (${isNamed} and t.state in ('5', '9', '15'))) and ${isUnderWay}`;
/** And which may be taken back: on their way, or with the receiver. */
export const takeable = (): RawBuilder<boolean> => sql<boolean>`
  not t.superseded and ((t.state = '1' and t.sent_at is not null) or t.state in ('3', '11')) and ${isUnderWay}`;

const recordsOf = async (db: Db, which: RawBuilder<boolean>, more: RawBuilder<unknown>): Promise<Record[]> =>
  (await sql<Record>`select t.id, t.id as at, t.device_id, t.sn, t.state from inventory_transfer t where ${which} and ${more}`.execute(db))
    .rows;

/** The next ones of the actor's own, now: a job may run later than it was asked for. */
const nextOf = async (ctx: Ctx, which: RawBuilder<boolean>, after: number) =>
  ctx.inTx(
    async (db) =>
      (
        await sql<{ id: number; device_id: number }>`
          select t.id, t.device_id from inventory_transfer t where ${which} and t.id > ${after} order by t.id limit ${BATCH}`.execute(db)
      ).rows,
  );

interface About {
  /** Whether nothing of it was done before, in this run. */
  readonly isFirst: boolean;
  readonly isAlone: boolean;
}
/** Past the policy: what happens stands on the receiver's side too. */
const stepOn =
  (
    which: (isNamed: boolean) => RawBuilder<boolean>,
    act: (ctx: Ctx, db: Db, sides: Sides, records: readonly Record[], about: About) => Promise<Done>,
  ): Act['step'] =>
  async (ctx, params, place, note) => {
    const { part, isAlone, following } = partAt(params, place);
    const mine = sql<boolean>`${ofDispatch(part)} and ${which(part.ids !== undefined)}`;
    const found = await nextOf(ctx, mine, place.after);
    const nothing: Step = { next: following(idsOf(found), place.kept), done: 0, failed: [] };
    if (found.length === 0) return nothing;
    return ctx.unscoped(async (db) => {
      await holdDevices(db, devicesOf(found));
      const sides = await holdDispatch(db, part.id);
      if (!sides) return nothing;
      // Asked again, now that nobody else answers for them.
      const records = await recordsOf(db, mine, sql`t.id = any(${idsOf(found)}::bigint[]) order by t.id for update`);
      if (records.length === 0) return nothing;
      const { done, failed } = await act(ctx, db, sides, records, { isFirst: place.kept === null, isAlone });
      await settle(ctx, db, sides);
      const step = { done, failed, next: following(idsOf(found), done > 0 ? sides.id : place.kept) };
      await note(db, step);
      return step;
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
  step: stepOn(sendable, async (ctx, db, sides, records, { isFirst, isAlone }) => {
    if (!sides.to.isOpen) {
      if (isAlone) throw new Fault('DISPATCH_TARGET');
      // Of several dispatches the others go on.
      return { done: 0, failed: records.map(({ device_id: id, sn: label }) => ({ id, label, fault: 'DISPATCH_TARGET' })) };
    }
    if (!['1', '3', '5'].includes(sides.state)) return { done: 0, failed: [] };
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
    return { done: good.length, failed: failedOf(bad) };
  }),
};

const hasReason = (one: Record & { reason: Reason | undefined }): one is Record & { reason: Reason } => one.reason !== undefined;

export const takeBackAct: Act = {
  title: 'work.dispatch.takeBack',
  can: 'inventory:dispatch:withdraw',
  step: stepOn(takeable, async (ctx, db, sides, records, { isFirst }) => {
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
    return { done: onTheirWay.length + good.length, failed: failedOf(bad) };
  }),
};
