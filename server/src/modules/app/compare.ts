import { type appVersionCalls, reviewedParts } from '@mooring/contract/app/calls';
import type { AppVersion } from '@mooring/contract/app/schemas';
import { earlierContent, partsThatDiffer } from '../../engines/approval/earlier.ts';
import { findAudit } from '../../engines/approval/hand-in.ts';
import type { Db } from '../../platform/context.ts';
import type { Handler } from '../../platform/module.ts';
import type { Resource } from '../../platform/resource/resource.ts';
import { contentOf, ofVersion } from './review-rows.ts';

/** What is another than when it was submitted before, to whoever sees its review. */
async function changesOf(db: Db, id: number) {
  const audit = await findAudit(db, ofVersion({ id }));
  const then = audit && (await earlierContent(db, audit));
  if (!then) return [];
  const row = await db.selectFrom('app_version').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  return partsThatDiffer(reviewedParts, (await contentOf(db, row)).parts, then);
}

/** A version beside the highest one below it that was listed. */
export const compareVersion =
  (versions: () => Pick<Resource<typeof AppVersion>, 'read'>): Handler<typeof appVersionCalls.compare> =>
  async (ctx, { id }) => {
    const now = await versions().read(ctx, id);
    const before = await ctx.db
      .selectFrom('app_version')
      .select('id')
      .where('app_id', '=', now.appId)
      .where('version_code', '<', now.versionCode)
      .where('listed_at', 'is not', null)
      .where('deleted_at', 'is', null)
      .orderBy('version_code', 'desc')
      .limit(1)
      .executeTakeFirst();
    return { now, before: before ? await versions().read(ctx, before.id) : null, changes: await changesOf(ctx.db, id) };
  };
