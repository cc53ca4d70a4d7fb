import { rotateMasterKey } from '../config/rotate-master-key.ts';
import type { House } from '../house.ts';
import { rotateIssuer } from './device-authority.ts';
import { rotateReleaseKey } from './release-keys.ts';

/** Replaces keys of an installation, also of a running one. Nothing is replaced where the root's key isn't there. */
export async function rotateKeys(house: House, which: ReadonlySet<string>): Promise<void> {
  if (which.has('issuer')) await rotateIssuer(house);
  if (which.has('release')) await rotateReleaseKey(house);
  if (which.has('master')) await rotateMasterKey(house, process.env.NEW_MASTER_KEY || undefined);
}
