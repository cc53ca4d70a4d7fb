import { createWriteStream } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Where the parts of an upload wait until they are put together. A part's name says its number and its digest. */
export interface Staging {
  put(upload: number, part: string, bytes: Readable): Promise<void>;
  read(upload: number, part: string): Promise<Readable>;
  clear(upload: number): Promise<void>;
}

/** Two senders of one number with different bytes don't meet: the row that was written first names the bytes that count. */
export const partName = (part: { readonly part_number: number; readonly md5: string }): string => `${part.part_number}-${part.md5}`;

export function diskStaging(folder: string): Staging {
  const of = (upload: number) => join(folder, String(upload));
  return {
    async put(upload, part, bytes) {
      await mkdir(of(upload), { recursive: true, mode: 0o700 });
      const temporary = join(of(upload), `${part}.${process.pid}.${Math.random().toString(36).slice(2)}`);
      try {
        await pipeline(bytes, createWriteStream(temporary, { flags: 'wx', flush: true }));
        await rename(temporary, join(of(upload), part));
      } catch (error) {
        await rm(temporary, { force: true });
        throw error;
      }
    },
    async read(upload, part) {
      const handle = await open(join(of(upload), part), 'r');
      return handle.createReadStream({ highWaterMark: 256 * 1024 });
    },
    clear: (upload) => rm(of(upload), { recursive: true, force: true }),
  };
}
