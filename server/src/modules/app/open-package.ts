import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { BlobStore } from '../../platform/files/blob-store.ts';

/** A stored package as a file on this machine: where it lies, or a copy for as long as it is read. */
export async function withFile<T>(dataDir: string, store: BlobStore, sha256: string, work: (path: string) => Promise<T>): Promise<T> {
  if (store.pathOf) return work(join(dataDir, 'blobs', store.pathOf(sha256)));
  const folder = await mkdtemp(join(tmpdir(), 'mooring-package-'));
  try {
    const path = join(folder, 'package.apk');
    await pipeline(await store.read(sha256), createWriteStream(path, { mode: 0o600 }));
    return await work(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
