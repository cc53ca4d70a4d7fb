import { type BehindVersion, behindOf, newestVersions } from '../../engines/devices/behind.ts';
import type { Ctx } from '../../platform/context.ts';
import { versionsIn } from '../stats/api.ts';

/** Which versions below a path are behind, with how many terminals run them: from the counters. */
export async function behindIn(ctx: Pick<Ctx, 'db'>, path: string, productId?: number): Promise<BehindVersion[]> {
  const newest = await newestVersions(ctx.db, productId);
  return newest.size === 0 ? [] : behindOf(await versionsIn(ctx.db, { path, productId }), newest);
}
