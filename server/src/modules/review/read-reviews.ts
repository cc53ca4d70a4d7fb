import { type GrantReview, reviewCalls } from '@mooring/contract/access/review-calls';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Ctx, Db } from '../../platform/context.ts';
import { page } from '../../platform/db/page.ts';
import type { Handler } from '../../platform/module.ts';
import { t } from '../../platform/texts/translate.ts';
import { exporter } from '../../platform/work/exporter.ts';
import { heldNow } from '../access/api.ts';
import { type ReviewRow, reviewConditions, selectReviews, shownOf } from './review.queries.ts';

export const pageReviews: Handler<typeof reviewCalls.page> = async (ctx, { criteria, page: wanted }) => {
  const held = await heldNow(ctx);
  const query = selectReviews(ctx.db).where(await reviewConditions(ctx.db, held, criteria));
  const found = await page(ctx.db, query, {
    page: wanted,
    sorts: { dueAt: 'g.counted_from', holder: 'o.dept_path' },
    id: 'g.id',
    map: (row: ReviewRow) => row,
  });
  return { ...found, content: await shownOf(ctx, ctx.db, held, found.content) };
};

/** What is overdue stands beside the menu entry. */
export const countOverdue = async (db: Db, ctx: Ctx): Promise<number> => {
  const { path } = ctx.scope;
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from access_grant_review
    where state = 'overdue' and dept_path >= ${path} and dept_path < ${`${path}~`}`.execute(db);
  return rows[0]?.n ?? 0;
};

type Row = z.input<typeof GrantReview>;
const day = (at: Row['dueAt'] | null) => (at === null ? null : new Date(at));
export const reviewExporter = exporter<Row>({
  name: 'review',
  title: 'work.export.review',
  can: reviewCalls.export.can,
  sort: 'holder',
  page: pageReviews as never,
  columns: {
    holder: { title: 'review.holder', cell: (row) => row.holder },
    account: { title: 'review.account', cell: (row) => row.account },
    deptName: { title: 'review.dept', cell: (row) => row.deptName },
    kind: { title: 'review.kind', cell: (row, lang) => t(lang, `review.kind.${row.kind}`) },
    what: { title: 'review.what', cell: (row, lang) => row.what ?? t(lang, 'review.what.elsewhere') },
    menuCount: { title: 'review.menuCount', cell: (row) => row.menuCount },
    platforms: { title: 'review.platforms', cell: (row, lang) => row.platforms.map((one) => t(lang, `platform.${one}`)).join('; ') },
    way: { title: 'review.way', cell: (row, lang) => t(lang, `review.way.${row.way}`) },
    grantedBy: { title: 'review.grantedBy', cell: (row) => row.grantedBy },
    grantedAt: { title: 'review.grantedAt', cell: (row) => day(row.grantedAt) },
    lastUsedAt: { title: 'review.lastUsedAt', cell: (row) => day(row.lastUsedAt) },
    state: { title: 'review.state', cell: (row, lang) => t(lang, `life.grantReview.${row.state}`) },
    dueAt: { title: 'review.dueAt', cell: (row) => day(row.dueAt) },
    decidedAt: { title: 'review.decidedAt', cell: (row) => day(row.decidedAt) },
    decidedBy: { title: 'review.decidedBy', cell: (row) => row.decidedBy },
  },
});
