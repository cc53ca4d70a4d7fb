import type { Db } from '../../platform/context.ts';
import { checkAndroid, checkFollows, checkProcessors, type Listed } from './check-package.ts';
import { listedStates, type VersionRow } from './version-rows.ts';

type Following = Pick<VersionRow, 'version_code' | 'certificate_sha256' | 'lineage' | 'channel'> & {
  readonly id?: number;
  readonly listed_at?: Date | null;
};

/**
 * Of a channel of an app the highest version that was listed, whether it still is or not, and after it all that are in the catalogue. A test build by a
 * key of its own binds no shop's versions, nor they it.
 */
async function listedOf(db: Db, appId: number, { id = 0, channel }: Following): Promise<Listed[]> {
  const rows = await db
    .selectFrom('app_version')
    .select(['version_code', 'certificate_sha256', 'publish_state'])
    .where('app_id', '=', appId)
    .where('channel', '=', channel)
    .where('id', '<>', id)
    .where('listed_at', 'is not', null)
    .where('deleted_at', 'is', null)
    .orderBy('version_code', 'desc')
    .execute();
  return rows.filter(({ publish_state: state }, at) => at === 0 || listedStates.includes(state));
}

/** Faults: APP_CODE_LOW, APP_CERTIFICATE. One that was listed already followed what was before it. */
export async function checkFollowing(db: Db, appId: number, version: Following, field?: string): Promise<void> {
  if (version.listed_at) return;
  checkFollows(version, await listedOf(db, appId, version), field);
}

/** Faults: APP_ANDROID, APP_ABI. */
export async function checkProducts(
  db: Db,
  version: Pick<VersionRow, 'min_sdk' | 'valid_from' | 'abis'>,
  ids: readonly number[],
  field: string,
): Promise<void> {
  if (ids.length === 0) return;
  const products = await db
    .selectFrom('product_product')
    .select(['name', 'android_sdk', 'abis'])
    .where('id', 'in', [...ids])
    .orderBy('id')
    .execute();
  checkAndroid(version, products, field);
  checkProcessors(version, products, field);
}
