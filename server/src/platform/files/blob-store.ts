import type { Readable } from 'node:stream';

/** Digests and length of what was stored. `sha256` is the blob's name. */
export interface Stored {
  readonly sha256: string;
  readonly md5: string;
  readonly size: number;
}

/** A blob that is open: its bytes go where the caller wants them. */
export interface OpenBlob {
  readonly size: number;
  /** Fills the block from this place on; how many bytes it were, 0 behind the end. */
  into(block: Buffer, length: number, at: number): Promise<number>;
  close(): void;
}

/** Content-addressed bytes: a blob never changes, and the same bytes are kept once. */
export interface BlobStore {
  readonly name: string;
  put(bytes: Readable): Promise<Stored>;
  /** Takes a file that nobody writes any more as a blob, without a copy where that can be; undefined where it has other digests. The file stays too. */
  adopt?(path: string, wanted: { readonly md5: string; readonly size: number }): Promise<Stored | undefined>;
  /** Length of a blob; undefined where it isn't there. */
  size(sha256: string): Promise<number | undefined>;
  /** Bytes from `start` to `end`, both included. */
  read(sha256: string, range?: { start: number; end: number }): Promise<Readable>;
  /** Where bytes lie on this machine: sending them needs no stream, and no buffer of its own for each part. */
  open?(sha256: string): Promise<OpenBlob | undefined>;
  /** An address outside this server, where the store has one: bytes then bypass us. */
  signedUrl?(sha256: string, seconds: number, method?: 'GET' | 'HEAD'): Promise<string>;
  /** Path below the store's folder, for a proxy that serves it itself (`X-Accel-Redirect`). */
  pathOf?(sha256: string): string;
  delete(sha256: string): Promise<void>;
  /** Removes what was half stored before then and abandoned. */
  tidy?(before: Date): Promise<void>;
}
