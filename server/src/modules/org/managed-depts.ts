import type { DeptBrief } from '@mooring/contract/org/calls';
import { sql } from 'kysely';
import type { Ctx } from '../../platform/context.ts';

/** Own department first, then the managed ones and those in trust by name. They span the scope, so it is asked past the range policy. */
export function managedDepts(ctx: Ctx): Promise<DeptBrief[]> {
  return ctx.unscoped(async (db) => {
    const { rows } = await sql<DeptBrief>`
      select o.id, o.name, o.kind, o.dept_path as path, o.parent_id as "parentId" from managed_depts(${ctx.actor.userId}) m join org_dept o on o.id = m.id
      order by o.id = ${ctx.actor.deptId} desc, o.name limit 1000`.execute(db);
    return rows;
  });
}
