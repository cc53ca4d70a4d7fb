import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { AppContext } from '../../platform/app-context.ts';
import type { BlobStore } from '../../platform/files/blob-store.ts';

/** What lies here is of work under way: a server that begins clears what the one before it left. */
export const signingFolder = (app: Pick<AppContext, 'config'>): string => join(app.config.DATA_DIR, 'signing');

/** A blob as a file in a folder of its own, for as long as the work lasts. */
export async function withLocalFile<T>(
  app: Pick<AppContext, 'config'>,
  store: BlobStore,
  sha256: string,
  work: (path: string, folder: string) => Promise<T>,
): Promise<T> {
  await mkdir(signingFolder(app), { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(join(signingFolder(app), 'of-'));
  try {
    const path = join(folder, 'in');
    await pipeline(await store.read(sha256), createWriteStream(path));
    return await work(path, folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
