import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';

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
      // A part is small: written and read as a whole it costs a fraction of what it costs by pieces.
      const whole = await buffer(bytes);
      await mkdir(of(upload), { recursive: true, mode: 0o700 });
      const temporary = join(of(upload), `${part}.${process.pid}.${Math.random().toString(36).slice(2)}`);
      try {
        const file = await open(temporary, 'wx');
        try {
          await file.writeFile(whole);
          await file.sync();
        } finally {
          await file.close();
        }
        await rename(temporary, join(of(upload), part));
      } catch (error) {
        await rm(temporary, { force: true });
        throw error;
      }
    },
    read: async (upload, part) => Readable.from([await readFile(join(of(upload), part))]),
    clear: (upload) => rm(of(upload), { recursive: true, force: true }),
  };
}
