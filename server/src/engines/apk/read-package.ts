import type { SignatureVerdict } from '@mooring/contract/app/package';
import type { ReadPackage } from './api.ts';
import { MANIFEST_FILE, readInfo } from './read-info.ts';
import { signatureVerdict } from './signature/verdict.ts';
import type { Source } from './source.ts';
import { readZip } from './zip/read-zip.ts';

/** What a package says of itself, and whose it is. */
export async function readPackageFrom(source: Source): Promise<ReadPackage> {
  const zip = readZip(source);
  const info = readInfo(zip);
  return { info, signature: await signatureVerdict(zip, { minSdk: info.minSdk, targetSdk: info.targetSdk, isJar: false }) };
}

/** The signature alone; an archive that is no package asks for no Android. */
export async function verifyPackageFrom(source: Source): Promise<SignatureVerdict> {
  const zip = readZip(source);
  if (!zip.byName.has(MANIFEST_FILE)) return signatureVerdict(zip, { minSdk: 1, targetSdk: 1, isJar: true });
  const { minSdk, targetSdk } = readInfo(zip);
  return signatureVerdict(zip, { minSdk, targetSdk, isJar: false });
}
