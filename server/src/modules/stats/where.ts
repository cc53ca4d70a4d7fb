import { fault } from '@mooring/contract/kit/fault';
import type { Ctx } from '../../platform/context.ts';
import type { Where } from './figures.ts';

/** The scope, or a department inside it; one above it, whose name may be read, is none of theirs. */
export async function whereOf(
  ctx: Ctx,
  { deptId, productId }: { deptId?: number | undefined; productId?: number | undefined },
): Promise<Where> {
  if (deptId === undefined) return { path: ctx.scope.path, productId };
  const dept = await ctx.db.selectFrom('org_dept').select('dept_path').where('id', '=', deptId).executeTakeFirst();
  if (!dept?.dept_path.startsWith(ctx.scope.path)) throw fault('NOT_FOUND');
  return { path: dept.dept_path, productId };
}
