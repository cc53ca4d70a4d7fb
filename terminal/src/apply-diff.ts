import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { promisify } from 'node:util';
import { constants, zstdDecompress } from 'node:zlib';
import { applyEither } from '@mooring/contract/app/entries-diff';
import type { Bytes, Decompress } from '@mooring/contract/device/diff-frames';
import type { PackageOffer } from './offer.ts';

type Package = PackageOffer['package'];
/** Bases above 128 MB need a window as large as they are. */
const WINDOW_LOG = 31;

export type Applied = { readonly ok: true } | { readonly ok: false; readonly reason: string; readonly message: string };

export const bytesOf = (bytes: Buffer): Bytes => ({ size: bytes.length, read: async (at, length) => bytes.subarray(at, at + length) });

/** Of a file only what is looked at is in memory. */
export async function withFile<T>(path: string, work: (bytes: Bytes) => Promise<T>): Promise<T> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    return await work({
      size,
      async read(at, length) {
        const bytes = Buffer.alloc(Math.min(length, size - at));
        await file.read(bytes, 0, bytes.length, at);
        return bytes;
      },
    });
  } finally {
    await file.close();
  }
}

const decompress: Decompress = (bytes, dictionary, size) =>
  promisify(zstdDecompress)(bytes, {
    ...(dictionary.length > 0 ? { dictionary } : {}),
    params: { [constants.ZSTD_d_windowLogMax]: WINDOW_LOG },
    maxOutputLength: size,
  });

/** Makes the full image of a difference and its base, and holds it against the signed digest. What is written before that is thrown away by the caller. */
export async function applyDiff(
  base: Bytes,
  diff: Bytes,
  { fullSha256, fullSize }: Package,
  write: (bytes: Uint8Array) => Promise<unknown>,
): Promise<Applied> {
  if (!fullSha256 || !fullSize) return { ok: false, reason: 'notSupported', message: 'the package names no full digest' };
  if (!zstdDecompress) return { ok: false, reason: 'notSupported', message: 'no zstd here' };
  const hash = createHash('sha256');
  try {
    for await (const piece of applyEither(base, diff, fullSize, decompress)) {
      hash.update(piece);
      await write(piece);
    }
  } catch (error) {
    return { ok: false, reason: 'baseWrong', message: String((error as Error).message).slice(0, 200) };
  }
  if (hash.digest('hex') === fullSha256) return { ok: true };
  return { ok: false, reason: 'baseWrong', message: 'the result has another digest' };
}
