import { softAppKind } from '@mooring/contract/app/app-kind';
import { sql } from 'kysely';
import { pauseTasks } from '../../engines/rollout/pause-below.ts';
import type { Ctx } from '../../platform/context.ts';

/** Releases of a version that left the catalogue, whoever's they are: nothing new goes out. What it was sent to already ends as it ends. */
export const pauseReleases = (ctx: Ctx, versionId: number): Promise<void> =>
  ctx.unscoped(async (db) => {
    const paused = await pauseTasks(db, sql`app_version_id = ${versionId}`, ctx.actor.userId, 'appDelisted');
    if (paused > 0) await ctx.invalidate(db, softAppKind.paths.tasks);
  });
