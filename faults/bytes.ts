import { createCipheriv, createHash } from 'node:crypto';

export const md5 = (bytes: Buffer): string => createHash('md5').update(bytes).digest('hex');
export const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** Bytes that begin as a ZIP does, look like noise, and are the same for the same seed. */
export function seededBytes(seed: string, length: number): Buffer {
  const key = createHash('sha256').update(seed).digest();
  const bytes = createCipheriv('aes-128-ctr', key.subarray(0, 16), key.subarray(16)).update(Buffer.alloc(length));
  bytes.write('504b0304', 0, 'hex');
  return bytes;
}
