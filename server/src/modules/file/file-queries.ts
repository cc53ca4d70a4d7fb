import type { UploadedFile } from '@mooring/contract/file/calls';
import type { DB } from '@mooring/database/tables';
import { type Selectable, sql } from 'kysely';
import type { Ctx, Db } from '../../platform/context.ts';
import type { BlobStore } from '../../platform/files/blob-store.ts';
import { holdBlob } from '../../platform/files/lock-blob.ts';
import type { Part } from '../../platform/files/staging.ts';

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

/** Names stored bytes. They may have been there before, and be on their way out. */
export async function addFile(db: Db, ctx: Pick<Ctx, 'actor' | 'scope' | 'now'>, store: BlobStore, file: NewFile): Promise<FileRow> {
  await holdBlob(db, store, file.sha256);
  const values = { ...file, user_id: ctx.actor.userId, dept_path: ctx.scope.path, created_at: ctx.now() };
  return db.insertInto('file_file').values(values).returningAll().executeTakeFirstOrThrow();
}

export const fileById = (db: Db, id: number): Promise<FileRow | undefined> =>
  db.selectFrom('file_file').selectAll().where('id', '=', id).executeTakeFirst();

/** Asked past the range: an upload is the person's, whichever organisation was chosen when it began. The newest of this content: earlier ones have ended. */
const ownUpload = (db: Db, userId: number, identifier: string, kind: string) =>
  db
    .selectFrom('file_upload')
    .selectAll('file_upload')
    .where('user_id', '=', userId)
    .where('identifier', '=', identifier)
    .where('kind', '=', kind)
    // What came in one call is no upload that goes on.
    .where('way', '=', 'parts')
    .orderBy('file_upload.id', 'desc')
    .limit(1);

/** A person's own upload of this content, with what is known of one part of it. */
export const seeUpload = (db: Db, userId: number, identifier: string, kind: string, part: number) =>
  ownUpload(db, userId, identifier, kind)
    .leftJoin('file_part', (join) => join.onRef('file_part.upload_id', '=', 'file_upload.id').on('file_part.part_number', '=', part))
    .select('file_part.md5 as known')
    .executeTakeFirst();

/** What an upload is known by before its row is read. */
export const uploadName = (userId: number, identifier: string, kind: string): string => [userId, kind, identifier].join('/');

/** An upload of their own, locked, so that two tabs don't finish it twice. */
export const uploadOf = (db: Db, userId: number, identifier: string, kind: string): Promise<UploadRow | undefined> =>
  ownUpload(db, userId, identifier, kind).forUpdate().executeTakeFirst();

export const partsOf = (db: Db, uploadId: number) =>
  db.selectFrom('file_part').selectAll().where('upload_id', '=', uploadId).orderBy('part_number').execute();

/** Where a part stands in the whole. */
export const placeOf = (upload: UploadRow, row: Pick<Selectable<DB['file_part']>, 'part_number' | 'md5' | 'size'>): Part => ({
  number: row.part_number,
  md5: row.md5,
  size: row.size,
  at: (row.part_number - 1) * upload.part_size,
});

export async function countParts(db: Db, uploadId: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from file_part where upload_id = ${uploadId}`.execute(db);
  return rows[0]?.n ?? 0;
}

export const partOf = (db: Db, uploadId: number, part: number) =>
  db.selectFrom('file_part').selectAll().where('upload_id', '=', uploadId).where('part_number', '=', part).executeTakeFirst();
