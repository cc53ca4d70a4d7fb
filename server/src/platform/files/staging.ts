import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Where the parts of an upload wait until they are put together. */
export interface Staging {
  put(upload: number, part: number, bytes: Readable): Promise<void>;
  read(upload: number, part: number): Promise<Readable>;
  clear(upload: number): Promise<void>;
}

export function diskStaging(folder: string): Staging {
  const of = (upload: number) => join(folder, String(upload));
  return {
    async put(upload, part, bytes) {
      await mkdir(of(upload), { recursive: true, mode: 0o700 });
      const temporary = join(of(upload), `${part}.${process.pid}.${Math.random().toString(36).slice(2)}`);
      try {
        await pipeline(bytes, createWriteStream(temporary, { flags: 'wx', flush: true }));
        await rename(temporary, join(of(upload), String(part)));
      } catch (error) {
        await rm(temporary, { force: true });
        throw error;
      }
    },
    read: async (upload, part) => createReadStream(join(of(upload), String(part)), { highWaterMark: 256 * 1024 }),
    clear: (upload) => rm(of(upload), { recursive: true, force: true }),
  };
}
