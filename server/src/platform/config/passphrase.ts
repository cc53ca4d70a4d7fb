import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';

const MARK = 'scrypt';
const LEAST = 12;
/** 64 MB and a quarter of a second for each guess. */
const COST = { N: 2 ** 16, r: 8, p: 1, maxmem: 128 * 1024 * 1024 };
const isSealed = (text: string): boolean => text.startsWith(`${MARK}:`);

/** Whether a key file opens by a passphrase alone. */
export const wantsPassphrase = (file: string): boolean => existsSync(file) && isSealed(readFileSync(file, 'utf8'));

function keyOf(phraseFile: string, salt: Buffer): Buffer {
  const phrase = readFileSync(phraseFile, 'utf8').replace(/\r?\n$/, '');
  if (phrase.length < LEAST)
    throw new Error(`MASTER_KEY_PASSPHRASE_FILE holds ${phrase.length} characters; a passphrase has at least ${LEAST}.`);
  return scryptSync(phrase.normalize('NFC'), salt, 32, COST);
}

/** Text for a key file that is worth nothing without the passphrase. */
export function sealByPassphrase(secret: Buffer, phraseFile: string): string {
  const [salt, iv] = [randomBytes(16), randomBytes(12)];
  const cipher = createCipheriv('aes-256-gcm', keyOf(phraseFile, salt), iv);
  const body = Buffer.concat([cipher.update(secret), cipher.final()]);
  return [MARK, ...[salt, iv, cipher.getAuthTag(), body].map((one) => one.toString('base64'))].join(':');
}

/** The secret of such a text; undefined where it isn't one. */
export function openByPassphrase(text: string, file: string, phraseFile: string | undefined): Buffer | undefined {
  if (!isSealed(text)) return undefined;
  if (!phraseFile) throw new Error(`${file} is sealed with a passphrase: set MASTER_KEY_PASSPHRASE_FILE to the file that holds it.`);
  const [salt, iv, tag, body] = text
    .split(':')
    .slice(1)
    .map((one) => Buffer.from(one, 'base64'));
  if (!salt || !iv || !tag || !body) throw new Error(`${file} is damaged. Put a copy of it back.`);
  const decipher = createDecipheriv('aes-256-gcm', keyOf(phraseFile, salt), iv).setAuthTag(tag);
  try {
    return Buffer.concat([decipher.update(body), decipher.final()]);
  } catch {
    throw new Error(`MASTER_KEY_PASSPHRASE_FILE holds another passphrase than the one that opens ${file}.`);
  }
}
