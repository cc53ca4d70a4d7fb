import type { RingStanding } from '@mooring/contract/engines/rollout/rings';
import { deletableStates, editableStates } from '@mooring/contract/engines/rollout/state-machines';
import type { Task, TaskDetail } from '@mooring/contract/engines/rollout/task-calls';
import { type TaskAct, type TaskKind, taskPermission } from '@mooring/contract/engines/rollout/task-kind';
import { fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import type { z } from 'zod';
import { allowing } from '../../platform/allowed-actions.ts';
import type { Ctx } from '../../platform/context.ts';
import { maySend } from './along.ts';
import { mayRevert } from './had-before.ts';
import { openingsLeft } from './next-window.ts';
import { standingOf } from './ring-rows.ts';
import { talliesOf } from './tally.ts';
import { type RolloutKind, readTask } from './task.ts';
import { permissionsOf, taskHead, tasksOf } from './task-queries.ts';

/** Tasks of kinds with what they send. */
export const tasksWithPackage = (ctx: Ctx, kinds: readonly string[]) =>
  tasksOf(ctx.db, kinds)
    .leftJoin('rollout_package as f', 'f.id', 't.package_id')
    .leftJoin('product_product as p', 'p.id', 't.product_id')
    .select([
      'f.name as package_name',
      'f.version as package_version',
      'f.kind as package_kind',
      'f.size as package_size',
      'f.sha256 as package_sha256',
      'f.deleted_at as package_deleted_at',
      'p.name as product_name',
    ])
    .select(sql<number>`coalesce(jsonb_array_length(t.delivery -> 'rings'), 1)`.as('rings'));
export type ListedTask = Awaited<ReturnType<ReturnType<typeof tasksWithPackage>['execute']>>[number];

const packageOf = (row: ListedTask): z.input<typeof Task>['package'] =>
  row.package_id === null || row.package_version === null
    ? null
    : {
        id: row.package_id,
        deleted: row.package_deleted_at !== null,
        name: row.package_name ?? '',
        version: row.package_version,
        kind: row.package_kind ?? '',
        productName: row.product_name ?? '',
        size: row.package_size ?? 0,
        sha256: row.package_sha256 ?? '',
      };

/** What has gone out is kept until it has ended. */
const isDeletable = (row: ListedTask) => row.started_at === null || row.ended_at !== null;

/** As its kind declared and checked it. */
export const contentOf = (stored: unknown) => stored as z.input<typeof Task>['content'];

/** Whether somebody must agree to releases: those of an owner that is asked for it, and whatever was once handed in. */
async function gated(
  ctx: Ctx,
  kind: RolloutKind,
  of: readonly Pick<ListedTask, 'dept_path'>[],
): Promise<(task: Pick<ListedTask, 'dept_path' | 'ring_gate'>) => boolean> {
  const covers = kind.gate
    ? await kind.gate.coverage(
        ctx.db,
        of.map((task) => task.dept_path),
      )
    : () => false;
  return (task) => task.ring_gate !== null || covers(task.dept_path);
}
export const needsGate = async (ctx: Ctx, kind: RolloutKind, task: Pick<ListedTask, 'dept_path' | 'ring_gate'>): Promise<boolean> =>
  (await gated(ctx, kind, [task]))(task);

/** Rows of several kinds, each with its own and whether somebody must agree to it. */
export async function withKind(ctx: Ctx, kinds: readonly RolloutKind[], rows: readonly ListedTask[]) {
  const found = await Promise.all(
    kinds.map(async (kind) => {
      const own = rows.filter((row) => row.kind === kind.of.kind);
      return [kind.of.kind, { kind, isGated: await gated(ctx, kind, own) }] as const;
    }),
  );
  const ofKind = new Map(found);
  return rows.flatMap((row) => {
    const of = ofKind.get(row.kind);
    return of ? [{ row, kind: of.kind, isGated: of.isGated(row) }] : [];
  });
}

/** Moves that have more sent. Whatever keeps things from terminals asks for nothing more. */
const sending: Readonly<Record<string, TaskAct>> = { enable: 'enable', start: 'enable', recover: 'pause' };

export function taskRow(
  ctx: Ctx,
  of: RolloutKind,
  row: ListedTask,
  tally: Readonly<Record<string, number>>,
  isGated: boolean,
): z.input<typeof Task> {
  const { of: kind } = of;
  const head = taskHead(row, tally, ctx.actor, ctx.scope.path, permissionsOf(kind));
  const isOwner = row.dept_path.startsWith(ctx.scope.path);
  const may = (states: readonly string[], act: TaskAct) =>
    isOwner &&
    states.includes(row.state) &&
    ctx.actor.permissions.has(taskPermission(kind, act)) &&
    (act === 'delete' || maySend(ctx, of, row, act));
  const asks = isGated && row.approved_hash === null;
  const mayStill = (act: string) => {
    const { [act]: as } = sending;
    return (act !== 'enable' || !asks) && (as === undefined || maySend(ctx, of, row, as));
  };
  const brought = Object.keys(tally).filter((state) => (tally[state] ?? 0) > 0);
  const more = [
    ...(may(['draft'], 'enable') && !asks ? ['enable'] : []),
    ...(asks && may(['draft', 'ready'], 'add') ? ['submit'] : []),
    ...(row.open_ring < Math.min(row.rings, row.ring_gate ?? row.rings) && may(['running'], 'enable') ? ['openRing'] : []),
    ...(may(editableStates, 'add') ? ['edit'] : []),
    ...(may(deletableStates, 'delete') && isDeletable(row) ? ['delete'] : []),
    ...(mayRevert(ctx, kind, row.dept_path, brought) ? ['revert'] : []),
  ];
  return {
    ...head,
    ...allowing([...head.allowedActions.filter(mayStill), ...more]),
    package: packageOf(row),
    content: contentOf(row.content),
    productName: row.product_name,
  };
}

export async function taskById(ctx: Ctx, kind: TaskKind, id: number): Promise<ListedTask> {
  const row = await tasksWithPackage(ctx, [kind.kind]).where('t.id', '=', id).executeTakeFirst();
  if (!row) throw fault('NOT_FOUND');
  return row;
}

/** A task that the actor's scope owns, so may change. */
export async function ownTask(ctx: Ctx, kind: TaskKind, id: number): Promise<ListedTask> {
  const row = await taskById(ctx, kind, id);
  if (!row.dept_path.startsWith(ctx.scope.path)) throw fault('NOT_FOUND');
  return row;
}

export async function showTask(ctx: Ctx, kind: RolloutKind, id: number): Promise<z.input<typeof Task>> {
  const row = await taskById(ctx, kind.of, id);
  return taskRow(ctx, kind, row, (await talliesOf(ctx.db, [id])).get(id) ?? {}, await needsGate(ctx, kind, row));
}

/** Of a ring that is open, counts of some devices alone don't tell whether it has reached its share. */
const seenBelow = (ring: z.input<typeof RingStanding>): z.input<typeof RingStanding> => ({
  ...ring,
  state: ['soaking', 'asking', 'short', 'done'].includes(ring.state) ? 'open' : ring.state,
  openedBy: null,
  soakedAt: null,
});

/** A ring without anybody; of those below it isn't known. */
const isEmpty = (ring: z.input<typeof RingStanding>, { gathered_at }: Pick<ListedTask, 'gathered_at'>) =>
  ring.total === 0 && gathered_at !== null;

export async function showDetail(ctx: Ctx, kind: RolloutKind, id: number): Promise<z.input<typeof TaskDetail>> {
  const row = await taskById(ctx, kind.of, id);
  const task = readTask(row);
  const { scope, delivery } = task;
  const rings = await standingOf(ctx.db, task, ctx.now());
  // Whom else it goes to, and how it fares there, is the owner's to know; those below see the header and their own devices.
  const isOwner = row.dept_path.startsWith(ctx.scope.path);
  return {
    ...(await showTask(ctx, kind, id)),
    scope: isOwner ? scope : { releaseScope: '0' },
    delivery: isOwner ? delivery : { ...delivery, rings: delivery.rings.slice(-1) },
    openRing: row.open_ring,
    rings: rings.map((ring) => (!isOwner ? seenBelow(ring) : isEmpty(ring, row) ? { ...ring, state: 'empty' } : ring)),
    openings: row.gathered_at === null && row.started_at === null ? null : await openingsLeft(ctx.db, task, ctx.now()),
    approval: row.ring_gate === null ? null : ((await kind.gate?.standing(ctx.db, row)) ?? null),
  };
}
