import { AuditConfig, auditConfigCalls } from '@mooring/contract/approval/config-calls';
import { sql } from 'kysely';
import type { Db } from '../../platform/context.ts';
import { pathsAbove } from '../../platform/paths-above.ts';
import { resource } from '../../platform/resource/resource.ts';

export const auditConfigs = resource(AuditConfig, auditConfigCalls, {
  table: 'approval_config',
  small: true,
  target: (row) => `rule ${row.id}`,
  joined: (query) => query.innerJoin('org_dept as o', 'o.id', 't.dept_id').select('o.name as dept_name'),
});

/** Whether releases of these owners are approved. Of several rules on the way up the nearest counts. */
export async function rulesOf(db: Db, type: string, paths: readonly string[]): Promise<(deptPath: string) => boolean> {
  const { rows } = await sql<{ dept_path: string; enabled: boolean }>`
    select dept_path, enabled from approval_config where task_type = ${type} and dept_path = any(${[...new Set(paths.flatMap(pathsAbove))]}::text[])
    order by length(dept_path) desc`.execute(db);
  return (deptPath) => rows.find((row) => deptPath.startsWith(row.dept_path))?.enabled ?? false;
}
