import {
  type Compliance,
  type complianceCalls,
  type DeptCompliance,
  complianceCalls as declared,
} from '@mooring/contract/stats/compliance-calls';
import { type RawBuilder, sql } from 'kysely';
import type { Ctx, Db } from '../../platform/context.ts';
import { all, contains } from '../../platform/db/criteria.ts';
import { page } from '../../platform/db/page.ts';
import type { Handler } from '../../platform/module.ts';
import { t } from '../../platform/texts/translate.ts';
import { listExporter } from '../../platform/work/exporter.ts';
import { rowExporter } from '../../platform/work/row-exporter.ts';
import { type BehindVersion, behindIn, behindOf, newestVersions } from '../device/api.ts';
import { versionsIn, type Where } from './figures.ts';
import { whereOf } from './where.ts';

const ROWS = 500;
const ALL_ROWS = 100_000;

/** The published full packages that bring products to these versions, by product. */
async function packagesOf(db: Db, newest: ReadonlyMap<number, string>): Promise<Map<number, number>> {
  const found = await sql<{ id: number; product_id: number }>`
    select max(p.id) as id, p.product_id from unnest(${[...newest.keys()]}::bigint[], ${[...newest.values()]}::text[]) as n(product_id, version)
    join rollout_package p on p.product_id = n.product_id and p.version = n.version and p.content = 'firmware' and p.kind = 'TA'
      and p.publish_state in ('1', '3') and p.deleted_at is null group by p.product_id`.execute(db);
  return new Map(found.rows.map((row) => [row.product_id, row.id]));
}

export async function productNames(db: Db, ids: readonly number[]): Promise<Map<number, string>> {
  const found = ids.length === 0 ? [] : await db.selectFrom('product_product').select(['id', 'name']).where('id', 'in', ids).execute();
  return new Map(found.map((one) => [one.id, one.name]));
}

const keyOf = (one: { productId: number; version: string }) => `${one.productId} ${one.version}`;

async function complianceOf(ctx: Ctx, where: Where, most = ROWS): Promise<Compliance> {
  const versions = await versionsIn(ctx.db, where);
  const newest = await newestVersions(ctx.db, where.productId);
  const behind = new Set(behindOf(versions, newest).map(keyOf));
  const packages = await packagesOf(ctx.db, newest);
  const names = await productNames(ctx.db, [...new Set(versions.map((one) => one.productId))]);
  const totals = new Map<number, number>();
  for (const { productId, count } of versions) totals.set(productId, (totals.get(productId) ?? 0) + count);
  const rows = versions
    .map(({ productId, version, count }) => ({
      productId,
      productName: names.get(productId) ?? '',
      version,
      count,
      share: count / (totals.get(productId) ?? count),
      behind: behind.has(keyOf({ productId, version })),
      approved: newest.get(productId) ?? null,
      packageId: packages.get(productId) ?? null,
    }))
    .sort((a, b) => Number(b.behind) - Number(a.behind) || b.count - a.count || a.version.localeCompare(b.version));
  return {
    total: versions.reduce((sum, one) => sum + one.count, 0),
    behind: rows.reduce((sum, one) => sum + (one.behind ? one.count : 0), 0),
    judged: rows.reduce((sum, one) => sum + (one.approved === null ? 0 : one.count), 0),
    rows: rows.slice(0, most),
    more: Math.max(0, rows.length - most),
  };
}

interface Sums {
  readonly path: string;
  readonly total: number;
  readonly behind: number;
  readonly judged: number;
}
interface Of {
  readonly behind: readonly BehindVersion[];
  /** That something is approved for. */
  readonly products: readonly number[];
  readonly productId: number | undefined;
}

/** How many terminals are below each of these organisations, and how many of them run one of the versions: sums, and what isn't added up yet. */
async function sumsOf(db: Db, paths: RawBuilder<unknown>, { behind, products, productId }: Of): Promise<Map<string, Sums>> {
  const late = sql`(f.product_id, f.detail) in (select * from unnest(${behind.map((one) => one.productId)}::bigint[], ${behind.map((one) => one.version)}::text[]))`;
  const ofProduct: RawBuilder<unknown> = productId === undefined ? sql`` : sql`and product_id = ${productId}`;
  const found = await sql<Sums>`
    with asked as (select path from ${paths} as a(path))
    select f.path, sum(f.n)::int as total, coalesce(sum(f.n) filter (where ${late}), 0)::int as behind,
      coalesce(sum(f.n) filter (where f.product_id = any(${[...products]}::bigint[])), 0)::int as judged from (
      select s.dept_path as path, s.product_id, s.detail, s.n from asked d join stats_now s on s.dept_path = d.path and s.measure = 'firmware' ${ofProduct}
      union all
      select d.path, c.product_id, c.detail, c.n from asked d
        join stats_change c on c.dept_path >= d.path and c.dept_path < d.path || '~' and c.measure = 'firmware' and c.at is null ${ofProduct}
    ) f group by f.path`.execute(db);
  return new Map(found.rows.map((row) => [row.path, row]));
}
const listed = (paths: readonly string[]) => sql`unnest(${paths}::text[])`;

