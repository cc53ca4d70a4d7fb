import type { TaskClass } from '@mooring/contract/engines/rollout/schemas';
import { packageMachine } from '@mooring/contract/firmware/state-machines';
import { fault } from '@mooring/contract/kit/fault';
import type { BulkOutcome } from '@mooring/contract/kit/page';
import { codeOf } from '@mooring/contract/kit/state-machine';
import { sql } from 'kysely';
import { type TaskCriteria, taskConditions } from '../../engines/rollout/task-queries.ts';
import { bulkEach } from '../../platform/bulk-each.ts';
import type { Ctx } from '../../platform/context.ts';
import { contains } from '../../platform/db/criteria.ts';
import { moveTask, recoverTask } from './move-task.ts';
import { firmwarePackage, type PackageCriteria, packageConditions, packagesOf } from './package-queries.ts';
import { deletePackage, publishPackage, unpublishPackage } from './publish-package.ts';
import type { SignManifest } from './sign-package.ts';
import { firmwareTask, withPackage } from './task-row.ts';
import { deleteTask } from './write-task.ts';

interface Many<C> {
  readonly of: { ids: number[] } | { criteria: C; except: number[] };
  readonly preview: boolean;
}
const MOST = 1000;

export const taskFilter = ({ version, ...criteria }: TaskCriteria & { version?: string | undefined }) =>
  sql<boolean>`(${taskConditions(criteria)} and ${contains('f.version', version) ?? sql`true`})`;

const taskActs = {
  pause: (ctx: Ctx, id: number) => moveTask(ctx, id, 'pause'),
  recover: recoverTask,
  cancel: (ctx: Ctx, id: number) => moveTask(ctx, id, 'cancel', { set: { ended_at: ctx.now() } }),
  delete: deleteTask,
};

/** One act on many releases; those that it isn't for are named. */
export async function manyTasks(
  ctx: Ctx,
  taskClass: TaskClass,
  act: keyof typeof taskActs,
  { of, preview }: Many<Parameters<typeof taskFilter>[0]>,
): Promise<BulkOutcome> {
  const which =
    'ids' in of
      ? sql<boolean>`t.id = any(${of.ids}::bigint[])`
      : sql<boolean>`${taskFilter(of.criteria)} and t.id <> all(${of.except}::bigint[])`;
  const found = await ctx.withScope((inner) =>
    withPackage(inner)
      .where('t.task_class', '=', taskClass)
      .where(which)
      .orderBy('t.id')
      .limit(MOST + 1)
      .execute(),
  );
  if (found.length > MOST) throw fault('TOO_LARGE');
  const rows = found.map((row) => ({ id: row.id, label: row.name, may: firmwareTask(ctx, row, {}).allowedActions }));
  return bulkEach(ctx, rows, {
    preview,
    fits: (row) => row.may.includes(act),
    fault: 'OVERTAKEN',
    act: (inner, row) => taskActs[act](inner, row.id),
  });
}

type PackageAct = 'publish' | 'unpublish' | 'delete';
const published = codeOf(packageMachine, 'published');

export async function manyPackages(
  ctx: Ctx,
  act: PackageAct,
  { of, preview }: Many<PackageCriteria>,
  signer: () => Promise<SignManifest>,
): Promise<BulkOutcome> {
  const which =
    'ids' in of
      ? sql<boolean>`f.id = any(${of.ids}::bigint[])`
      : sql<boolean>`${packageConditions(of.criteria)} and f.id <> all(${of.except}::bigint[])`;
  const found = await ctx.withScope((inner) =>
    packagesOf(inner.db)
      .where(which)
      .orderBy('f.id')
      .limit(MOST + 1)
      .execute(),
  );
  if (found.length > MOST) throw fault('TOO_LARGE');
  const sign = act === 'publish' ? await signer() : undefined;
  const carryOut = (inner: Ctx, id: number) =>
    sign ? publishPackage(inner, id, sign) : act === 'delete' ? deletePackage(inner, id) : unpublishPackage(inner, id);
  const rows = found.map((row) => ({ id: row.id, label: `${row.product_name} ${row.version}`, row }));
  return bulkEach(ctx, rows, {
    preview,
    // What is published needs it no more, though it may be done again.
    fits: ({ row }) =>
      firmwarePackage(row, ctx.actor, ctx.scope.path).allowedActions.includes(act) &&
      !(act === 'publish' && row.publish_state === published),
    fault: 'OVERTAKEN',
    act: (inner, { id }) => carryOut(inner, id),
  });
}
