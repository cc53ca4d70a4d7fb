import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, createInflateRaw, inflateRawSync } from 'node:zlib';
import { BrokenPackage } from '../broken.ts';
import type { Source } from '../source.ts';
import type { PlacedEntry } from './read-zip.ts';

const MB = 1024 * 1024;
const AT_ONCE = MB;
const BLOCK = 64 * 1024;
/** Packed bytes are read into the same place again and again, and used before anything else is read: what is thrown away is only collected much later. */
const scratch = Buffer.allocUnsafeSlow(AT_ONCE);
const broken = () => new BrokenPackage('ARCHIVE_BROKEN');

/** An entry whole, where it may be at most so long. */
export function entryBytes(source: Source, entry: PlacedEntry, most: number, tooLong: () => Error): Buffer {
  if (entry.size > most || entry.packed > most + MB) throw tooLong();
  const isBrief = entry.isDeflated && entry.packed <= scratch.length;
  const packed = source.read(entry.dataAt, entry.packed, isBrief ? scratch : undefined);
  const bytes = entry.isDeflated ? inflated(packed, entry.size) : packed;
  if (bytes.length !== entry.size || crc32(bytes) !== entry.crc) throw broken();
  return bytes;
}

/** It stops at the length that the entry declares, so a bomb never grows; and it uses all that was packed. */
function inflated(packed: Buffer, size: number): Buffer {
  const most = Math.max(1, size);
  const chunkSize = Math.min(AT_ONCE, Math.max(64, size));
  const made = tried(() => inflateRawSync(packed, { maxOutputLength: most, chunkSize, info: true }));
  if (!isWithEngine(made) || made.engine.bytesWritten !== packed.length) throw broken();
  return made.buffer;
}

function tried<T>(make: () => T): T {
  try {
    return make();
  } catch {
    throw broken();
  }
}

/** What Node answers with `info`, which its types leave out. */
const isWithEngine = (made: object): made is { buffer: Buffer; engine: { bytesWritten: number } } => 'engine' in made && 'buffer' in made;

/** An entry piece by piece, however long it is. Each piece is good until the next one. */
export async function eachPiece(source: Source, entry: PlacedEntry, take: (piece: Buffer) => void): Promise<void> {
  let [length, crc] = [0, 0];
  const checked = (piece: Buffer) => {
    length += piece.length;
    if (length > entry.size) throw broken();
    crc = crc32(piece, crc);
    take(piece);
  };
  if (!entry.isDeflated) for (const piece of packedPieces(source, entry)) checked(piece);
  else if (entry.size <= AT_ONCE) checked(entryBytes(source, entry, AT_ONCE, broken));
  else for await (const piece of unpacked(source, entry)) checked(piece);
  if (length !== entry.size || crc !== entry.crc) throw broken();
}

/** As it lies there. Each piece is good until the next reading. */
export function* packedPieces(source: Source, entry: PlacedEntry): Generator<Buffer> {
  for (let at = 0; at < entry.packed; at += BLOCK) yield source.read(entry.dataAt + at, Math.min(BLOCK, entry.packed - at), scratch);
}

async function* unpacked(source: Source, entry: PlacedEntry): AsyncGenerator<Buffer> {
  const inflate = createInflateRaw({ chunkSize: BLOCK });
  const fed = pipeline(Readable.from(copies(source, entry)), inflate).catch(() => undefined);
  try {
    for await (const piece of inflate) yield piece;
  } catch {
    throw broken();
  } finally {
    inflate.destroy();
    await fed;
  }
  if (inflate.bytesWritten !== entry.packed) throw broken();
}

/** Whoever unpacks a piece keeps it until it is used. */
function* copies(source: Source, entry: PlacedEntry): Generator<Buffer> {
  for (const piece of packedPieces(source, entry)) yield Buffer.from(piece);
}
