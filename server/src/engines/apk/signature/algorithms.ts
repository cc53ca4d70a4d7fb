import { constants, type KeyObject, verify } from 'node:crypto';
import type { Certificate } from './certificate.ts';

export type ContentDigest = 'sha256' | 'sha512';

interface Algorithm {
  readonly content: ContentDigest;
  readonly hash: ContentDigest;
  readonly key: 'rsa' | 'ec' | 'dsa';
  readonly isPss?: true;
  /** Over a tree of digests, by which a system checks a file while it reads it. */
  readonly isTree?: true;
}

/** Those of Android's schemes 2 and 3, by the numbers that they are written as. */
const algorithms = new Map<number, Algorithm>([
  [0x0101, { content: 'sha256', hash: 'sha256', key: 'rsa', isPss: true }],
  [0x0102, { content: 'sha512', hash: 'sha512', key: 'rsa', isPss: true }],
  [0x0103, { content: 'sha256', hash: 'sha256', key: 'rsa' }],
  [0x0104, { content: 'sha512', hash: 'sha512', key: 'rsa' }],
  [0x0201, { content: 'sha256', hash: 'sha256', key: 'ec' }],
  [0x0202, { content: 'sha512', hash: 'sha512', key: 'ec' }],
  [0x0301, { content: 'sha256', hash: 'sha256', key: 'dsa' }],
  [0x0421, { content: 'sha256', hash: 'sha256', key: 'rsa', isTree: true }],
  [0x0423, { content: 'sha256', hash: 'sha256', key: 'ec', isTree: true }],
  [0x0425, { content: 'sha256', hash: 'sha256', key: 'dsa', isTree: true }],
]);

export const algorithmOf = (number: number): Algorithm | undefined => algorithms.get(number);

/** By which a key signs; a long one with the long digest, as Android's own tool has it. */
export function algorithmFor({ said }: Certificate): number {
  if (said.keyAlgorithm === 'rsa') return said.keyBits <= 3072 ? 0x0103 : 0x0104;
  return said.keyBits <= 256 ? 0x0201 : 0x0202;
}

export function isSignedBy(key: KeyObject, number: number, data: Buffer, signature: Buffer): boolean {
  const algorithm = algorithms.get(number);
  if (!algorithm || key.asymmetricKeyType !== algorithm.key) return false;
  const padding = algorithm.isPss ? { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST } : {};
  return holds(() => verify(algorithm.hash, data, { key, ...padding }, signature));
}

/** A signature that isn't even one of its kind is wrong like any other. */
export function holds(check: () => boolean): boolean {
  try {
    return check();
  } catch {
    return false;
  }
}
