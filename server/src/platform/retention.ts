import { sql } from 'kysely';
import { z } from 'zod';
import { job, type Module } from './module.ts';

const REFUSED_DAYS = 30;
/** So long a terminal may repeat what it said: then it would be taken for new. */
const RECENT_DAYS = 7;
/** Who floods fills no disk: only the newest are kept. */
const REFUSED_MOST = 200_000;

/** Hourly: what the platform keeps for a while. Running twice deletes nothing more. */
export const retention: Module = {
  name: 'retention',
  jobs: [
    job({
      name: 'retention:prune',
      fixed: true,
      payload: z.object({}),
      every: '37 * * * *',
      run: (ctx) =>
        ctx.unscoped(async (db) => {
          await sql`delete from gateway_refused where at < ${ctx.now()}::timestamptz - make_interval(days => ${REFUSED_DAYS})`.execute(db);
          await sql`delete from gateway_refused where id <= (select max(id) from gateway_refused) - ${REFUSED_MOST}::bigint`.execute(db);
          await sql`delete from gateway_recent where at < ${ctx.now()}::timestamptz - make_interval(days => ${RECENT_DAYS})`.execute(db);
          await sql`delete from http_rate where full_until < extract(epoch from now())`.execute(db);
        }),
    }),
  ],
};
