import { sql } from 'kysely';
import { z } from 'zod';
import { deleteOld } from '../../../platform/db/delete-old.ts';
import { job } from '../../../platform/module.ts';
import { ofKind } from './kinds.ts';

const DAYS = 30;
/** So long at most what happened waits for a developer's system that takes less than happens. */
const APP_DAYS = 7;
/** What was sent to webhooks that are gone, then they themselves. Running twice deletes nothing more. */
export const deleteWebhooks = job({
  name: 'settings:delete-webhooks',
  payload: z.object({}),
  every: '*/10 * * * *',
  run: async (ctx) => {
    await deleteOld(
      ctx,
      'settings_webhook_delivery',
      sql`webhook_id in (select w.id from settings_webhook w where w.deleted_at is not null)`,
    );
    // What was under way when one was deleted comes after: the next run has it.
    await deleteOld(
      ctx,
      'settings_webhook',
      sql`deleted_at is not null and not exists (select from settings_webhook_delivery d where d.webhook_id = settings_webhook.id)`,
    );
  },
});
/** Nightly: deliveries of webhooks that ended long ago. Running twice deletes nothing more. */
export const forgetDeliveries = job({
  name: 'settings:forget-deliveries',
  payload: z.object({}),
  every: '33 3 * * *',
  run: async (ctx) => {
    const before = (days: number) => sql`${ctx.now()}::timestamptz - make_interval(days => ${days})`;
    await deleteOld(ctx, 'settings_webhook_delivery', sql`ended_at < ${before(DAYS)}`);
    await deleteOld(
      ctx,
      'settings_webhook_delivery',
      sql`state = 'waiting' and created_at < ${before(APP_DAYS)} and webhook_id in (select w.id from settings_webhook w where ${ofKind.app})`,
    );
  },
});
