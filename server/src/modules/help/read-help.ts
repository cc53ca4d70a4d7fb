import { type helpCalls, MOST_FOUND, MOST_HITS, type openHelpCalls } from '@mooring/contract/help/calls';
import { explaining } from '@mooring/contract/help/explained';
import { fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import type { AppContext } from '../../platform/app-context.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import { containsWords } from '../../platform/db/criteria.ts';
import type { Handler } from '../../platform/module.ts';
import { fileToken } from '../file/api.ts';
import { shownFiles } from './article-files.ts';
import { excerptOf } from './excerpt.ts';
import { langOf } from './said.ts';
import { keptIn, languagesFor, partFor } from './translations.ts';

/** Articles that readers have, each as its published version says, with its title and its category's name in the reader's language where there is one. */
const published = (ctx: Ctx, db: Db = ctx.db) =>
  db
    .selectFrom('help_article as a')
    .innerJoin('help_version as v', (join) => join.onRef('v.article_id', '=', 'a.id').onRef('v.number', '=', 'a.version'))
    .innerJoin('help_category as c', 'c.id', 'a.category_id')
    .select(['a.key', titleFor(ctx).as('own_title'), nameFor(ctx, 'c').as('category')])
    .where('a.state', 'in', ['published', 'revised']);
const isChineseFor = (ctx: Ctx) => langOf(ctx.lang) === 'zh-CN';
const titleFor = (ctx: Ctx) =>
  sql<string>`coalesce(${partFor(sql.ref('v.translations'), 'title', ctx.lang)}, ${isChineseFor(ctx) ? sql`nullif(v.title_zh, '')` : null}, v.title)`;
const nameFor = (ctx: Ctx, of: 'c' | 'help_category') =>
  sql<string>`coalesce(${partFor(sql.ref(`${of}.names`), 'name', ctx.lang)},
    ${isChineseFor(ctx) ? sql`nullif(${sql.ref(`${of}.name_zh`)}, '')` : null}, ${sql.ref(`${of}.name`)})`;

/** In the order of the contents. */
const briefs = (ctx: Ctx, db?: Db) => published(ctx, db).select(['a.category_id', 'v.routes']).orderBy('a.position').orderBy('a.id');
const briefOf = (row: { readonly key: string; readonly own_title: string }) => ({ key: row.key, title: row.own_title });

export const helpContext: Handler<typeof helpCalls.context> = async (ctx, { route }) =>
  explaining(await briefs(ctx).execute(), route).map(briefOf);

export const helpTree: Handler<typeof helpCalls.tree> = async (ctx) => {
  const rows = await briefs(ctx).execute();
  const categories = await ctx.db
    .selectFrom('help_category')
    .select(['id', 'parent_id', nameFor(ctx, 'help_category').as('own_name')])
    .orderBy('position')
    .orderBy('id')
    .execute();
  return categories.map((one) => ({
    id: one.id,
    parentId: one.parent_id,
    name: one.own_name,
    articles: rows.filter((row) => row.category_id === one.id).map(briefOf),
  }));
};

/** In the reader's language, and in English: what isn't translated is found by what it says. */
export const searchHelp: Handler<typeof helpCalls.search> = async (ctx, { text }) => {
  const own = sql<
    string | null
  >`(select w.words from help_words w where w.article_id = a.id and w.lang = any(${languagesFor(ctx.lang)}::text[])
    order by length(w.lang) desc limit 1)`;
  const inOwn = isChineseFor(ctx) ? sql<string>`coalesce(${own}, nullif(a.words_zh, ''))` : own;
  const rows = await published(ctx)
    .select(['a.words', inOwn.as('own_words')])
    .where(containsWords([inOwn, 'a.words'], text) ?? ((eb) => eb.val(true)))
    .orderBy('a.position')
    .orderBy('a.id')
    .limit(MOST_FOUND)
    .execute();
  const hits = rows.map((row) => {
    const { excerpt, inTitle } = excerptOf(row.own_words ?? row.words, text);
    return { inTitle, hit: { key: row.key, title: row.own_title, category: row.category, excerpt } };
  });
  // One that is about it comes before one that mentions it.
  const inOrder = [...hits.filter(({ inTitle }) => inTitle), ...hits.filter(({ inTitle }) => !inTitle)];
  return { hits: inOrder.slice(0, MOST_HITS).map(({ hit }) => hit), found: hits.length };
};

/** Whoever isn't signed in has those alone that were published for them; another one is as unknown to them as one that isn't there. */
interface Reading {
  readonly db: Db;
  readonly isOpen?: true;
}

async function oneOf(ctx: Ctx, key: string, { db, isOpen }: Reading) {
  const row = await published(ctx, db)
    .selectAll('v')
    .select('a.id as article_id')
    .where('a.key', '=', key)
    .$if(isOpen === true, (query) => query.where('v.open', '=', true))
    .executeTakeFirst();
  if (!row) throw fault('NOT_FOUND');
  return row;
}

type Version = Awaited<ReturnType<typeof oneOf>>;
/** In the reader's language where it is written in it; else in English. */
function textFor(ctx: Ctx, row: Version): { readonly lang: string; readonly title: string; readonly body: string } {
  const kept = keptIn(row.translations);
  const own = languagesFor(ctx.lang).flatMap((lang) => kept.filter((one) => one.lang === lang))[0];
  if (own) return own;
  if (isChineseFor(ctx) && row.body_zh !== '') return { lang: 'zh-CN', title: row.title_zh || row.title, body: row.body_zh };
  return { lang: 'en', title: row.title, body: row.body };
}

async function articleFor(ctx: Ctx, row: Version, past: Ctx['unscoped']) {
  const { lang, title, body } = textFor(ctx, row);
  const files =
    row.files.length === 0
      ? []
      : await past((db) => db.selectFrom('file_file').select(['id', 'name', 'size']).where('id', 'in', row.files).orderBy('id').execute());
  return {
    key: row.key,
    title,
    category: row.category,
    body,
    lang,
    version: row.number,
    publishedAt: row.published_at,
    files: files.map((one) => ({ ...one, size: Number(one.size) })),
  };
}

export const readHelp: Handler<typeof helpCalls.read> = async (ctx, { key }) => {
  const row = await oneOf(ctx, key, ctx);
  const vote = await ctx.db
    .selectFrom('help_vote')
    .select(['helpful', 'reason'])
    .where('article_id', '=', row.article_id)
    .where('user_id', '=', ctx.actor.userId)
    .executeTakeFirst();
  return { ...(await articleFor(ctx, row, ctx.unscoped)), vote: vote?.helpful ?? null, reason: vote?.reason ?? '' };
};

type Asked = Parameters<Handler<typeof helpCalls.file>>[1];
/** A file or a picture of what readers have now. */
async function openFileOf(ctx: Ctx, app: AppContext, { key, fileId }: Asked, reading: Reading) {
  const row = await oneOf(ctx, key, reading);
  // Whoever asks for what isn't even named is answered without a text being read.
  const isNamed =
    row.files.some((id) => Number(id) === fileId) || JSON.stringify([row.body, row.body_zh, row.translations]).includes(`file:${fileId}`);
  if (!isNamed || !shownFiles(row).includes(fileId)) throw fault('NOT_FOUND');
  return fileToken(ctx, app, fileId);
}
export const openHelpFile =
  (app: AppContext): Handler<typeof helpCalls.file> =>
  (ctx, asked) =>
    openFileOf(ctx, app, asked, ctx);

export const listOpen: Handler<typeof openHelpCalls.list> = (ctx) =>
  ctx.unscoped(async (db) => (await briefs(ctx, db).where('v.open', '=', true).execute()).map(briefOf));
export const readOpen: Handler<typeof openHelpCalls.read> = (ctx, { key }) =>
  ctx.unscoped(async (db) => articleFor(ctx, await oneOf(ctx, key, { db, isOpen: true }), (work) => work(db)));
export const openOpenFile =
  (app: AppContext): Handler<typeof openHelpCalls.file> =>
  (ctx, asked) =>
    ctx.unscoped((db) => openFileOf(ctx, app, asked, { db, isOpen: true }));
