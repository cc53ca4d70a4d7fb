import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { manifestText, releaseKeyText } from '@mooring/contract/device/manifest';
import type { PackageOffer } from './offer.ts';

const keyOf = (spki: string): KeyObject => createPublicKey({ key: Buffer.from(spki, 'base64'), format: 'der', type: 'spki' });

/** The root vouches for the release key, and that key for the manifest. */
export function isSigned(offer: Pick<PackageOffer, 'package' | 'releaseKey'>, releaseRoot: string): boolean {
  const {
    package: { signature, ...manifest },
    releaseKey,
  } = offer;
  try {
    return (
      manifest.keyId === releaseKey.id &&
      verify(null, Buffer.from(releaseKeyText(releaseKey)), keyOf(releaseRoot), Buffer.from(releaseKey.signature, 'base64')) &&
      verify(null, Buffer.from(manifestText(manifest)), keyOf(releaseKey.publicKey), Buffer.from(signature, 'base64'))
    );
  } catch {
    return false;
  }
}

const numbers = (version: string) =>
  version
    .split(/[^0-9]+/)
    .filter(Boolean)
    .map(Number);

/** Versions by their numbers, part by part; equal numbers by the text. */
export function compareVersions(a: string, b: string): number {
  const [x, y] = [numbers(a), numbers(b)];
  for (let at = 0; at < Math.max(x.length, y.length); at += 1) {
    const difference = (x[at] ?? 0) - (y[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return a < b ? -1 : a > b ? 1 : 0;
}
