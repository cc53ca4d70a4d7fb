import { Attention } from '@mooring/contract/device/attention';
import type { Fleet, Versions } from '@mooring/contract/stats/schemas';
import type { Ctx } from '../../platform/context.ts';
import { behindIn, behindOf, isStillLooking, newestVersions } from '../device/api.ts';
import { figuresNow, versionsIn, type Where } from './figures.ts';

const sumOf = (figures: readonly { readonly n: number }[]) => figures.reduce((sum, one) => sum + one.n, 0);

/** How many terminals there are, in which state, and how many somebody should look at. */
export async function fleetOf(ctx: Ctx, where: Where): Promise<Fleet> {
  const figures = await figuresNow(ctx.db, where, ['status', ...Attention.options]);
  const byStatus: Record<string, number> = {};
  for (const { measure, detail, n } of figures) if (measure === 'status') byStatus[detail] = (byStatus[detail] ?? 0) + n;
  const attention = Object.fromEntries(Attention.options.map((kind) => [kind, sumOf(figures.filter((one) => one.measure === kind))]));
  const behind = await behindIn(ctx, where.path, where.productId);
  return {
    total: Object.values(byStatus).reduce((sum, n) => sum + n, 0),
    byStatus,
    attention: attention as Fleet['attention'],
    looking: await isStillLooking(ctx, where.path),
    behind: behind.reduce((sum, one) => sum + one.count, 0),
  };
}

const PRODUCTS = 8;
const VERSIONS = 8;

/** The products with the most terminals, each with the versions that most of them run. */
export async function versionsOf(ctx: Ctx, where: Where): Promise<Versions> {
  const versions = await versionsIn(ctx.db, where);
  const newest = await newestVersions(ctx.db, where.productId);
  const isBehind = new Set(behindOf(versions, newest).map((one) => `${one.productId} ${one.version}`));
  const byProduct = Map.groupBy(versions, (one) => one.productId);
  const counted = [...byProduct].map(([productId, list]) => ({
    productId,
    total: list.reduce((sum, one) => sum + one.count, 0),
    behind: list.reduce((sum, one) => sum + (isBehind.has(`${productId} ${one.version}`) ? one.count : 0), 0),
    list: list.sort((a, b) => b.count - a.count || a.version.localeCompare(b.version)),
  }));
  const shown = counted.sort((a, b) => b.total - a.total || a.productId - b.productId).slice(0, PRODUCTS);
  const ids = shown.map((one) => one.productId);
  const named = ids.length === 0 ? [] : await ctx.db.selectFrom('product_product').select(['id', 'name']).where('id', 'in', ids).execute();
  const names = new Map(named.map((one) => [one.id, one.name]));
  return {
    behind: counted.reduce((sum, one) => sum + one.behind, 0),
    products: shown.map(({ productId, total, behind: late, list }) => ({
      productId,
      productName: names.get(productId) ?? '',
      newest: newest.get(productId) ?? null,
      behind: late,
      total,
      versions: list.slice(0, VERSIONS).map(({ version, count }) => ({ version, count, behind: isBehind.has(`${productId} ${version}`) })),
      others: list.slice(VERSIONS).reduce((sum, one) => sum + one.count, 0),
    })),
  };
}
