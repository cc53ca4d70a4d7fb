import type { Carried, PackageCalls } from '@mooring/contract/engines/rollout/package-calls';
import type { ParsedInputOf } from '@mooring/contract/kit/call';
import { Fault, fault } from '@mooring/contract/kit/fault';
import type { Ctx, Db } from '../../../platform/context.ts';
import { recordCreated } from '../../../platform/db/move.ts';
import type { BlobStore } from '../../../platform/files/blob-store.ts';
import type { RolloutKind } from '../task.ts';
import { nameOf, packageById, packageRow, packageRows } from './package-queries.ts';
import { readCarried } from './read-carried.ts';

const UNIQUE = '23505';
/** What a person writes of a package; `name` where the kind has several parts. */
export type PackageInput = ParsedInputOf<PackageCalls['add']> & { readonly name?: string };

/** Files of this kind say of themselves what they are, where they do; others are taken unread. */
const READ = '5';

/** What a person wrote is what the file says. Faults: PACKAGE_OTHER_PRODUCT, PACKAGE_OTHER_VERSION. */
async function checkCarried(db: Db, { product, version }: Carried, input: Pick<PackageInput, 'productId' | 'version'>): Promise<void> {
  const found = await db.selectFrom('product_product').select(['code', 'name']).where('id', '=', input.productId).executeTakeFirst();
  const names = product?.split('|').map((one) => one.trim().toLowerCase());
  if (names && found && !names.includes(found.code.toLowerCase()) && !names.includes(found.name.toLowerCase()))
    throw new Fault('PACKAGE_OTHER_PRODUCT', { fields: { productId: 'fault.PACKAGE_OTHER_PRODUCT' }, params: { said: product ?? '' } });
  if (version !== null && version !== input.version)
    throw new Fault('PACKAGE_OTHER_VERSION', { fields: { version: 'fault.PACKAGE_OTHER_VERSION' }, params: { said: version } });
}

export async function addPackage(ctx: Ctx, { of, files }: RolloutKind, store: BlobStore, input: Omit<PackageInput, 'publish'>) {
  // Held until the package names it: whoever cleans up meanwhile waits, and finds it named.
  const file = await ctx.db.selectFrom('file_file').selectAll().where('id', '=', input.fileId).forKeyShare().executeTakeFirst();
  if (!file) throw fault('NOT_FOUND');
  if (!files.includes(file.kind)) throw new Fault('FILE_WRONG_KIND', { fields: { fileId: 'fault.FILE_WRONG_KIND' } });
  const carried = file.kind === READ ? await readCarried({ store, sha256: file.sha256, size: file.size }) : undefined;
  if (carried) await checkCarried(ctx.db, carried, input);
  const row = {
    content: of.kind,
    carried: carried ? JSON.stringify(carried) : null,
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
