import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type Entry, fromRandomAccessReader, RandomAccessReader, type ZipFile } from 'yauzl';
import type { BlobStore } from '../files/blob-store.ts';
import { inTime } from '../in-time.ts';

const MOST_ENTRIES = 50_000;
const MOST_TEXT = 64 * 1024;
/** What is packed so badly isn't read to be unpacked. */
const MOST_PACKED = 1024 * 1024;
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
  readonly #time: AbortSignal;
  constructor(file: Stored, time: AbortSignal) {
    super();
    this.#file = file;
    this.#time = time;
  }
  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.#pieces(start, end));
  }
  async *#pieces(start: number, end: number) {
    for (let at = start; at < end; ) {
      this.#time.throwIfAborted();
      const { at: from, bytes } = this.#window;
      if (at < from || at >= from + bytes.length) this.#window = { at, bytes: await bytesAt(this.#file, at, WINDOW) };
      const piece = this.#window.bytes.subarray(at - this.#window.at, end - this.#window.at);
      if (piece.length === 0) throw new Error('the archive ends before what its directory names');
      yield piece;
      at += piece.length;
    }
  }
}

const opened = (file: Stored, time: AbortSignal) =>
  new Promise<ZipFile>((resolve, reject) => {
    const options = { lazyEntries: true, autoClose: false } as const;
    fromRandomAccessReader(new StoredReader(file, time), file.size, options, (error, zip) => (error ? reject(error) : resolve(zip)));
  });

export interface NamedText {
  readonly name: string;
  readonly text: string;
}

/**
 * What one of these entries of a stored archive says, the first of the names first; undefined where none of them is in it or may be read.
 * Nothing else is unpacked, so that archives of any size are read here and by ranges, at most 50,000 entries, 64 kB of text and 30 seconds.
 */
export async function textInArchive(file: Stored, names: readonly string[]): Promise<NamedText | undefined> {
  const time = AbortSignal.timeout(SECONDS * 1000);
  try {
    return await inTime(textIn(await inTime(opened(file, time), time), names, time), time);
  } catch (error) {
    if (time.aborted) return undefined;
    throw error;
  }
}

const textIn = (zip: ZipFile, names: readonly string[], time: AbortSignal) =>
  new Promise<NamedText | undefined>((resolve, reject) => {
    const found = new Map<string, Entry>();
    let seen = 0;
    const done = () => {
      const name = names.find((one) => found.has(one));
      const entry = name === undefined ? undefined : found.get(name);
      if (name === undefined || !entry || entry.uncompressedSize > MOST_TEXT || entry.compressedSize > MOST_PACKED)
        return resolve(undefined);
      zip.openReadStream(entry, (error, stream) => {
        if (error) return reject(error);
        // The reading ends with the time, wherever it is.
        time.addEventListener('abort', () => stream.destroy());
        buffer(stream).then((bytes) => resolve({ name, text: bytes.toString('utf8') }), reject);
      });
    };
    zip.on('error', reject);
    zip.on('end', done);
    zip.on('entry', (entry: Entry) => {
      seen += 1;
      if (names.includes(entry.fileName) && !found.has(entry.fileName)) found.set(entry.fileName, entry);
      if (seen >= MOST_ENTRIES || found.has(names[0] ?? '')) done();
      else zip.readEntry();
    });
    zip.readEntry();
  });
