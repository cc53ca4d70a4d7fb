import { Dispatch, dispatchCalls, Transfer, transferCalls } from '@mooring/contract/inventory/dispatch';
import { Fault, fault } from '@mooring/contract/kit/fault';
import { type RawBuilder, sql } from 'kysely';
import type { Handler } from '../../platform/module.ts';
import { type Resource, resource } from '../../platform/resource/resource.ts';
import type { sheetImport } from '../../platform/work/import-sheet.ts';
import { actOnTransfers, endDispatches, type Run, type Sending, sendDispatches } from './act-on-chosen.ts';
import { DELETABLE, deleteDispatch, WITHDRAWABLE, withdrawDispatch } from './end-dispatch.ts';
import { addDispatch, dispatchStock, targets } from './make-dispatch.ts';
import { ofDispatch, sendable, takeable } from './sender-acts.ts';

type Sheet = Pick<ReturnType<typeof sheetImport>, 'template' | 'start'>;

/** Fault: DISPATCH_STATE, where nothing of it is left to do that with. */
const actOn =
  (run: Run, name: Sending, which: (isNamed: boolean) => RawBuilder<boolean>): Handler<typeof dispatchCalls.transfer> =>
  async (ctx, { id, ids }) => {
    const of = { id, ...(ids ? { ids } : {}) };
    const { number, n } = await ctx.inTx(async (db) => {
      const row = await db.selectFrom('inventory_dispatch').select('number').where('id', '=', id).executeTakeFirst();
      if (!row) throw fault('NOT_FOUND');
      const { rows } = await sql<{ n: number }>`
        select count(*)::int as n from inventory_transfer t where ${ofDispatch(of)} and ${which(ids !== undefined)}`.execute(db);
      return { number: row.number, n: rows[0]?.n ?? 0 };
    });
    if (n === 0) throw new Fault('DISPATCH_STATE');
    const outcome = await run(ctx, name, of, n);
    ctx.audit({ target: `dispatch ${number}`, after: { [name]: outcome.work === null ? outcome.done : n } });
    return outcome;
  };

export const makeTransfers = (run: Run) =>
  resource(Transfer, transferCalls, {
    table: 'inventory_transfer',
    target: (row) => `transfer of ${row.sn}`,
    handlers: { send: actOnTransfers(run, 'send', sendable(true)), takeBack: actOnTransfers(run, 'takeBack', takeable()) },
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
        ctx.audit({ target: `dispatch ${await withdrawDispatch(ctx, id)}` });
        return dispatches.read(ctx, id);
      },
      delete: async (ctx, { id }) => {
        ctx.audit({ target: `dispatch ${await deleteDispatch(ctx, id)}` });
        return null;
      },
      transferMany: sendDispatches(run),
      withdrawMany: endDispatches(run, 'withdraw', WITHDRAWABLE),
      deleteMany: endDispatches(run, 'delete', DELETABLE),
      template: (ctx, _input, wire) => sheet.template(ctx, wire) as never,
      import: (ctx, input) => sheet.start(ctx, input),
    },
  });
  return dispatches;
};
