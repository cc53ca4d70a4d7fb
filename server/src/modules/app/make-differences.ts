import { z } from 'zod';
import { addForUse } from '../../engines/rollout/differences/add-differences.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import { job } from '../../platform/module.ts';
import { appDifferences } from './differences.ts';

const MAKE = 'app:makeDifferences';

/** A version has just come into the catalogue: once the transaction of `db` is done, what differs from those in use is made. */
export const makeDifferences = (ctx: Pick<Ctx, 'enqueue'>, db: Db, versionId: number): Promise<void> =>
  ctx.enqueue(db, MAKE, { versionId });

export const makeDifferencesJob = job({
  name: MAKE,
  payload: z.object({ versionId: z.int() }),
  run: (ctx, { versionId }) =>
    // Whose terminals run what is nothing that its developer sees: of subscribers' too.
    ctx.unscoped(async (db) => {
      const row = await db
        .selectFrom('app_version')
        .select(['submitted_by_id', 'submitted_by'])
        .where('id', '=', versionId)
        .executeTakeFirst();
      if (row?.submitted_by_id == null) return;
      await addForUse(ctx, db, appDifferences, versionId, { userId: row.submitted_by_id, userName: row.submitted_by });
    }),
});
