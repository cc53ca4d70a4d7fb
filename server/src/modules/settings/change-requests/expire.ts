import { sql } from 'kysely';
import { z } from 'zod';
import { move } from '../../../platform/db/move.ts';
import { job } from '../../../platform/module.ts';
import { notify } from '../../message/api.ts';
import { CHANGES_LINK, changeRequests, forgetAsked, GROUP } from './hold.ts';

/** Hourly. Running again finds none: what has expired is so in the same transaction. */
export const expireChanges = job({
  name: 'change-request:expire',
  payload: z.object({}),
  every: '17 * * * *',
  run: (ctx) =>
    ctx.unscoped(async (db) => {
      const gone = await move(db, changeRequests, 'expire', sql`expires_at <= ${ctx.now()}::timestamptz`, { set: { input_sealed: null } });
      if (gone.length === 0) return;
      const ids = gone.map((one) => one.id);
      for (const id of ids) await forgetAsked(ctx, db, id);
      const asked = await db.selectFrom('settings_change_request').select(['author_id', 'target']).where('id', 'in', ids).execute();
      for (const target of new Set(asked.map((one) => one.target)))
        await notify(db, {
          name: 'changeExpired',
          params: { settingKey: `change.target.${target}` },
          to: { users: [...new Set(asked.flatMap((one) => (one.target === target ? (one.author_id ?? []) : [])))] },
          deptPath: '1.',
          link: CHANGES_LINK,
          channels: ['centre', 'email'],
        });
      await ctx.invalidate(db, GROUP, '1.');
    }),
});
