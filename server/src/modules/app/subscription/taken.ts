import { Fault, fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import type { Db } from '../../../platform/context.ts';

/** Subscriptions `t` that hold now. */
export const holds = sql<boolean>`(t.state = 'active' and t.blacklist = '0' and (t.valid_until is null or t.valid_until >= current_date))`;

/** The version of an app that subscribers get: the one that they keep to, or else the newest in the catalogue for all to have. */
export const taken = (column: 'id' | 'version_name' | 'version_code') =>
  sql<never>`(select v.${sql.ref(column)} from app_version v where v.app_id = t.app_id and v.deleted_at is null and v.review_state = '2' and v.publish_state in ('1', '3')
    and v.channel = 'release' and (t.version_id is null or v.id = t.version_id) order by v.version_code desc limit 1)`;

/** A version in the catalogue that this app has. Fault: NOT_FOUND, APP_NOT_LISTED. */
export async function checkVersion(db: Db, appId: number, versionId: number | null): Promise<void> {
  if (versionId === null) return;
  const row = await db
    .selectFrom('app_version')
    .select(['review_state', 'publish_state'])
    .where('id', '=', versionId)
    .where('app_id', '=', appId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (!row) throw fault('NOT_FOUND');
  if (row.review_state !== '2' || !['1', '3'].includes(row.publish_state))
    throw new Fault('APP_NOT_LISTED', { fields: { versionId: 'fault.APP_NOT_LISTED' } });
}
