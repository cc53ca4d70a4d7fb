import { Fault } from '@mooring/contract/kit/fault';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/context.ts';

/** What is kept at this path and below, as it is counted while it comes and goes. */
export const keptBelow = (path: RawBuilder<unknown>): RawBuilder<number> => sql<number>`(
  select coalesce(sum(b.bytes), 0)::float8 from org_dept d join file_usage b on b.dept_id = d.id and b.kind = ''
  where d.dept_path >= ${path} and d.dept_path < ${path} || '~')`;

/**
 * Whether so many bytes more, beside the uploads that are under way, have room in the quota of the organisation and of all above it. Past the
 * policies: who uploads doesn't see those above. Fault: STORAGE_QUOTA.
 */
export async function checkStorage(db: Db, path: string): Promise<void> {
  const full = await sql`
    select 1 from file_quota q join org_dept o on o.id = q.dept_id
    where starts_with(${path}, o.dept_path)
      and q.bytes < ${keptBelow(sql.ref('o.dept_path'))}
        + (select coalesce(sum(size), 0) from file_upload u where u.state <> 'done' and u.dept_path >= o.dept_path and u.dept_path < o.dept_path || '~')
        + (select coalesce(sum(size), 0) from file_direct f where f.dept_path >= o.dept_path and f.dept_path < o.dept_path || '~')
    limit 1`.execute(db);
  if (full.rows.length > 0) throw new Fault('STORAGE_QUOTA');
}
