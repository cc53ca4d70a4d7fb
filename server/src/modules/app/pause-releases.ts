import { softAppKind } from '@mooring/contract/app/app-kind';
import { taskPermission } from '@mooring/contract/engines/rollout/task-kind';
import { sql } from 'kysely';
import { z } from 'zod';
import { pauseTasks } from '../../engines/rollout/pause-below.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import { job } from '../../platform/module.ts';
import { notify } from '../message/api.ts';
import { dayOf } from './subscription/taken.ts';

const PAUSE = 'app:pauseReleases';

/** Has releases of an app looked at once the transaction of `db` is done. */
export const pauseReleases = (ctx: Pick<Ctx, 'enqueue'>, db: Db, appId: number): Promise<void> => ctx.enqueue(db, PAUSE, { appId });

/** Whoever looks after a release hears that it has stopped by itself, and why. */
async function tellPaused(db: Db, ids: readonly number[], name: 'appReleaseDelisted' | 'appReleaseOver'): Promise<void> {
  if (ids.length === 0) return;
  const tasks = await db.selectFrom('rollout_task').select(['id', 'name', 'dept_path']).where('id', 'in', ids).execute();
  for (const task of tasks)
    await notify(db, {
      name,
      params: { task: task.name },
      to: { above: task.dept_path, can: taskPermission(softAppKind, 'page') },
      deptPath: task.dept_path,
      priority: '1',
      link: `${softAppKind.screens.task}/${task.id}`,
      channels: ['centre', 'email'],
    });
}

/** Releases of versions that left the catalogue, or that their organisation may send no more: nothing new goes out. What it was sent to already ends as it ends. */
async function pause(ctx: Ctx, appId: number | null): Promise<void> {
  // What is on its way into the catalogue is there a moment later, or not.
  const of = sql`app_version_id is not null and not exists (select from app_version v where v.id = app_version_id and v.review_state = '2' and v.publish_state = '2') and (${appId}::bigint is null or app_version_id in (select v.id from app_version v where v.app_id = ${appId}))`;
  const listed = sql`exists (select from app_version v where v.id = app_version_id and v.deleted_at is null
    and (v.review_state = '2' and v.publish_state in ('1', '3') or v.review_state = '1' and content ->> 'action' = 'trial'))`;
  const may = sql`app_may_release(app_version_id, dept_path, ${dayOf(ctx)}::date)`;
  await ctx.unscoped(async (db) => {
    const out = await pauseTasks(db, sql`${of} and not ${listed}`, ctx.actor.userId, 'appDelisted');
    const over = await pauseTasks(db, sql`${of} and not ${may}`, ctx.actor.userId, 'appNotSubscribed');
    await tellPaused(db, out, 'appReleaseDelisted');
    await tellPaused(db, over, 'appReleaseOver');
    if (out.length + over.length > 0) await ctx.invalidate(db, softAppKind.paths.tasks);
  });
}

/** It asks anew how things stand: twice is as once, and what is allowed again meanwhile goes on. */
export const pauseJob = job({
  name: PAUSE,
  payload: z.object({ appId: z.int() }),
  run: (ctx, { appId }) => pause(ctx, appId),
});

/** Each hour: terms of subscriptions end by themselves. */
export const pauseOverJob = job({ name: 'app:pauseOver', payload: z.object({}), every: '7 * * * *', run: (ctx) => pause(ctx, null) });
