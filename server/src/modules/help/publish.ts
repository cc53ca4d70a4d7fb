import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '../../platform/context.ts';
import { SEARCHED, saidIn, searched } from './said.ts';
import { keptIn } from './translations.ts';

interface Publishing {
  readonly by: string;
  readonly at: Date;
}

/** The texts of these articles as they stand become their next versions, which is what readers have from now on. */
export async function keepVersions(db: Db, ids: readonly number[], { by, at }: Publishing): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    with told as (
      update help_article set version = version + 1 where id = any(${[...ids]}::bigint[]) returning *
    )
    insert into help_version (article_id, number, title, title_zh, body, body_zh, translations, routes, files, open, published_by, published_at)
    select id, version, title, title_zh, body, body_zh, translations, routes, files, open, ${by}, ${at} from told`.execute(db);
  await keepWords(db, ids);
}

/** What is searched of the published versions, where it isn't so yet: labels of the console change with an upgrade too. */
export async function keepWords(db: Db, ids?: readonly number[]): Promise<void> {
  const rows = await db
    .selectFrom('help_article as a')
    .innerJoin('help_version as v', (join) => join.onRef('v.article_id', '=', 'a.id').onRef('v.number', '=', 'a.version'))
    .select(['a.id', 'a.words_of', 'v.title', 'v.title_zh', 'v.body', 'v.body_zh', 'v.translations'])
    .$if(ids !== undefined, (query) => query.where('a.id', 'in', [...(ids ?? [])]))
    .execute();
  const changed = rows.flatMap(({ id, words_of, title, title_zh, body, body_zh, translations }) => {
    const texts = [saidIn('en', title, body), saidIn('zh-CN', title_zh || title, body_zh)] as const;
    const others = keptIn(translations).map((one) => ({ lang: one.lang, text: saidIn(one.lang, one.title, one.body) }));
    const digest = createHash('sha256')
      .update(JSON.stringify([SEARCHED, texts, others]))
      .digest('base64');
    if (digest === words_of) return [];
    const inOthers = others.map(({ lang, text }) => ({ article_id: id, lang, words: searched(text) }));
    return [{ id, digest, words: searched(texts[0]), wordsZh: searched(texts[1]), inOthers }];
  });
  if (changed.length === 0) return;
  const columnOf = <K extends 'id' | 'digest' | 'words' | 'wordsZh'>(key: K) => changed.map((one) => one[key]);
  await sql`
    update help_article a set words_of = n.digest, words = n.words, words_zh = n.words_zh
    from unnest(${columnOf('id')}::bigint[], ${columnOf('digest')}::text[], ${columnOf('words')}::text[], ${columnOf('wordsZh')}::text[])
      as n (id, digest, words, words_zh) where a.id = n.id`.execute(db);
  await db.deleteFrom('help_words').where('article_id', 'in', columnOf('id')).execute();
  const words = changed.flatMap(({ inOthers }) => inOthers);
  if (words.length > 0) await db.insertInto('help_words').values(words).execute();
}
