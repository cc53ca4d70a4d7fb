import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** A part of an upload: which one, its digest, and where in the whole it begins. */
export interface Part {
  readonly number: number;
  readonly md5: string;
  readonly at: number;
  readonly size: number;
}

/** Where an upload waits until all of it is there. */
export interface Staging {
  /** Bytes that were checked already. Who writes a part holds its row, so two senders of one number never write both. */
  put(upload: number, part: Part, bytes: readonly Buffer[]): Promise<void>;
  /** The bytes of a part, which may be others than were put: ENOENT where they are gone. */
  read(upload: number, part: Part): Promise<Buffer>;
  /** The file in which the parts stand at their places, where there is one: the whole needs no copy. */
  whole?(upload: number): string;
  clear(upload: number): Promise<void>;
}

const missing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT';

/**
 * One sparse file an upload, each part written at its place. Nobody waits for the disk before the end, and what a crash of the machine lost is
 * found by the digests.
 */
export function diskStaging(folder: string): Staging {
  const of = (upload: number) => join(folder, String(upload), 'whole');
  const openOrMake = async (path: string): Promise<{ file: FileHandle; isNew: boolean }> => {
    try {
      return { file: await open(path, 'r+'), isNew: false };
    } catch (error) {
      if (!missing(error)) throw error;
    }
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    try {
      return { file: await open(path, 'wx+'), isNew: true };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      return { file: await open(path, 'r+'), isNew: false };
    }
  };
  const write = async (file: FileHandle, bytes: readonly Buffer[], at: number) => {
    const size = bytes.reduce((sum, one) => sum + one.length, 0);
    const { bytesWritten } = await file.writev([...bytes], at);
    // A disk that fills up takes what it can; the rest is tried, to hear why.
    if (bytesWritten < size) await file.write(Buffer.concat(bytes), bytesWritten, size - bytesWritten, at + bytesWritten);
  };
  return {
    async put(upload, part, bytes) {
      const path = of(upload);
      const { file, isNew } = await openOrMake(path);
      try {
        await write(file, bytes, part.at);
      } catch (error) {
        await file.close();
        if (isNew) await rm(path, { force: true });
        throw error;
      }
      await file.close();
    },
    async read(upload, part) {
      const file = await open(of(upload), 'r');
      try {
        const bytes = Buffer.alloc(part.size);
        await file.read(bytes, 0, part.size, part.at);
        return bytes;
      } finally {
        await file.close();
      }
    },
    whole: of,
    clear: (upload) => rm(dirname(of(upload)), { recursive: true, force: true }),
  };
}
