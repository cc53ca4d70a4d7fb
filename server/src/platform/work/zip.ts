import type { Readable } from 'node:stream';
import { type Entry, fromBuffer, type ZipFile } from 'yauzl';

/** How what is wrong with an archive is told. */
export interface ZipFaults {
  broken(error?: Error): Error;
  tooMany(): Error;
}
interface Reading {
  readonly most: number;
  readonly faults: ZipFaults;
  /** Names with backslashes are wrong, instead of another way to write a folder. */
  readonly strict: boolean;
}

/** An archive with the list of what is in it; nothing is unpacked yet. */
export function openZip(bytes: Buffer, { most, faults, strict }: Reading): Promise<{ zip: ZipFile; entries: Entry[] }> {
  return new Promise((resolve, reject) => {
    fromBuffer(bytes, { lazyEntries: true, autoClose: false, strictFileNames: strict }, (failed, zip) => {
      if (failed || !zip) return reject(faults.broken(failed ?? undefined));
      const entries: Entry[] = [];
      zip.on('entry', (entry: Entry) => {
        entries.push(entry);
        if (entries.length > most) reject(faults.tooMany());
        else zip.readEntry();
      });
      zip.on('end', () => resolve({ zip, entries }));
      zip.on('error', (error: Error) => reject(faults.broken(error)));
      zip.readEntry();
    });
  });
}

/** What an entry holds, as it is unpacked. */
export const streamOf = (zip: ZipFile, entry: Entry, { broken }: ZipFaults): Promise<Readable> =>
  new Promise((resolve, reject) =>
    zip.openReadStream(entry, (error, stream) => (error || !stream ? reject(broken(error ?? undefined)) : resolve(stream as Readable))),
  );
