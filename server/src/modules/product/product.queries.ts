import { fault } from '@mooring/contract/kit/fault';
import { eventsFrom } from '@mooring/contract/kit/state-machine';
import type { Product } from '@mooring/contract/product/calls';
import { productMachine } from '@mooring/contract/product/state-machines';
import type { z } from 'zod';
import { allowing } from '../../platform/allowed-actions.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import { statefulTable } from '../../platform/db/move.ts';

export const productRows = statefulTable('product_product', productMachine, 'publish_status');

export const selectProducts = (db: Db) =>
  db
    .selectFrom('product_product as p')
    .innerJoin('org_dept as o', 'o.id', 'p.dept_id')
    .select([
      'p.id',
      'p.code',
      'p.name',
      'p.category',
      'p.firm',
      'p.industry',
      'p.networks',
      'p.package_kinds',
      'p.heartbeat_seconds',
      'p.remark',
      'p.publish_status',
      'p.dept_id',
      'p.dept_path',
      'o.name as dept_name',
      'p.created_at',
      'p.revision',
    ]);
export type ProductRow = Awaited<ReturnType<ReturnType<typeof selectProducts>['executeTakeFirstOrThrow']>>;

/** An inherited row is read below its owner and changed by the owner alone. */
function actionsOf(ctx: Ctx, row: ProductRow): string[] {
  if (!row.dept_path.startsWith(ctx.scope.path)) return [];
  const held = ctx.actor.permissions;
  return [
    ...(held.has('product:product:update') ? ['update'] : []),
    ...(held.has('product:product:publish') ? eventsFrom(productMachine, row.publish_status) : []),
    ...(held.has('product:product:delete') && row.publish_status === '0' ? ['delete'] : []),
  ];
}

export const productOf =
  (ctx: Ctx) =>
  (row: ProductRow): z.input<typeof Product> => ({
    id: row.id,
    code: row.code,
    name: row.name,
    category: row.category as 'smartPos',
    firm: row.firm,
    industry: row.industry,
    networks: row.networks as 'wifi'[],
    packageKinds: row.package_kinds as 'firmware'[],
    heartbeatSeconds: row.heartbeat_seconds,
    remark: row.remark,
    publishStatus: row.publish_status,
    deptId: row.dept_id,
    deptName: row.dept_name,
    revision: row.revision,
    createdAt: row.created_at,
    ...allowing(actionsOf(ctx, row)),
  });

export async function readProduct(ctx: Ctx, id: number) {
  const row = await selectProducts(ctx.db).where('p.id', '=', id).executeTakeFirst();
  if (!row) throw fault('NOT_FOUND');
  return productOf(ctx)(row);
}
