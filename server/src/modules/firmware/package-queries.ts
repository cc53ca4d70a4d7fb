import type { FirmwarePackage } from '@mooring/contract/firmware/package-calls';
import { packageMachine } from '@mooring/contract/firmware/state-machines';
import { Fault, fault } from '@mooring/contract/kit/fault';
import type { Exact, Range } from '@mooring/contract/kit/page';
import type { z } from 'zod';
import { allowedEvents, allowing } from '../../platform/allowed-actions.ts';
import type { Actor, Ctx, Db } from '../../platform/context.ts';
import { all, contains, containsWords, exact, range } from '../../platform/db/criteria.ts';
import { statefulTable } from '../../platform/db/move.ts';

export const packageRows = statefulTable('firmware_package', packageMachine, 'publish_state');
export const packageSorts = { createdAt: 'f.created_at', version: 'f.version' } as const;
const can = { publish: 'firmware:package:publish', unpublish: 'firmware:package:publish' } as const;

export interface PackageCriteria {
  text?: string | undefined;
  version?: string | undefined;
  productId?: Exact<number> | undefined;
  kind?: Exact<string> | undefined;
  publishState?: Exact<string> | undefined;
  deptId?: Exact<number> | undefined;
  createdBy?: string | undefined;
  createdAt?: Range<string> | undefined;
}

export const packagesOf = (db: Db) =>
  db
    .selectFrom('firmware_package as f')
    .innerJoin('product_product as p', 'p.id', 'f.product_id')
    .where('f.deleted_at', 'is', null)
    .selectAll('f')
    .select(['p.name as product_name', 'p.code as product_code']);
export type PackageRow = Awaited<ReturnType<ReturnType<typeof packagesOf>['execute']>>[number];

export const packageConditions = (criteria: PackageCriteria) =>
  all(
    containsWords(['f.version', 'p.name', 'p.code', 'f.kind'], criteria.text),
    contains('f.version', criteria.version),
    exact('f.product_id', criteria.productId),
    exact('f.kind', criteria.kind),
    exact('f.publish_state', criteria.publishState),
    exact('f.dept_id', criteria.deptId),
    contains('f.created_by_name', criteria.createdBy),
    range('f.created_at', criteria.createdAt),
  );

export const firmwarePackage = (row: PackageRow, actor: Actor, scopePath: string): z.input<typeof FirmwarePackage> => ({
  id: row.id,
  productId: row.product_id,
  productName: row.product_name,
  version: row.version,
  kind: row.kind as 'TA' | 'DI',
  base: row.base,
  fileId: row.file_id,
  fileName: row.file_name,
  size: row.size,
  sha256: row.sha256,
  md5: row.md5,
  note: row.note,
  publishState: row.publish_state,
  deptId: row.dept_id,
  createdBy: row.created_by_name,
  createdAt: row.created_at,
  ...allowing(
    row.dept_path.startsWith(scopePath)
      ? [
          ...allowedEvents(packageMachine, row.publish_state, actor, can),
          ...(row.publish_state === '0' && actor.permissions.has('firmware:package:delete') ? ['delete'] : []),
        ]
      : [],
  ),
});

export const packageById = (db: Db, id: number): Promise<PackageRow | undefined> =>
  packagesOf(db).where('f.id', '=', id).executeTakeFirst();
export const isPublished = (row: { readonly publish_state: string }): boolean => row.publish_state === '1' || row.publish_state === '3';

/** A published package; its own fault where it isn't. */
export async function publishedPackage(ctx: Ctx, id: number): Promise<PackageRow> {
  const row = await packageById(ctx.db, id);
  if (!row) throw fault('NOT_FOUND');
  if (!isPublished(row)) throw new Fault('PACKAGE_NOT_PUBLISHED', { fields: { packageId: 'fault.PACKAGE_NOT_PUBLISHED' } });
  return row;
}
