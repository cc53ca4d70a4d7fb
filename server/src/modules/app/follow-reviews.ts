import { taskTypes } from '@mooring/contract/engines/approval/steps';
import { sql } from 'kysely';
import { z } from 'zod';
import { forget } from '../../engines/approval/hand-in.ts';
import type { Ctx } from '../../platform/context.ts';
import { job } from '../../platform/module.ts';
import { askSoon, freeGiven } from '../approval/api.ts';
import { auditOf, ofVersion, waits } from './review-rows.ts';
import { awaiting, holdAppOf } from './version-rows.ts';

const MOST = 100;

/** Versions whose approval doesn't say what they say; a version that is gone leaves its approval behind. */
const apart = (ctx: Ctx) =>
  ctx.readOnly((db) =>
    sql<{ id: number }>`
    select v.id from app_version v left join approval_audit a on a.task_type = ${taskTypes.app} and a.task_id = v.id
      where v.review_state = ${awaiting} and v.deleted_at is null and (a.id is null or a.step <> ${waits} or a.content_hash <> v.content_hash)
    union
    select a.task_id from approval_audit a left join app_version v on v.id = a.task_id and v.deleted_at is null
      where a.task_type = ${taskTypes.app} and a.step = ${waits} and v.review_state is distinct from ${awaiting}
    limit ${MOST}`.execute(db),
  );

/** A server of the version before moves versions alone: what it handed in is asked about all the same, and what it decided no more. Running again finds them alike. */
export const followReviews = job({
  name: 'app:followReviews',
  payload: z.object({}),
  every: '*/10 * * * *',
  run: async (ctx) => {
    const failed: unknown[] = [];
    const follow = (id: number) =>
      ctx.unscoped(async (db) => {
        await holdAppOf(db, id);
        const row = await db.selectFrom('app_version').selectAll().where('id', '=', id).where('deleted_at', 'is', null).executeTakeFirst();
        if (!row) return forget(db, ofVersion({ id }), freeGiven(ctx, db));
        const audit = await auditOf(ctx, db, row);
        if (row.review_state === awaiting && audit && (audit.asked_at === null || audit.asked_at < audit.step_at))
          await askSoon(ctx, db, audit);
        return undefined;
      });
    // One that can't be followed keeps none of the others back.
    for (const { id } of (await apart(ctx)).rows) await follow(id).catch((error: unknown) => failed.push(error));
    if (failed.length > 0) throw new AggregateError(failed);
  },
});
