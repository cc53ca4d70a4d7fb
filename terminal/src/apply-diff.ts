import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, zstdDecompress } from 'node:zlib';
import type { PackageOffer } from './offer.ts';

type Package = PackageOffer['package'];
/** Bases above 128 MB need a window as large as they are. */
const WINDOW_LOG = 31;

export type Applied =
  | { readonly ok: true; readonly bytes: Buffer }
  | { readonly ok: false; readonly reason: string; readonly message: string };

/** Makes the full image of a difference and its base (`zstd --patch-from=base full`), and holds it against the signed digest. */
export async function applyDiff(base: Buffer, diff: Buffer, { fullSha256, fullSize }: Package): Promise<Applied> {
  if (!fullSha256 || !fullSize) return { ok: false, reason: 'notSupported', message: 'the package names no full digest' };
  if (!zstdDecompress) return { ok: false, reason: 'notSupported', message: 'no zstd here' };
  try {
    const bytes = await promisify(zstdDecompress)(diff, {
      dictionary: base,
      params: { [constants.ZSTD_d_windowLogMax]: WINDOW_LOG },
      maxOutputLength: fullSize,
    });
    if (createHash('sha256').update(bytes).digest('hex') === fullSha256) return { ok: true, bytes };
    return { ok: false, reason: 'baseWrong', message: 'the result has another digest' };
  } catch (error) {
    return { ok: false, reason: 'baseWrong', message: String((error as Error).message).slice(0, 200) };
  }
}
