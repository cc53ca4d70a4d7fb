import { endedTasks } from '@mooring/contract/engines/rollout/state-machines';
import { sql } from 'kysely';
import type { Db } from '../../platform/context.ts';
import { usableAt } from './usable-at.ts';

interface ShareUse {
  readonly devices: number;
  readonly codes: number;
  readonly rules: number;
  readonly packages: number;
  readonly releases: number;
}

/**
 * What the receiver and those below it have that would name nothing any more: a deleted terminal may be restored, and one that was let in comes
 * yet. Nothing where the product is usable there without this share.
 */
export async function useOfShare(db: Db, pair: string, now: Date): Promise<ShareUse> {
  const count = (table: string, more = sql`true`) => sql`(select count(*)::int from ${sql.table(table)} x
    where x.product_id = r.product_id and x.dept_path >= r.dept_path and x.dept_path < r.dept_path || '~' and ${more})`;
  const { rows } = await sql<ShareUse>`
    select ${count('device')} + (select count(*)::int from device_pending q join org_dept o on o.id = q.dept_id
        where q.state = 'accepted' and q.product_id = r.product_id and o.dept_path >= r.dept_path and o.dept_path < r.dept_path || '~') as devices,
      ${count('device_enrol_code', sql`x.state = 'open' and x.uses < x.max_uses and x.expires_at > ${now}`)} as codes,
      ${count('device_enrol_rule')} as rules, ${count('rollout_package', sql`x.deleted_at is null`)} as packages,
      ${count('rollout_task', sql`x.state <> all(${endedTasks}::text[])`)} as releases
    from product_share r join product_product p on p.id = r.product_id
    where r.pair = ${pair}::uuid and r.side = 'receiver' and not ${usableAt(sql`r.dept_path`, sql`r.pair`)}`.execute(db);
  return rows[0] ?? { devices: 0, codes: 0, rules: 0, packages: 0, releases: 0 };
}
