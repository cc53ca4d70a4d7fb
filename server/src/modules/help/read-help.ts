import type { helpCalls } from '@mooring/contract/help/calls';
import { explaining } from '@mooring/contract/help/explained';
import { fault } from '@mooring/contract/kit/fault';
import type { AppContext } from '../../platform/app-context.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import { containsWords } from '../../platform/db/criteria.ts';
import type { Handler } from '../../platform/module.ts';
import { fileToken } from '../file/api.ts';
import { shownFiles } from './article-files.ts';
import { excerptOf } from './excerpt.ts';
import { langOf } from './said.ts';

/** Articles that readers have, each as its published version says. */
const published = (db: Db) =>
  db
    .selectFrom('help_article as a')
    .innerJoin('help_version as v', (join) => join.onRef('v.article_id', '=', 'a.id').onRef('v.number', '=', 'a.version'))
    .innerJoin('help_category as c', 'c.id', 'a.category_id')
    .where('a.state', 'in', ['published', 'revised']);
/** In the order of the contents. */
const briefs = (db: Db) =>
  published(db)
    .select(['a.id', 'a.key', 'a.category_id', 'v.title', 'v.title_zh', 'v.routes', 'c.name', 'c.name_zh'])
    .orderBy('a.position')
    .orderBy('a.id');

/** In the reader's language where there is one. */
const titleFor = (ctx: Ctx, row: { title: string; title_zh: string }) =>
  langOf(ctx.lang) === 'zh-CN' && row.title_zh !== '' ? row.title_zh : row.title;
const nameFor = (ctx: Ctx, row: { name: string; name_zh: string }) =>
  langOf(ctx.lang) === 'zh-CN' && row.name_zh !== '' ? row.name_zh : row.name;

export const helpContext: Handler<typeof helpCalls.context> = async (ctx, { route }) =>
  explaining(await briefs(ctx.db).execute(), route).map((row) => ({ key: row.key, title: titleFor(ctx, row) }));

export const helpTree: Handler<typeof helpCalls.tree> = async (ctx) => {
  const rows = await briefs(ctx.db).execute();
  const categories = await ctx.db.selectFrom('help_category').selectAll().orderBy('position').orderBy('id').execute();
  return categories.map((one) => ({
    id: one.id,
    parentId: one.parent_id,
    name: nameFor(ctx, one),
    articles: rows.filter((row) => row.category_id === one.id).map((row) => ({ key: row.key, title: titleFor(ctx, row) })),
  }));
};

const MOST_HITS = 30;
export const searchHelp: Handler<typeof helpCalls.search> = async (ctx, { text }) => {
  const isChinese = langOf(ctx.lang) === 'zh-CN';
  const rows = await published(ctx.db)
    .select(['a.key', 'v.title', 'v.title_zh', 'a.words', 'a.words_zh', 'c.name', 'c.name_zh'])
    .where(containsWords(isChinese ? ['a.words_zh', 'a.words'] : ['a.words'], text) ?? ((eb) => eb.val(true)))
    .orderBy('a.position')
    .orderBy('a.id')
    .limit(200)
    .execute();
  const hits = rows.map((row) => {
    const { excerpt, inTitle } = excerptOf((isChinese && row.words_zh) || row.words, text);
    return { inTitle, hit: { key: row.key, title: titleFor(ctx, row), category: nameFor(ctx, row), excerpt } };
  });
  // One that is about it comes before one that mentions it.
  return [...hits.filter(({ inTitle }) => inTitle), ...hits.filter(({ inTitle }) => !inTitle)].slice(0, MOST_HITS).map(({ hit }) => hit);
};

async function oneOf(ctx: Ctx, key: string) {
  const row = await published(ctx.db)
    .selectAll('v')
    .select(['a.id as article_id', 'a.key', 'c.name', 'c.name_zh'])
    .where('a.key', '=', key)
    .executeTakeFirst();
  if (!row) throw fault('NOT_FOUND');
  return row;
}

export const readHelp: Handler<typeof helpCalls.read> = async (ctx, { key }) => {
  const row = await oneOf(ctx, key);
  const isChinese = langOf(ctx.lang) === 'zh-CN' && row.body_zh !== '';
  const files =
    row.files.length === 0
      ? []
      : await ctx.unscoped((db) =>
          db.selectFrom('file_file').select(['id', 'name', 'size']).where('id', 'in', row.files).orderBy('id').execute(),
        );
  const vote = await ctx.db
    .selectFrom('help_vote')
    .select('helpful')
    .where('article_id', '=', row.article_id)
    .where('user_id', '=', ctx.actor.userId)
    .executeTakeFirst();
  return {
    key: row.key,
    title: isChinese ? titleFor(ctx, row) : row.title,
    category: nameFor(ctx, row),
    body: isChinese ? row.body_zh : row.body,
    lang: isChinese ? 'zh-CN' : 'en',
    version: row.number,
    publishedAt: row.published_at,
    files: files.map((one) => ({ ...one, size: Number(one.size) })),
    vote: vote?.helpful ?? null,
  };
};

/** A file or a picture of what readers have now. */
export const openHelpFile =
  (app: AppContext): Handler<typeof helpCalls.file> =>
  async (ctx, { key, fileId }) => {
    if (!shownFiles(await oneOf(ctx, key)).includes(fileId)) throw fault('NOT_FOUND');
    return fileToken(ctx, app, fileId);
  };
