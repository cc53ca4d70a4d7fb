import { createHash } from 'node:crypto';
import { WrongSignature } from '../broken.ts';
import type { SignedParts } from './content-digest.ts';

const PAGE = 4096;
const SALT = Buffer.alloc(8);
const PIECE = 256 * PAGE;

const hashOf = (page: Buffer): Buffer => createHash('sha256').update(SALT).update(page).digest();
const filled = (page: Buffer): Buffer => (page.length === PAGE ? page : Buffer.concat([page], PAGE));

/** The digest of each page, in their order; the last one is filled with zeros. */
function pageHashes(pieces: Iterable<Buffer>): Buffer {
  const hashes: Buffer[] = [];
  let rest: Buffer = Buffer.alloc(0);
  for (const piece of pieces) {
    const all = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    const whole = all.length - (all.length % PAGE);
    for (let at = 0; at < whole; at += PAGE) hashes.push(hashOf(all.subarray(at, at + PAGE)));
    rest = Buffer.from(all.subarray(whole));
  }
  if (rest.length > 0) hashes.push(hashOf(filled(rest)));
  return Buffer.concat(hashes);
}

function* piecesOf({ source, blockAt, directoryAt, endAt }: SignedParts): Generator<Buffer> {
  for (const [from, to] of [
    [0, blockAt],
    [directoryAt, endAt],
  ] as const)
    for (let at = from; at < to; at += PIECE) yield source.read(at, Math.min(PIECE, to - at));
  const end = Buffer.from(source.read(endAt, source.size - endAt));
  end.writeUInt32LE(blockAt, 16);
  yield end;
}

/** The root of a tree of digests of pages, by which a system checks a file while it reads it, and how much lies under it (fs-verity in schemes 2 and 3). */
export function verityDigest(parts: SignedParts): Buffer {
  const { source, blockAt, directoryAt } = parts;
  // Pages begin anew behind the block, so it has to begin with one.
  if (blockAt % PAGE !== 0) throw new WrongSignature('CONTENT_CHANGED');
  let level = pageHashes(piecesOf(parts));
  while (level.length > PAGE) level = pageHashes([level]);
  const size = Buffer.alloc(8);
  size.writeBigUInt64LE(BigInt(blockAt + source.size - directoryAt));
  return Buffer.concat([hashOf(filled(level)), size]);
}
