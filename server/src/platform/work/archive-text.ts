import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type Entry, fromRandomAccessReader, RandomAccessReader, type ZipFile } from 'yauzl';
import type { BlobStore } from '../files/blob-store.ts';

const MOST_ENTRIES = 50_000;
const MOST_TEXT = 64 * 1024;
const SECONDS = 30;
/** What is read at once: an archive's directory is asked for in pieces of fifty bytes, and a store may be far away. */
const WINDOW = 1024 * 1024;

export interface Stored {
  readonly store: BlobStore;
  readonly sha256: string;
  readonly size: number;
}

export async function bytesAt({ store, sha256, size }: Stored, at: number, length: number): Promise<Buffer> {
  const end = Math.min(size, at + length);
  return end > at ? buffer(await store.read(sha256, { start: at, end: end - 1 })) : Buffer.alloc(0);
}

/** A stored file as the library of archives reads one: by ranges, never whole. */
class StoredReader extends RandomAccessReader {
  readonly #file: Stored;
  #window: { readonly at: number; readonly bytes: Buffer } = { at: 0, bytes: Buffer.alloc(0) };
  constructor(file: Stored) {
    super();
    this.#file = file;
  }
  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.#pieces(start, end));
  }
  async *#pieces(start: number, end: number) {
    for (let at = start; at < end; ) {
      const { at: from, bytes } = this.#window;
      if (at < from || at >= from + bytes.length) this.#window = { at, bytes: await bytesAt(this.#file, at, WINDOW) };
      const piece = this.#window.bytes.subarray(at - this.#window.at, end - this.#window.at);
      if (piece.length === 0) throw new Error('the archive ends before what its directory names');
      yield piece;
      at += piece.length;
    }
  }
}

const opened = (file: Stored) =>
  new Promise<ZipFile>((resolve, reject) => {
    const options = { lazyEntries: true, autoClose: false } as const;
    fromRandomAccessReader(new StoredReader(file), file.size, options, (error, zip) => (error ? reject(error) : resolve(zip)));
  });

export interface NamedText {
  readonly name: string;
  readonly text: string;
}

/**
 * What one of these entries of a stored archive says, the first of the names first; undefined where none of them is in it or may be read.
 * Nothing else is unpacked, so that archives of any size are read here and by ranges, at most 50,000 entries and 64 kB of text.
 */
export async function textInArchive(file: Stored, names: readonly string[]): Promise<NamedText | undefined> {
  const zip = await opened(file);
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(undefined), SECONDS * 1000);
    const settle = (said: NamedText | undefined) => {
      clearTimeout(timer);
      resolve(said);
    };
    const fail = (error: Error) => {
      clearTimeout(timer);
      reject(error);
    };
    const found = new Map<string, Entry>();
    let seen = 0;
    const done = () => {
      const name = names.find((one) => found.has(one));
      const entry = name === undefined ? undefined : found.get(name);
      if (name === undefined || !entry || entry.uncompressedSize > MOST_TEXT) return settle(undefined);
      zip.openReadStream(entry, (error, stream) => {
        if (error) return fail(error);
        buffer(stream).then((bytes) => settle({ name, text: bytes.toString('utf8') }), fail);
      });
    };
    zip.on('error', fail);
    zip.on('end', done);
    zip.on('entry', (entry: Entry) => {
      seen += 1;
      if (names.includes(entry.fileName) && !found.has(entry.fileName)) found.set(entry.fileName, entry);
      if (seen >= MOST_ENTRIES || found.has(names[0] ?? '')) done();
      else zip.readEntry();
    });
    zip.readEntry();
  });
}
