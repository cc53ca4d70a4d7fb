import { WrongSignature } from '../broken.ts';
import { Cursor } from '../cursor.ts';
import type { Zip } from '../zip/read-zip.ts';

export const V2 = 0x7109871a;
export const V3 = 0xf05368c0;
export const V31 = 0x1b93ad61;
export const PADDING = 0x42726577;
/** What Google Play and build tools put beside the signatures: its stamps, its list of libraries, its own frame. */
const known = new Set([V2, V3, V31, PADDING, 0x6dff800d, 0x2b09189e, 0x504b4453, 0x2146444e]);

export interface SigningBlock {
  readonly entries: ReadonlyMap<number, Buffer>;
  /** Where it begins: what is signed ends here, and begins again with the directory. */
  readonly at: number;
}

const MAGIC = 'APK Sig Block 42';
const FOOTER = 24;
const MOST = 16 * 1024 * 1024;
const MOST_ENTRIES = 64;
const broken = () => new WrongSignature('BLOCK_BROKEN');

/** What lies between the last file and the directory. */
export function readSigningBlock(zip: Zip): SigningBlock | undefined {
  const room = zip.directoryAt - zip.entriesEnd;
  if (room === 0) return undefined;
  const at = room < FOOTER + 8 ? undefined : blockAt(zip);
  if (at === undefined) {
    checkPadding(zip, zip.directoryAt);
    return undefined;
  }
  checkPadding(zip, at);
  return { at, entries: readEntries(zip.source.read(at + 8, zip.directoryAt - at - 8 - FOOTER)) };
}

function blockAt(zip: Zip): number | undefined {
  const footer = zip.source.read(zip.directoryAt - FOOTER, FOOTER);
  if (footer.toString('latin1', 8) !== MAGIC) return undefined;
  const size = new Cursor(footer, broken).u64();
  const at = zip.directoryAt - size - 8;
  if (size < FOOTER || size > MOST || at < zip.entriesEnd) throw broken();
  if (new Cursor(zip.source.read(at, 8), broken).u64() !== size) throw broken();
  return at;
}

const MOST_PADDING = 64 * 1024;

/** Nothing but padding between the last file and what follows: a block that was cut out leaves something. */
function checkPadding(zip: Zip, to: number): void {
  const length = to - zip.entriesEnd;
  if (length > MOST_PADDING || !zip.source.read(zip.entriesEnd, length).every((byte) => byte === 0)) throw broken();
}

function readEntries(bytes: Buffer): Map<number, Buffer> {
  const cursor = new Cursor(bytes, broken);
  const entries = new Map<number, Buffer>();
  while (cursor.left > 0) {
    if (entries.size === MOST_ENTRIES) throw broken();
    const length = cursor.u64();
    if (length < 4) throw broken();
    const entry = new Cursor(cursor.take(length), broken);
    const id = entry.u32();
    if (entries.has(id)) throw new WrongSignature('BLOCK_DOUBLED');
    if (!known.has(id)) throw new WrongSignature('BLOCK_UNKNOWN');
    entries.set(id, entry.take(entry.left));
  }
  return entries;
}

/** A block of these entries, filled up to whole pages as Android's own tool does. */
export function makeSigningBlock(entries: readonly (readonly [id: number, bytes: Buffer])[]): Buffer {
  const PAGE = 4096;
  const written = entries.map(([id, bytes]) => makeEntry(id, bytes));
  const plain = 8 + written.reduce((sum, { length }) => sum + length, 0) + FOOTER;
  let padding = PAGE - (plain % PAGE);
  if (padding < 12) padding += PAGE;
  if (padding !== PAGE) written.push(makeEntry(PADDING, Buffer.alloc(padding - 12)));
  const size = Buffer.alloc(8);
  size.writeBigUInt64LE(BigInt(written.reduce((sum, { length }) => sum + length, FOOTER)));
  return Buffer.concat([size, ...written, size, Buffer.from(MAGIC, 'latin1')]);
}

function makeEntry(id: number, bytes: Buffer): Buffer {
  const head = Buffer.alloc(12);
  head.writeBigUInt64LE(BigInt(bytes.length + 4));
  head.writeUInt32LE(id, 8);
  return Buffer.concat([head, bytes]);
}
