import type { PackageCalls } from '@mooring/contract/engines/rollout/package-calls';
import type { ParsedInputOf } from '@mooring/contract/kit/call';
import { Fault, fault } from '@mooring/contract/kit/fault';
import type { Ctx } from '../../../platform/context.ts';
import { recordCreated } from '../../../platform/db/move.ts';
import type { RolloutKind } from '../task.ts';
import { nameOf, packageById, packageRow, packageRows } from './package-queries.ts';

const UNIQUE = '23505';
/** What a person writes of a package; `name` where the kind has several parts. */
export type PackageInput = ParsedInputOf<PackageCalls['add']> & { readonly name?: string };

export async function addPackage(ctx: Ctx, { of, files }: RolloutKind, input: Omit<PackageInput, 'publish'>) {
  // Held until the package names it: whoever cleans up meanwhile waits, and finds it named.
  const file = await ctx.db.selectFrom('file_file').selectAll().where('id', '=', input.fileId).forKeyShare().executeTakeFirst();
  if (!file) throw fault('NOT_FOUND');
  if (!files.includes(file.kind)) throw new Fault('FILE_WRONG_KIND', { fields: { fileId: 'fault.FILE_WRONG_KIND' } });
  const row = {
    content: of.kind,
    name: input.name ?? '',
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
    ({ id } = await ctx.db.insertInto('rollout_package').values(row).returning('id').executeTakeFirstOrThrow());
  } catch (error) {
    if ((error as { code?: string }).code === UNIQUE) throw new Fault('PACKAGE_EXISTS', { fields: { version: 'fault.PACKAGE_EXISTS' } });
    throw error;
  }
  await recordCreated(ctx.db, packageRows, [id], ctx.actor.userId);
  const made = await packageById(ctx.db, of, id);
  if (!made) throw fault('NOT_FOUND');
  ctx.audit({ target: nameOf(made) });
  return packageRow(of, made, ctx.actor, ctx.scope.path);
}
