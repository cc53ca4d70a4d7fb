import { orgMachine } from '@mooring/contract/org/state-machines';
import type { businessUnitCalls, productLineCalls } from '@mooring/contract/org/unit-calls';
import { productLineCalls as lines, businessUnitCalls as regions } from '@mooring/contract/org/unit-calls';
import { sql } from 'kysely';
import type { Ctx } from '../../platform/context.ts';
import { all, contains, exact } from '../../platform/db/criteria.ts';
import { page } from '../../platform/db/page.ts';
import { type Handler, handlers, type Route } from '../../platform/module.ts';
import { startExport } from '../../platform/work/exporter.ts';
import { rowExporter } from '../../platform/work/row-exporter.ts';
import { addBelow, updateDept } from './change-dept.ts';
import { type DeptRow, deptOf, impactOf, selectDepts } from './dept.queries.ts';
import { disableDept, enableDept } from './dept-state.ts';

type Kind = 'businessUnit' | 'productLine';
type Wanted = Parameters<Handler<typeof productLineCalls.page>>[1] & Partial<Parameters<Handler<typeof businessUnitCalls.page>>[1]>;

async function pageUnits(ctx: Ctx, kind: Kind, { criteria, page: wanted }: Wanted) {
  const { path } = ctx.scope;
  const line = 'productLineId' in criteria ? (criteria as { productLineId?: number | { in: number[] } }).productLineId : undefined;
  const query = selectDepts(ctx.db)
    .where('o.kind', '=', kind)
    .where(sql<boolean>`o.dept_path >= ${path} and o.dept_path < ${`${path}~`}`)
    .where(all(contains('o.name', criteria.text), exact('o.state', criteria.state), exact('o.parent_id', line)));
  const found = await page(ctx.db, query, {
    page: wanted,
    sorts: { name: 'o.name', createdAt: 'o.created_at' },
    id: 'o.id',
    map: (row: DeptRow) => row,
  });
  const content = [];
  for (const row of found.content) content.push({ ...deptOf(ctx)(row), impact: await impactOf(ctx.db, row.dept_path) });
  return { ...found, content };
}

const unitColumns = {
  name: 'org.name',
  state: ['org.state', orgMachine],
  contactName: 'org.contactName',
  contactEmail: 'org.contactEmail',
  timeZone: 'org.timeZone',
  createdAt: 'org.createdAt',
} as const;
const unitPage = (kind: Kind) => (ctx: Ctx, input: Wanted) => pageUnits(ctx, kind, input);
const regionExporter = rowExporter(regions.page, regions.export, {
  title: 'org.unit.tab.regions',
  page: unitPage('businessUnit'),
  sort: 'name',
  columns: unitColumns,
});
const lineExporter = rowExporter(lines.page, lines.export, {
  title: 'org.unit.tab.lines',
  page: unitPage('productLine'),
  sort: 'name',
  columns: unitColumns,
});
export const unitExporters = [regionExporter, lineExporter];

/** Sales regions and product lines are departments of their kind, with a table of their own instead of a tree. */
export const unitRoutes: Route[] = [
  ...handlers(regions, {
    page: (ctx, input) => pageUnits(ctx, 'businessUnit', input as Wanted),
    export: (ctx, input) => startExport(ctx, regionExporter, input),
    add: (ctx, { productLineId, ...fields }) => addBelow(ctx, productLineId, fields, 'businessUnit'),
    update: (ctx, { id, ...fields }) => updateDept(ctx, id, fields, 'businessUnit'),
    enable: (ctx, { id }) => enableDept(ctx, id, ['businessUnit']),
    disable: (ctx, { id, preview }) => disableDept(ctx, id, preview, ['businessUnit']),
  }),
  ...handlers(lines, {
    page: (ctx, input) => pageUnits(ctx, 'productLine', input as Wanted),
    export: (ctx, input) => startExport(ctx, lineExporter, input),
    add: (ctx, fields) => addBelow(ctx, ctx.scope.deptId, fields, 'productLine'),
    update: (ctx, { id, ...fields }) => updateDept(ctx, id, fields, 'productLine'),
    enable: (ctx, { id }) => enableDept(ctx, id, ['productLine']),
    disable: (ctx, { id, preview }) => disableDept(ctx, id, preview, ['productLine']),
  }),
];
