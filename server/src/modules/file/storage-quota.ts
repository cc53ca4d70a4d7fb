import { Fault } from '@mooring/contract/kit/fault';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/context.ts';

/** What is kept at this path and below: as it was last added up, and what came and went since. */
export const keptBelow = (path: RawBuilder<unknown>): RawBuilder<number> => sql<number>`(
  select coalesce(sum(b.bytes), 0)::float8 + coalesce((
    select sum(c.bytes) from org_dept e join file_usage_change c on c.dept_id = e.id where e.dept_path >= ${path} and e.dept_path < ${path} || '~'), 0)::float8
  from org_dept d join file_usage b on b.dept_id = d.id and b.kind = '' where d.dept_path >= ${path} and d.dept_path < ${path} || '~')`;

/**
 * Whether what is kept, what is on its way, and `more` bytes beside it have room in the quota of the organisation and of all above it. Past the
 * policies: who uploads doesn't see those above. Who asks within one quota goes one after the other until the transaction ends. Fault: STORAGE_QUOTA.
 */
export async function checkStorage(db: Db, path: string, more = 0): Promise<void> {
  const room = await roomAt(db, path, sql`for no key update of q`);
  if (room !== null && room < more) throw new Fault('STORAGE_QUOTA');
}

/** What may come yet at a path: the least of its own quota and those above it. Null where there is none; below zero where more is kept already. */
export async function roomAt(db: Db, path: string, held = sql``): Promise<number | null> {
  const quotas = await sql<{ path: string; bytes: number }>`
    select o.dept_path as path, q.bytes from file_quota q join org_dept o on o.id = q.dept_id
    where starts_with(${path}, o.dept_path) order by q.dept_id ${held}`.execute(db);
  const rooms: number[] = [];
  for (const quota of quotas.rows) {
    const under = (column: string) => sql<boolean>`${sql.ref(column)} >= ${quota.path} and ${sql.ref(column)} < ${`${quota.path}~`}`;
    const found = await sql<{ bytes: number }>`
      select ${keptBelow(sql`${quota.path}::text`)}
        + (select coalesce(sum(u.size), 0) from file_upload u where u.state in ('uploading', 'assembling', 'failed') and ${under('u.dept_path')})::float8
        + (select coalesce(sum(f.size), 0) from file_direct f where ${under('f.dept_path')})::float8 as bytes`.execute(db);
    rooms.push(quota.bytes - (found.rows[0]?.bytes ?? 0));
  }
  return rooms.length === 0 ? null : Math.min(...rooms);
}

/** Adds up what came and went; hourly. Nothing is lost where it is cut: it is one statement. */
export const foldUsage = (db: Db) =>
  sql`
    with gone as (delete from file_usage_change returning dept_id, kind, files, bytes)
    insert into file_usage as u select dept_id, coalesce(kind, ''), sum(files), sum(bytes) from gone group by grouping sets ((dept_id, kind), (dept_id)) order by 1, 2
    on conflict (dept_id, kind) do update set files = u.files + excluded.files, bytes = u.bytes + excluded.bytes`.execute(db);
