import { sql } from 'kysely';
import { z } from 'zod';
import { job } from '../../../platform/module.ts';
import { dayOf } from './taken.ts';
import { tellTerm } from './tell.ts';

const WARNINGS = [7, 30];
const MOST = 1000;

/** The term of a subscription ends: its subscribers hear of it thirty and seven days before, once each. Running again finds nothing more. */
export const warnOfTerms = job({
  name: 'app:warnOfTerms',
  payload: z.object({}),
  every: '41 * * * *',
  run: (ctx) =>
    ctx.unscoped(async (db) => {
      const ending = await db
        .selectFrom('app_subscription')
        .selectAll()
        .select(sql<number>`valid_until - ${dayOf(ctx)}::date`.as('left'))
        .where('state', '=', 'active')
        .where('valid_until', '>=', sql<never>`${dayOf(ctx)}::date`)
        .where(
          sql<boolean>`exists (select from unnest(${WARNINGS}::int[]) as days
            where valid_until <= ${dayOf(ctx)}::date + days and (warned_days is null or warned_days > days))`,
        )
        .orderBy('valid_until')
        .limit(MOST)
        .forUpdate()
        .execute();
      for (const row of ending) {
        const due = Math.min(...WARNINGS.filter((days) => row.left <= days));
        await db.updateTable('app_subscription').set({ warned_days: due }).where('id', '=', row.id).execute();
        await tellTerm(db, row, { name: 'subscriptionEnds', days: row.left });
      }
    }),
});
