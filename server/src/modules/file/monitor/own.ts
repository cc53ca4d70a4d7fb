import type { uploadMonitorCalls } from '@mooring/contract/file/upload-monitor-calls';
import { sql } from 'kysely';
import type { Handler } from '../../../platform/module.ts';
import { keptBelow, roomAt } from '../storage-quota.ts';

/** What the scope keeps, its quota, and how much may come yet: of those above it nothing is told but that. */
export const ownStorage: Handler<typeof uploadMonitorCalls.own> = async (ctx) => {
  const { path, deptId } = ctx.scope;
  const { rows } = await sql<{ kept: number; quota: number | null }>`
    select ${keptBelow(sql`${path}::text`)} as kept, (select q.bytes from file_quota q where q.dept_id = ${deptId}) as quota`.execute(
    ctx.db,
  );
  const room = await ctx.unscoped((db) => roomAt(db, path));
  return { kept: rows[0]?.kept ?? 0, quota: rows[0]?.quota ?? null, room };
};
