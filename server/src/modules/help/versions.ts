import { helpArticleCalls as declared, type helpArticleCalls } from '@mooring/contract/help/article';
import type { DB } from '@mooring/database/tables';
import type { Selectable } from 'kysely';
import { page } from '../../platform/db/page.ts';
import type { Handler } from '../../platform/module.ts';
import { rowExporter } from '../../platform/work/row-exporter.ts';
import { keptIn } from './translations.ts';

/** What was published of an article; they are few, and nobody changes them. */
export const pageVersions: Handler<typeof helpArticleCalls.versions> = (ctx, { criteria, page: wanted }) =>
  page(
    ctx.db,
    ctx.db
      .selectFrom('help_version as v')
      .selectAll('v')
      .where('v.article_id', '=', criteria.articleId ?? 0),
    {
      page: wanted,
      sorts: { number: 'v.number' },
      id: 'v.id',
      map: (row: Selectable<DB['help_version']>) => ({
        id: row.id,
        number: row.number,
        title: row.title,
        titleZh: row.title_zh,
        body: row.body,
        bodyZh: row.body_zh,
        translations: keptIn(row.translations).map(({ lang, title, body }) => ({ lang, title, body })),
        routes: row.routes,
        publishedBy: row.published_by,
        publishedAt: row.published_at,
      }),
    },
  );

export const versionExporter = rowExporter(declared.versions, declared.exportVersions, {
  title: 'helpArticle.versions',
  page: pageVersions,
  sort: 'number',
  columns: {
    number: 'helpArticle.versions.number',
    title: 'helpArticle.title',
    publishedBy: 'helpArticle.versions.by',
    publishedAt: 'helpArticle.versions.at',
  },
});
