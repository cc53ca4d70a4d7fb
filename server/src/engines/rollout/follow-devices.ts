import { type RawBuilder, sql } from 'kysely';
import type { Ctx, Db } from '../../platform/context.ts';
import { move } from '../../platform/db/move.ts';
import { job } from '../../platform/module.ts';
import { closeResults } from './close.ts';
import { invalidateTasks } from './handle-results.ts';
import { joinBelow, joinTasks } from './join-tasks.ts';
import { isMoved, leavings } from './left.ts';
import { type RolloutKind, resultRows } from './task.ts';
import { TELL_WINDOWS } from './tell-windows.ts';
import { Which } from './which-devices.ts';

export const FOLLOW_DEVICES = 'rollout.followDevices';
const SWEEP = 5000;

/** Results that wait because their device is disabled; going on with the task doesn't wake them. */
export const DEVICE_DISABLED = 'deviceDisabled';

const ofDevice = (state: RawBuilder<unknown>) => sql`exists (select from device d where d.id = device_id and ${state})`;

/**
 * Brings open results after their devices: deleted → 10, out of the reach of the task's owner or of another product → 9, disabled → 8 until it is enabled again;
 * what was sent runs to its result. Goes by what the devices are now, so that twice, or in another order, is the same.
 */
async function followDevices(db: Db, ctx: Ctx, kinds: readonly RolloutKind[], of: Which): Promise<boolean> {
  const mine = 'ids' in of ? sql`device_id = any(${of.ids}::bigint[])` : sql`dept_path >= ${of.below} and dept_path < ${`${of.below}~`}`;
  const which = sql<boolean>`state in ('1', '2', '8') and ${mine}`;
  const tasks = await sql<{ id: number }>`select distinct task_id as id from rollout_result where ${which}`.execute(db);
  if (tasks.rows.length === 0) return false;
  let closed = 0;
  for (const { is, how, reason } of leavings) {
    const gone =
      how === 'deviceDeleted'
        ? sql<boolean>`${which} and ${is('rollout_result')}`
        : sql<boolean>`${which} and state <> '2' and ${is('rollout_result')}`;
    const ended = await closeResults(db, ctx, gone, how, reason, SWEEP);
    closed += ended;
  }
  const elsewhere = await sql`
    update rollout_result r set dept_path = d.dept_path from device d
    where ${which} and d.id = r.device_id and d.dept_path <> r.dept_path and not ${isMoved('r')}`.execute(db);
  // Other organisations have other blackout dates.
  if (elsewhere.numAffectedRows) await ctx.enqueue(db, TELL_WINDOWS, of);
  const disabled = ofDevice(sql`d.status = '4'`);
  const set = { reason: DEVICE_DISABLED, changed_at: ctx.now() };
  await move(db, resultRows, 'pause', sql`${which} and state = '1' and ${disabled}`, { set });
  await sql`
    update rollout_result r set reason = case when ${disabled} then ${DEVICE_DISABLED} end
    where ${which} and state = '8' and (reason is not distinct from ${DEVICE_DISABLED}) <> ${disabled}`.execute(db);
  await invalidateTasks(
    db,
    ctx,
    kinds,
    tasks.rows.map((row) => row.id),
  );
  return closed >= SWEEP;
}

export const followDevicesJob = (kinds: readonly RolloutKind[]) =>
  job({
    name: FOLLOW_DEVICES,
    payload: Which,
    run: async (ctx, of) => {
      while (await ctx.unscoped((db) => followDevices(db, ctx, kinds, of)));
      if ('ids' in of) await ctx.unscoped((db) => joinTasks(db, ctx, kinds, of.ids));
      else await joinBelow(ctx, kinds, of.below);
    },
  });
