import { Dispatch, dispatchCalls, Transfer, transferCalls } from '@mooring/contract/inventory/dispatch';
import { Fault, fault } from '@mooring/contract/kit/fault';
import type { BulkOutcome } from '@mooring/contract/kit/page';
import { type RawBuilder, sql } from 'kysely';
import { noteCustody } from '../../engines/custody/note-custody.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import { move } from '../../platform/db/move.ts';
import type { Handler } from '../../platform/module.ts';
import { type Resource, resource } from '../../platform/resource/resource.ts';
import type { sheetImport } from '../../platform/work/import-sheet.ts';
import { holdDevices } from './hold-devices.ts';
import { addDispatch, dispatchStock, targets } from './make-dispatch.ts';
import { type OfDispatch, sendable, takeable } from './sender-acts.ts';
import { devicesOf, dispatchRows, transferRows } from './transfer-rows.ts';

type Run = (ctx: Ctx, name: 'send' | 'takeBack', params: Record<string, unknown>, total: number) => Promise<BulkOutcome>;
type Sheet = Pick<ReturnType<typeof sheetImport>, 'template' | 'start'>;
const MOST = 20_001;

/** Fault: DISPATCH_STATE, where nothing of it is left to do that with. */
const actOn =
  (run: Run, name: 'send' | 'takeBack', which: (of: OfDispatch) => RawBuilder<boolean>): Handler<typeof dispatchCalls.transfer> =>
  async (ctx, { id, ids }) => {
    const of = { id, ...(ids ? { ids } : {}) };
    const { number, n } = await ctx.inTx(async (db) => {
      const row = await db.selectFrom('inventory_dispatch').select(['number', 'state']).where('id', '=', id).executeTakeFirst();
      if (!row) throw fault('NOT_FOUND');
      const found = await sql<{
        n: number;
      }>`select count(*)::int as n from (select from inventory_transfer t where ${which(of)} limit ${MOST}) x`.execute(db);
      return { number: row.number, n: ['1', '3', '5'].includes(row.state) ? (found.rows[0]?.n ?? 0) : 0 };
    });
    if (n === 0) throw new Fault('DISPATCH_STATE');
    const { refused, ...outcome } = await run(ctx, name, of, n);
    ctx.audit({ target: `dispatch ${number}`, after: { [name]: outcome.work === null ? outcome.done : n } });
    return { ...outcome, refused };
  };

interface Held {
  readonly id: number;
  readonly number: string;
  readonly to_name: string;
  readonly dept_id: number;
}
/** What is still listed, or on its way, goes nowhere; of what was sent custody says that it came back. */
async function endRecords(ctx: Ctx, db: Db, { id, number, to_name, dept_id }: Held): Promise<void> {
  const sent = await sql<{ device_id: number }>`
    select device_id from inventory_transfer where dispatch_id = ${id} and state = '1' and sent_at is not null`.execute(db);
  const open = sql<boolean>`dispatch_id = ${id} and state = '1'`;
  const set = { changed_at: ctx.now(), reason: 'takenBack' };
  await move(db, transferRows, 'fail', open, { actorId: ctx.actor.userId, set });
  const own = await db.selectFrom('org_dept').select('name').where('id', '=', dept_id).executeTakeFirst();
  const note = { event: 'withdrawn', from: to_name, to: own?.name, document: number, by: ctx.actor.userName, now: ctx.now() } as const;
  await noteCustody(db, devicesOf(sent.rows), note);
}
async function heldRow(ctx: Ctx, id: number) {
  const open = await sql<{ device_id: number }>`select device_id from inventory_transfer where dispatch_id = ${id} and state = '1'`.execute(
    ctx.db,
  );
  await holdDevices(ctx.db, devicesOf(open.rows));
  const row = await ctx.db.selectFrom('inventory_dispatch').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
  if (!row) throw fault('NOT_FOUND');
  if (row.received > 0) throw new Fault('DISPATCH_OUT');
  ctx.audit({ target: `dispatch ${row.number}` });
  return row;
}
const touch = async (ctx: Ctx, db: Db, toId: number) => {
  const { rows } = await ctx.unscoped((all) =>
    sql<{ path: string }>`select dept_path as path from org_dept where id = ${toId}`.execute(all),
  );
  for (const group of ['/device/receipt', '/device/receipt/arrival']) await ctx.invalidate(db, group, rows[0]?.path ?? '');
};

export const transfers = resource(Transfer, transferCalls, {
  table: 'inventory_transfer',
  target: (row) => `transfer of ${row.sn}`,
});

export const makeDispatches = (run: Run, sheet: Sheet) => {
  const dispatches: Resource<typeof Dispatch> = resource(Dispatch, dispatchCalls, {
    table: 'inventory_dispatch',
    target: (row) => `dispatch ${row.number}`,
    joined: (query) => query.innerJoin('org_dept as o', 'o.id', 't.dept_id').select('o.name as dept_name'),
    acts: { transfer: dispatchCalls.transfer, takeBack: dispatchCalls.takeBack },
    refuses: {
      transfer: (row) => (row.sent + row.failed + row.back >= row.total || !['1', '3'].includes(row.state)) && 'DISPATCH_STATE',
      takeBack: (row) => row.sent === 0 && 'DISPATCH_STATE',
      withdraw: (row) => row.received > 0 && 'DISPATCH_OUT',
      delete: (row) => row.received > 0 && 'DISPATCH_OUT',
    },
    handlers: {
      targets,
      add: addDispatch,
      fromStock: dispatchStock,
      transfer: actOn(run, 'send', sendable),
      takeBack: actOn(run, 'takeBack', takeable),
      withdraw: async (ctx, { id }) => {
        const row = await heldRow(ctx, id);
        await endRecords(ctx, ctx.db, row);
        const moved = await move(ctx.db, dispatchRows, 'withdraw', [id], { actorId: ctx.actor.userId });
        if (moved.length === 0) throw fault('OVERTAKEN');
        await touch(ctx, ctx.db, row.to_id);
        return dispatches.read(ctx, id);
      },
      // Its history says so still; the rows of its receiver stay theirs.
      delete: async (ctx, { id }) => {
        const row = await heldRow(ctx, id);
        const moved = await move(ctx.db, dispatchRows, 'delete', [id], { actorId: ctx.actor.userId });
        if (moved.length === 0) throw fault('OVERTAKEN');
        await endRecords(ctx, ctx.db, row);
        await move(ctx.db, dispatchRows, 'deleted', [id], { actorId: ctx.actor.userId });
        await ctx.db.deleteFrom('inventory_dispatch').where('id', '=', id).execute();
        await touch(ctx, ctx.db, row.to_id);
        return null;
      },
      template: (ctx, _input, wire) => sheet.template(ctx, wire) as never,
      import: (ctx, input) => sheet.start(ctx, input),
    },
  });
  return dispatches;
};
