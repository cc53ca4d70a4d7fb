import { fault } from '@mooring/contract/kit/fault';
import { noticeCalls as declared, type noticeCalls } from '@mooring/contract/message/notice-calls';
import { messageMachine } from '@mooring/contract/message/state-machines';
import { plainText } from '@mooring/contract/shared/markdown';
import { type RawBuilder, sql } from 'kysely';
import type { AppContext } from '../../platform/app-context.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import { all, containsWords, exact } from '../../platform/db/criteria.ts';
import { page } from '../../platform/db/page.ts';
import type { Handler } from '../../platform/module.ts';
import { rowExporter } from '../../platform/work/row-exporter.ts';
import { fileToken } from '../file/api.ts';

/** Of the words in a list. */
const BEGINNING = 200;
/** Live lists of both: the bell counts both. */
const GROUPS = ['/notice', '/message'] as const;

/**
 * One's own rows alone, of what is published now. The notices are those of organisations above, which the range doesn't show: read past it, by the
 * row that says that this person was given it.
 */
const mine = (ctx: Ctx, db: Db) =>
  db
    .selectFrom('message_notice_delivery as d')
    .innerJoin('message_notice as n', 'n.id', 'd.notice_id')
    .innerJoin('org_dept as o', 'o.id', 'n.dept_id')
    .select(['d.id', 'd.status', 'd.published_at', 'n.id as notice_id', 'n.title', 'n.body', 'n.priority', 'n.ends_at', 'n.files'])
    .select('o.name as sender')
    .innerJoin('account_user as u', 'u.id', 'd.user_id')
    .where('d.user_id', '=', ctx.actor.userId)
    .where('d.over', '=', false)
    // Who left for another organisation leaves what was announced there.
    .where(sql<boolean>`starts_with(u.dept_path, n.dept_path)`)
    .where('n.state', '=', 'published')
    .where((eb) => eb.or([eb('n.ends_at', 'is', null), eb('n.ends_at', '>', ctx.now())]));
type Row = Awaited<ReturnType<ReturnType<typeof mine>['executeTakeFirstOrThrow']>>;

const beginning = (body: string) =>
  plainText(body.slice(0, 5 * BEGINNING))
    .replace(/\s+/g, ' ')
    .slice(0, BEGINNING);
const noticeOf = (row: Row) => ({
  id: row.id,
  title: row.title,
  text: beginning(row.body),
  priority: row.priority as '1',
  status: row.status,
  sender: row.sender,
  attachments: row.files.length,
  publishedAt: row.published_at,
  endsAt: row.ends_at,
});

export const ownNotices: Handler<typeof noticeCalls.mine> = (ctx, { criteria, page: wanted }) =>
  ctx.unscoped((db) =>
    page(
      db,
      mine(ctx, db).where(
        all(
          containsWords(['n.title', 'n.body'], criteria.text),
          exact('d.status', criteria.status),
          exact('n.priority', criteria.priority),
        ),
      ),
      { page: wanted, sorts: { publishedAt: 'd.published_at' }, id: 'd.id', map: noticeOf },
    ),
  );

export const ownNoticeExporter = rowExporter(declared.mine, declared.exportMine, {
  title: 'notice.mine',
  page: ownNotices,
  sort: 'publishedAt',
  columns: {
    title: 'notice.title',
    text: 'notice.body',
    priority: ['notice.priority', 'message.priority.'],
    status: ['notice.status', messageMachine],
    attachments: 'notice.attachments',
    sender: 'notice.sender',
    publishedAt: 'notice.publishedAt',
  },
});

async function oneOf(ctx: Ctx, db: Db, id: number): Promise<Row> {
  const row = await mine(ctx, db).where('d.id', '=', id).executeTakeFirst();
  if (!row) throw fault('NOT_FOUND');
  return row;
}
const filesOf = (db: Db, noticeId: number) =>
  db
    .selectFrom('message_notice_file as k')
    .innerJoin('file_file as f', 'f.id', 'k.file_id')
    .select(['f.id', 'f.name', 'f.size'])
    .where('k.notice_id', '=', noticeId)
    .orderBy('f.id')
    .execute();

export const own: Handler<typeof noticeCalls.own> = (ctx, { id }) =>
  ctx.unscoped(async (db) => {
    const row = await oneOf(ctx, db, id);
    return { ...noticeOf(row), body: row.body, files: await filesOf(db, row.notice_id) };
  });

/** Reads rows and counts it at their notices, in one statement. */
async function read(ctx: Ctx, which: RawBuilder<unknown>): Promise<number> {
  return ctx.unscoped(async (db) => {
    const { rows } = await sql<{ n: number }>`
      with done as (
        update message_notice_delivery set status = '1', read_at = ${ctx.now()}, popup = false
        where user_id = ${ctx.actor.userId} and status = '0' and not over and ${which} returning notice_id
      ), told as (
        update message_notice n set read_count = read_count + 1 from done where n.id = done.notice_id
      )
      select count(*)::int as n from done`.execute(db);
    for (const group of GROUPS) await ctx.invalidate(db, group, ctx.actor.deptPath);
    return rows[0]?.n ?? 0;
  });
}
export const readNotice: Handler<typeof noticeCalls.read> = async (ctx, { id }) => {
  await ctx.unscoped((db) => oneOf(ctx, db, id));
  await read(ctx, sql`id = ${id}`);
  return null;
};
export const readAllNotices: Handler<typeof noticeCalls.readAll> = async (ctx) => ({
  changed: await read(ctx, sql`exists (select from message_notice n where n.id = notice_id and n.state = 'published')`),
});

/** A file of a notice that the actor has now. */
export const openAttachment =
  (app: AppContext): Handler<typeof noticeCalls.attachment> =>
  (ctx, { id, fileId }) =>
    ctx.unscoped(async (db) => {
      const row = await oneOf(ctx, db, id);
      const found = await filesOf(db, row.notice_id);
      if (!found.some((one) => one.id === fileId)) throw fault('NOT_FOUND');
      return fileToken(ctx, app, fileId);
    });

/** How many are unread, counted to the limit; and those that pop up. One of high priority does so until it is read. */
export const bellNotices = (ctx: Ctx, most: number) =>
  ctx.unscoped(async (db) => {
    const unread = await mine(ctx, db).clearSelect().where('d.status', '=', '0').select('d.id').limit(most).execute();
    const popups = await mine(ctx, db).where('d.popup', '=', true).where('d.status', '=', '0').orderBy('d.id').limit(5).execute();
    return {
      count: unread.length,
      popups: popups.map((row) => ({ id: row.id, title: row.title, text: beginning(row.body), priority: row.priority as '1' })),
    };
  });

/** Those of high priority stay. */
export async function notePoppedNotices(ctx: Ctx, ids: readonly number[]): Promise<void> {
  await ctx.unscoped((db) =>
    sql`
      update message_notice_delivery d set popup = false from message_notice n
      where n.id = d.notice_id and n.priority <> '1' and d.user_id = ${ctx.actor.userId} and d.id = any(${[...ids]}::bigint[])`.execute(db),
  );
}
