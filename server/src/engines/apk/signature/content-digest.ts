import { createHash } from 'node:crypto';
import type { Source } from '../source.ts';
import type { ContentDigest } from './algorithms.ts';

const CHUNK = 1024 * 1024;

/** What is signed: the files, the directory, and the closing record as if no block lay before the directory. */
export interface SignedParts {
  readonly source: Source;
  /** Where the block begins, or would. */
  readonly blockAt: number;
  readonly directoryAt: number;
  readonly endAt: number;
}

interface Top {
  readonly algorithm: ContentDigest;
  readonly digests: Buffer[];
}

/** Digests of chunks of a megabyte, and one of those (Android's scheme 2, "Integrity-protected contents"). */
export function contentDigests(parts: SignedParts, wanted: ReadonlySet<ContentDigest>): Map<ContentDigest, Buffer> {
  const { source, blockAt, directoryAt, endAt } = parts;
  const end = Buffer.from(source.read(endAt, source.size - endAt));
  end.writeUInt32LE(blockAt, 16);
  const tops = [...wanted].map((algorithm): Top => ({ algorithm, digests: [] }));
  const head = Buffer.from([0xa5, 0, 0, 0, 0]);
  const add = (chunk: Buffer) => {
    head.writeUInt32LE(chunk.length, 1);
    for (const top of tops) top.digests.push(createHash(top.algorithm).update(head).update(chunk).digest());
  };
  const block = Buffer.allocUnsafe(CHUNK);
  const addRange = (from: number, to: number) => {
    for (let at = from; at < to; at += CHUNK) add(source.read(at, Math.min(CHUNK, to - at), block));
  };
  addRange(0, blockAt);
  addRange(directoryAt, endAt);
  for (let at = 0; at < end.length; at += CHUNK) add(end.subarray(at, at + CHUNK));
  return new Map(tops.map((top) => [top.algorithm, topDigest(top)]));
}

function topDigest({ algorithm, digests }: Top): Buffer {
  const head = Buffer.from([0x5a, 0, 0, 0, 0]);
  head.writeUInt32LE(digests.length, 1);
  const hash = createHash(algorithm).update(head);
  for (const digest of digests) hash.update(digest);
  return hash.digest();
}
