import { sql } from 'kysely';
import type { Db } from '../../platform/context.ts';
import { partPattern } from '../../platform/db/criteria.ts';

/** Devices in scope by status, from the counters: no scan of the devices. */
export async function countDevices(db: Db): Promise<{ byStatus: Record<string, number>; total: number }> {
  const sums = await sql<{ status: string; n: number }>`select status, sum(n)::bigint as n from device_tally group by status`.execute(db);
  const byStatus = Object.fromEntries(sums.rows.filter((row) => row.n !== 0).map((row) => [row.status, row.n]));
  return { byStatus, total: sums.rows.reduce((sum, row) => sum + row.n, 0) };
}

/** All of them: what a page without conditions would count. */
export const devicesInScope = sql<number>`(select coalesce(sum(n), 0) from device_tally)`;

export async function countFirmwares(db: Db, productId?: number): Promise<{ version: string; count: number }[]> {
  const sums = await sql<{ version: string; count: number }>`
    select firmware as version, sum(n)::bigint as count from device_tally where firmware <> '' and ${productId === undefined ? sql`true` : sql`product_id = ${productId}`} group by firmware having sum(n) > 0 order by count desc, version limit 200`.execute(
    db,
  );
  return sums.rows;
}

/** Apps on terminals of the scope, by name or package name. */
export async function installedApps(db: Db, text: string): Promise<{ packageName: string; name: string }[]> {
  const rows = await sql<{ packageName: string; name: string }>`
    select package_name as "packageName", coalesce(name, package_name) as name from device_app_names(${partPattern(text)}, 50)`.execute(db);
  return rows.rows;
}

export async function usedTags(db: Db): Promise<string[]> {
  const rows = await sql<{ tag: string }>`
    select tag from (select unnest(tags) as tag from device where deleted_at is null and tags <> '{}' limit 20000) t group by tag order by count(*) desc, tag limit 200`.execute(
    db,
  );
  return rows.rows.map((row) => row.tag);
}
