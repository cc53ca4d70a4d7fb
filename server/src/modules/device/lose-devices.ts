import { sql } from 'kysely';
import { restartClocks } from '../../engines/rollout/silence.ts';
import type { AppContext } from '../../platform/app-context.ts';
import { move } from '../../platform/db/move.ts';
import { invalidatePaths } from '../../platform/live/invalidate-paths.ts';
import { DEVICES, deviceRows } from './device-rows.ts';
import type { TimerWheel } from './timer-wheel.ts';

const BATCH = 2000;

/** Devices whose lease is over become offline, if nobody heard from them meanwhile. Without `ids`: those whose process died. */
export async function loseDevices(app: AppContext, ids?: readonly number[]): Promise<number> {
  return app.inBulk(async (db) => {
    const now = app.now();
    const which = ids ? sql`device_id = any(${ids}::bigint[])` : sql`true`;
    const lost = await sql<{ id: number }>`
      update device_presence set online = false where device_id in (
        select device_id from device_presence where ${which} and online and lease_until <= ${now} order by device_id limit ${BATCH} for update skip locked
      ) returning device_id as id`.execute(db);
    if (lost.rows.length === 0) return 0;
    const lostIds = lost.rows.map((row) => row.id);
    await restartClocks(db, lostIds, now);
    const moved = await move(db, deviceRows, 'lost', lostIds);
    if (moved.length > 0) {
      const paths = await sql<{
        dept_path: string;
      }>`select distinct dept_path from device where id = any(${moved.map((one) => one.id)}::bigint[]) limit 100`.execute(db);
      await invalidatePaths(
        db,
        app,
        DEVICES,
        paths.rows.map((row) => row.dept_path),
      );
    }
    return lost.rows.length;
  });
}

const TICK_MS = 1000;
const SWEEP_MS = 30_000;

export type { TimerWheel };

export function watchLeases(app: AppContext, wheel: TimerWheel): () => Promise<void> {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let swept = 0;
  const once = async () => {
    const over = wheel.over(app.now());
    for (let at = 0; at < over.length; at += BATCH) await loseDevices(app, over.slice(at, at + BATCH));
    if (app.now().getTime() - swept < SWEEP_MS) return;
    swept = app.now().getTime();
    while (!stopped && (await loseDevices(app)) === BATCH) {
      /* until none is left */
    }
  };
  let running: Promise<void> = Promise.resolve();
  const tick = () => {
    if (stopped) return;
    running = once()
      .catch((error: unknown) => app.log.warn({ error: String(error) }, 'leases not watched; trying again'))
      .then(() => {
        if (!stopped) timer = setTimeout(tick, TICK_MS);
      });
  };
  tick();
  return async () => {
    stopped = true;
    clearTimeout(timer);
    await running;
  };
}
