import { sql } from 'kysely';
import type { Db } from '../../platform/context.ts';
import { move } from '../../platform/db/move.ts';
import { articleRows } from './article-rows.ts';
import { type Manual, type ManualArticle, readManual } from './manual.ts';
import { keepVersions, keepWords } from './publish.ts';
import { keptIn } from './translations.ts';

const textsOf = (one: ManualArticle) => ({
  title: one.title,
  title_zh: one.titleZh,
  body: one.body,
  body_zh: one.bodyZh,
  routes: [...one.routes],
  position: one.position,
  open: one.open,
});

async function bringCategories(db: Db, { categories }: Manual): Promise<ReadonlyMap<string, number>> {
  const rows = categories.map((one, at) => ({ key: one.key, name: one.name, name_zh: one.nameZh, position: (at + 1) * 10 }));
  await db
    .insertInto('help_category')
    .values(rows)
    .onConflict((on) => on.column('key').doNothing())
    .execute();
  const found = await db
    .selectFrom('help_category')
    .select(['id', 'key'])
    .where('key', 'in', [...categories.map(({ key }) => key)])
    .execute();
  return new Map(found.map(({ id, key }) => [key ?? '', id]));
}

function categoryOf(categories: ReadonlyMap<string, number>, one: ManualArticle): number {
  const id = categories.get(one.category);
  if (id === undefined) throw new Error(`${one.key}: there is no category ${one.category}`);
  return id;
}

async function bringNew(db: Db, articles: readonly ManualArticle[], categories: ReadonlyMap<string, number>, at: Date): Promise<void> {
  if (articles.length === 0) return;
  const rows = articles.map((one) => ({
    ...textsOf(one),
    key: one.key,
    category_id: categoryOf(categories, one),
    manual: true,
    brought: one.digest,
    updated_at: at,
  }));
  const made = await db.insertInto('help_article').values(rows).returning('id').execute();
  const ids = made.map(({ id }) => id);
  await keepVersions(db, ids, { by: '', at });
  await move(db, articleRows, 'publish', ids);
}

interface Known {
  readonly id: number;
  readonly edited: boolean;
  readonly state: string;
  readonly open: boolean;
  readonly translations: unknown;
}
/** One that nobody edited follows the product; of an edited one the newer text is kept beside it. Whoever translated one says themselves whether strangers read that. */
async function bringChanged(db: Db, one: ManualArticle, row: Known, at: Date): Promise<void> {
  const open = Object.keys(keptIn(row.translations)).length > 0 ? row.open : one.open;
  const set = row.edited
    ? { brought: one.digest, newer: JSON.stringify({ ...textsOf(one), digest: one.digest }) }
    : { ...textsOf(one), open, brought: one.digest, newer: null, updated_at: at, updated_by: '' };
  await db.updateTable('help_article').set(set).where('id', '=', row.id).execute();
  if (!row.edited && row.state === 'published') await keepVersions(db, [row.id], { by: '', at });
}

/** What the manual no longer has explains nothing any more, and may be deleted; a person's edited one stays as it is. */
async function forgetGone(db: Db, { articles }: Manual): Promise<void> {
  const gone = sql<boolean>`manual and key <> all(${articles.map(({ key }) => key)}::text[])`;
  await move(db, articleRows, 'withdraw', sql`${gone} and not edited and state = 'published'`);
  await db.updateTable('help_article').set({ manual: false, newer: null }).where(gone).execute();
}

/** Brings the manual at the first start, and what is new in it at the start after an upgrade. An article of a person's own with the same address stays theirs. */
export async function bringManual(db: Db, manual: Manual = readManual()): Promise<void> {
  const categories = await bringCategories(db, manual);
  const at = (await sql<{ at: Date }>`select now() as at`.execute(db)).rows[0]?.at ?? new Date(0);
  const rows = await db
    .selectFrom('help_article')
    .select(['id', 'key', 'manual', 'brought', 'edited', 'state', 'open', 'translations'])
    .execute();
  const known = new Map(rows.map((row) => [row.key, row]));
  await bringNew(
    db,
    manual.articles.filter(({ key }) => !known.has(key)),
    categories,
    at,
  );
  for (const one of manual.articles) {
    const row = known.get(one.key);
    if (row?.manual && row.brought !== one.digest) await bringChanged(db, one, row, at);
  }
  await forgetGone(db, manual);
  await keepWords(db);
}
