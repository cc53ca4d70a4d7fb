import type { Drift } from '@mooring/contract/engines/rollout/drift-calls';
import type { Call } from '@mooring/contract/kit/call';
import { COUNT_CAP, type Exact, type PageInput, type Range } from '@mooring/contract/kit/page';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Ctx, Db } from '../../../platform/context.ts';
import { all, containsWords, exact, partPattern, range } from '../../../platform/db/criteria.ts';
import { countUpTo, page } from '../../../platform/db/page.ts';
import { listExporter, momentCell } from '../../../platform/work/exporter.ts';
import { kindsFor } from '../page-tasks.ts';
import type { RolloutKind } from '../task.ts';
import { contentOf } from '../task-row.ts';
import { isShown } from './wanted-rows.ts';

export interface DriftCriteria {
  readonly sn?: string | undefined;
  readonly productId?: Exact<number> | undefined;
  readonly deptId?: Exact<number> | undefined;
  readonly what?: string | undefined;
  readonly since?: Range<string> | undefined;
  /** In lists of several kinds. */
  readonly kind?: Exact<string> | undefined;
}

/** Of one kind by its name alone: of a list the index isn't read in its order. */
const ofKinds = ([only, ...more]: readonly string[]) =>
  only !== undefined && more.length === 0
    ? sql<boolean>`w.kind = ${only}`
    : sql<boolean>`w.kind = any(${only === undefined ? [] : [only, ...more]}::text[])`;

/** What has drifted on terminals that are there, and no release is on its way to; of these kinds. */
export const driftsOf = (db: Db, kinds: readonly RolloutKind[]) =>
  db
    .selectFrom('rollout_wanted as w')
    .innerJoin('device as d', 'd.id', 'w.device_id')
    .innerJoin('org_dept as o', 'o.id', 'd.dept_id')
    .leftJoin('product_product as p', 'p.id', 'd.product_id')
    .leftJoin('rollout_task as t', 't.id', 'w.task_id')
    .where(ofKinds(kinds.map(({ of }) => of.kind)))
    .where(isShown)
    .where('d.deleted_at', 'is', null);

export const driftConditions = ({ sn, productId, deptId, what, since }: DriftCriteria) =>
  all(
    sn === undefined ? undefined : sql<boolean>`d.sn like ${partPattern(sn.toUpperCase())}`,
    exact('d.product_id', productId),
    exact('d.dept_id', deptId),
    containsWords(['t.name', 'w.part', 'w.version', 'w.found'], what),
    range('w.since', since),
  );

export const shownDrift = (db: Db, kinds: readonly RolloutKind[]) =>
  driftsOf(db, kinds).select([
    'w.id',
    'w.device_id',
    'd.sn',
    'd.name as device_name',
    'p.name as product_name',
    'o.name as dept_name',
    'w.kind',
    'w.part',
    'w.version',
    'w.found',
    'w.since',
    'w.at',
    'w.task_id',
    't.name as task_name',
    't.content',
  ]);
type Row = Awaited<ReturnType<ReturnType<typeof shownDrift>['execute']>>[number];

const driftRow = (row: Row): z.input<typeof Drift> => ({
  id: row.id,
  deviceId: row.device_id,
  sn: row.sn,
  deviceName: row.device_name,
  productName: row.product_name ?? '',
  deptName: row.dept_name,
  kind: row.kind,
  part: row.part,
  version: row.version,
  content: contentOf(row.content),
  taskId: row.task_id,
  taskName: row.task_name,
  releasedAt: row.at,
  found: row.found,
  since: row.since ?? row.at,
});

interface Asked {
  readonly criteria: DriftCriteria;
  readonly page: PageInput;
}
/** Of the kinds that the person may see. */
export const pageDrift =
  (kinds: readonly RolloutKind[], ...acts: Parameters<typeof kindsFor>[3]) =>
  (ctx: Ctx, { criteria, page: wanted }: Asked) =>
    page(ctx.db, shownDrift(ctx.db, kindsFor(ctx, kinds, criteria.kind, acts)).where(driftConditions(criteria)), {
      page: wanted,
      sorts: { since: 'w.since' },
      id: 'w.id',
      map: driftRow,
    });

export const countDrift =
  (kinds: readonly RolloutKind[]) =>
  async (ctx: Ctx, { criteria }: { readonly criteria: DriftCriteria }) => {
    const seen = kindsFor(ctx, kinds, criteria.kind, ['page']);
    const n = await countUpTo(ctx.db, driftsOf(ctx.db, seen).where(driftConditions(criteria)), COUNT_CAP + 1);
    return { count: Math.min(n, COUNT_CAP), capped: n > COUNT_CAP };
  };

/** A terminal has few parts that releases set. */
const SHOWN = 200;
/** What has drifted on one terminal. */
export async function driftsOfDevice(ctx: Ctx, kinds: readonly RolloutKind[], deviceId: number) {
  const rows = await shownDrift(ctx.db, kinds).where('w.device_id', '=', deviceId).orderBy('w.since', 'desc').limit(SHOWN).execute();
  return rows.map(driftRow);
}

export const driftExporter = (kinds: readonly RolloutKind[], call: Call) =>
  listExporter<z.input<typeof Drift>>(call, {
    title: 'work.export.drift',
    sort: 'since',
    page: pageDrift(kinds, 'page', 'export'),
    columns: {
      sn: { title: 'device.sn', cell: (row) => row.sn },
      deviceName: { title: 'device.name', cell: (row) => row.deviceName },
      productName: { title: 'drift.product', cell: (row) => row.productName },
      deptName: { title: 'drift.dept', cell: (row) => row.deptName },
      kind: { title: 'task.kind', cell: (row) => row.kind },
      part: { title: 'drift.what', cell: (row) => row.part },
      version: { title: 'drift.wanted', cell: (row) => row.version },
      found: { title: 'drift.found', cell: (row) => row.found },
      taskName: { title: 'drift.task', cell: (row) => row.taskName },
      releasedAt: { title: 'drift.releasedAt', cell: (row) => momentCell(row.releasedAt) },
      since: { title: 'drift.since', cell: (row) => momentCell(row.since) },
    },
  });
