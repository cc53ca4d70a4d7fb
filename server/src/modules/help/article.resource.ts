import { HelpArticle, helpArticleCalls } from '@mooring/contract/help/article';
import { Fault, fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Ctx, Db } from '../../platform/context.ts';
import { move } from '../../platform/db/move.ts';
import type { Handler } from '../../platform/module.ts';
import { type Resource, type RowIn, resource } from '../../platform/resource/resource.ts';
import { startExport } from '../../platform/work/exporter.ts';
import { checkFiles, keepFiles } from './article-files.ts';
import { articleRows } from './article-rows.ts';
import { checkTexts } from './check-texts.ts';
import { feedbackExporter, pageFeedback } from './feedback.ts';
import { keepVersions } from './publish.ts';
import { keptFrom, keptIn, outdatedIn } from './translations.ts';
import { pageVersions, versionExporter } from './versions.ts';

type Row = RowIn<'help_article'>;
const target = (row: { title: string }) => `help article ${row.title}`;

const Newer = z.object({
  title: z.string(),
  title_zh: z.string(),
  body: z.string(),
  body_zh: z.string(),
  routes: z.array(z.string()),
  position: z.int(),
  /** Whether it is read before sign-in: taking its text doesn't decide that. */
  open: z.boolean().optional(),
});

/** Everybody has help open. */
export const told = (ctx: Ctx, db: Db) => ctx.invalidate(db, '/help', '1.');

/** Of a published article the readers keep what they have. */
async function revise(ctx: Ctx, db: Db, row: Pick<Row, 'id' | 'state'>): Promise<void> {
  if (row.state === 'published') await move(db, articleRows, 'revise', [row.id], { actorId: ctx.actor.userId });
}
async function lockedRow(db: Db, id: number): Promise<Row> {
  const row = await db.selectFrom('help_article').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
  if (!row) throw fault('NOT_FOUND');
  return row;
}
const changedBy = (ctx: Ctx) => ({ updated_by: ctx.actor.userName, updated_at: ctx.now() });

const publish: Handler<typeof helpArticleCalls.publish> = (ctx, { id }) =>
  ctx.unscoped(async (db) => {
    const row = await lockedRow(db, id);
    const moved = await move(db, articleRows, 'publish', [id], { actorId: ctx.actor.userId });
    if (moved.length === 0) throw fault('OVERTAKEN');
    await keepVersions(db, [id], { by: ctx.actor.userName, at: ctx.now() });
    ctx.audit({ target: target(row) });
    await told(ctx, db);
    return articles.read(ctx, id, db);
  });

const withdraw: Handler<typeof helpArticleCalls.withdraw> = (ctx, { id }) =>
  ctx.unscoped(async (db) => {
    const row = await lockedRow(db, id);
    const moved = await move(db, articleRows, 'withdraw', [id], { actorId: ctx.actor.userId });
    if (moved.length === 0) throw fault('OVERTAKEN');
    ctx.audit({ target: target(row) });
    await told(ctx, db);
    return articles.read(ctx, id, db);
  });

const restore: Handler<typeof helpArticleCalls.restore> = (ctx, { id, number }) =>
  ctx.unscoped(async (db) => {
    const row = await lockedRow(db, id);
    const texts = await db
      .selectFrom('help_version')
      .select(['title', 'title_zh', 'body', 'body_zh', 'translations', 'routes', 'files', 'open'])
      .where('article_id', '=', id)
      .where('number', '=', number)
      .executeTakeFirst();
    if (!texts) throw fault('NOT_FOUND');
    await db
      .updateTable('help_article')
      .set({ ...texts, translations: JSON.stringify(texts.translations), edited: true, ...changedBy(ctx) })
      .where('id', '=', id)
      .execute();
    await revise(ctx, db, row);
    ctx.audit({ target: target(row), after: { version: number } });
    return articles.read(ctx, id, db);
  });

