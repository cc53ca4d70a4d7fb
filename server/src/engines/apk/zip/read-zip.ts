import { BrokenPackage } from '../broken.ts';
import { Cursor } from '../cursor.ts';
import type { Source } from '../source.ts';
import { checkPlaces } from './check-places.ts';
import { entryName } from './entry-name.ts';
import { type ArchiveEnd, findEnd } from './find-end.ts';

/** One file of an archive; what its two headers say is the same. */
export interface ZipEntry {
  readonly name: string;
  readonly rawName: Buffer;
  readonly flags: number;
  readonly isDeflated: boolean;
  readonly crc: number;
  readonly packed: number;
  readonly size: number;
  /** DOS time and date, as they stand. */
  readonly time: number;
  readonly attributes: number;
  readonly madeBy: number;
  /** Where its header begins. */
  readonly at: number;
}
export interface PlacedEntry extends ZipEntry {
  /** Where its bytes begin, and where all that belongs to it ends. */
  readonly dataAt: number;
  readonly endAt: number;
}
export interface Zip extends ArchiveEnd {
  readonly source: Source;
  /** In the order in which they lie. */
  readonly entries: readonly PlacedEntry[];
  readonly byName: ReadonlyMap<string, PlacedEntry>;
  /** Where the last one ends: up to the directory there may be a signing block. */
  readonly entriesEnd: number;
}

const MOST_ENTRIES = 40_000;
const MOST_BYTES = 2 ** 31;
const MOST_UNPACKED = 2 ** 32;
/** What an entry may unpack to without a look at how much it was packed. */
const SMALL = 32 * 1024 * 1024;
/** Deflate does no better than 1,032; real files stay far below. */
const MOST_RATIO = 200;

const HEADER = 0x02014b50;
const ENCRYPTED = 0x2041;
const broken = () => new BrokenPackage('ARCHIVE_BROKEN');

/** Reads the directory of an archive, and compares it with what lies there. */
export function readZip(source: Source): Zip {
  if (source.size > MOST_BYTES) throw new BrokenPackage('ARCHIVE_LARGE');
  const end = findEnd(source);
  if (end.count > MOST_ENTRIES) throw new BrokenPackage('ARCHIVE_MANY');
  const cursor = new Cursor(source.read(end.directoryAt, end.endAt - end.directoryAt), broken);
  const listed: ZipEntry[] = [];
  for (let at = 0; at < end.count; at += 1) listed.push(readHeader(cursor));
  if (cursor.left > 0) throw new BrokenPackage('ARCHIVE_EXTRA');
  if (listed.reduce((sum, { size }) => sum + size, 0) > MOST_UNPACKED) throw new BrokenPackage('ARCHIVE_LARGE');
  const { entries, entriesEnd } = checkPlaces(source, listed, end);
  const byName = new Map(entries.map((entry) => [entry.name, entry]));
  if (byName.size < entries.length) throw new BrokenPackage('ARCHIVE_DOUBLED');
  return { ...end, source, entries, byName, entriesEnd };
}

function readHeader(cursor: Cursor): ZipEntry {
  if (cursor.u32() !== HEADER) throw broken();
  const madeBy = cursor.u16();
  cursor.skip(2);
  const flags = cursor.u16();
  const method = cursor.u16();
  const time = cursor.u32();
  const [crc, packed, size] = [cursor.u32(), cursor.u32(), cursor.u32()];
  const [nameLength, extraLength, commentLength] = [cursor.u16(), cursor.u16(), cursor.u16()];
  const disk = cursor.u16();
  cursor.skip(2);
  const attributes = cursor.u32();
  const at = cursor.u32();
  const rawName = cursor.take(nameLength);
  cursor.skip(extraLength + commentLength);
  if ([packed, size, at].includes(0xffffffff)) throw new BrokenPackage('ARCHIVE_ZIP64');
  if (disk !== 0) throw broken();
  if (flags & ENCRYPTED) throw new BrokenPackage('ARCHIVE_ENCRYPTED');
  if (method !== 0 && method !== 8) throw new BrokenPackage('ARCHIVE_METHOD');
  if (madeBy >> 8 === 3 && attributes >>> 28 === 0xa) throw new BrokenPackage('ARCHIVE_LINK');
  const isDeflated = method === 8;
  checkSize(isDeflated, packed, size);
  return { name: entryName(rawName), rawName, flags, isDeflated, crc, packed, size, time, attributes, madeBy, at };
}

function checkSize(isDeflated: boolean, packed: number, size: number): void {
  if (!isDeflated && packed !== size) throw new BrokenPackage('ARCHIVE_UNEQUAL');
  if (isDeflated && size > SMALL && size > packed * MOST_RATIO) throw new BrokenPackage('ARCHIVE_BOMB');
}
