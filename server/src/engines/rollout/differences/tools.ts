import type { Db } from '../../../platform/context.ts';
import type { BlobStore } from '../../../platform/files/blob-store.ts';

/** What keeping bytes takes, of the domain that has them all. */
export interface Bytes {
  readonly store: BlobStore;
  /** Until the transaction ends: bytes are either named or deleted, never both. */
  lock(db: Db, sha256: string): Promise<unknown>;
  /** Has bytes deleted in the background that nothing names any more. */
  drop(db: Db, sha256: string): Promise<void>;
}
