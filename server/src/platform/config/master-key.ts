import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openByPassphrase, sealByPassphrase } from './passphrase.ts';

/** Secrets at rest are sealed with this (design 5, "Data"). */
export interface MasterKey {
  seal(purpose: string, secret: Buffer): Buffer;
  open(purpose: string, sealed: Buffer): Buffer;
  /** A key of its own for one purpose, for signatures and tokens. */
  derive(purpose: string): Buffer;
}

/** Before the content of a key file, so that the same key can be kept elsewhere. */
const ENCODED = 'base64:';

export const keyFile = (dataDir: string): string => join(dataDir, 'master.key');
/** The one that is about to take its place. */
export const nextKeyFile = (dataDir: string): string => `${keyFile(dataDir)}.next`;
/** What a key file holds; `phrase` names the file with the passphrase, where it is sealed with one. */
export const secretIn = (file: string, phrase?: string): Buffer => {
  const text = readFileSync(file, 'utf8').trim();
  return openByPassphrase(text, file, phrase) ?? Buffer.from(text, 'base64');
};
export const writeSecret = (file: string, secret: Buffer, phrase: string | undefined, flag = 'w'): void =>
  writeFileSync(file, phrase ? sealByPassphrase(secret, phrase) : secret.toString('base64'), { mode: 0o600, flush: true, flag });

/** `MASTER_KEY`, or a 0600 file in the data folder; undefined where there is neither. */
export function secretOf(given: string | undefined, dataDir: string, phrase?: string): Buffer | undefined {
  if (given) return given.startsWith(ENCODED) ? Buffer.from(given.slice(ENCODED.length), 'base64') : Buffer.from(given);
  const file = keyFile(dataDir);
  return existsSync(file) ? secretIn(file, phrase) : undefined;
}

/** Makes the file, once. */
export function makeSecret(dataDir: string, phrase?: string): Buffer {
  writeSecret(keyFile(dataDir), randomBytes(32), phrase, 'wx');
  return secretIn(keyFile(dataDir), phrase);
}

/** The key of an installation that has replaced none. */
export const loadMasterKey = (given: string | undefined, dataDir: string): MasterKey =>
  masterKey(secretOf(given, dataDir) ?? makeSecret(dataDir));

export function masterKey(secret: Buffer): MasterKey {
  // Of a few purposes; a reconnect storm asks for the same one thousands of times.
  const derived = new Map<string, Buffer>();
  const derive = (purpose: string) => {
    const known = derived.get(purpose);
    if (known) return known;
    const key = Buffer.from(hkdfSync('sha256', secret, 'mooring', purpose, 32));
    derived.set(purpose, key);
    return key;
  };
  return {
    derive,
    seal(purpose, plain) {
      const iv = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', derive(purpose), iv);
      const body = Buffer.concat([cipher.update(plain), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), body]);
    },
    open(purpose, sealed) {
      const decipher = createDecipheriv('aes-256-gcm', derive(purpose), sealed.subarray(0, 12));
      decipher.setAuthTag(sealed.subarray(12, 28));
      return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]);
    },
  };
}
