import { BrokenPackage } from '../broken.ts';
import type { Source } from '../source.ts';

export interface ArchiveEnd {
  readonly count: number;
  readonly directoryAt: number;
  /** Where the closing record begins, right behind the directory. */
  readonly endAt: number;
}

const RECORD = 22;
const MOST_COMMENT = 0xffff;
const LOCATOR = 20;

/** The closing record: the last one in the file, and its comment ends with it. */
export function findEnd(source: Source): ArchiveEnd {
  if (source.size < RECORD) throw new BrokenPackage('NOT_ARCHIVE');
  const length = Math.min(source.size, RECORD + MOST_COMMENT);
  const tail = source.read(source.size - length, length);
  const at = tail.lastIndexOf('PK\u0005\u0006', length - RECORD, 'latin1');
  if (at < 0) throw new BrokenPackage(isLocal(source) ? 'ARCHIVE_BROKEN' : 'NOT_ARCHIVE');
  if (at + RECORD + tail.readUInt16LE(at + 20) !== length) throw new BrokenPackage('ARCHIVE_EXTRA');
  const endAt = source.size - length + at;
  const count = tail.readUInt16LE(at + 10);
  const [size, directoryAt] = [tail.readUInt32LE(at + 12), tail.readUInt32LE(at + 16)];
  if (count === 0xffff || size === 0xffffffff || directoryAt === 0xffffffff || hasLocator(source, endAt))
    throw new BrokenPackage('ARCHIVE_ZIP64');
  if (tail.readUInt32LE(at + 4) !== 0 || tail.readUInt16LE(at + 8) !== count) throw new BrokenPackage('ARCHIVE_BROKEN');
  if (directoryAt + size > endAt) throw new BrokenPackage('ARCHIVE_BROKEN');
  if (directoryAt + size < endAt) throw new BrokenPackage('ARCHIVE_EXTRA');
  return { count, directoryAt, endAt };
}

const isLocal = (source: Source) => source.read(0, 4).toString('latin1') === 'PK\u0003\u0004';
const hasLocator = (source: Source, endAt: number) =>
  endAt >= LOCATOR && source.read(endAt - LOCATOR, 4).toString('latin1') === 'PK\u0006\u0007';
