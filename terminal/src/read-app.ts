import { readPackage } from '@mooring/apk/api';
import type { ReadApp } from './apps.ts';

/** As Android reads it: its signature has to hold. */
export async function readApp(path: string): Promise<ReadApp | undefined> {
  try {
    const { info, signature } = await readPackage(path);
    if (signature.wrong !== null || !signature.certificate) return undefined;
    const { packageName, versionCode, versionName, label } = info;
    return { packageName, versionCode, versionName, label, certificate: signature.certificate.sha256, lineage: signature.lineage };
  } catch {
    return undefined;
  }
}
