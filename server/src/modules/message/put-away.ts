import { sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '../../platform/context.ts';
import { inBatches } from '../../platform/db/delete-old.ts';
import { job } from '../../platform/module.ts';

/** At a time; the rest comes with the next minute. */
const ROWS = 20_000;
const NOTICES = 1000;

/**
 * Rows of notices that are over: nobody's bell or list goes through them any more, and the record of who has read one stays. Whoever reads one in
 * this moment isn't waited for.
 */
export async function putAway(db: Db, now: Date): Promise<void> {
  await sql`
    update message_notice_delivery set over = true, popup = false where id in (
      select d.id from message_notice n join message_notice_delivery d on d.notice_id = n.id and not d.over
      where n.state in ('ended', 'recalled') and n.put_away_at is null limit ${ROWS} for update of d skip locked)`.execute(db);
  await sql`
    update message_notice n set put_away_at = ${now} where n.state in ('ended', 'recalled') and n.put_away_at is null
      and not exists (select from message_notice_delivery d where d.notice_id = n.id and not d.over)`.execute(db);
}

/** Nightly: notices that have been over for a year, with the record of who read them. Their files are nobody's from then on. */
export const forgetNotices = job({
  name: 'message:forgetNotices',
  payload: z.object({}),
  every: '41 3 * * *',
  run: async (ctx) => {
    const isOld = sql`n.put_away_at < ${ctx.now()}::timestamptz - interval '1 year'`;
    await inBatches(ctx, (db, rows) =>
      sql`delete from message_notice_delivery where id in (
        select d.id from message_notice n join message_notice_delivery d on d.notice_id = n.id where ${isOld} limit ${rows})`.execute(db),
    );
    // One whose rows aren't all gone waits for the next night.
    await ctx.unscoped((db) =>
      sql`delete from message_notice where id in (select n.id from message_notice n
        where ${isOld} and not exists (select from message_notice_delivery d where d.notice_id = n.id) order by n.put_away_at limit ${NOTICES})`.execute(
        db,
      ),
    );
  },
});
