import { ATTACHMENT } from '@mooring/contract/file/kinds';
import { Fault, fault } from '@mooring/contract/kit/fault';
import { Notice, noticeCalls } from '@mooring/contract/message/notice-calls';
import { linksIn, picturesIn, refusedLink } from '@mooring/contract/shared/markdown';
import { sql } from 'kysely';
import type { AppContext } from '../../platform/app-context.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import { unlessRefused } from '../../platform/db/constraint.ts';
import { move } from '../../platform/db/move.ts';
import { invalidatePaths } from '../../platform/live/invalidate-paths.ts';
import type { Handler } from '../../platform/module.ts';
import { type Resource, resource } from '../../platform/resource/resource.ts';
import { startExport } from '../../platform/work/exporter.ts';
import { findPeople } from '../account/api.ts';
import { namedFiles } from '../file/api.ts';
import { announce, noticePaths, reachOf } from './notice-deliver.ts';
import { openAttachment, own, ownNoticeExporter, ownNotices, readAllNotices, readNotice } from './own-notices.ts';
import { noticeReaderExporter, pageNoticeReaders } from './readers.ts';
import { noReminder, remind } from './remind.ts';

const wrong = (name: string, text: string) => new Fault('BAD_INPUT', { fields: { [name]: text } });

interface Written {
  readonly body: string;
  readonly recipients: string;
  readonly deptIds: readonly number[];
  readonly roleIds: readonly number[];
  readonly userIds: readonly number[];
  readonly startsAt: string | null;
  readonly endsAt: string | null;
  readonly files: readonly number[];
}
/** Of each audience the input that names it. */
const named = { organisation: 'deptIds', roles: 'roleIds', users: 'userIds' } as const;

function check(ctx: Ctx, input: Written): void {
  const links = linksIn(input.body);
  if (refusedLink(input.body) !== undefined || picturesIn(input.body).length > 0 || links.some((href) => href.startsWith('/')))
    throw wrong('body', 'invalid.text.link');
  const by = named[input.recipients as keyof typeof named];
  if (by && input[by].length === 0) throw wrong(by, 'invalid.required');
  const start = input.startsAt ?? ctx.now().toISOString();
  if (input.endsAt !== null && input.endsAt <= start) throw wrong('endsAt', 'invalid.notice.ends');
}

/** Exactly these files hang on it; the database keeps them from then on. */
async function keepFiles(db: Db, id: number, path: string, files: readonly number[]): Promise<void> {
  await db.deleteFrom('message_notice_file').where('notice_id', '=', id).execute();
  const rows = [...new Set(files)].map((file_id) => ({ notice_id: id, file_id, dept_path: path }));
  if (rows.length === 0) return;
  await unlessRefused(
    db,
    () => db.insertInto('message_notice_file').values(rows).execute(),
    ({ kind }) => (kind === 'referenced' ? fault('NOT_FOUND') : undefined),
  );
}

const checkFiles = (ctx: Ctx, db: Db, files: readonly number[]) =>
  namedFiles(ctx, files, [ATTACHMENT], (ids) =>
    db.selectFrom('message_notice_file').select('file_id').where('file_id', 'in', ids).execute(),
  );

