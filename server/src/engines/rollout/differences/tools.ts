import type { Db } from '../../../platform/context.ts';
import type { BlobStore, Stored } from '../../../platform/files/blob-store.ts';

/** What keeping bytes takes, of the domain that has them all; and who may still do what, of the one that knows. */
export interface Bytes {
  readonly store: BlobStore;
  /** Counts what was made and stored to the quota of who asked for it; drops it where there is no room, or where `work` fails. Fault: UPLOADS_MANY. */
  keep<T>(of: { readonly userId: number; readonly path: string }, stored: Stored, work: () => Promise<T>): Promise<T>;
  /** Has a file go in the background that nothing names any more, and its bytes. */
  free(db: Db, fileId: number): Promise<unknown>;
  /** Has bytes deleted in the background that nothing names any more. */
  drop(db: Db, sha256: string): Promise<void>;
  /** Whether somebody who asked for something earlier may do it there now. */
  mayStill(db: Db, userId: number, permission: string, deptId: number): Promise<boolean>;
}
