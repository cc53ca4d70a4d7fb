import type { UploadedFile } from '@mooring/contract/file/calls';
import type { DB } from '@mooring/database/tables';
import type { Selectable } from 'kysely';
import type { Ctx, Db } from '../../platform/context.ts';

export type FileRow = Selectable<DB['file_file']>;
export type UploadRow = Selectable<DB['file_upload']>;

export const uploadedFile = (row: FileRow): UploadedFile => ({
  id: row.id,
  fileName: row.name,
  fileType: row.kind,
  size: row.size,
  md5: row.md5,
  sha256: row.sha256,
});

export interface NewFile {
  readonly kind: string;
  readonly name: string;
  readonly size: number;
  readonly sha256: string;
  readonly md5: string;
}

export const addFile = (db: Db, ctx: Pick<Ctx, 'actor' | 'scope'>, file: NewFile): Promise<FileRow> =>
  db
    .insertInto('file_file')
    .values({ ...file, user_id: ctx.actor.userId, dept_path: ctx.scope.path })
    .returningAll()
    .executeTakeFirstOrThrow();

export const fileById = (db: Db, id: number): Promise<FileRow | undefined> =>
  db.selectFrom('file_file').selectAll().where('id', '=', id).executeTakeFirst();

/**
 * A person's own upload of this content; locked, so that two tabs don't finish it twice. Asked past the range: it is the
 * person's, whichever organisation was chosen when it began.
 */
export const uploadOf = (db: Db, userId: number, identifier: string, kind: string): Promise<UploadRow | undefined> =>
  db
    .selectFrom('file_upload')
    .selectAll()
    .where('user_id', '=', userId)
    .where('identifier', '=', identifier)
    .where('kind', '=', kind)
    .forUpdate()
    .executeTakeFirst();

export const partsOf = (db: Db, uploadId: number) =>
  db.selectFrom('file_part').selectAll().where('upload_id', '=', uploadId).orderBy('part_number').execute();

export const partOf = (db: Db, uploadId: number, part: number) =>
  db.selectFrom('file_part').selectAll().where('upload_id', '=', uploadId).where('part_number', '=', part).executeTakeFirst();
