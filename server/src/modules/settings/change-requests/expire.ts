import { sql } from 'kysely';
import { z } from 'zod';
import { move } from '../../../platform/db/move.ts';
import { job } from '../../../platform/module.ts';
import { notify } from '../../message/api.ts';
import { authorLink, changeRequests, forgetAsked, homeOf, sayingOf } from './hold.ts';
import type { LockSubjects, Undone } from './read.ts';

export const EXPIRE_CHANGES = 'change-request:expire';
/** Hourly. Running again finds none: what has expired is so in the same transaction. */
export const expireChanges = (undone: Undone, lockSubjects: LockSubjects) =>
  job({
    name: EXPIRE_CHANGES,
    payload: z.object({}),
    every: '17 * * * *',
    run: (ctx) =>
      ctx.unscoped(async (db) => {
        const about = await db
          .selectFrom('settings_change_request')
          .select(['target', 'subject_id'])
          .where('state', '=', 'waiting')
          .where('expires_at', '<=', ctx.now())
          .where('subject_id', 'is not', null)
          .execute();
        await lockSubjects(db, about);
        const gone = await move(db, changeRequests, 'expire', sql`expires_at <= ${ctx.now()}::timestamptz`, {
          set: { input_sealed: null },
        });
        if (gone.length === 0) return;
        const ids = gone.map((one) => one.id);
        const asked = await db
          .selectFrom('settings_change_request')
          .select(['id', 'author_id', 'target', 'home', 'subject_id', 'subject_name', 'dept_path'])
          .where('id', 'in', ids)
          .execute();
        for (const one of asked) {
          await forgetAsked(ctx, db, one.home, one.id);
          await undone(ctx, db, one);
        }
        for (const same of Map.groupBy(
          asked,
          ({ target, subject_id, subject_name }) => `${target} ${subject_id} ${subject_name}`,
        ).values()) {
          const [{ target, home, subject_name: subject }] = same as [(typeof same)[number]];
          await notify(db, {
            ...sayingOf('Expired', { target, subject }),
            to: { users: [...new Set(same.flatMap((one) => one.author_id ?? []))] },
            deptPath: '1.',
            link: authorLink(home, target),
            channels: ['centre', 'email'],
          });
        }
        for (const { home, dept_path } of asked) await ctx.invalidate(db, homeOf(home).group, home === 'settings' ? '1.' : dept_path);
      }),
  });
