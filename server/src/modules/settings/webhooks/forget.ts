import { sql } from 'kysely';
import { z } from 'zod';
import { deleteOld } from '../../../platform/db/delete-old.ts';
import { job } from '../../../platform/module.ts';

const DAYS = 30;
/** Nightly: deliveries of webhooks that ended long ago. Running twice deletes nothing more. */
export const forgetDeliveries = job({
  name: 'settings:forget-deliveries',
  payload: z.object({}),
  every: '33 3 * * *',
  run: (ctx) => deleteOld(ctx, 'settings_webhook_delivery', sql`ended_at < ${ctx.now()}::timestamptz - make_interval(days => ${DAYS})`),
});
