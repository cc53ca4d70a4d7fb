import type { SignatureVerdict } from '@mooring/contract/app/package';
import type { ReadPackage } from './api.ts';
import { MANIFEST_FILE, readInfo } from './read-info.ts';
import { signatureFound, signatureVerdict } from './signature/verdict.ts';
import type { Source } from './source.ts';
import { readZip } from './zip/read-zip.ts';

const plainArchive = { minSdk: 1, targetSdk: 1, isSandboxed: false, isJar: true };

/** What a package says of itself, and whose it is. */
export async function readPackageFrom(source: Source): Promise<ReadPackage> {
  const zip = readZip(source);
  const { info, asks } = readInfo(zip);
  const { verdict, certificates } = await signatureFound(zip, asks);
  return { info, signature: verdict, certificates };
}

/** The signature alone; an archive that is no package asks for no Android. */
export async function verifyPackageFrom(source: Source): Promise<SignatureVerdict> {
  const zip = readZip(source);
  return signatureVerdict(zip, zip.byName.has(MANIFEST_FILE) ? readInfo(zip).asks : plainArchive);
}
