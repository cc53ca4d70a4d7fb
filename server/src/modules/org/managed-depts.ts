import type { DeptBrief } from '@mooring/contract/org/calls';
import type { Ctx } from '../../platform/context.ts';

/** Own department first, then the managed ones by name. They span the scope, so it is asked past the range policy. */
export function managedDepts(ctx: Ctx): Promise<DeptBrief[]> {
  return ctx.unscoped(async (db) => {
    const rows = await db
      .selectFrom('org_dept')
      .select(['id', 'name', 'kind', 'dept_path', 'parent_id'])
      .where('state', '=', 'enabled')
      .where((eb) =>
        eb.or([
          eb('id', '=', ctx.actor.deptId),
          eb('id', 'in', eb.selectFrom('access_managed_dept').select('dept_id').where('user_id', '=', ctx.actor.userId)),
        ]),
      )
      .orderBy('name')
      .limit(1000)
      .execute();
    const briefs = rows.map((row) => ({ id: row.id, name: row.name, kind: row.kind, path: row.dept_path, parentId: row.parent_id }));
    return [...briefs.filter((one) => one.id === ctx.actor.deptId), ...briefs.filter((one) => one.id !== ctx.actor.deptId)];
  });
}
