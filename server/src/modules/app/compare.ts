import type { appVersionCalls } from '@mooring/contract/app/calls';
import type { AppVersion } from '@mooring/contract/app/schemas';
import type { Handler } from '../../platform/module.ts';
import type { Resource } from '../../platform/resource/resource.ts';

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
    return { now, before: before ? await versions().read(ctx, before.id) : null };
  };
