import { createHash } from 'node:crypto';
import { zstdCompressSync } from 'node:zlib';
import { makeApk } from '@mooring/apk/apk.factory';
import { makeSigner } from '@mooring/apk/signer.factory';
import { planHeader, planText } from '@mooring/contract/app/entries-diff';
import { unpackedBase, unpackForDiff } from '@mooring/contract/app/repack';

/** Two versions of an app, and what leads from one to the other. */
export const NAME = 'com.bank.pay';
export const signer = await makeSigner();
export const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
export const menu = (price: number) =>
  new TextEncoder().encode(Array.from({ length: 600 }, (_, at) => `Espresso ${at} ${(at * 7919) % 971}\n`).join('') + price);
const apk = (versionCode: number) =>
  makeApk({
    packageName: NAME,
    versionCode,
    versionName: `${versionCode}.0`,
    labels: { '': 'Pay' },
    files: { 'assets/menu.txt': menu(versionCode) },
  });
export const [old, now] = [await apk(7), await apk(8)];

export const against = (dictionary: Uint8Array, bytes: Uint8Array) => zstdCompressSync(bytes, dictionary.length > 0 ? { dictionary } : {});
export const forms = {
  image: (base: Uint8Array, full: Uint8Array) => against(base, full),
  entries: (base: Uint8Array, full: Uint8Array) => {
    const { image, plan } = unpackForDiff(full);
    const head = planHeader(against(new Uint8Array(0), planText(image.length, plan)));
    return Buffer.concat([head, against(unpackedBase(base), image)]);
  },
};
export const names = ['image', 'entries'] as const;
