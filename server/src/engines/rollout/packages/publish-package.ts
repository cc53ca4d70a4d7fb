import { endedTasks } from '@mooring/contract/engines/rollout/state-machines';
import type { TaskKind } from '@mooring/contract/engines/rollout/task-kind';
import { Fault, fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import type { Ctx } from '../../../platform/context.ts';
import { lockSet } from '../../../platform/db/lock-set.ts';
import { move } from '../../../platform/db/move.ts';
import { dropDifferences, madeFrom } from '../differences/move-difference.ts';
import type { Bytes } from '../differences/tools.ts';
import { forgetPlaces, ofPackages } from '../places/place-rows.ts';
import { noRound, startPublishing } from '../places/publish-job.ts';
import { nameOf, type PackageRow, packageById, packageRow, packageRows, publishedFull, unpublished } from './package-queries.ts';
import type { SignManifest } from './sign-package.ts';
import { manifestOf } from './sign-package.ts';

/** The set of releases that send a package: shared by who adds or begins one. */
export const releasesOf = (id: number) => `package:${id}`;

/** Signs the manifest and has each place asked for the file; it may be released once that is over. */
export async function publishPackage(ctx: Ctx, kind: TaskKind, id: number, sign: SignManifest) {
  const row = await packageById(ctx.db, kind, id);
  if (!row?.dept_path.startsWith(ctx.scope.path)) throw fault('NOT_FOUND');
  const full = row.kind === 'DI' ? await fullOf(ctx, kind, row) : { full_sha256: null, full_size: null };
  const { manifest, signature } = sign(manifestOf({ ...row, ...full }));
  await startPublishing(ctx, ctx.db, { ...ofPackages, rows: packageRows }, row, { set: { key_id: manifest.keyId, signature, ...full } });
  return answer(ctx, kind, id);
}

/** What a difference has to make of its base: the full package of the same version, which others get in its place. */
async function fullOf(ctx: Ctx, kind: TaskKind, row: PackageRow) {
  const full = await publishedFull(ctx.db, kind, row);
  if (!full) throw new Fault('PACKAGE_FULL_MISSING');
  return { full_sha256: full.sha256, full_size: full.size };
}

export async function unpublishPackage(ctx: Ctx, kind: TaskKind, id: number) {
  await lockSet(ctx.db, releasesOf(id));
  const row = await packageById(ctx.db, kind, id);
  if (!row?.dept_path.startsWith(ctx.scope.path)) throw fault('NOT_FOUND');
  await refuseInUse(ctx, kind, row);
  const moved = await move(ctx.db, packageRows, 'unpublish', [id], { actorId: ctx.actor.userId, set: noRound });
  if (moved.length === 0) throw fault('OVERTAKEN');
  await forgetPlaces(ctx.db, ofPackages, id);
  return answer(ctx, kind, id);
}

/** Where ended tasks used it, what it was called stays with them. */
export async function deletePackage(ctx: Ctx, kind: TaskKind, bytes: Bytes, id: number): Promise<null> {
  await lockSet(ctx.db, releasesOf(id));
  const row = await packageById(ctx.db, kind, id);
  if (!row?.dept_path.startsWith(ctx.scope.path)) throw fault('NOT_FOUND');
  if (row.publish_state !== unpublished) throw new Fault('PACKAGE_PUBLISHED');
  const used = await sql<{ open: boolean }>`
    select not (state = any(${endedTasks})) as open from rollout_task where package_id = ${id} order by 1 desc limit 1`.execute(ctx.db);
  if (used.rows[0]?.open) throw new Fault('PACKAGE_IN_USE');
  // One of an organisation above may start from it. They go last: where the package stays after all, so do they.
  if (used.rows.length > 0) await ctx.db.updateTable('rollout_package').set({ deleted_at: ctx.now() }).where('id', '=', id).execute();
  else await ctx.db.deleteFrom('rollout_package').where('id', '=', id).execute();
  const made = await ctx.unscoped((db) => (used.rows.length > 0 ? dropDifferences(db, id) : madeFrom(db, id)));
  for (const sha256 of made) await bytes.drop(ctx.db, sha256);
  // Its name stays in history; what it weighs doesn't.
  await bytes.free(ctx.db, row.file_id);
  ctx.audit({ target: nameOf(row), before: row });
  return null;
}

/** Releases of it, and of differences that make it: whoever has another base gets the whole one. Also those of others. */
async function refuseInUse(ctx: Ctx, kind: TaskKind, row: PackageRow): Promise<void> {
  const task = await ctx.unscoped((db) =>
    db
      .selectFrom('rollout_task as t')
      .innerJoin('rollout_package as f', 'f.id', 't.package_id')
      .select('t.id')
      .where((eb) => {
        const makesIt = [eb('f.kind', '=', 'DI'), eb('f.content', '=', kind.kind), eb('f.product_id', '=', row.product_id)];
        const same = [eb('f.name', '=', row.name), eb('f.version', '=', row.version), eb('f.full_sha256', '=', row.sha256)];
        return eb.or([eb('f.id', '=', row.id), ...(row.kind === 'TA' ? [eb.and([...makesIt, ...same])] : [])]);
      })
      .where('t.state', 'in', ['auditing', 'scheduled', 'running', 'paused', 'halted'])
      .limit(1)
      .executeTakeFirst(),
  );
  if (task) throw new Fault('PACKAGE_IN_USE');
}

async function answer(ctx: Ctx, kind: TaskKind, id: number) {
  const row = await packageById(ctx.db, kind, id);
  if (!row) throw fault('NOT_FOUND');
  ctx.audit({ target: nameOf(row), after: { publishState: row.publish_state } });
  return packageRow(kind, row, ctx.actor, ctx.scope.path);
}
