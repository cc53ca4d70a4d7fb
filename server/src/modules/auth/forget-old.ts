import { sql } from 'kysely';
import { z } from 'zod';
import type { Job } from '../../platform/module.ts';
import { forgetGiven } from '../access/api.ts';
import { unlockDue } from './lock.ts';

/** Hourly: used nonces and proofs of work, old attempts, sessions that ended 90 days ago. Running twice deletes nothing more. */
export const forgetOld: Job<object> = {
  name: 'auth:forget-old',
  fixed: true,
  payload: z.object({}),
  every: '17 * * * *',
  run: (ctx) =>
    ctx.unscoped(async (db) => {
      await sql`delete from auth_seal_nonce where expires_at < now()`.execute(db);
      await sql`delete from auth_attempt where until < now()`.execute(db);
      await sql`delete from auth_code where expires_at < now()`.execute(db);
      await sql`delete from auth_ticket where expires_at < now()`.execute(db);
      await sql`delete from auth_session where coalesce(ended_at, expires_at) < now() - interval '90 days'`.execute(db);
      await forgetGiven(db);
      await sql`delete from live_touch where at < now() - interval '10 minutes'`.execute(db);
    }),
};

/** Each minute: locks whose time is over. Running twice finds none left. */
export const unlockOver: Job<object> = {
  name: 'auth:unlock-over',
  payload: z.object({}),
  every: '* * * * *',
  run: (ctx) => ctx.unscoped((db) => unlockDue(db)),
};