export function makeNotices(app: AppContext): Resource<typeof Notice> {
  const target = (row: { title: string }) => `notice ${row.title}`;
  const titleOf = async (db: Db, id: number) =>
    (await db.selectFrom('message_notice').select('title').where('id', '=', id).executeTakeFirst()) ?? { title: String(id) };
  /** By its offer first, so that what keeps it from the act is said. */
  const moved = async (ctx: Ctx, event: 'publish' | 'schedule' | 'recall', id: number, set: Record<string, unknown> = {}) => {
    const row = await ctx.db
      .selectFrom('message_notice')
      .select(['ends_at', 'starts_at'])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    if (!row) throw fault('NOT_FOUND');
    if (event !== 'recall' && row.ends_at !== null && row.ends_at <= ctx.now()) throw new Fault('NOTICE_OVER');
    if (event === 'schedule' && !(row.starts_at && row.starts_at > ctx.now())) throw new Fault('NOTICE_NO_TIME');
    const done = await move(ctx.db, notices.rows, event, [id], { actorId: ctx.actor.userId, set });
    if (done.length === 0) throw fault('OVERTAKEN');
    ctx.audit({ target: target(await titleOf(ctx.db, id)) });
  };
  const publish: Handler<typeof noticeCalls.publish> = async (ctx, { id }) => {
    await moved(ctx, 'publish', id, { published_at: ctx.now() });
    await announce(ctx.db, id);
    return notices.read(ctx, id);
  };
  const recall: Handler<typeof noticeCalls.recall> = async (ctx, { id }) => {
    await moved(ctx, 'recall', id);
    const paths = await ctx.unscoped((db) => noticePaths(db, id));
    for (const group of ['/message', '/notice']) await invalidatePaths(ctx.db, app, group, paths);
    return notices.read(ctx, id);
  };
  const notices: Resource<typeof Notice> = resource(Notice, noticeCalls, {
    table: 'message_notice',
    target,
    joined: (query) =>
      query.innerJoin('org_dept as o', 'o.id', 't.dept_id').select([
        'o.name as dept_name',
        sql<unknown>`(select coalesce(json_agg(json_build_object('id', f.id, 'name', f.name, 'size', f.size) order by f.id), '[]')
          from message_notice_file k join file_file f on f.id = k.file_id where k.notice_id = t.id)`.as('attachments'),
      ]),
    // Lists of large numbers come as texts.
    shown: (row) => ({
      files: row.files.map(Number),
      deptIds: row.dept_ids.map(Number),
      roleIds: row.role_ids.map(Number),
      userIds: row.user_ids.map(Number),
    }),
    cells: { attachments: (files) => files.map(({ name }) => name).join('; ') },
    acts: { remind: noticeCalls.remind },
    refuses: {
      remind: noReminder,
      update: (row) => row.state !== 'draft' && 'NOTICE_FIXED',
      delete: (row) => ['scheduled', 'published'].includes(row.state) && 'NOTICE_FIXED',
      publish: (row, ctx) => row.ends_at !== null && row.ends_at <= ctx.now() && 'NOTICE_OVER',
      schedule: (row, ctx) => !(row.starts_at && row.starts_at > ctx.now()) && 'NOTICE_NO_TIME',
    },
    columns: async (ctx, input, { before, db }) => {
      check(ctx, input);
      const files = [...new Set(input.files)];
      await checkFiles(ctx, db, files);
      if (before) await keepFiles(db, before.id, before.dept_path, files);
      return { files, ...(before ? {} : { created_by: ctx.actor.userName }) };
    },
    added: (ctx, id, { files }) => keepFiles(ctx.db, id, ctx.scope.path, files),
    handlers: {
      publish,
      recall,
      schedule: async (ctx, { id }) => {
        await moved(ctx, 'schedule', id);
        return notices.read(ctx, id);
      },
      remind: async (ctx, { id }) => {
        const title = await remind(ctx, id);
        ctx.audit({ target: target({ title }) });
        return notices.read(ctx, id);
      },
      reach: async (ctx, { id }) => {
        const row = await ctx.db.selectFrom('message_notice').selectAll().where('id', '=', id).executeTakeFirst();
        if (!row) throw fault('NOT_FOUND');
        return { people: await ctx.unscoped((db) => reachOf(db, row)) };
      },
      readers: pageNoticeReaders,
      exportReaders: (ctx, input) => startExport(ctx, noticeReaderExporter, input),
      people: (ctx, input) => findPeople(ctx, { ...input, enabled: true }),
      mine: ownNotices,
      exportMine: (ctx, input) => startExport(ctx, ownNoticeExporter, input),
      own,
      read: readNotice,
      readAll: readAllNotices,
      attachment: openAttachment(app),
    },
  });
  return notices;
}
