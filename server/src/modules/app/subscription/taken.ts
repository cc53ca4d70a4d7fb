import { Fault, fault } from '@mooring/contract/kit/fault';
import { type RawBuilder, sql } from 'kysely';
import type { Ctx, Db } from '../../../platform/context.ts';
import { isForAll } from '../version-rows.ts';

/** Today, of whoever asks: terms end with their day. */
export const dayOf = (ctx: Pick<Ctx, 'now'>): string => ctx.now().toISOString().slice(0, 10);

/** Subscriptions `t` that hold on a day. */
export const holds = (day: string): RawBuilder<boolean> =>
  sql<boolean>`(t.state = 'active' and not app_blocked(t.app_id, t.dept_path) and (t.valid_until is null or t.valid_until >= ${day}::date))`;

/** The version of an app that subscribers get: the one that they keep to, or else the newest in their catalogue for all to have. */
export const taken = (column: 'id' | 'version_name' | 'version_code') =>
  sql<never>`(select v.${sql.ref(column)} from app_version v where v.app_id = t.app_id and app_listed_for(v.id, t.dept_path)
    and v.channel = 'release' and (t.version_id is null or v.id = t.version_id) order by v.version_code desc limit 1)`;

/** A version that is in the catalogue of the organisation, and that this app has. Fault: NOT_FOUND, APP_NOT_LISTED. */
export async function checkVersion(db: Db, appId: number, versionId: number | null, path: string): Promise<void> {
  if (versionId === null) return;
  const row = await db
    .selectFrom('app_version')
    .select(['channel', sql<boolean>`app_listed_for(id, ${path})`.as('listed')])
    .where('id', '=', versionId)
    .where('app_id', '=', appId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (!row) throw fault('NOT_FOUND');
  if (!row.listed || !isForAll(row.channel)) throw new Fault('APP_NOT_LISTED', { fields: { versionId: 'fault.APP_NOT_LISTED' } });
}
