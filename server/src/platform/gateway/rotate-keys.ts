import type { AppContext } from '../app-context.ts';
import { rotateMasterKey } from '../config/rotate-master-key.ts';
import { rotateIssuer } from './device-authority.ts';
import { rotateReleaseKey } from './release-keys.ts';

/** Replaces keys of an installation, also of a running one. Nothing is replaced where the root's key isn't there. */
export async function rotateKeys(app: AppContext, which: ReadonlySet<string>): Promise<void> {
  if (which.has('issuer')) await rotateIssuer(app);
  if (which.has('release')) await rotateReleaseKey(app);
  if (which.has('master')) await rotateMasterKey(app, process.env.NEW_MASTER_KEY || undefined);
}
