import { createHash, timingSafeEqual } from 'node:crypto';
import { oidOf, partOf, readDer } from '@mooring/apk/cms/der';
import { Fault } from '@mooring/contract/kit/fault';
import { keyLimits } from '@mooring/contract/signing/limits';
import type { RawEntry } from './read-pkcs12.ts';

export const JKS = 0xfeedfeed;
const PROTECTED = '1.3.6.1.4.1.42.2.17.1.1';
const DIGEST = 20;
const WHITENER = 'Mighty Aphrodite';

const unread = () => new Fault('KEY_FILE_UNREAD', { fields: { file: 'fault.KEY_FILE_UNREAD' } });
const wrongPassword = () => new Fault('KEY_FILE_PASSWORD', { fields: { password: 'fault.KEY_FILE_PASSWORD' } });
const secretOf = (password: string) => Buffer.from(password, 'utf16le').swap16();
const sha1 = (...parts: readonly (Buffer | string)[]) => {
  const hash = createHash('sha1');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

/** Sun's own protection of a key: salt, the key under a chain of digests, and a digest of it. None where the password is another. */
function unprotected(info: Buffer, secret: Buffer): Buffer | undefined {
  const root = readDer(info);
  if (oidOf(partOf(partOf(root, 0), 0)) !== PROTECTED) throw new Fault('KEY_FILE_CIPHER', { fields: { file: 'fault.KEY_FILE_CIPHER' } });
  const all = partOf(root, 1).body;
  if (all.length <= 2 * DIGEST) throw unread();
  const plain = Buffer.from(all.subarray(DIGEST, -DIGEST));
  let pad = all.subarray(0, DIGEST);
  for (let at = 0; at < plain.length; at++) {
    if (at % DIGEST === 0) pad = sha1(secret, pad);
    plain[at] = (plain[at] ?? 0) ^ (pad[at % DIGEST] ?? 0);
  }
  return timingSafeEqual(sha1(secret, plain), all.subarray(-DIGEST)) ? plain : undefined;
}

/** Java's old key store, as `keytool -storetype JKS` writes it. Its keys may each have a password of their own: all of them that one, or the file's. */
export function readJks(file: Buffer, password: string | undefined, keyPassword: string | undefined): RawEntry[] {
  if (password === undefined) throw wrongPassword();
  const secret = secretOf(password);
  const own = keyPassword === undefined ? undefined : secretOf(keyPassword);
  if (file.length < 12 + DIGEST) throw unread();
  const body = file.subarray(0, -DIGEST);
  if (!timingSafeEqual(sha1(secret, WHITENER, body), file.subarray(-DIGEST))) throw wrongPassword();
  let at = 4;
  const take = (length: number): Buffer => {
    if (length < 0 || at + length > body.length) throw unread();
    at += length;
    return body.subarray(at - length, at);
  };
  const int = () => take(4).readUInt32BE();
  const text = () => take(take(2).readUInt16BE()).toString('utf8');
  const version = int();
  const certificate = () => {
    if (version === 2) text();
    return Buffer.from(take(int()));
  };
  const count = int();
  if (count > keyLimits.entries)
    throw new Fault('KEY_FILE_MANY', { fields: { file: 'fault.KEY_FILE_MANY' }, params: { most: keyLimits.entries } });
  const entries: RawEntry[] = [];
  for (let done = 0; done < count; done++) {
    const tag = int();
    const alias = text().slice(0, 200);
    take(8);
    if (tag === 2) certificate();
    else if (tag === 1) {
      const info = take(int());
      const length = int();
      if (length > keyLimits.entries) throw unread();
      const certificates = Array.from({ length }, certificate);
      const key = (own && unprotected(info, own)) ?? unprotected(info, secret);
      if (!key) throw new Fault('KEY_ENTRY_PASSWORD', { fields: { keyPassword: 'fault.KEY_ENTRY_PASSWORD' } });
      entries.push({ alias, key, certificates });
    } else throw unread();
  }
  return entries;
}
