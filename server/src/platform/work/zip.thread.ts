import { parentPort, workerData } from 'node:worker_threads';
import { openZip, streamOf } from './zip.ts';

/** What an archive may hold. */
export interface ZipLimits {
  readonly files: number;
  /** Of all files, unpacked. */
  readonly bytes: number;
}
export interface ZipOf {
  readonly bytes: Uint8Array;
  readonly limits: ZipLimits;
}
/** What is wrong with one: unreadable, names that lead out of it, too many files, too large unpacked. */
export type ZipReason = 'BROKEN' | 'NAMES' | 'MANY' | 'TOO_LARGE';
export interface Listed {
  readonly path: string;
  readonly size: number;
  readonly encrypted: boolean;
}
export type ZipAnswer =
  | { readonly files: readonly Listed[] }
  | { readonly at: number; readonly bytes: Uint8Array }
  | { readonly at?: number; readonly reason: ZipReason };

class Wrong extends Error {
  readonly reason: ZipReason;
  constructor(reason: ZipReason) {
    super(reason);
    this.reason = reason;
  }
}
const outside = /^(absolute path|invalid relative path|invalid characters in fileName)/;
const faults = {
  broken: (error?: Error) => new Wrong(outside.test(error?.message ?? '') ? 'NAMES' : 'BROKEN'),
  tooMany: () => new Wrong('MANY'),
};
const reasonOf = (error: unknown): ZipReason => (error instanceof Wrong ? error.reason : 'BROKEN');

const { bytes, limits } = workerData as ZipOf;
const tell = (answer: ZipAnswer) => parentPort?.postMessage(answer);

/** Folders, and what systems put beside people's files. */
const isFile = (path: string) => !path.endsWith('/') && !path.startsWith('__MACOSX/') && !(path.split('/').at(-1) ?? '').startsWith('.');

async function main(): Promise<void> {
  const { zip, entries } = await openZip(Buffer.from(bytes), { most: limits.files, faults, strict: false });
  const files = entries.filter((entry) => isFile(entry.fileName));
  // By what it declares; what unpacks to another length is broken, so a bomb never grows.
  if (files.reduce((sum, entry) => sum + entry.uncompressedSize, 0) > limits.bytes) throw new Wrong('TOO_LARGE');
  const read = async (at: number): Promise<Uint8Array> => {
    const entry = files[at];
    if (!entry) throw new Wrong('BROKEN');
    const pieces: Buffer[] = [];
    for await (const piece of await streamOf(zip, entry, faults)) pieces.push(piece as Buffer);
    return Uint8Array.from(Buffer.concat(pieces));
  };
  parentPort?.on('message', (at: number) =>
    read(at).then(
      (content) => tell({ at, bytes: content }),
      (error: unknown) => tell({ at, reason: reasonOf(error) }),
    ),
  );
  tell({ files: files.map((entry) => ({ path: entry.fileName, size: entry.uncompressedSize, encrypted: entry.isEncrypted() })) });
}

main().catch((error: unknown) => tell({ reason: reasonOf(error) }));
