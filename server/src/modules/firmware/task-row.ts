import type { RingStanding } from '@mooring/contract/engines/rollout/rings';
import { deletableStates, editableStates } from '@mooring/contract/engines/rollout/state-machines';
import type { FirmwareTask, FirmwareTaskDetail } from '@mooring/contract/firmware/task-calls';
import { fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import type { z } from 'zod';
import { standingOf } from '../../engines/rollout/ring-rows.ts';
import { talliesOf } from '../../engines/rollout/tally.ts';
import { readTask } from '../../engines/rollout/task.ts';
import { type HeadRow, type TaskPermissions, taskHead, tasksOf } from '../../engines/rollout/task-queries.ts';
import { allowing } from '../../platform/allowed-actions.ts';
import type { Ctx } from '../../platform/context.ts';

export const KIND = 'firmware';
/** Without a configured audit nothing is submitted by itself: a draft is released. */
export const taskPermissions = {
  enable: 'firmware:task:enable',
  disable: 'firmware:task:enable',
  start: 'firmware:task:enable',
  pause: 'firmware:task:pause',
  recover: 'firmware:task:pause',
  cancel: 'firmware:task:cancel',
} as const satisfies TaskPermissions;

export const withPackage = (ctx: Ctx) =>
  tasksOf(ctx.db, KIND)
    .innerJoin('firmware_package as f', 'f.id', 't.package_id')
    .innerJoin('product_product as p', 'p.id', 'f.product_id')
    .select([
      'f.version as package_version',
      'f.kind as package_kind',
      'f.size as package_size',
      'f.sha256 as package_sha256',
      'f.deleted_at as package_deleted_at',
      'p.name as product_name',
    ])
    .select(sql<number>`coalesce(jsonb_array_length(t.delivery -> 'rings'), 1)`.as('rings'));
export type FirmwareTaskRow = Awaited<ReturnType<ReturnType<typeof withPackage>['execute']>>[number];

export function firmwareTask(ctx: Ctx, row: FirmwareTaskRow, tally: Readonly<Record<string, number>>): z.input<typeof FirmwareTask> {
  const head = taskHead(row as unknown as HeadRow, tally, ctx.actor, ctx.scope.path, taskPermissions);
  const isOwner = row.dept_path.startsWith(ctx.scope.path);
  const may = (states: readonly string[], permission: string) =>
    isOwner && states.includes(row.state) && ctx.actor.permissions.has(permission);
  const more = [
    ...(may(['draft'], taskPermissions.enable) ? ['enable'] : []),
    ...(row.open_ring < row.rings && may(['running'], taskPermissions.enable) ? ['openRing'] : []),
    ...(may(editableStates, 'firmware:task:add') ? ['edit'] : []),
    ...(may(deletableStates, 'firmware:task:delete') ? ['delete'] : []),
  ];
  return {
    ...head,
    ...allowing([...head.allowedActions, ...more]),
    package: {
      id: row.package_id,
      deleted: row.package_deleted_at !== null,
      version: row.package_version,
      kind: row.package_kind,
      productName: row.product_name,
      size: row.package_size,
      sha256: row.package_sha256,
    },
  };
}

export async function taskById(ctx: Ctx, id: number): Promise<FirmwareTaskRow> {
  const row = await withPackage(ctx).where('t.id', '=', id).executeTakeFirst();
  if (!row) throw fault('NOT_FOUND');
  return row;
}

/** A task that the actor's scope owns, so may change. */
export async function ownTask(ctx: Ctx, id: number): Promise<FirmwareTaskRow> {
  const row = await taskById(ctx, id);
  if (!row.dept_path.startsWith(ctx.scope.path)) throw fault('NOT_FOUND');
  return row;
}

export async function showTask(ctx: Ctx, id: number): Promise<z.input<typeof FirmwareTask>> {
  const row = await taskById(ctx, id);
  return firmwareTask(ctx, row, (await talliesOf(ctx.db, [id])).get(id) ?? {});
}

/** Of a ring that is open, counts of some devices alone don't tell whether it has reached its share. */
const seenBelow = (ring: z.input<typeof RingStanding>): z.input<typeof RingStanding> => ({
  ...ring,
  state: ['soaking', 'asking', 'short', 'done'].includes(ring.state) ? 'open' : ring.state,
  openedBy: null,
  soakedAt: null,
});

export async function showDetail(ctx: Ctx, id: number): Promise<z.input<typeof FirmwareTaskDetail>> {
  const row = await taskById(ctx, id);
  const task = readTask(row);
  const { scope, delivery } = task;
  const rings = await standingOf(ctx.db, task, ctx.now());
  // Whom else it goes to, and how it fares there, is the owner's to know; those below see the header and their own devices.
  const isOwner = row.dept_path.startsWith(ctx.scope.path);
  return {
    ...(await showTask(ctx, id)),
    scope: isOwner ? scope : { releaseScope: '0' },
    delivery: isOwner ? delivery : { ...delivery, rings: delivery.rings.slice(-1) },
    openRing: row.open_ring,
    rings: isOwner ? rings : rings.map(seenBelow),
  };
}
