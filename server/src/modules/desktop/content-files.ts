import { contentLimits } from '@mooring/contract/desktop/limits';
import { Fault, fault } from '@mooring/contract/kit/fault';
import type { Ctx, Db } from '../../platform/context.ts';
import { unlessRefused } from '../../platform/db/constraint.ts';
import { type NamedFile, namedFiles } from '../file/api.ts';
import type { Part } from './parts.ts';

export type ContentFile = NamedFile;
export const tooLarge = () => new Fault('CONTENT_LARGE', { params: { mb: contentLimits.bytes / 1024 / 1024 } });

/** The files that an input names: one's own uploads, or those of a row that one sees, such as the one that is copied. */
export async function filesFor(ctx: Ctx, db: Db, of: Part, named: readonly number[]): Promise<ReadonlyMap<number, NamedFile>> {
  const found = await namedFiles(ctx, named, of.files, (ids) =>
    db.selectFrom('desktop_file').select('file_id').where('file_id', 'in', ids).where('part', '=', of.part).execute(),
  );
  if ([...found.values()].reduce((sum, { size }) => sum + size, 0) > contentLimits.bytes) throw tooLarge();
  return found;
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
export const filesOf = (db: Db, of: Part, id: number): Promise<NamedFile[]> =>
  db
    .selectFrom('desktop_file as k')
    .innerJoin('file_file as f', 'f.id', 'k.file_id')
    .select(['f.id', 'f.kind', 'f.name', 'f.size', 'f.sha256'])
    .where(`k.${of.part}_id`, '=', id)
    .orderBy('f.id')
    .execute();
