import { sql } from 'kysely';
import { z } from 'zod';
import type { Job } from '../../platform/module.ts';

const CREDENTIAL_DAYS = 90;
const CODE_DAYS = 90;
const PENDING_DAYS = 90;
const LOG_HOUR_DAYS = 2;

/**
 * Nightly: certificates and codes that ended long ago, terminals that asked once and never came back, nonces past their time. Who was
 * refused stays refused. Running twice deletes nothing more.
 */
export const pruneJob: Job<object> = {
  name: 'device.prune',
  payload: z.object({}),
  every: '47 3 * * *',
  run: (ctx) =>
    ctx.unscoped(async (db) => {
      const before = (days: number) => sql`${ctx.now()}::timestamptz - make_interval(days => ${days})`;
      await sql`delete from device_credential where expires_at < ${before(CREDENTIAL_DAYS)}`.execute(db);
      await sql`delete from device_enrol_code where expires_at < ${before(CODE_DAYS)}`.execute(db);
      await sql`delete from device_pending where state <> 'refused' and last_at < ${before(PENDING_DAYS)}`.execute(db);
      await sql`delete from device_gone where expires_at < ${ctx.now()}`.execute(db);
      await sql`delete from device_log_hour where hour < ${before(LOG_HOUR_DAYS)}`.execute(db);
      await sql`delete from device_log_pull p where not exists (select from gateway_outbox o where o.key = p.key)`.execute(db);
      await sql`delete from device_nonce where expires_at < ${ctx.now()}`.execute(db);
    }),
};
