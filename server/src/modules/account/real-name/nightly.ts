import { sql } from 'kysely';
import { z } from 'zod';
import type { AppContext } from '../../../platform/app-context.ts';
import type { Db } from '../../../platform/context.ts';
import { move } from '../../../platform/db/move.ts';
import { type Job, job } from '../../../platform/module.ts';
import { type NotificationName, notify } from '../../message/api.ts';
import { realNames } from './hand-in.ts';
import { dropPictures } from './pictures.ts';

const SOON_DAYS = 30;
const WAIT_DAYS = 30;
const KEEP_DAYS = 90;
const DAY_MS = 86_400_000;

async function tell(app: AppContext, db: Db, ids: readonly number[], name: Extract<NotificationName, `realName${string}`>): Promise<void> {
  if (ids.length === 0) return;
  const { rows } = await sql<{ user_id: number; dept_path: string; day: string | null }>`
    select user_id, dept_path, to_char(valid_until, 'YYYY-MM-DD') as day from account_real_name where id = any(${[...ids]}::bigint[])`.execute(
    db,
  );
  for (const row of rows) {
    await notify(db, {
      name,
      params: { day: row.day ?? '' },
      to: { users: [row.user_id] },
      deptPath: row.dept_path,
      channels: ['centre', 'email'],
    });
    for (const group of ['/sys/user/realName', '/sys/menus']) await app.invalidate(db, group, row.dept_path);
  }
}

/** Nightly: warnings, ends, what waited too long, and what is kept no longer. Running twice finds nothing more. */
export const nightly = (app: AppContext): Job =>
  job({
    name: 'account:real-names',
    payload: z.object({}),
    every: '41 2 * * *',
    run: (ctx) =>
      ctx.unscoped(async (db) => {
        const now = ctx.now();
        const today = now.toISOString().slice(0, 10);
        const idsOf = (moved: readonly { id: number }[]) => moved.map((one) => one.id);
        const before = (days: number) => new Date(now.getTime() - days * DAY_MS);
        await tell(
          app,
          db,
          idsOf(await move(db, realNames, 'nearExpiry', sql`valid_until <= ${today}::date + ${SOON_DAYS}::int`)),
          'realNameSoon',
        );
        await tell(app, db, idsOf(await move(db, realNames, 'expire', sql`valid_until < ${today}::date`)), 'realNameOver');
        const late = await move(db, realNames, 'timeOut', sql`asked_at < ${before(WAIT_DAYS)}`, { set: { before: null } });
        await tell(app, db, idsOf(late), 'realNameOver');
        await sql`update account_real_name_request q set outcome = 'timedOut', decided_at = ${now} where outcome = 'waiting'
          and exists (select from account_real_name n where n.user_id = q.user_id and n.state not in ('3', '6'))`.execute(db);
        const old = await sql<{ id: number }>`
          select q.id from account_real_name_request q join account_real_name n on n.user_id = q.user_id
          where (q.outcome in ('refused', 'timedOut') and q.decided_at < ${before(KEEP_DAYS)})
            or (q.outcome = 'approved' and n.state = '4' and n.valid_until < ${today}::date - ${KEEP_DAYS}::int) limit 1000`.execute(db);
        const ids = old.rows.map((row) => row.id);
        await dropPictures(db, app, { requests: ids });
        if (ids.length > 0) await db.deleteFrom('account_real_name_request').where('id', 'in', ids).execute();
        await dropPictures(db, app, { unusedBefore: before(1) });
      }),
  });
