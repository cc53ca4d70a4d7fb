import { crc32, deflateRawSync } from 'node:zlib';
import type { Source } from '../source.ts';
import { packedPieces } from '../zip/entry-bytes.ts';
import type { PlacedEntry, ZipEntry } from '../zip/read-zip.ts';
import type { Sink } from './sink.ts';

/** Writes an archive anew: headers that agree, lengths before the bytes, and what is stored on its boundary. */
export interface ZipWriter {
  copy(source: Source, entry: PlacedEntry): void;
  add(name: string, bytes: Buffer): void;
  /** The directory, once all files are written. */
  directory(): { readonly bytes: Buffer; readonly count: number };
}

type Written = Omit<ZipEntry, 'name'>;

const WORD = 4;
/** Libraries are mapped into memory as they lie: pages are 4 KB long, or 16. */
const PAGE = 16384;
const ALIGNED = 0xd935;
/** 1 January 1981, as Android's own tools write it. */
const TIME = 0x02210000;
const UTF8 = 0x800;
const VERSION = 20;

const boundary = ({ isDeflated, rawName }: Written): number => (isDeflated ? 1 : /\.so$/.test(rawName.toString('latin1')) ? PAGE : WORD);

/** An extra field that only fills up: how far the bytes are aligned, and zeros. */
function alignment(entry: Written, dataAt: number): Buffer {
  const to = boundary(entry);
  if (dataAt % to === 0) return Buffer.alloc(0);
  const HEAD = 6;
  const padding = (to - ((dataAt + HEAD) % to)) % to;
  const extra = Buffer.alloc(HEAD + padding);
  extra.writeUInt16LE(ALIGNED, 0);
  extra.writeUInt16LE(2 + padding, 2);
  extra.writeUInt16LE(to, 4);
  return extra;
}

function sizes(entry: Written): Buffer {
  const bytes = Buffer.alloc(20);
  bytes.writeUInt16LE(entry.flags, 0);
  bytes.writeUInt16LE(entry.isDeflated ? 8 : 0, 2);
  bytes.writeUInt32LE(entry.time, 4);
  bytes.writeUInt32LE(entry.crc, 8);
  bytes.writeUInt32LE(entry.packed, 12);
  bytes.writeUInt32LE(entry.size, 16);
  return bytes;
}

function localHeader(entry: Written): Buffer {
  const plain = 30 + entry.rawName.length;
  const extra = alignment(entry, entry.at + plain);
  const head = Buffer.alloc(6);
  head.writeUInt32LE(0x04034b50, 0);
  head.writeUInt16LE(VERSION, 4);
  const lengths = Buffer.alloc(4);
  lengths.writeUInt16LE(entry.rawName.length, 0);
  lengths.writeUInt16LE(extra.length, 2);
  return Buffer.concat([head, sizes(entry), lengths, entry.rawName, extra]);
}

function directoryHeader(entry: Written): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32LE(0x02014b50, 0);
  head.writeUInt16LE(entry.madeBy, 4);
  head.writeUInt16LE(VERSION, 6);
  const rest = Buffer.alloc(18);
  rest.writeUInt16LE(entry.rawName.length, 0);
  rest.writeUInt32LE(entry.attributes, 10);
  rest.writeUInt32LE(entry.at, 14);
  return Buffer.concat([head, sizes(entry), rest, entry.rawName]);
}

export function zipWriter(sink: Sink): ZipWriter {
  const written: Written[] = [];
  const begin = (entry: Written) => {
    const here = { ...entry, at: sink.written };
    written.push(here);
    sink.write(localHeader(here));
  };
  return {
    copy: (source, entry) => {
      // Whether its name is said to be UTF-8 is all that stays of its flags.
      begin({ ...entry, flags: entry.flags & UTF8 });
      for (const piece of packedPieces(source, entry)) sink.write(piece);
    },
    add: (name, bytes) => {
      const packed = deflateRawSync(bytes, { level: 9 });
      const rawName = Buffer.from(name);
      const said = { crc: crc32(bytes), packed: packed.length, size: bytes.length, time: TIME, attributes: 0, madeBy: VERSION, at: 0 };
      begin({ rawName, flags: UTF8, isDeflated: true, ...said });
      sink.write(packed);
    },
    directory: () => ({ bytes: Buffer.concat(written.map(directoryHeader)), count: written.length }),
  };
}

/** The closing record of an archive. */
export function closingRecord(count: number, directorySize: number, directoryAt: number): Buffer {
  const bytes = Buffer.alloc(22);
  bytes.writeUInt32LE(0x06054b50, 0);
  bytes.writeUInt16LE(count, 8);
  bytes.writeUInt16LE(count, 10);
  bytes.writeUInt32LE(directorySize, 12);
  bytes.writeUInt32LE(directoryAt, 16);
  return bytes;
}
