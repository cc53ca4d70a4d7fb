import { reviewCalls } from '@mooring/contract/access/review-calls';
import { handlers, type Module } from '../../platform/module.ts';
import { startExport } from '../../platform/work/exporter.ts';
import { decide, decideMany } from './decide.ts';
import { countOverdue, pageReviews, reviewExporter } from './read-reviews.ts';
import { remindOfReviews } from './remind.ts';

/** Who holds what, and once in a while whether it is still needed. */
export const review: Module = {
  name: 'review',
  jobs: [remindOfReviews],
  exporters: [reviewExporter],
  counts: {
    review: { can: 'access:review:confirm', count: countOverdue },
    managerReview: { can: 'access:managerReview:confirm', count: countOverdue },
  },
  routes: handlers(reviewCalls, {
    page: pageReviews,
    confirm: decide('confirm'),
    withdraw: decide('withdraw'),
    confirmMany: (ctx, { of, preview }) => decideMany(ctx, 'confirm', of, preview),
    withdrawMany: (ctx, { of, preview }) => decideMany(ctx, 'withdraw', of, preview),
    export: (ctx, input) => startExport(ctx, reviewExporter, input),
  }),
};
