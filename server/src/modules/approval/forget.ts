import { sql } from 'kysely';
import { z } from 'zod';
import { deleteOld } from '../../platform/db/delete-old.ts';
import { job } from '../../platform/module.ts';

const LINK_DAYS = 30;
/** Nightly: absences that were over a year ago, and mailed links that no longer open anything. Running twice deletes nothing more. */
export const forgetOver = job({
  name: 'approval:forget',
  payload: z.object({}),
  every: '39 3 * * *',
  run: async (ctx) => {
    const now = sql`${ctx.now()}::timestamptz`;
    await deleteOld(ctx, 'approval_absence', sql`least(until_at, ended_at) < ${now} - interval '1 year'`);
    await deleteOld(ctx, 'approval_sign', sql`expires_at < ${now} - make_interval(days => ${LINK_DAYS})`);
  },
});
