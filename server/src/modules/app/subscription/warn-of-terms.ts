import { sql } from 'kysely';
import { z } from 'zod';
import { job } from '../../../platform/module.ts';
import { warningsBefore } from '../../../platform/warn-before.ts';
import { dayOf } from './taken.ts';
import { tellOwnerOfEnd, tellTerm } from './tell.ts';

const warnings = warningsBefore(30, 7);
const MOST = 1000;

/** The term of a subscription ends: its subscribers and its owner hear of it thirty and seven days before, once each. Running again finds nothing more. */
export const warnOfTerms = job({
  name: 'app:warnOfTerms',
  payload: z.object({}),
  every: '41 * * * *',
  run: (ctx) =>
    ctx.unscoped(async (db) => {
      const left = sql<number>`valid_until - ${dayOf(ctx)}::date`;
      const ending = await db
        .selectFrom('app_subscription')
        .selectAll()
        .select(left.as('left'))
        .where('state', '=', 'active')
        .where('valid_until', '>=', sql<never>`${dayOf(ctx)}::date`)
        .where(warnings.isDue(left, 'warned_days'))
        .orderBy('valid_until')
        .limit(MOST)
        .forUpdate()
        .execute();
      for (const row of ending) {
        await db
          .updateTable('app_subscription')
          .set({ warned_days: warnings.dueAt(row.left) })
          .where('id', '=', row.id)
          .execute();
        await tellTerm(db, row, { name: 'subscriptionEnds', days: row.left });
        await tellOwnerOfEnd(db, row, row.left);
      }
    }),
});
