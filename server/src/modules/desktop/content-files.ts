import { contentLimits } from '@mooring/contract/desktop/limits';
import { Fault, fault } from '@mooring/contract/kit/fault';
import type { Ctx, Db } from '../../platform/context.ts';
import { unlessRefused } from '../../platform/db/constraint.ts';
import type { Part } from './parts.ts';

export interface ContentFile {
  readonly id: number;
  readonly kind: string;
  readonly name: string;
  readonly size: number;
  readonly sha256: string;
}
export const tooLarge = () => new Fault('CONTENT_LARGE', { params: { mb: contentLimits.bytes / 1024 / 1024 } });

/** The files that an input names: one's own uploads, or those of a row that one sees, such as the one that is copied. */
export async function filesFor(ctx: Ctx, db: Db, of: Part, named: readonly number[]): Promise<ReadonlyMap<number, ContentFile>> {
  const ids = [...new Set(named)];
  if (ids.length === 0) return new Map();
  // Whose they are is asked beside the range: an upload is the person's, whichever organisation was chosen when it was made.
  const found = await ctx.unscoped((all) =>
    all.selectFrom('file_file').select(['id', 'kind', 'name', 'size', 'sha256', 'user_id', 'expires_at']).where('id', 'in', ids).execute(),
  );
  const others = found.filter((one) => one.user_id !== ctx.actor.userId || one.expires_at !== null).map((one) => one.id);
  const seen =
    others.length === 0
      ? []
      : await db.selectFrom('desktop_file').select('file_id').where('file_id', 'in', others).where('part', '=', of.part).execute();
  const isSeen = new Set(seen.map((one) => one.file_id));
  if (found.length !== ids.length || others.some((id) => !isSeen.has(id))) throw fault('NOT_FOUND');
  if (found.some(({ kind }) => !of.files.includes(kind))) throw new Fault('FILE_KIND_REFUSED');
  if (found.reduce((sum, { size }) => sum + size, 0) > contentLimits.bytes) throw tooLarge();
  return new Map(found.map((one) => [one.id, one]));
}

/** Hangs exactly these files on a row; the database keeps them from then on. */
export async function keepFiles(db: Db, of: Part, id: number, path: string, named: readonly number[]): Promise<void> {
  const column = `${of.part}_id` as const;
  await db.deleteFrom('desktop_file').where(column, '=', id).execute();
  const rows = [...new Set(named)].map((file_id) => ({ [column]: id, file_id, dept_path: path }));
  if (rows.length === 0) return;
  await unlessRefused(
    db,
    () => db.insertInto('desktop_file').values(rows).execute(),
    ({ kind }) => (kind === 'referenced' ? fault('NOT_FOUND') : undefined),
  );
}

/** Of a row that stands. */
export const filesOf = (db: Db, of: Part, id: number): Promise<ContentFile[]> =>
  db
    .selectFrom('desktop_file as k')
    .innerJoin('file_file as f', 'f.id', 'k.file_id')
    .select(['f.id', 'f.kind', 'f.name', 'f.size', 'f.sha256'])
    .where(`k.${of.part}_id`, '=', id)
    .orderBy('f.id')
    .execute();
