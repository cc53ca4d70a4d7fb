import { MOST_SNS } from '@mooring/contract/device/group-calls';
import { CountLine, countCalls, countLineCalls, StockCount } from '@mooring/contract/inventory/count';
import { Fault, fault } from '@mooring/contract/kit/fault';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/context.ts';
import { all, containsWords, exact } from '../../platform/db/criteria.ts';
import type { BlobStore } from '../../platform/files/blob-store.ts';
import type { Handler } from '../../platform/module.ts';
import { type Resource, resource } from '../../platform/resource/resource.ts';
import { deptInScope } from '../device/api.ts';
import { readCountFile } from './read-count-file.ts';

const MOST = 100_000;
const onShelf = (deptId: number, productId: number | null): RawBuilder<boolean> =>
  sql<boolean>`s.dept_id = ${deptId} and ${productId === null ? sql`true` : sql`s.product_id = ${productId}`}`;
const tidy = (sn: string) => sn.trim().toUpperCase();

const shelf: Handler<typeof countCalls.shelf> = async (ctx, { deptId, productId }) => {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from (select from inventory_stock s where ${onShelf(deptId, productId)} limit ${MOST + 1}) x`.execute(ctx.db);
  return { expected: rows[0]?.n ?? 0 };
};

/** Each in its order, as tidy ones. */
async function scansOf(db: Db, { deptId, productId }: { deptId: number; productId: number | null }, sns: readonly string[]) {
  const { rows } = await sql<{ sn: string; product: string | null; dept: string; status: string; here: boolean }>`
    select d.sn, p.name as product, o.name as dept, d.status, exists (select from inventory_stock s where s.id = d.id and ${onShelf(deptId, productId)}) as here
    from device d join org_dept o on o.id = d.dept_id left join product_product p on p.id = d.product_id
    where d.sn = any(${[...new Set(sns)]}::text[]) and d.deleted_at is null`.execute(db);
  const known = new Map(rows.map((row) => [row.sn, row]));
  return sns.map((sn) => {
    const row = known.get(sn);
    const result = row?.here ? ('found' as const) : ('unexpected' as const);
    return { sn, result, productName: row?.product ?? '', deptName: row?.dept ?? '', status: row?.status ?? '' };
  });
}
const check: Handler<typeof countCalls.check> = async (ctx, { sn, ...of }) => {
  const [scan] = await scansOf(ctx.db, of, [tidy(sn)]);
  if (!scan) throw fault('NOT_FOUND');
  return scan;
};
const WRONG_SHOWN = 200;
const checkFile =
  (store: BlobStore): Handler<typeof countCalls.checkFile> =>
  async (ctx, { file, ...of }) => {
    const { sns, wrong } = await readCountFile(ctx, store, file);
    const scans = await ctx.inTx((db) => scansOf(db, of, sns));
    return { scans, wrongRows: wrong.length, wrong: wrong.slice(0, WRONG_SHOWN) };
  };

/** All in one transaction: what lies there is compared as it stands now. */
const save =
  (counts: () => Resource<typeof StockCount>): Handler<typeof countCalls.save> =>
  async (ctx, { deptId, productId, sns, remark }) => {
    const { db } = ctx;
    const dept = await deptInScope(db, ctx.scope.path, deptId);
    const { expected } = await shelf(ctx, { deptId, productId }, undefined as never);
    if (expected > MOST) throw new Fault('COUNT_TOO_LARGE', { fields: { productId: 'fault.COUNT_TOO_LARGE' } });
    const scans = sns.map(tidy).filter((sn) => sn !== '');
    const product =
      productId === null ? undefined : await db.selectFrom('product_product').select('name').where('id', '=', productId).executeTakeFirst();
    const { id } = await db
      .insertInto('inventory_count')
      .values({
        product_id: productId,
        product_name: product?.name ?? '',
        remark,
        by_name: ctx.actor.userName,
        created_at: ctx.now(),
        dept_id: dept.id,
        dept_path: dept.path,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await sql`
      with scanned as (select sn, count(*)::int as times from unnest(${scans}::text[]) as x(sn) group by sn),
        shelf as (select s.id, s.sn from inventory_stock s where ${onShelf(deptId, productId)})
      insert into inventory_count_line (count_id, sn, result, times, device_id, dept_path)
      select ${id}, coalesce(h.sn, c.sn), case when c.sn is null then 'missing' when h.sn is null then 'unexpected' else 'found' end,
        coalesce(c.times, 0), coalesce(h.id, d.id), ${dept.path}
      from shelf h full join scanned c on c.sn = h.sn left join device d on h.id is null and d.sn = c.sn order by 2`.execute(db);
    await sql`
      update inventory_count set expected = x.expected, found = x.found, missing = x.missing, unexpected = x.unexpected, doubled = x.doubled
      from (
        select count(*) filter (where result <> 'unexpected') as expected, count(*) filter (where result = 'found') as found,
          count(*) filter (where result = 'missing') as missing, count(*) filter (where result = 'unexpected') as unexpected,
          count(*) filter (where times > 1) as doubled
        from inventory_count_line where count_id = ${id}
      ) x where id = ${id}`.execute(db);
    await ctx.invalidate(db, '/inventory/count');
    ctx.audit({ target: `stock ${dept.name}`, after: { scans: scans.length } });
    return counts().read(ctx, id);
  };

export const makeCounts = (store: BlobStore): Resource<typeof StockCount> => {
  const counts: Resource<typeof StockCount> = resource(StockCount, countCalls, {
    table: 'inventory_count',
    target: (row) => `stock ${row.id}`,
    joined: (query) => query.innerJoin('org_dept as o', 'o.id', 't.dept_id').select('o.name as dept_name'),
    handlers: { shelf, check, checkFile: checkFile(store), save: save(() => counts) },
  });
  return counts;
};

/** What is missing isn't there, and what was found is in stock. */
const serials: Handler<typeof countLineCalls.serials> = async (ctx, { of }) => {
  const which =
    'ids' in of
      ? sql<boolean>`l.id = any(${of.ids}::bigint[])`
      : sql<boolean>`${all(
          containsWords(['l.sn'], of.criteria.text),
          exact('l.count_id', of.criteria.countId),
          exact('l.result', of.criteria.result),
        )} and l.id <> all(${of.except}::bigint[])`;
  const { rows } = await sql<{ sn: string }>`
    select distinct l.sn from inventory_count_line l where ${which} and l.result = 'unexpected' order by 1 limit ${MOST_SNS + 1}`.execute(
    ctx.db,
  );
  if (rows.length === 0) throw new Fault('COUNT_NONE_UNEXPECTED');
  if (rows.length > MOST_SNS) throw new Fault('SNS_MANY', { params: { max: MOST_SNS } });
  return { sns: rows.map(({ sn }) => sn) };
};
export const countLines = resource(CountLine, countLineCalls, {
  table: 'inventory_count_line',
  target: (row) => `stock ${row.sn}`,
  handlers: { serials },
});
