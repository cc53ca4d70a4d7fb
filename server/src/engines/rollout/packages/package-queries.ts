import type { Package } from '@mooring/contract/engines/rollout/package-calls';
import { packageMachine } from '@mooring/contract/engines/rollout/state-machines';
import { packagePermission, type TaskKind } from '@mooring/contract/engines/rollout/task-kind';
import { Fault, fault } from '@mooring/contract/kit/fault';
import type { Exact, Range } from '@mooring/contract/kit/page';
import { isAllowed } from '@mooring/contract/kit/permission';
import { codeOf, codesOf } from '@mooring/contract/kit/state-machine';
import type { z } from 'zod';
import { allowedEvents, allowing } from '../../../platform/allowed-actions.ts';
import type { Actor, Ctx, Db } from '../../../platform/context.ts';
import { all, contains, containsWords, exact, range } from '../../../platform/db/criteria.ts';
import { statefulTable } from '../../../platform/db/move.ts';

export const packageRows = statefulTable('rollout_package', packageMachine, 'publish_state');
export const packageSorts = { createdAt: 'f.created_at', version: 'f.version' } as const;

export interface PackageCriteria {
  text?: string | undefined;
  name?: string | undefined;
  version?: string | undefined;
  productId?: Exact<number> | undefined;
  kind?: Exact<string> | undefined;
  publishState?: Exact<string> | undefined;
  deptId?: Exact<number> | undefined;
  createdBy?: string | undefined;
  createdAt?: Range<string> | undefined;
}

const allPackages = (db: Db) =>
  db
    .selectFrom('rollout_package as f')
    .innerJoin('product_product as p', 'p.id', 'f.product_id')
    .where('f.deleted_at', 'is', null)
    .selectAll('f')
    .select(['p.name as product_name', 'p.code as product_code']);
export type PackageRow = Awaited<ReturnType<ReturnType<typeof allPackages>['execute']>>[number];
export const packagesOf = (db: Db, kind: TaskKind) => allPackages(db).where('f.content', '=', kind.kind);

export const packageConditions = (criteria: PackageCriteria) =>
  all(
    containsWords(['f.version', 'p.name', 'p.code', 'f.kind', 'f.name'], criteria.text),
    contains('f.name', criteria.name),
    contains('f.version', criteria.version),
    exact('f.product_id', criteria.productId),
    exact('f.kind', criteria.kind),
    exact('f.publish_state', criteria.publishState),
    exact('f.dept_id', criteria.deptId),
    contains('f.created_by_name', criteria.createdBy),
    range('f.created_at', criteria.createdAt),
  );

export const packageRow = (kind: TaskKind, row: PackageRow, actor: Actor, scopePath: string): z.input<typeof Package> => ({
  id: row.id,
  productId: row.product_id,
  productName: row.product_name,
  name: row.name,
  version: row.version,
  kind: row.kind as 'TA' | 'DI',
  base: row.base,
  fileId: row.file_id,
  fileName: row.file_name,
  size: row.size,
  sha256: row.sha256,
  md5: row.md5,
  note: row.note,
  carried: row.carried as z.input<typeof Package>['carried'],
  publishState: row.publish_state,
  deptId: row.dept_id,
  createdBy: row.created_by_name,
  createdAt: row.created_at,
  ...allowing(
    row.dept_path.startsWith(scopePath)
      ? [
          ...allowedEvents(packageMachine, row.publish_state, actor, {
            publish: packagePermission(kind, 'publish'),
            unpublish: packagePermission(kind, 'publish'),
          }),
          // Once more, unless it is asked for just now.
          ...(isPublished(row) && row.publish_at === null && isAllowed(actor.permissions, packagePermission(kind, 'publish'))
            ? ['publish']
            : []),
          ...(row.publish_state === unpublished && actor.permissions.has(packagePermission(kind, 'delete')) ? ['delete'] : []),
        ]
      : [],
  ),
});

/** What people call it. */
export const nameOf = (row: Pick<PackageRow, 'product_name' | 'name' | 'version'>): string =>
  [row.product_name, row.name, row.version].filter(Boolean).join(' ');

export const packageById = (db: Db, kind: TaskKind, id: number): Promise<PackageRow | undefined> =>
  packagesOf(db, kind).where('f.id', '=', id).executeTakeFirst();
export const publishedStates = codesOf(packageMachine, ['published', 'partly']);
export const unpublished = codeOf(packageMachine, 'unpublished');
export const isPublished = (row: { readonly publish_state: string }): boolean => publishedStates.includes(row.publish_state);

/** What a release may be written for: it is sent once its package is published. */
const releasable = codesOf(packageMachine, ['publishing', 'published', 'partly']);

/** A package that is published, or is being; its own fault where it isn't. */
export async function releasablePackage(ctx: Ctx, kind: TaskKind, id: number): Promise<PackageRow> {
  const row = await packageById(ctx.db, kind, id);
  if (!row) throw fault('NOT_FOUND');
  if (!releasable.includes(row.publish_state))
    throw new Fault('PACKAGE_NOT_PUBLISHED', { fields: { packageId: 'fault.PACKAGE_NOT_PUBLISHED' } });
  return row;
}

/** The published full package of the same version of the same thing, if there is one. */
export const publishedFull = (db: Db, kind: TaskKind, of: Pick<PackageRow, 'product_id' | 'name' | 'version'>) =>
  publishedOf(db, kind, of).where('f.kind', '=', 'TA').executeTakeFirst();

/** Digest of what a terminal runs after it: a version's name may be given to other bytes later. */
export const imageOf = (row: Pick<PackageRow, 'kind' | 'sha256' | 'full_sha256'>): string =>
  row.kind === 'DI' ? (row.full_sha256 ?? '') : row.sha256;

/**
 * Published difference packages that people uploaded and that make the same image as a chosen one. What others made of a package that isn't theirs
 * goes into nobody's releases but those that choose it.
 */
export async function uploadedDiffs(db: Db, kind: TaskKind, chosen: PackageRow, whole: PackageRow | undefined): Promise<PackageRow[]> {
  const found = await publishedOf(db, kind, chosen).where('f.kind', '=', 'DI').where('f.full_sha256', '=', imageOf(chosen)).execute();
  return found.filter((row) => row.id === chosen.id || whole?.dept_path.startsWith(row.dept_path));
}

const publishedOf = (db: Db, kind: TaskKind, of: Pick<PackageRow, 'product_id' | 'name' | 'version'>) =>
  packagesOf(db, kind)
    .where('f.product_id', '=', of.product_id)
    .where('f.name', '=', of.name)
    .where('f.version', '=', of.version)
    .where('f.publish_state', 'in', publishedStates);
