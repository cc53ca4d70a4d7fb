import { Readable } from 'node:stream';
import { type ReadPackage, readPackage } from '@mooring/apk/api';
import type { appVersionCalls } from '@mooring/contract/app/calls';
import { PICTURE } from '@mooring/contract/file/kinds';
import type { ParsedInputOf } from '@mooring/contract/kit/call';
import { Fault, fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import type { Ctx, Db } from '../../platform/context.ts';
import { recordCreated } from '../../platform/db/move.ts';
import type { BlobStore } from '../../platform/files/blob-store.ts';
import { t } from '../../platform/texts/translate.ts';
import { addFile, dropUnnamed, type Files, redraw } from '../file/api.ts';
import { checkDeveloper } from './check-developer.ts';
import { checkPackage, refused } from './check-package.ts';
import { copyOf } from './copy-version.ts';
import { checkFollowing } from './listed.ts';
import { withFile } from './open-package.ts';
import { changed, holdApp, reviewRows, targetOf } from './version-rows.ts';

type Input = ParsedInputOf<typeof appVersionCalls.add>;
interface Owner {
  readonly dept_id: number;
  readonly dept_path: string;
}
type File = Awaited<ReturnType<typeof packageFile>>;
type Icon = Awaited<ReturnType<BlobStore['put']>>;
export const APK = '4';

export interface Packages {
  readonly dataDir: string;
  readonly files: Files;
}

async function packageFile(db: Db, id: number) {
  const file = await db.selectFrom('file_file').selectAll().where('id', '=', id).executeTakeFirst();
  if (!file) throw fault('NOT_FOUND');
  if (file.kind !== APK) throw refused('FILE_KIND_REFUSED');
  return file;
}

/** Of which app it is to be, where that is said. */
async function namedApp(ctx: Ctx, db: Db, id: number | null) {
  if (id === null) return undefined;
  const row = await db.selectFrom('app_app').selectAll().where('id', '=', id).where('deleted_at', 'is', null).executeTakeFirst();
  if (!row?.dept_path.startsWith(ctx.scope.path)) throw fault('NOT_FOUND');
  return row;
}

/** The picture of the package, drawn anew; one that can't be drawn is none. */
async function storeIcon(store: BlobStore, { info: { icon } }: ReadPackage): Promise<Icon | undefined> {
  if (!icon) return undefined;
  try {
    return await store.put(Readable.from([await redraw(Buffer.from(icon.bytes))]));
  } catch (error) {
    if (error instanceof Fault && error.fault !== 'TOO_MANY') return undefined;
    throw error;
  }
}

/** As its unique index has it, and without values: a plan that was kept knows it by that alone. */
const current = sql<boolean>`deleted_at is null and not twin`;

/** The app of an organisation, made with its first version. */
async function appOf(ctx: Ctx, db: Db, { dept_id, dept_path }: Owner, { info }: ReadPackage): Promise<number> {
  const values = {
    package_name: info.packageName,
    name: (info.label || info.packageName).slice(0, 64),
    dept_id,
    dept_path,
    created_by_id: ctx.actor.userId,
    created_by: ctx.actor.userName,
    created_at: ctx.now(),
    updated_at: ctx.now(),
  };
  await db
    .insertInto('app_app')
    .values(values)
    .onConflict((on) => on.columns(['dept_id', 'package_name']).where(current).doNothing())
    .execute();
  const row = await db
    .selectFrom('app_app')
    .select('id')
    .where('dept_id', '=', dept_id)
    .where('package_name', '=', info.packageName)
    .where(current)
    .executeTakeFirstOrThrow();
  return row.id;
}

/** The same picture as an earlier version's is that one. */
async function iconId(ctx: Ctx, db: Db, store: BlobStore, appId: number, icon: Icon | undefined): Promise<number | null> {
  if (!icon) return null;
  const had = await db
    .selectFrom('app_version as v')
    .innerJoin('file_file as f', 'f.id', 'v.icon_id')
    .select('f.id')
    .where('v.app_id', '=', appId)
    .where('f.sha256', '=', icon.sha256)
    .limit(1)
    .executeTakeFirst();
  return had?.id ?? (await addFile(db, ctx, store, { kind: PICTURE, name: 'icon.png', ...icon })).id;
}

const columnsOf = ({ info, signature, certificates }: ReadPackage, file: File, channel: string) => ({
  package_name: info.packageName,
  version_code: info.versionCode,
  version_name: info.versionName,
  file_id: file.id,
  file_name: file.name,
  size: file.size,
  sha256: file.sha256,
  md5: file.md5,
  certificate_sha256: signature.certificate?.sha256 ?? '',
  certificates: certificates.map((one) => Buffer.from(one)),
  signer: JSON.stringify(signature.certificate),
  lineage: [...signature.lineage],
  schemes: [...signature.schemes],
  valid_from: signature.validFrom ?? 1,
  min_sdk: info.minSdk,
  target_sdk: info.targetSdk,
  max_sdk: info.maxSdk,
  shared_user: info.sharedUser,
  abis: [...info.abis],
  permissions: [...info.permissions],
  features: [...info.features],
  labels: JSON.stringify(info.labels),
  debuggable: info.debuggable,
  test_only: info.testOnly,
  public_test_key: signature.publicTestKey,
  channel,
});

interface Kept {
  readonly read: ReadPackage;
  readonly file: File;
  readonly icon: Icon | undefined;
  readonly channel: string;
  /** Of which app it was said to be: of two that carry one name, that one. */
  readonly named: number | undefined;
}

/** The app, held until its new version is there: the last draft of it may go at this moment, and the app with it. */
async function heldApp(ctx: Ctx, db: Db, owner: Owner, { read, named }: Kept): Promise<number> {
  for (;;) {
    const id = named ?? (await appOf(ctx, db, owner, read));
    if (await holdApp(db, id)) return id;
    if (named !== undefined) throw fault('NOT_FOUND');
  }
}

/** Everything that the package says of itself is taken from it, and what the version before it said stands for it too. */
async function keepVersion(ctx: Ctx, db: Db, { files: { store } }: Packages, owner: Owner, of: Kept) {
  await checkDeveloper(db, owner.dept_id);
  const appId = await heldApp(ctx, db, owner, of);
  const columns = columnsOf(of.read, of.file, of.channel);
  const { version_code: code } = columns;
  const taken = await db
    .selectFrom('app_version')
    .select('id')
    .where('app_id', '=', appId)
    .where('version_code', '=', code)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (taken) throw refused('APP_CODE_TAKEN', { code });
  await checkFollowing(db, appId, columns);
  const icon_id = await iconId(ctx, db, store, appId, of.icon);
  const { listing, keep } = await copyOf(db, appId, of.read.info);
  const author = { created_by_id: ctx.actor.userId, created_by: ctx.actor.userName, created_at: ctx.now(), edited_at: ctx.now() };
  const { id } = await db
    .insertInto('app_version')
    .values({ ...columns, app_id: appId, icon_id, listing: JSON.stringify(listing), ...keep.columns, ...author, ...owner })
    .returning('id')
    .executeTakeFirstOrThrow();
  await keep.rows(id, owner.dept_path);
  await recordCreated(db, reviewRows, [id], ctx.actor.userId);
  await db
    .updateTable('app_app')
    .set((eb) => ({ updated_at: ctx.now(), icon_id: eb.fn.coalesce('icon_id', eb.val(icon_id)) }))
    .where('id', '=', appId)
    .execute();
  await changed(ctx, db, owner.dept_path);
  ctx.audit({ target: targetOf(columns) });
  return id;
}

/** The rule that it breaks, in words. */
function saidAtFile(error: unknown): never {
  if (!(error instanceof Fault) || error.fault !== 'PACKAGE_UNREADABLE') throw error;
  throw new Fault(error.fault, { fields: { fileId: `app.rule.${error.params.rule}` }, params: { ...error.params } });
}

/** Reads an uploaded package and makes a version of it, or refuses it and leaves nothing behind. Answers its id. */
export async function addVersion(ctx: Ctx, packages: Packages, { fileId, appId, channel }: Input): Promise<number> {
  const { file, owner, app } = await ctx.inTx(async (db) => {
    const named = await namedApp(ctx, db, appId);
    const to = named ?? { dept_id: ctx.scope.deptId, dept_path: ctx.scope.path };
    await checkDeveloper(db, to.dept_id);
    return { app: named, owner: { dept_id: to.dept_id, dept_path: to.dept_path }, file: await packageFile(db, fileId) };
  });
  const read = await withFile(packages.dataDir, packages.files.store, file.sha256, readPackage).catch(saidAtFile);
  const { packageName: found } = read.info;
  if (app && found !== app.package_name) throw refused('APP_PACKAGE_NAME', { found, wanted: app.package_name });
  checkPackage(read, channel, (key) => t(ctx.lang, key));
  const icon = await storeIcon(packages.files.store, read);
  try {
    return await ctx.inTx((db) => keepVersion(ctx, db, packages, owner, { read, file, icon, channel, named: app?.id }));
  } catch (error) {
    if (icon) await dropUnnamed(ctx, icon.sha256);
    throw error;
  }
}
