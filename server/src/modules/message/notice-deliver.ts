import { MOST_COUNTED } from '@mooring/contract/message/notice-calls';
import { noticeMachine } from '@mooring/contract/message/state-machines';
import { plainText } from '@mooring/contract/shared/markdown';
import type { DB } from '@mooring/database/tables';
import { type Selectable, sql } from 'kysely';
import { z } from 'zod';
import type { AppContext } from '../../platform/app-context.ts';
import type { Db } from '../../platform/context.ts';
import { move, statefulTable } from '../../platform/db/move.ts';
import { enqueue } from '../../platform/jobs/enqueue.ts';
import { invalidatePaths } from '../../platform/live/invalidate-paths.ts';
import { job } from '../../platform/module.ts';
import { mailTo } from './deliver.ts';
import { putAway } from './put-away.ts';

const DELIVER = 'message:notice';
const rows = statefulTable('message_notice', noticeMachine);

export const announce = (db: Db, id: number): Promise<void> =>
  enqueue(db, DELIVER, { payload: { id } }, { key: `${DELIVER}:${id}`, maxAttempts: 5 });

/** Whose people have it: as many as are worth naming one by one. */
export async function noticePaths(db: Db, id: number): Promise<string[]> {
  const { rows: found } = await sql<{ path: string }>`
    select distinct u.dept_path as path from message_notice_delivery d join account_user u on u.id = d.user_id where d.notice_id = ${id} limit 1000`.execute(
    db,
  );
  return found.map((one) => one.path);
}

interface Addressed {
  readonly recipients: string;
  readonly dept_path: string;
  readonly dept_ids: readonly unknown[];
  readonly role_ids: readonly unknown[];
  readonly user_ids: readonly unknown[];
}
const below = (path: string) => sql`u.dept_path >= ${path} and u.dept_path < ${`${path}~`}`;
const ids = (of: readonly unknown[]) => of.map(Number);

/** People of the owner and below it alone, whatever was named when it was written: who moved elsewhere meanwhile isn't told. */
function audienceOf(of: Addressed) {
  const scope = below(of.dept_path);
  switch (of.recipients) {
    case 'users':
      return sql`(${scope}) and u.id = any(${ids(of.user_ids)}::bigint[])`;
    case 'roles':
      return sql`(${scope}) and exists (select from access_user_role ur where ur.user_id = u.id and ur.role_id = any(${ids(of.role_ids)}::bigint[]))`;
    case 'organisation':
      return sql`(${scope}) and exists (select from org_dept o where o.id = any(${ids(of.dept_ids)}::bigint[])
        and u.dept_path >= o.dept_path and u.dept_path < o.dept_path || '~')`;
    default:
      return scope;
  }
}

type Given = Selectable<DB['message_notice']>;
/** To whoever is addressed and doesn't have it yet. */
async function give(db: Db, notice: Given): Promise<number[]> {
  const { rows: given } = await sql<{ user_id: number }>`
    insert into message_notice_delivery (notice_id, user_id, popup, published_at)
    select ${notice.id}, u.id, ${notice.channels.includes('popup')}, ${notice.published_at} from account_user u
    where u.state = '0' and ${audienceOf(notice)}
      and not exists (select from message_notice_delivery d where d.notice_id = ${notice.id} and d.user_id = u.id)
    on conflict (notice_id, user_id) do nothing returning user_id`.execute(db);
  return given.map((row) => row.user_id);
}

/** How many people it is addressed to now; one more than are counted where there are more. */
export async function reachOf(db: Db, of: Addressed): Promise<number> {
  const { rows: found } = await sql<{ n: number }>`
    select count(*)::int as n from (
      select from account_user u where u.state = '0' and ${audienceOf(of)} limit ${MOST_COUNTED + 1}) few`.execute(db);
  return found[0]?.n ?? 0;
}

async function isShown(app: AppContext, db: Db, { id, dept_path }: Given): Promise<void> {
  const paths = await noticePaths(db, id);
  for (const group of ['/message', '/notice']) await invalidatePaths(db, app, group, [...paths, dept_path]);
}

/** Pops up again for whoever hasn't read it. Who reads it in this moment isn't waited for, nor reminded. */
async function showAgain(db: Db, { id, dept_path }: Given): Promise<number[]> {
  const { rows: unread } = await sql<{ user_id: number }>`
    update message_notice_delivery set popup = true where id in (
      select d.id from message_notice_delivery d join account_user u on u.id = d.user_id
      where d.notice_id = ${id} and d.status = '0' and not d.over and u.state = '0' and starts_with(u.dept_path, ${dept_path})
      for update of d skip locked)
    returning user_id`.execute(db);
  return unread.map((row) => row.user_id);
}

/**
 * Hands a notice out, or reminds of it where that waits. Running again finds each person's row there, or nothing that waits, and sends no second mail;
 * one that was recalled meanwhile isn't sent.
 */
async function deliver(app: AppContext, id: number): Promise<void> {
  await app.unscoped(async (db) => {
    const notice = await db.selectFrom('message_notice').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
    if (notice?.state !== 'published' || (notice.people !== null && !notice.remind_waits)) return;
    const isNew = notice.people === null;
    const told = isNew ? await give(db, notice) : await showAgain(db, notice);
    const set = isNew ? { people: told.length } : { remind_waits: false };
    await db.updateTable('message_notice').set(set).where('id', '=', id).execute();
    if (notice.channels.includes('email')) {
      const said = { text_key: null, params: {}, title: notice.title, body: plainText(notice.body, true), dept_path: notice.dept_path };
      await mailTo(db, said, told);
    }
    await isShown(app, db, notice);
  });
}

export const noticeJob = (app: AppContext) =>
  job({ name: DELIVER, payload: z.object({ id: z.int() }), run: (_ctx, { id }) => deliver(app, id) });

/** A standing notice is for whoever comes to be addressed after it was handed out, too: who joins, moves here or is given the role. They get no mail. */
export const noticeJoiners = (app: AppContext) =>
  job({
    name: 'message:joiners',
    payload: z.object({}),
    every: '23 * * * *',
    run: async (ctx) => {
      const standing = await ctx.unscoped((db) =>
        db
          .selectFrom('message_notice')
          .select('id')
          .where('state', '=', 'published')
          .where('people', 'is not', null)
          .orderBy('id')
          .execute(),
      );
      for (const { id } of standing)
        await ctx.unscoped(async (db) => {
          const notice = await db.selectFrom('message_notice').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
          if (notice?.state !== 'published') return;
          const given = await give(db, notice);
          if (given.length === 0) return;
          const people = sql<number>`people + ${given.length}`;
          await db.updateTable('message_notice').set({ people }).where('id', '=', id).execute();
          await isShown(app, db, notice);
        });
    },
  });

/** What is due is published, and what is over ends: running twice finds nothing more to move. */
export const noticeClock = (app: AppContext) =>
  job({
    name: 'message:notices',
    payload: z.object({}),
    every: '* * * * *',
    run: (ctx) =>
      ctx.unscoped(async (db) => {
        const now = ctx.now();
        const due = await move(db, rows, 'publish', sql`state = 'scheduled' and starts_at <= ${now}::timestamptz`, {
          set: { published_at: now },
        });
        for (const { id } of due) await announce(db, id);
        const over = await move(db, rows, 'end', sql`state = 'published' and ends_at <= ${now}::timestamptz`);
        for (const { id } of over) {
          const paths = await noticePaths(db, id);
          for (const group of ['/message', '/notice']) await invalidatePaths(db, app, group, paths);
        }
        await putAway(db, now);
      }),
  });
