import type { AnyEntity, Fields } from '@mooring/contract/kit/entity';
import { fault } from '@mooring/contract/kit/fault';
import type { Ctx, Db } from '../context.ts';
import type { RawRow } from './columns.ts';

/** Which organisation a row is put into: the one that the input names, inside the scope and open, else the scope's own. */
export async function ownerColumns(ctx: Ctx, db: Db, of: AnyEntity, input: RawRow, before?: RawRow): Promise<Record<string, unknown>> {
  if (of.rowClass === 'shared') return {};
  if ((of.fields as Fields).deptId?.kind !== 'written') return before ? {} : { dept_id: ctx.scope.deptId, dept_path: ctx.scope.path };
  const { deptId } = input as { deptId?: number };
  // One that is said when the row is added and never changed isn't in a change.
  if (before && (deptId === undefined || before.dept_id === deptId)) return {};
  if (deptId === undefined) throw fault('NOT_FOUND');
  const dept = await db.selectFrom('org_dept').select(['dept_path', 'state']).where('id', '=', deptId).executeTakeFirst();
  if (!dept?.dept_path.startsWith(ctx.scope.path) || dept.state !== 'enabled') throw fault('NOT_FOUND');
  return { dept_path: dept.dept_path };
}
