import { Arrival, arrivalCalls, Receipt, receiptCalls } from '@mooring/contract/inventory/receipt';
import { Fault, fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import type { Ctx, Db } from '../../platform/context.ts';
import type { Handler } from '../../platform/module.ts';
import { resource } from '../../platform/resource/resource.ts';
import { actOnArrivals, actOnReceipts, type Run } from './act-on-chosen.ts';
import { ACCEPTED, arrivalsIn, WAITING } from './receiver-acts.ts';

interface Of {
  readonly id: number;
  readonly ids?: number[] | undefined;
  readonly sns: string[];
}
/** Each once, as terminals are numbered. */
const tidy = <O extends Of>(of: O): O => ({ ...of, sns: [...new Set(of.sns.map((sn) => sn.trim().toUpperCase()).filter(Boolean))] });

/** What was scanned and isn't of this receipt, or is answered already. Fault: RECEIPT_UNEXPECTED. */
async function checkScanned(db: Db, of: Of, states: readonly string[]): Promise<void> {
  if (of.sns.length === 0) return;
  const { rows } = await sql<{ sn: string }>`
    select s.sn from unnest(${of.sns}::text[]) as s(sn) where not exists (select from inventory_arrival a where ${arrivalsIn({ id: of.id }, states)} and a.sn = s.sn) limit 4`.execute(
    db,
  );
  if (rows.length === 0) return;
  const names = rows.slice(0, 3).map(({ sn }) => sn);
  const sns = `${names.join(', ')}${rows.length > 3 ? ' …' : ''}`;
  throw new Fault('RECEIPT_UNEXPECTED', { params: { sns }, fields: { sns: 'fault.RECEIPT_UNEXPECTED' } });
}

/** How many it is about. Faults: RECEIPT_STATE, where nothing is left to do that with; RECEIPT_UNEXPECTED. */
async function begin(ctx: Ctx, of: Of, states: readonly string[]): Promise<{ number: string; n: number }> {
  const found = await ctx.inTx(async (db) => {
    const row = await db.selectFrom('inventory_receipt').select('number').where('id', '=', of.id).executeTakeFirst();
    if (!row) throw fault('NOT_FOUND');
    await checkScanned(db, of, states);
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from inventory_arrival a where ${arrivalsIn(of, states)}`.execute(db);
    return { number: row.number, n: rows[0]?.n ?? 0 };
  });
  if (found.n === 0) throw new Fault('RECEIPT_STATE');
  return found;
}

const accept =
  (run: Run): Handler<typeof receiptCalls.accept> =>
  async (ctx, { document, signedBy, signature, ...asked }) => {
    const of = tidy(asked);
    const { number, n } = await begin(ctx, of, WAITING);
    ctx.audit({ target: `receipt ${number}`, after: { accepted: n, document, signedBy } });
    return run(ctx, 'accept', { ...of, document, signedBy, signature }, n);
  };

const answer = (run: Run, name: 'refuse' | 'giveBack', states: readonly string[]) => async (ctx: Ctx, asked: Of & { reason: string }) => {
  const of = tidy(asked);
  const { number, n } = await begin(ctx, of, states);
  ctx.audit({ target: `receipt ${number}`, after: { [name]: n, reason: of.reason } });
  return run(ctx, name, { ...of }, n);
};

const signatures: Handler<typeof receiptCalls.signatures> = async (ctx, { id }) => {
  const rows = await ctx.db
    .selectFrom('inventory_signature')
    .select(['id', 'document', 'signed_by', 'signature', 'terminals', 'at'])
    .where('receipt_id', '=', id)
    .where('terminals', '>', 0)
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
      acceptMany: actOnReceipts(run, 'accept', WAITING),
      refuseMany: actOnReceipts(run, 'refuse', WAITING),
      giveBackMany: actOnReceipts(run, 'giveBack', ACCEPTED),
    },
  });

export const makeArrivals = (run: Run) =>
  resource(Arrival, arrivalCalls, {
    table: 'inventory_arrival',
    target: (row) => `arrival of ${row.sn}`,
    handlers: {
      accept: actOnArrivals(run, 'accept', WAITING),
      refuse: actOnArrivals(run, 'refuse', WAITING),
      giveBack: actOnArrivals(run, 'giveBack', ACCEPTED),
    },
  });
