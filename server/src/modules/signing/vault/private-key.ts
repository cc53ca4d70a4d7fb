import { createCipheriv, createDecipheriv, createHash, createPrivateKey, createPublicKey, type KeyObject, randomBytes } from 'node:crypto';
import type { KeyAlgorithm } from '@mooring/contract/signing/limits';

const rsa: Readonly<Record<number, KeyAlgorithm>> = { 2048: 'rsa2048', 3072: 'rsa3072', 4096: 'rsa4096' };
const curves: Readonly<Record<string, KeyAlgorithm>> = { prime256v1: 'p256', secp384r1: 'p384' };

/** Which of the algorithms that we sign with; undefined for all others, too short ones among them. */
export function algorithmOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): KeyAlgorithm | undefined {
  if (asymmetricKeyType === 'rsa') return rsa[asymmetricKeyDetails?.modulusLength ?? 0];
  return asymmetricKeyType === 'ec' ? curves[asymmetricKeyDetails?.namedCurve ?? ''] : undefined;
}
/** In words, of any key. */
export const algorithmText = ({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): string =>
  `${String(asymmetricKeyType).toUpperCase()} ${asymmetricKeyDetails?.modulusLength ?? asymmetricKeyDetails?.namedCurve ?? ''}`.trim();

export const publicBytes = (key: KeyObject): Buffer =>
  (key.type === 'private' ? createPublicKey(key) : key).export({ type: 'spki', format: 'der' });

/** A short secret under the vault's key. */
export function sealText(vaultKey: Buffer, text: string): Buffer {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', vaultKey, iv).setAAD(TEXT);
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), body]);
}
export function openText(vaultKey: Buffer, sealed: Buffer): string {
  const decipher = createDecipheriv('aes-256-gcm', vaultKey, sealed.subarray(0, 12)).setAAD(TEXT).setAuthTag(sealed.subarray(12, 28));
  return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]).toString('utf8');
}
const TEXT = Buffer.from('text');

const VERSION = 1;
/** A private key under the vault's key; bound to its public half, so that one can't be put in another's place. */
export function sealKey(vaultKey: Buffer, key: KeyObject): Buffer {
  const plain = key.export({ type: 'pkcs8', format: 'der' });
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', vaultKey, iv).setAAD(createHash('sha256').update(publicBytes(key)).digest());
  const body = Buffer.concat([cipher.update(plain), cipher.final()]);
  plain.fill(0);
  return Buffer.concat([Buffer.from([VERSION]), iv, cipher.getAuthTag(), body]);
}

export function openKey(vaultKey: Buffer, sealed: Buffer, publicKey: Buffer): KeyObject {
  if (sealed[0] !== VERSION) throw new Error('sealed by another version');
  const decipher = createDecipheriv('aes-256-gcm', vaultKey, sealed.subarray(1, 13))
    .setAAD(createHash('sha256').update(publicKey).digest())
    .setAuthTag(sealed.subarray(13, 29));
  const plain = Buffer.concat([decipher.update(sealed.subarray(29)), decipher.final()]);
  const key = createPrivateKey({ key: plain, type: 'pkcs8', format: 'der' });
  plain.fill(0);
  return key;
}
