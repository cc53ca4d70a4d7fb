import { Entry, entryCalls, Stock, stockCalls } from '@mooring/contract/inventory/stock';
import { Fault } from '@mooring/contract/kit/fault';
import type { BulkOutcome } from '@mooring/contract/kit/page';
import { sql } from 'kysely';
import { isFree } from '../../engines/custody/held.ts';
import { noteCustody } from '../../engines/custody/note-custody.ts';
import type { Ctx } from '../../platform/context.ts';
import { countCandidates, nextCandidates } from '../../platform/db/candidates.ts';
import type { Handler } from '../../platform/module.ts';
import { resource } from '../../platform/resource/resource.ts';
import { addStocked, bulkActs, bulkFailures, deptInScope, usableProduct } from '../device/api.ts';
import { type Act, afterBatch, BATCH } from './many.ts';
import { answerOf, isTaken, judgeSns, type Known, type Problem } from './sn-list.ts';
import { type StockSelection, whichStock } from './stock-selection.ts';

const MOST = 1_000_001;

const products: Handler<typeof stockCalls.products> = async (ctx) => {
  const { rows } = await sql<{ id: number; name: string; photoId: number | null; picture: string; count: number }>`
    select p.id, p.name, p.photo_id as "photoId", coalesce(e.picture, p.category) as picture, x.n as count from (
      select product_id, sum(n)::bigint as n from device_tally where status = '5' group by product_id having sum(n) > 0
    ) x join product_product p on p.id = x.product_id
    left join settings_dict c on c.code = 'productCategory' left join settings_dict_entry e on e.dict_id = c.id and e.value = p.category order by x.n desc, p.id limit 100`.execute(
    ctx.db,
  );
  return rows.map((row) => ({ ...row, count: Number(row.count) }));
};

const refusal = ({ status, sold }: Known) =>
  sold !== null ? 'sold' : status === '5' ? 'there' : status === '1' || status === '2' ? undefined : 'state';

/** SNs that somebody else has; past the policy, as their uniqueness is. */
const takenOf = async (ctx: Ctx, sns: readonly string[]): Promise<Problem[]> => {
  if (sns.length === 0) return [];
  const { rows } = await ctx.unscoped((db) => sql<{ sn: string }>`select sn from device where sn = any(${sns}::text[])`.execute(db));
  return rows.map(({ sn }) => ({ sn, reason: 'taken', document: '' }));
};

const warehouse: Handler<typeof stockCalls.warehouse> = async (ctx, { sns, document, remark, productId, anyway }) => {
  const { good, unknown, problems } = await judgeSns(ctx, sns, refusal, productId !== null);
  const taken = await takenOf(ctx, unknown);
  const wrong = [...problems, ...taken];
  if (!isTaken(anyway, wrong)) return answerOf(0, wrong);
  const stocked = await bulkActs.stockIn(
    ctx,
    ctx.db,
    good.map(({ id }) => id),
    { document, remark },
  );
  const others = unknown.filter((sn) => !taken.some((one) => one.sn === sn));
  let added: number[] = [];
  if (productId !== null && others.length > 0) {
    const dept = await deptInScope(ctx.db, ctx.scope.path, ctx.scope.deptId);
    await usableProduct(ctx.db, productId, dept.path);
    added = await addStocked(ctx.db, { sns: others, productId, dept, actorId: ctx.actor.userId });
    if (added.length < others.length) throw new Fault('SN_TAKEN');
    await noteCustody(ctx.db, added, { event: 'entered', entryType: '1', document, remark, by: ctx.actor.userName, now: ctx.now() });
  }
  const done = stocked.length + added.length;
  if (done > 0) {
    await ctx.invalidate(ctx.db, '/device');
    await ctx.invalidate(ctx.db, '/inventory/entry');
  }
  ctx.audit({ target: `stock ${document || done}`, after: { stocked: stocked.length, added: added.length, refused: wrong.length } });
  return answerOf(done, wrong);
};

/** Twice is harmless: what was issued is no longer in stock. */
export const issueAct: Act = {
  title: 'work.device.issue',
  can: 'inventory:stock:out',
  step: async (ctx, params, { after }) => {
    const { of, document, remark } = params as { of: StockSelection; document: string; remark: string };
    const ids = await nextCandidates(ctx, 'inventory_stock', whichStock(of), after, BATCH);
    const done = await ctx.inTx(async (db) => {
      const issued = await bulkActs.issue(ctx, db, ids, { document, remark });
      if (issued.length > 0) await ctx.invalidate(db, '/device');
      return issued;
    });
    const failed = await ctx.inTx((db) =>
      bulkFailures(
        db,
        'issue',
        ids.filter((id) => !done.includes(id)),
      ),
    );
    return { next: afterBatch(ids), done: done.length, failed };
  },
};

type Run = (ctx: Ctx, name: 'issue', params: Record<string, unknown>, total: number) => Promise<BulkOutcome>;
export const batchOut =
  (run: Run): Handler<typeof stockCalls.batchOut> =>
  async (ctx, { of, document, remark, preview }) => {
    const total = await countCandidates(ctx, 'inventory_stock', whichStock(of), MOST);
    if (preview) {
      const free = await countCandidates(ctx, 'inventory_stock', sql<boolean>`${whichStock(of)} and ${isFree('issue')}`, MOST);
      return { total, done: 0, refused: total - free, failed: [], work: null };
    }
    ctx.audit({ target: `issue: ${total} devices`, after: { document } });
    return run(ctx, 'issue', { of, document, remark }, total);
  };

export const makeStock = (run: Run) =>
  resource(Stock, stockCalls, {
    table: 'inventory_stock',
    target: (row) => `device ${row.sn}`,
    joined: (query) =>
      query
        .innerJoin('org_dept as o', 'o.id', 't.dept_id')
        .leftJoin('product_product as p', 'p.id', 't.product_id')
        .select((eb) => ['o.name as dept_name', eb.fn.coalesce('p.name', sql<string>`''`).as('product_name')]),
    handlers: { products, warehouse, batchOut: batchOut(run) },
  });

export const entries = resource(Entry, entryCalls, {
  table: 'inventory_entry',
  target: (row) => `device ${row.sn}`,
  joined: (query) => query.innerJoin('org_dept as o', 'o.id', 't.dept_id').select('o.name as dept_name'),
});
