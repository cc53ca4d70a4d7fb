import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  randomBytes,
  sign,
  verify,
} from 'node:crypto';
import { Fault } from '@mooring/contract/kit/fault';
import type { KeyAlgorithm } from '@mooring/contract/signing/limits';
import type { Held } from './protocol.ts';

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

/** The password of a file under the vault's key; bound to the file. */
export function sealText(vaultKey: Buffer, text: string, file: Buffer): Buffer {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', vaultKey, iv).setAAD(ofFile(file));
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), body]);
}
export function openText(vaultKey: Buffer, sealed: Buffer, file: Buffer): string {
  const decipher = createDecipheriv('aes-256-gcm', vaultKey, sealed.subarray(0, 12))
    .setAAD(ofFile(file))
    .setAuthTag(sealed.subarray(12, 28));
  return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]).toString('utf8');
}
const ofFile = (file: Buffer) => Buffer.concat([Buffer.from('text'), createHash('sha256').update(file).digest()]);

/** A file may claim any public half for its key. Fault: KEY_FILE_UNREAD. */
export function checkPair(key: KeyObject): void {
  const data = randomBytes(32);
  if (!verify('sha256', data, createPublicKey({ key: publicBytes(key), type: 'spki', format: 'der' }), sign('sha256', data, key)))
    throw new Fault('KEY_FILE_UNREAD', { fields: { file: 'fault.KEY_FILE_UNREAD' } });
}

const VERSION = 2;
/** What a sealed key is bound to: its public half, so that one can't be put in another's place, and whether it may leave. */
const boundTo = (publicKey: Buffer, exportable: boolean) =>
  createHash('sha256')
    .update(publicKey)
    .update(Buffer.from([exportable ? 1 : 0]))
    .digest();

/** A private key under the vault's key. */
export function sealKey(vaultKey: Buffer, key: KeyObject, exportable: boolean): Buffer {
  const plain = key.export({ type: 'pkcs8', format: 'der' });
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', vaultKey, iv).setAAD(boundTo(publicBytes(key), exportable));
  const body = Buffer.concat([cipher.update(plain), cipher.final()]);
  plain.fill(0);
  return Buffer.concat([Buffer.from([VERSION]), iv, cipher.getAuthTag(), body]);
}

/** Another version and another mark than those of a key: where a key is can't be changed beside the vault. */
const REFERENCE = 3;
const ofToken = (publicKey: Buffer) =>
  createHash('sha256')
    .update(publicKey)
    .update(Buffer.from([2]))
    .digest();
/** Which object of which token a private key is. */
export interface Reference {
  /** CKA_ID in hex. */
  readonly id: string;
  readonly label: string;
  readonly serial: string;
}
export function sealReference(tokenKey: Buffer, of: Reference, publicKey: Buffer): Buffer {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', tokenKey, iv).setAAD(ofToken(publicKey));
  const body = Buffer.concat([cipher.update(JSON.stringify(of), 'utf8'), cipher.final()]);
  return Buffer.concat([Buffer.from([REFERENCE]), iv, cipher.getAuthTag(), body]);
}
export function openReference(tokenKey: Buffer, { sealed, publicKey }: Pick<Held, 'sealed' | 'publicKey'>): Reference {
  if (sealed[0] !== REFERENCE) throw new Error('no reference to a token');
  const decipher = createDecipheriv('aes-256-gcm', tokenKey, sealed.subarray(1, 13))
    .setAAD(ofToken(publicKey))
    .setAuthTag(sealed.subarray(13, 29));
  return JSON.parse(Buffer.concat([decipher.update(sealed.subarray(29)), decipher.final()]).toString('utf8'));
}

export function openKey(vaultKey: Buffer, { sealed, publicKey, exportable }: Held): KeyObject {
  if (sealed[0] !== VERSION) throw new Error('sealed by another version');
  const decipher = createDecipheriv('aes-256-gcm', vaultKey, sealed.subarray(1, 13))
    .setAAD(boundTo(publicKey, exportable))
    .setAuthTag(sealed.subarray(13, 29));
  const plain = Buffer.concat([decipher.update(sealed.subarray(29)), decipher.final()]);
  const key = createPrivateKey({ key: plain, type: 'pkcs8', format: 'der' });
  plain.fill(0);
  return key;
}
