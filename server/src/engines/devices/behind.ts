import { compareVersions } from '@mooring/contract/shared/compare-versions';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/context.ts';

export interface BehindVersion {
  readonly productId: number;
  readonly version: string;
  readonly count: number;
}

/** Of each product the newest version that is published in full, as far as it is seen from here. */
export async function newestVersions(db: Db, productId?: number, among = sql<boolean>`true`): Promise<Map<number, string>> {
  const rows = await db
    .selectFrom('rollout_package')
    .select(['product_id', 'version'])
    .where('content', '=', 'firmware')
    .where('kind', '=', 'TA')
    .where('publish_state', 'in', ['1', '3'])
    .where('deleted_at', 'is', null)
    .where(among)
    .$if(productId !== undefined, (of) => of.where('product_id', '=', productId as number))
    .distinct()
    .execute();
  const newest = new Map<number, string>();
  for (const row of rows) {
    const known = newest.get(row.product_id);
    if (known === undefined || compareVersions(row.version, known) > 0) newest.set(row.product_id, row.version);
  }
  return newest;
}

/** Which of these versions are below the newest of their product. */
export const behindOf = <T extends { readonly productId: number; readonly version: string }>(
  versions: readonly T[],
  newest: ReadonlyMap<number, string>,
): T[] =>
  versions.filter((one) => {
    const goal = newest.get(one.productId);
    return goal !== undefined && compareVersions(one.version, goal) < 0;
  });

/** Devices that run one of these. */
export const isBehind = (versions: readonly BehindVersion[]): RawBuilder<boolean> =>
  sql<boolean>`(d.product_id, d.firmware) in (select * from unnest(${versions.map((one) => one.productId)}::bigint[], ${versions.map((one) => one.version)}::text[]))`;

/** The same below a path for whoever sees more than its organisation does: what is seen from there counts. */
export async function behindBelow(db: Db, path: string): Promise<BehindVersion[]> {
  const seen = sql<boolean>`(starts_with(${path}, dept_path) or (dept_path >= ${path} and dept_path < ${`${path}~`}))`;
  const newest = await newestVersions(db, undefined, seen);
  if (newest.size === 0) return [];
  const { rows } = await sql<BehindVersion>`
    select product_id as "productId", firmware as version, sum(n)::int as count from device_tally
    where dept_path >= ${path} and dept_path < ${`${path}~`} and product_id = any(${[...newest.keys()]}::bigint[]) group by 1, 2`.execute(
    db,
  );
  return behindOf(rows, newest);
}
