import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { Carried } from '@mooring/contract/engines/rollout/package-calls';
import { type Entry, fromRandomAccessReader, RandomAccessReader, type ZipFile } from 'yauzl';
import type { BlobStore } from '../../../platform/files/blob-store.ts';

/** The header of the documented container: `MFW1`, the length of its JSON in two bytes, and that (docs/packages.md). */
const CONTAINER = Buffer.from('MFW1');
const ZIP = Buffer.from('PK');
const OWN = 'pkg.json';
const ANDROID = 'META-INF/com/android/metadata';
const MOST_ENTRIES = 50_000;
const MOST_TEXT = 64 * 1024;
const HEADER = CONTAINER.length + 2;

interface Stored {
  readonly store: BlobStore;
  readonly sha256: string;
  readonly size: number;
}
const streamOf = ({ store, sha256 }: Stored, start: number, end: number): Readable =>
  Readable.from(
    (async function* pieces() {
      yield* await store.read(sha256, { start, end: end - 1 });
    })(),
  );
async function bytesAt(file: Stored, at: number, length: number): Promise<Buffer> {
  const end = Math.min(file.size, at + length);
  return end > at ? buffer(streamOf(file, at, end)) : Buffer.alloc(0);
}

/** A stored file as the library of archives reads one: by ranges, never whole. */
class StoredReader extends RandomAccessReader {
  readonly #file: Stored;
  constructor(file: Stored) {
    super();
    this.#file = file;
  }
  override _readStreamForRange(start: number, end: number): Readable {
    return streamOf(this.#file, start, end);
  }
}

const opened = (file: Stored) =>
  new Promise<ZipFile>((resolve, reject) => {
    const options = { lazyEntries: true, autoClose: false } as const;
    fromRandomAccessReader(new StoredReader(file), file.size, options, (error, zip) => (error ? reject(error) : resolve(zip)));
  });

/** What one of these names holds, the first name first; undefined where there is none, or too many to look through. */
function textIn(zip: ZipFile, names: readonly string[]): Promise<{ name: string; text: string } | undefined> {
  return new Promise((resolve, reject) => {
    const found = new Map<string, Entry>();
    let seen = 0;
    const done = () => {
      const name = names.find((one) => found.has(one));
      const entry = name === undefined ? undefined : found.get(name);
      if (name === undefined || !entry || entry.uncompressedSize > MOST_TEXT) return resolve(undefined);
      zip.openReadStream(entry, (error, stream) => {
        if (error) return reject(error);
        const pieces: Buffer[] = [];
        stream.on('data', (piece: Buffer) => pieces.push(piece));
        stream.on('error', reject);
        stream.on('end', () => resolve({ name, text: Buffer.concat(pieces).toString('utf8') }));
      });
    };
    zip.on('error', reject);
    zip.on('end', done);
    zip.on('entry', (entry: Entry) => {
      seen += 1;
      if (names.includes(entry.fileName)) found.set(entry.fileName, entry);
      if (seen >= MOST_ENTRIES || found.has(OWN)) done();
      else zip.readEntry();
    });
    zip.readEntry();
  });
}

const saysAnything = ({ product, version, build }: Carried): boolean => [product, version, build].some((one) => one !== null);

const own = (text: string, from: 'pkg.json' | 'container'): Carried | undefined => {
  let said: unknown;
  try {
    said = JSON.parse(text);
  } catch {
    return undefined;
  }
  const read = Carried.safeParse({ ...(typeof said === 'object' ? said : {}), from });
  return read.success && saysAnything(read.data) ? read.data : undefined;
};

/** An update of Android: for which devices, and what it makes of them. Its version is the build's, which is nobody's name of a release. */
function android(text: string): Carried | undefined {
  const values = new Map(
    text.split(/\r?\n/).flatMap((line) => {
      const at = line.indexOf('=');
      return at > 0 ? [[line.slice(0, at).trim(), line.slice(at + 1).trim()] as const] : [];
    }),
  );
  const read = Carried.safeParse({
    product: values.get('pre-device') ?? values.get('post-device') ?? null,
    version: null,
    build: values.get('post-build') ?? values.get('post-build-incremental') ?? null,
    from: 'android',
  });
  return read.success && saysAnything(read.data) ? read.data : undefined;
}

/**
 * What a firmware file says of itself: by `pkg.json` or Android's update metadata in an archive, or by the header of the documented container.
 * Undefined where it says nothing that can be read; nothing of it is trusted beyond being compared with what a person wrote.
 */
export async function readCarried(file: Stored): Promise<Carried | undefined> {
  try {
    const begins = await bytesAt(file, 0, HEADER);
    if (begins.subarray(0, CONTAINER.length).equals(CONTAINER) && begins.length === HEADER)
      return own((await bytesAt(file, HEADER, begins.readUInt16BE(CONTAINER.length))).toString('utf8'), 'container');
    if (!begins.subarray(0, ZIP.length).equals(ZIP)) return undefined;
    const text = await textIn(await opened(file), [OWN, ANDROID]);
    if (!text) return undefined;
    return text.name === OWN ? own(text.text, 'pkg.json') : android(text.text);
  } catch {
    // It begins like an archive and is none that can be read: it says nothing.
    return undefined;
  }
}
