import { packageMachine } from '@mooring/contract/engines/rollout/state-machines';
import type { TaskKind } from '@mooring/contract/engines/rollout/task-kind';
import { fault } from '@mooring/contract/kit/fault';
import type { BulkOutcome } from '@mooring/contract/kit/page';
import { codeOf } from '@mooring/contract/kit/state-machine';
import { sql } from 'kysely';
import { bulkEach } from '../../../platform/bulk-each.ts';
import type { Ctx } from '../../../platform/context.ts';
import type { Bytes } from '../differences/tools.ts';
import { type Many, MOST } from '../many.ts';
import { nameOf, type PackageCriteria, packageConditions, packageRow, packagesOf } from './package-queries.ts';
import { deletePackage, publishPackage, unpublishPackage } from './publish-package.ts';
import type { SignManifest } from './sign-package.ts';

type PackageAct = 'publish' | 'unpublish' | 'delete';
const published = codeOf(packageMachine, 'published');

/** One act on many packages; those that it isn't for are named. */
export async function manyPackages(
  ctx: Ctx,
  kind: TaskKind,
  act: PackageAct,
  { of, preview }: Many<PackageCriteria>,
  signer: () => Promise<SignManifest>,
  bytes: Bytes,
): Promise<BulkOutcome> {
  const which =
    'ids' in of
      ? sql<boolean>`f.id = any(${of.ids}::bigint[])`
      : sql<boolean>`${packageConditions(of.criteria)} and f.id <> all(${of.except}::bigint[])`;
  const found = await ctx.withScope((inner) =>
    packagesOf(inner.db, kind)
      .where(which)
      .orderBy('f.id')
      .limit(MOST + 1)
      .execute(),
  );
  if (found.length > MOST) throw fault('TOO_LARGE');
  const sign = act === 'publish' ? await signer() : undefined;
  const carryOut = (inner: Ctx, id: number) =>
    sign
      ? publishPackage(inner, kind, id, sign)
      : act === 'delete'
        ? deletePackage(inner, kind, bytes, id)
        : unpublishPackage(inner, kind, id);
  const rows = found.map((row) => ({ id: row.id, label: nameOf(row), row }));
  return bulkEach(ctx, rows, {
    preview,
    // What is published needs it no more, though it may be done again.
    fits: ({ row }) =>
      packageRow(kind, row, ctx.actor, ctx.scope.path).allowedActions.includes(act) &&
      !(act === 'publish' && row.publish_state === published),
    fault: 'OVERTAKEN',
    act: (inner, { id }) => carryOut(inner, id),
  });
}