/** What an organisation holds itself: all of it without what lies below. */
async function ownOf(db: Db, path: string, of: Of): Promise<Omit<Sums, 'path'>> {
  const below = sql`(select o.dept_path from org_dept o join org_dept a on a.id = o.parent_id where a.dept_path = ${path})`;
  const [all, parts] = [await sumsOf(db, listed([path]), of), await sumsOf(db, below, of)];
  const less = (field: 'total' | 'behind' | 'judged') =>
    [...parts.values()].reduce((left, one) => left - one[field], all.get(path)?.[field] ?? 0);
  return { total: less('total'), behind: less('behind'), judged: less('judged') };
}

export const complianceVersions: Handler<typeof complianceCalls.versions> = async (ctx, input) =>
  complianceOf(ctx, await whereOf(ctx, input));

export const complianceDepts: Handler<typeof complianceCalls.depts> = async (ctx, { criteria, page: wanted }) => {
  const { parentId, productId } = criteria;
  const where = await whereOf(ctx, { deptId: parentId, productId });
  const products = [...(await newestVersions(ctx.db, productId)).keys()];
  const of: Of = { behind: await behindIn(ctx, where.path, productId), products, productId };
  const own = await ownOf(ctx.db, where.path, of);
  const isBelow = sql<boolean>`o.parent_id = (select a.id from org_dept a where a.dept_path = ${where.path})`;
  const found = await page(
    ctx.db,
    ctx.db
      .selectFrom('org_dept as o')
      .select(['o.id', 'o.name', 'o.dept_path'])
      .where(own.total > 0 ? sql<boolean>`(${isBelow} or o.dept_path = ${where.path})` : isBelow)
      .where('o.state', 'not in', ['closed', 'refused'])
      .where(all(contains('o.name', criteria.text))),
    { page: wanted, sorts: { name: 'o.name' }, id: 'o.id', map: (row: { id: number; name: string; dept_path: string }) => row },
  );
  const paths = found.content.map((one) => one.dept_path).filter((path) => path !== where.path);
  const sums = await sumsOf(ctx.db, listed(paths), of);
  const content = found.content.map(({ id, name, dept_path }): DeptCompliance => {
    const self = dept_path === where.path;
    const { total, behind, judged } = self ? own : (sums.get(dept_path) ?? { total: 0, behind: 0, judged: 0 });
    return { id, name, self, total, behind, judged };
  });
  return { ...found, content };
};

/** All rows at once: there are as many as versions in use. */
export const complianceExporter = listExporter<Compliance['rows'][number]>(declared.export, {
  title: 'compliance.title',
  sort: 'version',
  page: async (ctx: Ctx, { criteria }: { criteria: Parameters<typeof whereOf>[1] }) => {
    const { rows } = await complianceOf(ctx, await whereOf(ctx, criteria), ALL_ROWS);
    return { content: rows, total: rows.length, capped: false, number: 1, size: rows.length, next: null, prev: null };
  },
  columns: {
    productName: { title: 'home.product', cell: (row) => row.productName },
    version: { title: 'compliance.version', cell: (row) => row.version },
    count: { title: 'compliance.terminals', cell: (row) => row.count },
    share: { title: 'compliance.share', cell: (row) => row.share },
    state: {
      title: 'compliance.state',
      cell: (row, lang) => t(lang, `compliance.${row.approved === null ? 'none' : row.behind ? 'behind' : 'current'}`),
    },
    approved: { title: 'compliance.approved', cell: (row) => row.approved },
  },
});

export const deptComplianceExporter = rowExporter(declared.depts, declared.exportDepts, {
  title: 'compliance.depts',
  page: complianceDepts,
  sort: 'name',
  columns: { name: 'home.where', self: 'compliance.self', total: 'compliance.terminals', behind: 'compliance.behind' },
});
