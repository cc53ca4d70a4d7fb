import { Arrival, arrivalCalls, Receipt, receiptCalls } from '@mooring/contract/inventory/receipt';
import { Fault, fault } from '@mooring/contract/kit/fault';
import type { BulkOutcome } from '@mooring/contract/kit/page';
import { sql } from 'kysely';
import type { Ctx } from '../../platform/context.ts';
import type { Handler } from '../../platform/module.ts';
import { resource } from '../../platform/resource/resource.ts';
import { ACCEPTED, arrivalsIn, WAITING } from './receiver-acts.ts';

type Run = (ctx: Ctx, name: 'accept' | 'refuse' | 'giveBack', params: Record<string, unknown>, total: number) => Promise<BulkOutcome>;
const MOST = 20_001;

/** How many it is about. Fault: RECEIPT_STATE, where nothing is left to do that with. */
async function begin(ctx: Ctx, of: { id: number; ids?: number[] | undefined }, states: readonly string[]): Promise<{ number: string; n: number }> {
  const found = await ctx.inTx(async (db) => {
    const row = await db.selectFrom('inventory_receipt').select('number').where('id', '=', of.id).executeTakeFirst();
    if (!row) throw fault('NOT_FOUND');
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from (select from inventory_arrival a where ${arrivalsIn(of, states)} limit ${MOST}) x`.execute(db);
    return { number: row.number, n: rows[0]?.n ?? 0 };
  });
  if (found.n === 0) throw new Fault('RECEIPT_STATE');
  return found;
}

const accept =
  (run: Run): Handler<typeof receiptCalls.accept> =>
  async (ctx, { document, signedBy, signature, ...of }) => {
    const { number, n } = await begin(ctx, of, WAITING);
    const id = await ctx.inTx(async (db) => {
      const { dept_path } = await db
        .updateTable('inventory_receipt')
        .set({ document, signed_by: signedBy })
        .where('id', '=', of.id)
        .returning('dept_path')
        .executeTakeFirstOrThrow();
      const drawn = { receipt_id: of.id, document, signed_by: signedBy, signature: JSON.stringify(signature), at: ctx.now(), dept_path };
      return (await db.insertInto('inventory_signature').values(drawn).returning('id').executeTakeFirstOrThrow()).id;
    });
    ctx.audit({ target: `receipt ${number}`, after: { accepted: n, document, signedBy } });
    return run(ctx, 'accept', { ...of, document, signedBy, signature: id }, n);
  };

const answer =
  (run: Run, name: 'refuse' | 'giveBack', states: readonly string[]) =>
  async (ctx: Ctx, of: { id: number; ids?: number[] | undefined; reason: string }) => {
    const { number, n } = await begin(ctx, of, states);
    ctx.audit({ target: `receipt ${number}`, after: { [name]: n, reason: of.reason } });
    return run(ctx, name, of, n);
  };

const signatures: Handler<typeof receiptCalls.signatures> = async (ctx, { id }) => {
  const rows = await ctx.db
    .selectFrom('inventory_signature')
    .select(['id', 'document', 'signed_by', 'signature', 'terminals', 'at'])
    .where('receipt_id', '=', id)
    .orderBy('id', 'desc')
    .limit(50)
    .execute();
  return rows.map(({ signed_by: signedBy, signature, ...row }) => ({ ...row, signedBy, signature: signature as number[][] }));
};

export const makeReceipts = (run: Run) =>
  resource(Receipt, receiptCalls, {
    table: 'inventory_receipt',
    target: (row) => `receipt ${row.number}`,
    joined: (query) => query.innerJoin('org_dept as o', 'o.id', 't.dept_id').select('o.name as dept_name'),
    acts: { accept: receiptCalls.accept, refuse: receiptCalls.refuse, giveBack: receiptCalls.giveBack },
    refuses: {
      accept: (row) => row.waiting === 0 && 'RECEIPT_STATE',
      refuse: (row) => row.waiting === 0 && 'RECEIPT_STATE',
      giveBack: (row) => row.accepted === 0 && 'RECEIPT_STATE',
    },
    handlers: {
      accept: accept(run),
      refuse: answer(run, 'refuse', WAITING),
      giveBack: answer(run, 'giveBack', ACCEPTED),
      signatures,
    },
  });

export const arrivals = resource(Arrival, arrivalCalls, { table: 'inventory_arrival', target: (row) => `arrival of ${row.sn}` });
