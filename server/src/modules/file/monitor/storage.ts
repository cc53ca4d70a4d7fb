import { GB, type Storage, uploadMonitorCalls } from '@mooring/contract/file/upload-monitor-calls';
import { Fault, fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import type { z } from 'zod';
import { allowedActions, allowing } from '../../../platform/allowed-actions.ts';
import type { Ctx } from '../../../platform/context.ts';
import { all, contains } from '../../../platform/db/criteria.ts';
import { lockSet } from '../../../platform/db/lock-set.ts';
import { page } from '../../../platform/db/page.ts';
import type { Handler } from '../../../platform/module.ts';
import { listExporter } from '../../../platform/work/exporter.ts';
import { keptBelow } from '../storage-quota.ts';

type Row = z.input<typeof Storage>;
/** In the table of usage: all kinds of an organisation. */
const ALL = '';

/** Nobody widens what was set for themselves: an organisation's quota is given from above, that of the whole installation by the platform. */
const mayGive = (ctx: Ctx, path: string): boolean => path.startsWith(ctx.scope.path) && (path !== ctx.scope.path || ctx.scope.deptId === 1);

const selectStorage = (ctx: Ctx) =>
  ctx.db
    .selectFrom('file_usage as u')
    .innerJoin('org_dept as o', 'o.id', 'u.dept_id')
    .leftJoin('file_quota as q', 'q.dept_id', 'u.dept_id')
    .leftJoinLateral(
      (db) =>
        db
          .selectFrom('file_usage_change as c')
          .whereRef('c.dept_id', '=', 'u.dept_id')
          .select([sql<number>`coalesce(sum(c.files), 0)::float8`.as('files'), sql<number>`coalesce(sum(c.bytes), 0)::float8`.as('bytes')])
          .as('c'),
      (join) => join.onTrue(),
    )
    .select(['u.dept_id as id', 'o.name', 'o.dept_path', 'q.bytes as quota'])
    .select([sql<number>`u.files + c.files`.as('files'), sql<number>`u.bytes + c.bytes`.as('bytes')])
    .select(keptBelow(sql.ref('o.dept_path')).as('below'))
    .where('u.kind', '=', ALL)
    .where(sql<boolean>`o.dept_path >= ${ctx.scope.path} and o.dept_path < ${`${ctx.scope.path}~`}`);

const storageOf =
  (ctx: Ctx) =>
  (row: { id: number; name: string; dept_path: string; files: number; bytes: number; quota: number | null; below: number }): Row => ({
    id: row.id,
    name: row.name,
    files: row.files,
    bytes: row.bytes,
    below: row.below,
    quota: row.quota,
    ...allowing(mayGive(ctx, row.dept_path) ? allowedActions(ctx, { quota: uploadMonitorCalls.quota }) : []),
  });

/** Sorted by what is shown: what came since it was added up counts. */
export const pageStorage: Handler<typeof uploadMonitorCalls.storage> = (ctx, { criteria, page: wanted }) => {
  const shown = selectStorage(ctx).where(all(contains('o.name', criteria.name)));
  return page(ctx.db, ctx.db.selectFrom(shown.as('s')).selectAll(), {
    page: wanted,
    sorts: { bytes: 's.bytes', name: 's.name' },
    id: 's.id',
    map: storageOf(ctx),
  });
};

export const storageExporter = listExporter<Row>(uploadMonitorCalls.storageExport, {
  title: 'upload.storage',
  sort: 'name',
  page: pageStorage,
  columns: {
    name: { title: 'upload.dept', cell: (row) => row.name },
    files: { title: 'upload.count', cell: (row) => row.files },
    bytes: { title: 'upload.bytes', cell: (row) => row.bytes },
    below: { title: 'upload.below', cell: (row) => row.below },
    quota: { title: 'upload.quota', cell: (row) => row.quota },
  },
});

/** What the scope keeps, by kind, the most first. */
export const storageKindsOf: Handler<typeof uploadMonitorCalls.kinds> = async (ctx) => {
  const found = await sql<{ kind: Kind; files: number; bytes: number }>`
    select u.kind, sum(u.files)::float8 as files, sum(u.bytes)::float8 as bytes
    from (select * from file_usage union all select * from file_usage_change) u join org_dept o on o.id = u.dept_id
    where u.kind <> ${ALL} and o.dept_path >= ${ctx.scope.path} and o.dept_path < ${`${ctx.scope.path}~`}
    group by u.kind having sum(u.files) > 0 order by bytes desc, u.kind`.execute(ctx.db);
  return found.rows;
};
type Kind = z.infer<typeof uploadMonitorCalls.kinds.output>[number]['kind'];

/** What somebody above the scope gave; they are seen past the policies, as whose word it is. Undefined where there is no quota, or it is the scope's to give. */
const givenFromAbove = (ctx: Ctx, deptId: number) =>
  ctx.unscoped((db) =>
    db
      .selectFrom('file_quota as q')
      .innerJoin('org_dept as o', 'o.id', 'q.by_dept')
      .select(sql<number>`greatest(q.given, q.bytes)`.as('bytes'))
      .where('q.dept_id', '=', deptId)
      .where(sql<boolean>`starts_with(${ctx.scope.path}, o.dept_path) and o.dept_path <> ${ctx.scope.path}`)
      .executeTakeFirst(),
  );

/**
 * Sets what an organisation and those below it may keep. More may be kept already: then nothing is added. What was given from further above is
 * lowered at most. Faults: NOT_FOUND, FORBIDDEN, QUOTA_FROM_ABOVE.
 */
export const setQuota: Handler<typeof uploadMonitorCalls.quota> = async (ctx, { deptId, gigabytes }) => {
  const dept = await ctx.db.selectFrom('org_dept').select(['name', 'dept_path']).where('id', '=', deptId).executeTakeFirst();
  if (!dept) throw fault('NOT_FOUND');
  if (!mayGive(ctx, dept.dept_path)) throw fault('FORBIDDEN');
  await lockSet(ctx.db, `quota:${deptId}`);
  const above = await givenFromAbove(ctx, deptId);
  const wanted = gigabytes === null ? null : Math.round(gigabytes * GB);
  if (above && (wanted === null || wanted > above.bytes))
    throw new Fault('QUOTA_FROM_ABOVE', { fields: { gigabytes: 'fault.QUOTA_FROM_ABOVE' } });
  const before = await ctx.db.selectFrom('file_quota').select('bytes').where('dept_id', '=', deptId).executeTakeFirst();
  if (wanted === null) await ctx.db.deleteFrom('file_quota').where('dept_id', '=', deptId).execute();
  else {
    const whose = above ? {} : { by_dept: ctx.scope.deptId, given: wanted };
    await ctx.db
      .insertInto('file_quota')
      .values({ dept_id: deptId, bytes: wanted, ...whose })
      .onConflict((conflict) => conflict.column('dept_id').doUpdateSet({ bytes: wanted, ...whose }))
      .execute();
  }
  // One that keeps nothing yet is listed from now on.
  await ctx.unscoped((db) =>
    db
      .insertInto('file_usage')
      .values({ dept_id: deptId, kind: ALL, files: 0, bytes: 0 })
      .onConflict((conflict) => conflict.doNothing())
      .execute(),
  );
  ctx.audit({
    target: dept.name,
    before: { bytes: before?.bytes ?? null },
    after: { bytes: wanted },
  });
  return storageOf(ctx)(await selectStorage(ctx).where('u.dept_id', '=', deptId).executeTakeFirstOrThrow());
};
