import { crc32, createInflateRaw, inflateRawSync } from 'node:zlib';
import { BrokenPackage } from '../broken.ts';
import type { Source } from '../source.ts';
import type { PlacedEntry } from './read-zip.ts';

const BLOCK = 1024 * 1024;
const AT_ONCE = 4 * BLOCK;
const broken = () => new BrokenPackage('ARCHIVE_BROKEN');

/** An entry whole, where it may be at most so long. */
export function entryBytes(source: Source, entry: PlacedEntry, most: number, tooLong: () => Error): Buffer {
  if (entry.size > most || entry.packed > most + BLOCK) throw tooLong();
  const packed = source.read(entry.dataAt, entry.packed);
  const bytes = entry.isDeflated ? inflated(packed, entry.size) : packed;
  if (bytes.length !== entry.size || crc32(bytes) !== entry.crc) throw broken();
  return bytes;
}

/** It stops at the length that the entry declares, so a bomb never grows; and it uses all that was packed. */
function inflated(packed: Buffer, size: number): Buffer {
  const made = tried(() => inflateRawSync(packed, { maxOutputLength: Math.max(1, size), info: true }));
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

/** An entry piece by piece, however long it is. */
export async function eachPiece(source: Source, entry: PlacedEntry, take: (piece: Buffer) => void): Promise<void> {
  if (entry.size <= AT_ONCE && entry.packed <= AT_ONCE) {
    take(entryBytes(source, entry, AT_ONCE, broken));
    return;
  }
  let [length, crc] = [0, 0];
  for await (const piece of entry.isDeflated ? unpacked(source, entry) : packedPieces(source, entry)) {
    length += piece.length;
    if (length > entry.size) throw broken();
    crc = crc32(piece, crc);
    take(piece);
  }
  if (length !== entry.size || crc !== entry.crc) throw broken();
}

/** As it lies there. Each piece is good until the next one. */
export function* packedPieces(source: Source, entry: PlacedEntry): Generator<Buffer> {
  const block = Buffer.allocUnsafe(BLOCK);
  for (let at = 0; at < entry.packed; at += BLOCK) yield source.read(entry.dataAt + at, Math.min(BLOCK, entry.packed - at), block);
}

async function* unpacked(source: Source, entry: PlacedEntry): AsyncGenerator<Buffer> {
  const inflate = createInflateRaw({ chunkSize: 256 * 1024 });
  let failed = false;
  const feed = async () => {
    for (const piece of packedPieces(source, entry)) {
      if (failed) return;
      // It keeps what it is given until it has used it.
      if (!inflate.write(Buffer.from(piece))) await new Promise((resolve) => inflate.once('drain', resolve).once('close', resolve));
    }
    inflate.end();
  };
  const fed = feed();
  try {
    for await (const piece of inflate) yield piece;
  } catch {
    throw broken();
  } finally {
    failed = true;
    inflate.destroy();
    await fed.catch(() => undefined);
  }
  if (inflate.bytesWritten !== entry.packed) throw broken();
}
