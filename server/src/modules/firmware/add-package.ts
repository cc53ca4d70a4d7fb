import type { packageCalls } from '@mooring/contract/firmware/package-calls';
import type { ParsedInputOf } from '@mooring/contract/kit/call';
import { Fault, fault } from '@mooring/contract/kit/fault';
import type { Ctx } from '../../platform/context.ts';
import { recordCreated } from '../../platform/db/move.ts';
import { firmwarePackage, packageById, packageRows } from './package-queries.ts';

const UNIQUE = '23505';
/** File kinds of specification section 9 that may hold firmware: 5 firmware, 7 firmware without analysis. */
const firmwareKinds = ['5', '7'];

export async function addPackage(ctx: Ctx, input: Omit<ParsedInputOf<typeof packageCalls.add>, 'publish'>) {
  const file = await ctx.db.selectFrom('file_file').selectAll().where('id', '=', input.fileId).executeTakeFirst();
  if (!file) throw fault('NOT_FOUND');
  if (!firmwareKinds.includes(file.kind)) throw new Fault('FILE_WRONG_KIND', { fields: { fileId: 'fault.FILE_WRONG_KIND' } });
  const row = {
    product_id: input.productId,
    version: input.version,
    kind: input.kind,
    base: input.base,
    file_id: file.id,
    file_name: file.name,
    size: file.size,
    sha256: file.sha256,
    md5: file.md5,
    note: input.note,
    dept_id: ctx.scope.deptId,
    dept_path: ctx.scope.path,
    created_by: ctx.actor.userId,
    created_by_name: ctx.actor.userName,
  };
  let id: number;
  try {
    ({ id } = await ctx.db.insertInto('firmware_package').values(row).returning('id').executeTakeFirstOrThrow());
  } catch (error) {
    if ((error as { code?: string }).code === UNIQUE) throw new Fault('PACKAGE_EXISTS', { fields: { version: 'fault.PACKAGE_EXISTS' } });
    throw error;
  }
  await recordCreated(ctx.db, packageRows, [id], ctx.actor.userId);
  const made = await packageById(ctx.db, id);
  if (!made) throw fault('NOT_FOUND');
  ctx.audit({ target: `${made.product_name} ${made.version}` });
  return firmwarePackage(made, ctx.actor, ctx.scope.path);
}
