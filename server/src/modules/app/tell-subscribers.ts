import { softAppKind } from '@mooring/contract/app/app-kind';
import { newTaskScreen, taskPermission } from '@mooring/contract/engines/rollout/task-kind';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Ctx, Db } from '../../platform/context.ts';
import { job } from '../../platform/module.ts';
import { notify } from '../message/api.ts';
import { dayOf, holds, taken } from './subscription/taken.ts';
import { nameIn, shortName } from './version-rows.ts';

const TELL = 'app:tellSubscribers';

/** A version has come into the catalogue: once the transaction of `db` is done, those who take it hear of it. */
export const tellSubscribers = (ctx: Pick<Ctx, 'enqueue'>, db: Db, versionId: number): Promise<void> =>
  ctx.enqueue(db, TELL, { versionId });

/** Whose subscription gives them this version now: not those who keep to another one, nor those for whom a newer one is listed. */
const subscribers = (db: Db, versionId: number, day: string) =>
  sql<{ dept_path: string; owner_path: string }>`
  select t.dept_path, t.owner_path from app_version v join app_subscription t on t.app_id = v.app_id
  where v.id = ${versionId} and ${holds(day)} and t.version_id is null and ${taken('id')} = v.id
    and not (starts_with(t.dept_path, v.dept_path) or starts_with(v.dept_path, t.dept_path)) order by t.id`.execute(db);

/** Each with the way to release it. Once for each version: one that is listed again is no news. */
export const tellSubscribersJob = job({
  name: TELL,
  payload: z.object({ versionId: z.int() }),
  run: (ctx, { versionId }) =>
    ctx.unscoped(async (db) => {
      const row = await db
        .updateTable('app_version')
        .set({ told_at: ctx.now() })
        .where('id', '=', versionId)
        .where('deleted_at', 'is', null)
        .where('told_at', 'is', null)
        .returningAll()
        .executeTakeFirst();
      if (!row) return;
      for (const { dept_path: path, owner_path: owner } of (await subscribers(db, versionId, dayOf(ctx))).rows)
        await notify(db, {
          name: 'appListedHere',
          params: { name: nameIn(row), version: shortName(row) },
          to: { above: path, can: taskPermission(softAppKind, 'add'), apart: owner },
          deptPath: path,
          priority: '3',
          link: `${newTaskScreen(softAppKind)}?appVersion=${versionId}`,
          channels: ['centre', 'email'],
        });
    }),
});
