import type { Manifest } from '@mooring/contract/device/manifest';
import type { PackageRow } from './package-queries.ts';

/** What a manifest is of that doesn't say it. */
const FIRMWARE = 'firmware';

export type SignManifest = (manifest: Omit<Manifest, 'keyId'>) => { manifest: Manifest; signature: string };

/** What is signed of a package: everything that decides where and over what it may go (design 2, "Package"). */
export type Signable = Pick<
  PackageRow,
  'product_code' | 'content' | 'name' | 'kind' | 'version' | 'base' | 'size' | 'sha256' | 'full_sha256' | 'full_size'
>;

export const manifestOf = (row: Signable): Omit<Manifest, 'keyId'> => ({
  product: row.product_code,
  kind: row.kind as 'TA' | 'DI',
  version: row.version,
  base: row.base,
  size: row.size,
  sha256: row.sha256,
  ...(row.full_sha256 && row.full_size ? { fullSize: row.full_size, fullSha256: row.full_sha256 } : {}),
  // Firmware's bytes stay as terminals of before know them.
  ...(row.content === FIRMWARE ? {} : { content: row.content, ...(row.name ? { name: row.name } : {}) }),
});
