import type { Readable } from 'node:stream';
import yauzl from 'yauzl';

export interface OpenZip {
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

/** An archive whose entries are read one by one, in any order. The reader checks their names and lengths. */
export async function openZip(file: string): Promise<OpenZip> {
  const zip = await opened(file);
  try {
    const entries = await entriesOf(zip);
    return {
      names: [...entries.keys()],
      close: () => zip.close(),
      open(name) {
        const entry = entries.get(name);
        if (!entry) return Promise.reject(new Error(`${name} is missing.`));
        return new Promise<Readable>((resolve, reject) => {
          zip.openReadStream(entry, (error, stream) => (error ? reject(error) : resolve(stream)));
        });
      },
    };
  } catch (error) {
    zip.close();
    throw error;
  }
}
