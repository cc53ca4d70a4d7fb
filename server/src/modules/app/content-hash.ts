import { createHash } from 'node:crypto';
import type { Db } from '../../platform/context.ts';
import type { VersionRow } from './version-rows.ts';

export interface Audience {
  readonly productIds: readonly number[];
  readonly deptIds: readonly number[];
  readonly sns: readonly string[];
}

/** For what and for whom a version is, by its side tables. */
export async function audienceOf(db: Db, id: number): Promise<Audience> {
  const products = await db
    .selectFrom('app_version_product')
    .select('product_id')
    .where('version_id', '=', id)
    .orderBy('product_id')
    .execute();
  const depts = await db.selectFrom('app_version_dept').select('dept_id').where('version_id', '=', id).orderBy('dept_id').execute();
  const sns = await db.selectFrom('app_version_sn').select('sn').where('version_id', '=', id).orderBy('sn').execute();
  return { productIds: products.map((row) => row.product_id), deptIds: depts.map((row) => row.dept_id), sns: sns.map((row) => row.sn) };
}

/** Keys in one order, however they were written. */
const sorted = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(sorted)
    : value !== null && typeof value === 'object'
      ? Object.fromEntries(
          Object.entries(value)
            .toSorted(([a], [b]) => (a < b ? -1 : 1))
            .map(([key, of]) => [key, sorted(of)]),
        )
      : value;

type Content = Pick<VersionRow, 'sha256' | 'listing' | 'screenshots' | 'channel' | 'scope'>;
/** Of the package and of all that is said of it: a reviewer approves exactly this. */
export function hashedOf({ sha256, listing, screenshots, channel, scope }: Content, audience: Audience) {
  const parts = { sha256, listing, screenshots: screenshots.map(Number), channel, scope, ...audience };
  const hash = createHash('sha256')
    .update(JSON.stringify(sorted(parts)))
    .digest('hex');
  return { hash, parts };
}
