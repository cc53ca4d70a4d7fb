import {
  type Compliance,
  type complianceCalls,
  type DeptCompliance,
  complianceCalls as declared,
  type VersionKind,
} from '@mooring/contract/stats/compliance-calls';
import { type RawBuilder, sql } from 'kysely';
import type { Ctx, Db } from '../../platform/context.ts';
import { all, contains } from '../../platform/db/criteria.ts';
import { page } from '../../platform/db/page.ts';
import type { Handler } from '../../platform/module.ts';
import { t } from '../../platform/texts/translate.ts';
import { listExporter } from '../../platform/work/exporter.ts';
import { rowExporter } from '../../platform/work/row-exporter.ts';
import { type Approved, approvedFor, approvedOf, isBehind } from './approved.ts';
import { hasParts, ofProduct, partOf, type Running, runningIn, type Where } from './figures.ts';
import { whereOf } from './where.ts';

const ROWS = 500;
const ALL_ROWS = 100_000;

export async function productNames(db: Db, ids: readonly number[]): Promise<Map<number, string>> {
  const found = ids.length === 0 ? [] : await db.selectFrom('product_product').select(['id', 'name']).where('id', 'in', ids).execute();
  return new Map(found.map((one) => [one.id, one.name]));
}

/** Of which kind, below which organisation. */
interface Asked extends Where {
  readonly kind: VersionKind;
}
const askedOf = async (ctx: Ctx, { kind, ...of }: Parameters<typeof whereOf>[1] & { kind?: VersionKind | undefined }): Promise<Asked> => ({
  ...(await whereOf(ctx, of)),
  kind: kind ?? 'firmware',
});

async function complianceOf(ctx: Ctx, asked: Asked, most = ROWS): Promise<Compliance> {
  const running = await runningIn(ctx.db, asked, asked.kind);
  const all = await approvedOf(ctx, asked);
  const names = await productNames(ctx.db, [...new Set(running.map((one) => one.productId))]);
  const whole = ({ productId, part }: Running) => `${productId} ${part}`;
  const totals = new Map<string, number>();
  for (const one of running) totals.set(whole(one), (totals.get(whole(one)) ?? 0) + one.count);
  const rows = running
    .map((one) => {
      const approved = approvedFor(all, one);
      const { productId, part, version, runs, count } = one;
      return {
        productId,
        productName: names.get(productId) ?? '',
        part,
        partName: approved?.partName || part,
        version,
        runs,
        count,
        share: count / (totals.get(whole(one)) ?? count),
        behind: isBehind(asked.kind, one, approved),
        approved: approved?.version ?? null,
        packageId: asked.kind === 'app' ? null : (approved?.id ?? null),
        appVersionId: asked.kind === 'app' ? (approved?.id ?? null) : null,
      };
    })
    .sort((a, b) => Number(b.behind) - Number(a.behind) || b.count - a.count || a.version.localeCompare(b.version));
  return {
    total: rows.reduce((sum, one) => sum + one.count, 0),
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
interface Of extends Asked {
  readonly behind: readonly Running[];
  readonly approved: readonly Approved[];
}
async function judgedIn(ctx: Ctx, asked: Asked): Promise<Of> {
  const all = await approvedOf(ctx, asked);
  const running = all.size === 0 ? [] : await runningIn(ctx.db, asked, asked.kind);
  return { ...asked, approved: [...all.values()], behind: running.filter((one) => isBehind(asked.kind, one, approvedFor(all, one))) };
}

/** How many there are below each of these organisations, and how many of them run one of the versions: sums, and what isn't added up yet. */
async function sumsOf(db: Db, paths: RawBuilder<unknown>, { kind, behind, approved, productId }: Of): Promise<Map<string, Sums>> {
  const late = sql`(f.product_id, f.detail) in (select * from unnest(${behind.map((one) => one.productId)}::bigint[], ${behind.map((one) => one.detail)}::text[]))`;
  const judged = sql`(f.product_id, ${hasParts(kind) ? partOf : sql`''::text`}) in (
    select * from unnest(${approved.map((one) => one.productId)}::bigint[], ${approved.map((one) => one.part)}::text[]))`;
  const found = await sql<Sums>`
    with asked as (select path from ${paths} as a(path))
    select f.path, sum(f.n)::int as total, coalesce(sum(f.n) filter (where ${late}), 0)::int as behind,
      coalesce(sum(f.n) filter (where ${judged}), 0)::int as judged from (
      select s.dept_path as path, s.product_id, s.detail, s.n from asked d join stats_now s on s.dept_path = d.path and s.measure = ${kind} ${ofProduct(productId)}
      union all
      select d.path, c.product_id, c.detail, c.n from asked d
        join stats_change c on c.dept_path >= d.path and c.dept_path < d.path || '~' and c.measure = ${kind} and c.at is null ${ofProduct(productId)}
    ) f group by f.path`.execute(db);
  return new Map(found.rows.map((row) => [row.path, row]));
}
const listed = (paths: readonly string[]) => sql`unnest(${paths}::text[])`;

/** What an organisation holds itself: all of it without what lies below. */
async function ownOf(db: Db, of: Of): Promise<Omit<Sums, 'path'>> {
  const { path } = of;
  const below = sql`(select o.dept_path from org_dept o join org_dept a on a.id = o.parent_id where a.dept_path = ${path})`;
  const [all, parts] = [await sumsOf(db, listed([path]), of), await sumsOf(db, below, of)];
  const less = (field: 'total' | 'behind' | 'judged') =>
    [...parts.values()].reduce((left, one) => left - one[field], all.get(path)?.[field] ?? 0);
  return { total: less('total'), behind: less('behind'), judged: less('judged') };
}

export const complianceVersions: Handler<typeof complianceCalls.versions> = async (ctx, input) =>
  complianceOf(ctx, await askedOf(ctx, input));

export const complianceDepts: Handler<typeof complianceCalls.depts> = async (ctx, { criteria, page: wanted }) => {
  const { parentId, productId, kind } = criteria;
  const where = await judgedIn(ctx, await askedOf(ctx, { deptId: parentId, productId, kind }));
  const own = await ownOf(ctx.db, where);
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
  const sums = await sumsOf(ctx.db, listed(paths), where);
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
  page: async (ctx: Ctx, { criteria }: { criteria: Parameters<typeof askedOf>[1] }) => {
    const { rows } = await complianceOf(ctx, await askedOf(ctx, criteria), ALL_ROWS);
    return { content: rows, total: rows.length, capped: false, number: 1, size: rows.length, next: null, prev: null };
  },
  columns: {
    productName: { title: 'home.product', cell: (row) => row.productName },
    partName: { title: 'compliance.part', cell: (row) => row.partName },
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
