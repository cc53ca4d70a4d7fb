import { helpArticleCalls as declared, type helpArticleCalls } from '@mooring/contract/help/article';
import { page } from '../../platform/db/page.ts';
import type { Handler } from '../../platform/module.ts';
import { rowExporter } from '../../platform/work/row-exporter.ts';

/** What readers who weren't helped say of an article, the newest first. Whose word it is isn't told. */
export const pageFeedback: Handler<typeof helpArticleCalls.feedback> = (ctx, { criteria, page: wanted }) =>
  page(
    ctx.db,
    ctx.db
      .selectFrom('help_vote as v')
      .select(['v.id', 'v.reason', 'v.version', 'v.voted_at'])
      .where('v.article_id', '=', criteria.articleId ?? 0)
      .where('v.reason', '<>', ''),
    {
      page: wanted,
      sorts: { at: 'v.voted_at' },
      id: 'v.id',
      map: ({ id, reason, version, voted_at: at }: { id: number; reason: string; version: number; voted_at: Date }) => ({
        id,
        reason,
        version,
        at,
      }),
    },
  );

export const feedbackExporter = rowExporter(declared.feedback, declared.exportFeedback, {
  title: 'helpArticle.feedback',
  page: pageFeedback,
  sort: 'at',
  columns: {
    at: 'helpArticle.feedback.at',
    version: 'helpArticle.feedback.version',
    reason: 'helpArticle.feedback.reason',
  },
});
