import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import yauzl from 'yauzl';
import { Manifest, manifestEntry } from './manifest.ts';

export interface Archive {
  readonly manifest: Manifest;
  readonly names: readonly string[];
  open(name: string): Promise<Readable>;
  close(): void;
}

const opened = (file: string) =>
  new Promise<yauzl.ZipFile>((resolve, reject) => {
    yauzl.open(file, { lazyEntries: true, autoClose: false }, (error, zip) => (error ? reject(error) : resolve(zip)));
  });

function entriesOf(zip: yauzl.ZipFile): Promise<Map<string, yauzl.Entry>> {
  return new Promise((resolve, reject) => {
    const entries = new Map<string, yauzl.Entry>();
    zip.on('entry', (entry: yauzl.Entry) => {
      entries.set(entry.fileName, entry);
      zip.readEntry();
    });
    zip.once('end', () => resolve(entries)).once('error', reject);
    zip.readEntry();
  });
}

/** Opens a backup; refuses anything that is not a whole one. The reader checks names and lengths of the entries. */
export async function readArchive(file: string): Promise<Archive> {
  const zip = await opened(file).catch((error: Error) => {
    throw new Error(`${file} is not a whole backup: ${error.message}`);
  });
  try {
    const entries = await entriesOf(zip);
    const open = (name: string) => {
      const entry = entries.get(name);
      if (!entry) return Promise.reject(new Error(`${file} is not a whole backup: ${name} is missing.`));
      return new Promise<Readable>((resolve, reject) => {
        zip.openReadStream(entry, (error, stream) => (error ? reject(error) : resolve(stream)));
      });
    };
    const manifest = Manifest.safeParse(JSON.parse(await text(await open(manifestEntry))));
    if (!manifest.success) throw new Error(`${file} is not a backup that this version of Mooring can read.`);
    return { manifest: manifest.data, names: [...entries.keys()], open, close: () => zip.close() };
  } catch (error) {
    zip.close();
    throw error;
  }
}
