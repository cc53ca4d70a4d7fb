import { BrokenPackage } from '../broken.ts';
import type { Source } from '../source.ts';
import type { ArchiveEnd } from './find-end.ts';
import type { PlacedEntry, ZipEntry } from './read-zip.ts';

const LOCAL = 0x04034b50;
const DESCRIPTOR = 0x08074b50;
const HEADER = 30;
const HAS_DESCRIPTOR = 8;

/** Compares each entry with its own header, and sees that none overlaps another and nothing lies between them but padding. */
export function checkPlaces(source: Source, listed: readonly ZipEntry[], end: ArchiveEnd): { entries: PlacedEntry[]; entriesEnd: number } {
  const inOrder = listed.toSorted((a, b) => a.at - b.at);
  const entries: PlacedEntry[] = [];
  let before = 0;
  for (const entry of inOrder) {
    if (entry.at < before) throw new BrokenPackage('ARCHIVE_OVERLAP');
    checkGap(source, before, entry.at);
    const placed = place(source, entry, end.directoryAt);
    entries.push(placed);
    before = placed.endAt;
  }
  return { entries, entriesEnd: before };
}

function place(source: Source, entry: ZipEntry, most: number): PlacedEntry {
  if (entry.at + HEADER > most) throw new BrokenPackage('ARCHIVE_BROKEN');
  const head = source.read(entry.at, Math.min(HEADER + entry.rawName.length, most - entry.at));
  if (head.readUInt32LE(0) !== LOCAL) throw new BrokenPackage('ARCHIVE_BROKEN');
  const [flags, method, nameLength] = [head.readUInt16LE(6), head.readUInt16LE(8), head.readUInt16LE(26)];
  const same =
    flags === entry.flags && (method === 8) === entry.isDeflated && (method === 0 || method === 8) && nameLength === entry.rawName.length;
  if (!same || !head.subarray(HEADER).equals(entry.rawName)) throw new BrokenPackage('ARCHIVE_UNEQUAL');
  const said = [head.readUInt32LE(14), head.readUInt32LE(18), head.readUInt32LE(22)];
  const known = [entry.crc, entry.packed, entry.size];
  const isLater = (flags & HAS_DESCRIPTOR) !== 0;
  // What was written as a stream says its lengths behind the bytes, and none before; some say both.
  if (!said.every((one, at) => one === known[at] || (isLater && one === 0))) throw new BrokenPackage('ARCHIVE_UNEQUAL');
  const dataAt = entry.at + HEADER + nameLength + head.readUInt16LE(28);
  const endAt = dataAt + entry.packed;
  if (endAt > most) throw new BrokenPackage('ARCHIVE_OVERLAP');
  return { ...entry, dataAt, endAt: isLater ? endAt + descriptor(source, endAt, most, known) : endAt };
}

/** Length of the record behind the bytes, which says the same again. */
function descriptor(source: Source, at: number, most: number, known: readonly number[]): number {
  const bytes = source.read(at, Math.min(16, most - at));
  if (bytes.length < 12) throw new BrokenPackage('ARCHIVE_BROKEN');
  const from = bytes.readUInt32LE(0) === DESCRIPTOR && bytes.length === 16 ? 4 : 0;
  if (!known.every((one, part) => bytes.readUInt32LE(from + 4 * part) === one)) throw new BrokenPackage('ARCHIVE_UNEQUAL');
  return from + 12;
}

const MOST_PADDING = 1024 * 1024;

/** Padding is empty, or an entry without a name, by which build tools align what follows. */
function checkGap(source: Source, from: number, to: number): void {
  if (from === to) return;
  if (to - from > MOST_PADDING) throw new BrokenPackage('ARCHIVE_EXTRA');
  const bytes = source.read(from, to - from);
  const isNameless = bytes.length >= HEADER && bytes.readUInt32LE(0) === LOCAL && bytes.readUInt16LE(26) === 0;
  if (!bytes.subarray(isNameless ? HEADER : 0).every((byte) => byte === 0)) throw new BrokenPackage('ARCHIVE_EXTRA');
}
