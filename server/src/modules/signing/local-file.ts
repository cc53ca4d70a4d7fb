import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { AppContext } from '../../platform/app-context.ts';
import type { BlobStore } from '../../platform/files/blob-store.ts';

/** What lies here is of work under way: what one that ended left is cleared after a while. */
const signingFolder = (app: Pick<AppContext, 'config'>): string => join(app.config.DATA_DIR, 'signing');

const LEFT_MS = 3_600_000;
/** What no work of any server that shares the folder can still have in hand. */
export async function clearLeft(app: Pick<AppContext, 'config'>, now: Date): Promise<void> {
  for (const name of await readdir(signingFolder(app)).catch(() => [])) {
    const path = join(signingFolder(app), name);
    const at = await stat(path).catch(() => undefined);
    if (at && at.mtimeMs < now.getTime() - LEFT_MS) await rm(path, { recursive: true, force: true });
  }
}

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
