import { type RawBuilder, sql } from 'kysely';
import { noteCustody } from '../../engines/custody/note-custody.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import { holdDevices } from './hold-devices.ts';
import { type Act, BATCH, type Step } from './many.ts';
import { type Part, partAt } from './parts.ts';
import { tellAnswered, tellReturned } from './tell-side.ts';
import { bring, devicesOf, failedOf, holdDispatch, type Record, type Sides, settle, sortOut, turn, turnBad } from './transfer-rows.ts';

/** All of one receipt or some, as they are named or were scanned. */
interface Arriving extends Part {
  readonly sns?: readonly string[];
}
interface Said {
  readonly document?: string;
  readonly signedBy?: string;
  /** Its lines; the row that has them, where a version before this one asked for the act. */
  readonly signature?: readonly (readonly number[])[] | number;
  readonly reason?: string;
}

/** Arrivals `a` in these states, of any receipt. */
export const answerable = (states: readonly string[]): RawBuilder<boolean> =>
  sql<boolean>`not a.superseded and a.state = any(${states}::text[])`;
/** The same of one receipt. */
export const arrivalsIn = ({ id, ids, sns = [] }: Arriving, states: readonly string[]): RawBuilder<boolean> =>
  sql<boolean>`a.receipt_id = ${id} and ${answerable(states)} and ${ids ? sql`a.id = any(${ids}::bigint[])` : sql`true`}
    and ${sns.length > 0 ? sql`a.sn = any(${sns}::text[])` : sql`true`}`;
export const WAITING = ['1'];
export const ACCEPTED = ['3', '17'];

/** The next ones of the actor's own, now: a job may run later than it was asked for. */
const nextOf = async (ctx: Ctx, which: RawBuilder<boolean>, after: number) =>
  ctx.inTx(
    async (db) =>
      (
        await sql<{ at: number; device_id: number; dispatch_id: number }>`
          select a.id as at, a.device_id, o.dispatch_id from inventory_arrival a join inventory_receipt o on o.id = a.receipt_id
          where ${which} and a.id > ${after} order by a.id limit ${BATCH}`.execute(db)
      ).rows,
  );

type Done = Pick<Step, 'done' | 'failed'> & { readonly signature?: number | undefined };
interface About {
  readonly said: Said;
  readonly receipt: number;
  /** Of this receipt, in this run: what it was signed with, or that something of it was done; null before that. */
  readonly kept: number | null;
}
/** What happens stands on the sender's side too, past the policy. */
const stepOn =
  (
    states: readonly string[],
    act: (ctx: Ctx, db: Db, sides: Sides, records: readonly Record[], about: About) => Promise<Done>,
  ): Act['step'] =>
  async (ctx, params, place, note) => {
    const { part, following } = partAt<Arriving>(params, place);
    const which = arrivalsIn(part, states);
    const found = await nextOf(ctx, which, place.after);
    const ids = found.map(({ at }) => at);
    const nothing: Step = { next: following(ids, place.kept), done: 0, failed: [] };
    const [first] = found;
    if (!first) return nothing;
    return ctx.unscoped(async (db) => {
      await holdDevices(db, devicesOf(found));
      const sides = await holdDispatch(db, first.dispatch_id);
      if (!sides) return nothing;
      // Asked again, now that nobody else answers for them.
      const { rows } = await sql<Record>`
        select t.id, a.id as at, t.device_id, t.sn, t.state from inventory_arrival a join inventory_transfer t on t.id = a.transfer_id
        where ${which} and t.state = any(${states}::text[]) and a.id = any(${ids}::bigint[]) order by a.id for update of t`.execute(db);
      if (rows.length === 0) return nothing;
      const about = { said: params as Said, receipt: part.id, kept: place.kept };
      const { done, failed, signature = 0 } = await act(ctx, db, sides, rows, about);
      await settle(ctx, db, sides);
      const step = { done, failed, next: following(ids, done > 0 ? signature : place.kept) };
      await note(db, step);
      return step;
    });
  };

/** Whoever signs has signed for what was accepted: where that is nothing, the receipt says nothing of it. */
async function sign(ctx: Ctx, db: Db, { said, receipt, kept }: About, terminals: number): Promise<number | undefined> {
  if (terminals === 0) return kept ?? undefined;
  const { document = '', signedBy = '', signature = [] } = said;
  await db.updateTable('inventory_receipt').set({ document, signed_by: signedBy }).where('id', '=', receipt).execute();
  const known = typeof signature === 'number' ? signature : kept;
  if (known !== null) {
    const more = await sql<{ id: number }>`
      update inventory_signature set terminals = terminals + ${terminals} where id = ${known} and receipt_id = ${receipt} returning id`.execute(
      db,
    );
    if (more.rows.length > 0) return known;
  }
  const lines = JSON.stringify(typeof signature === 'number' ? [] : signature);
  const { rows } = await sql<{ id: number }>`
    insert into inventory_signature (receipt_id, document, signed_by, signature, terminals, at, dept_path)
    select id, ${document}, ${signedBy}, ${lines}, ${terminals}, ${ctx.now()}, dept_path from inventory_receipt
    where id = ${receipt} returning id`.execute(db);
  return rows[0]?.id;
}

export const acceptAct: Act = {
  title: 'work.receipt.accept',
  can: 'inventory:receipt:accept',
  step: stepOn(WAITING, async (ctx, db, sides, records, about) => {
    const { said } = about;
    const { good, bad } = await sortOut(db, records, sides.from.path, sides.to.path);
    await turnBad(ctx, db, 'fail', bad);
    await bring(ctx, db, devicesOf(good), sides.to);
    await turn(ctx, db, 'succeed', good);
    await noteCustody(db, devicesOf(good), {
      event: 'received',
      entryType: '3',
      from: sides.from.name,
      to: sides.to.name,
      document: said.document || sides.number,
      remark: said.signedBy ?? '',
      by: ctx.actor.userName,
      now: ctx.now(),
    });
    const signature = await sign(ctx, db, about, good.length);
    await tellAnswered(db, sides);
    return { done: good.length, failed: failedOf(bad), signature };
  }),
};

export const refuseAct: Act = {
  title: 'work.receipt.refuse',
  can: 'inventory:receipt:accept',
  step: stepOn(WAITING, async (ctx, db, sides, records, { said }) => {
    await turn(ctx, db, 'fail', records, { reason: 'refused', note: said.reason ?? '' });
    await tellAnswered(db, sides);
    return { done: records.length, failed: [] };
  }),
};

export const giveBackAct: Act = {
  title: 'work.receipt.giveBack',
  can: 'inventory:receipt:return',
  step: stepOn(ACCEPTED, async (ctx, db, sides, records, { said, kept }) => {
    await turn(ctx, db, 'return', records);
    const { good, bad } = await sortOut(db, records, sides.to.path, sides.from.path);
    await bring(ctx, db, devicesOf(good), sides.from);
    await turn(ctx, db, 'returned', good, { note: said.reason ?? '' });
    await turnBad(ctx, db, 'returnFail', bad);
    await noteCustody(db, devicesOf(good), {
      event: 'returned',
      entryType: '9',
      from: sides.to.name,
      to: sides.from.name,
      document: sides.number,
      remark: said.reason ?? '',
      by: ctx.actor.userName,
      now: ctx.now(),
    });
    if (kept === null && good.length > 0) await tellReturned(db, sides);
    return { done: good.length, failed: failedOf(bad) };
  }),
};
