import { sql } from 'kysely';
import type { Db } from '../context.ts';
import type { BlobStore } from './blob-store.ts';

/** Until the transaction ends: bytes are either named or deleted, never both. */
export const lockBlob = (db: Db, sha256: string) => sql`select pg_advisory_xact_lock(hashtextextended(${sha256}, 0))`.execute(db);

/** The same of bytes that are stored: they may have been there before, and be on their way out. Fault: ENOENT. */
export async function holdBlob(db: Db, store: BlobStore, sha256: string): Promise<void> {
  await lockBlob(db, sha256);
  if ((await store.size(sha256)) === undefined) throw Object.assign(new Error('the bytes were deleted meanwhile'), { code: 'ENOENT' });
}