const newerText: Handler<typeof helpArticleCalls.newerText> = async (ctx, { id }) => {
  const row = await ctx.db.selectFrom('help_article').selectAll().where('id', '=', id).executeTakeFirst();
  if (!row) throw fault('NOT_FOUND');
  const newer = Newer.safeParse(row.newer);
  if (!newer.success) throw new Fault('HELP_NOTHING_NEWER');
  const textOf = (of: Pick<Row, 'title' | 'title_zh' | 'body' | 'body_zh'>) => ({
    title: of.title,
    titleZh: of.title_zh,
    body: of.body,
    bodyZh: of.body_zh,
  });
  return { now: textOf(row), newer: textOf(newer.data) };
};

const takeNewer: Handler<typeof helpArticleCalls.takeNewer> = (ctx, { id }) =>
  ctx.unscoped(async (db) => {
    const row = await lockedRow(db, id);
    const newer = Newer.safeParse(row.newer);
    if (!newer.success) throw new Fault('HELP_NOTHING_NEWER');
    const { open, ...texts } = newer.data;
    await db
      .updateTable('help_article')
      .set({ ...texts, newer: null, edited: open !== undefined && open !== row.open, ...changedBy(ctx) })
      .where('id', '=', id)
      .execute();
    await revise(ctx, db, row);
    ctx.audit({ target: target(row), before: { title: row.title }, after: { title: newer.data.title } });
    return articles.read(ctx, id, db);
  });

/** Whether an upgrade leaves it alone: a translation beside it doesn't make the product's text one's own. */
function isEdited(input: z.output<typeof HelpArticle.add>, before: Row | undefined): boolean {
  if (!before || before.edited) return true;
  const [now, earlier] = [
    [input.title, input.titleZh, input.body, input.bodyZh, input.routes, input.files, input.categoryId, input.position, input.open],
    [
      before.title,
      before.title_zh,
      before.body,
      before.body_zh,
      before.routes,
      before.files.map(Number),
      before.category_id,
      before.position,
      before.open,
    ],
  ];
  return JSON.stringify(now) !== JSON.stringify(earlier);
}

/** Articles as their editors have them: the whole installation's. */
export const articles: Resource<typeof HelpArticle> = resource(HelpArticle, helpArticleCalls, {
  table: 'help_article',
  small: true,
  target,
  joined: (query) =>
    query.innerJoin('help_category as c', 'c.id', 't.category_id').select([
      sql<string>`c.name`.as('category_name'),
      sql<unknown>`(select coalesce(json_agg(json_build_object('id', f.id, 'name', f.name, 'size', f.size) order by f.id), '[]')
        from file_file f where f.id = any(t.files))`.as('attachments'),
    ]),
  shown: (row) => {
    const kept = keptIn(row.translations);
    return {
      files: row.files.map(Number),
      newer: row.newer !== null,
      translations: kept.map(({ lang, title, body }) => ({ lang, title, body })),
      outdatedIn: outdatedIn(row, kept),
    };
  },
  cells: {
    attachments: (files) => files.map(({ name }) => name).join('; '),
    routes: (routes) => routes.join(' '),
    translations: (rows) => rows.map(({ lang }) => lang).join(' '),
    outdatedIn: (langs) => langs.join(' '),
  },
  acts: { takeNewer: helpArticleCalls.takeNewer },
  refuses: {
    delete: (row) => (row.manual ? 'HELP_OF_MANUAL' : (row.state === 'published' || row.state === 'revised') && 'HELP_PUBLISHED'),
    takeNewer: (row) => row.newer === null && 'HELP_NOTHING_NEWER',
  },
  columns: async (ctx, input, { before, db }) => {
    checkTexts(input);
    await checkFiles(ctx, db, input);
    if (before) {
      await keepFiles(db, before.id, input);
      await revise(ctx, db, before);
    }
    const translations = JSON.stringify(keptFrom(input, input.translations, keptIn(before?.translations)));
    return { files: [...new Set(input.files)], translations, edited: isEdited(input, before), ...changedBy(ctx) };
  },
  added: (_ctx, id, input, _rows, db) => keepFiles(db, id, input),
  handlers: {
    publish,
    withdraw,
    restore,
    takeNewer,
    versions: pageVersions,
    feedback: pageFeedback,
    exportFeedback: (ctx, input) => startExport(ctx, feedbackExporter, input),
    newerText,
    exportVersions: (ctx, input) => startExport(ctx, versionExporter, input),
  },
});
