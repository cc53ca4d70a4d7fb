import { Deflate, Inflate } from 'pako';
import { packedEntries } from './packed-entries.ts';

/**
 * A package with its files unpacked, in which two versions are alike where packed they aren't; and how it becomes the very same bytes again. `pako` of
 * this version makes what zlib makes, on every machine: the server sees that it does for each file, and leaves the others packed.
 */
export interface Unpacked {
  readonly image: Uint8Array;
  readonly plan: RepackPlan;
}
/** Runs one after another: so many bytes as they are, then so many to be packed at that level. */
export type RepackPlan = readonly (readonly [asIs: number, toPack: number, level: number])[];

type Level = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;
/** Those that build tools use, first. */
const levels: readonly Level[] = [6, 9, 1, 5, 4, 3, 2, 7, 8];
/** More than that of a package stays packed. */
export const MOST_UNPACKED = 64 * 1024 * 1024;
const CHUNK = 64 * 1024;

/** The image of a new package, and the plan that its terminals repack it by. */
export function unpackForDiff(bytes: Uint8Array): Unpacked {
  const pieces: Uint8Array[] = [];
  const plan: [number, number, number][] = [];
  let from = 0;
  let room = MOST_UNPACKED;
  for (const entry of packedEntries(bytes)) {
    const packed = bytes.subarray(entry.at, entry.at + entry.packed);
    const content = entry.size <= room ? inflated(packed, entry.size) : undefined;
    const level = content && levels.find((one) => isMadeAt(one, content, packed));
    if (!content || level === undefined) continue;
    room -= content.length;
    pieces.push(bytes.subarray(from, entry.at), content);
    plan.push([entry.at - from, content.length, level]);
    from = entry.at + entry.packed;
  }
  return { image: joined([...pieces, bytes.subarray(from)]), plan: [...plan, [bytes.length - from, 0, 0]] };
}

/** What a terminal has already, unpacked alike: the dictionary that the difference is made against. It is only looked into, so all that unpacks is unpacked. */
export function unpackedBase(bytes: Uint8Array): Uint8Array {
  const pieces: Uint8Array[] = [];
  let from = 0;
  let room = MOST_UNPACKED;
  for (const entry of packedEntries(bytes)) {
    const content = entry.size <= room ? inflated(bytes.subarray(entry.at, entry.at + entry.packed), entry.size) : undefined;
    if (!content) continue;
    room -= content.length;
    pieces.push(bytes.subarray(from, entry.at), content);
    from = entry.at + entry.packed;
  }
  return joined([...pieces, bytes.subarray(from)]);
}

/** The package itself, of no more than `most` bytes. Undefined where image and plan don't belong together: whoever calls compares the digest besides. */
export function repack({ image, plan }: Unpacked, most = Number.POSITIVE_INFINITY): Uint8Array | undefined {
  const pieces: Uint8Array[] = [];
  let at = 0;
  let room = most;
  const add = (piece: Uint8Array): boolean => {
    pieces.push(piece);
    room -= piece.length;
    return room >= 0;
  };
  for (const [asIs, toPack, level] of plan) {
    const known = levels.find((one) => one === level);
    const isSound = Number.isSafeInteger(asIs) && Number.isSafeInteger(toPack) && asIs >= 0 && toPack >= 0;
    if (!isSound || asIs + toPack > image.length - at || (toPack > 0 && known === undefined)) return undefined;
    if (!add(image.subarray(at, at + asIs))) return undefined;
    if (known !== undefined) eachDeflated(known, image.subarray(at + asIs, at + asIs + toPack), add);
    if (room < 0) return undefined;
    at += asIs + toPack;
  }
  return at === image.length ? joined(pieces) : undefined;
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/** Of exactly that length, and of all that was packed; otherwise it stays packed. */
function inflated(packed: Uint8Array, size: number): Uint8Array | undefined {
  const whole = new Uint8Array(size);
  let length = 0;
  let isTooLong = false;
  const inflate = new Inflate({ raw: true, chunkSize: CHUNK });
  inflate.onData = (piece) => {
    if (!(piece instanceof Uint8Array) || length + piece.length > size) isTooLong = true;
    else {
      whole.set(piece, length);
      length += piece.length;
    }
  };
  inflate.onEnd = () => undefined;
  for (let at = 0; at < packed.length && !isTooLong; at += CHUNK) {
    const isLast = at + CHUNK >= packed.length;
    if (!inflate.push(packed.subarray(at, at + CHUNK), isLast) && inflate.err !== 0) return undefined;
  }
  return !isTooLong && inflate.err === 0 && length === size ? whole : undefined;
}

/** What comes of these bytes at that level, given to `take` piece by piece until it wants no more. */
function eachDeflated(level: Level, content: Uint8Array, take: (piece: Uint8Array) => boolean): void {
  let isWanted = true;
  const deflate = new Deflate({ raw: true, level, chunkSize: CHUNK });
  deflate.onData = (piece) => {
    if (isWanted && piece instanceof Uint8Array) isWanted = take(piece);
  };
  deflate.onEnd = () => undefined;
  const BLOCK = 16 * CHUNK;
  for (let at = 0; isWanted && (at < content.length || at === 0); at += BLOCK)
    deflate.push(content.subarray(at, at + BLOCK), at + BLOCK >= content.length);
}

/** Whether that level makes the very same bytes; it ends at the first that differ. */
function isMadeAt(level: Level, content: Uint8Array, packed: Uint8Array): boolean {
  let at = 0;
  let isSame = true;
  eachDeflated(level, content, (piece) => {
    isSame = at + piece.length <= packed.length && piece.every((byte, index) => byte === packed[at + index]);
    at += piece.length;
    return isSame;
  });
  return isSame && at === packed.length;
}
