import type { Db } from '../../../platform/context.ts';
import type { BlobStore } from '../../../platform/files/blob-store.ts';

/** What keeping bytes takes, of the domain that has them all; and who may still do what, of the one that knows. */
export interface Bytes {
  readonly store: BlobStore;
  /** Until the transaction ends: bytes are either named or deleted, never both. */
  lock(db: Db, sha256: string): Promise<unknown>;
  /** Has bytes deleted in the background that nothing names any more. */
  drop(db: Db, sha256: string): Promise<void>;
  /** Whether somebody who asked for something earlier may do it there now. */
  mayStill(db: Db, userId: number, permission: string, deptId: number): Promise<boolean>;
}
