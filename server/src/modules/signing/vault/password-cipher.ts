import { createDecipheriv, createHash, createHmac, pbkdf2Sync, timingSafeEqual } from 'node:crypto';
import { type Der, intOf, oidOf, partOf, partsOf } from '@mooring/apk/cms/der';
import { Fault } from '@mooring/contract/kit/fault';
import { keyLimits } from '@mooring/contract/signing/limits';
import { decryptRc2 } from './rc2.ts';

const wrongPassword = () => new Fault('KEY_FILE_PASSWORD', { fields: { password: 'fault.KEY_FILE_PASSWORD' } });
const unknownCipher = () => new Fault('KEY_FILE_CIPHER', { fields: { file: 'fault.KEY_FILE_CIPHER' } });

/** Of the file that is read: it is read without a pause, so there is one at a time. */
let spent = 0;
export const beginRounds = (): void => {
  spent = 0;
};
/** Before any of them is computed: of one derivation, which may be several chains of as many, and of all in a file. */
function checkRounds(rounds: number, chains = 1): number {
  spent += rounds * chains;
  if (rounds > keyLimits.rounds || spent > keyLimits.roundsOfFile)
    throw new Fault('KEY_FILE_ROUNDS', { fields: { file: 'fault.KEY_FILE_ROUNDS' }, params: { most: keyLimits.rounds } });
  if (!(rounds >= 1)) throw unknownCipher();
  return rounds;
}

const hashes: Readonly<Record<string, { readonly name: string; readonly block: number; readonly size: number }>> = {
  '1.3.14.3.2.26': { name: 'sha1', block: 64, size: 20 },
  '2.16.840.1.101.3.4.2.1': { name: 'sha256', block: 64, size: 32 },
  '2.16.840.1.101.3.4.2.2': { name: 'sha384', block: 128, size: 48 },
  '2.16.840.1.101.3.4.2.3': { name: 'sha512', block: 128, size: 64 },
};
const sha1 = { name: 'sha1', block: 64, size: 20 };

/** RFC 7292, appendix B.2: the passphrase as UTF-16 with a zero behind it. */
export function deriveOld(
  hash: { name: string; block: number },
  id: number,
  password: string,
  salt: Buffer,
  rounds: number,
  length: number,
): Buffer {
  const { name, block } = hash;
  const repeat = (bytes: Buffer) =>
    bytes.length === 0 ? bytes : Buffer.alloc(block * Math.ceil(bytes.length / block), bytes as Uint8Array);
  const secret = Buffer.from(`${password}\0`, 'utf16le').swap16();
  const input = Buffer.concat([repeat(salt), repeat(secret)]);
  const parts: Buffer[] = [];
  for (let got = 0; got < length; ) {
    let digest = createHash(name).update(Buffer.alloc(block, id)).update(input).digest();
    for (let round = 1; round < rounds; round++) digest = createHash(name).update(digest).digest();
    parts.push(digest);
    got += digest.length;
    const addend = Buffer.alloc(block, digest);
    for (let at = 0; at < input.length; at += block) {
      let carry = 1;
      for (let byte = block - 1; byte >= 0; byte--) {
        carry += (input[at + byte] ?? 0) + (addend[byte] ?? 0);
        input[at + byte] = carry & 0xff;
        carry >>= 8;
      }
    }
  }
  return Buffer.concat(parts).subarray(0, length);
}

const prfs: Readonly<Record<string, string>> = {
  '1.2.840.113549.2.7': 'sha1',
  '1.2.840.113549.2.9': 'sha256',
  '1.2.840.113549.2.10': 'sha384',
  '1.2.840.113549.2.11': 'sha512',
};
const digestSize = (hash: string): number => Object.values(hashes).find(({ name }) => name === hash)?.size ?? 20;
const ciphers: Readonly<Record<string, readonly [string, number]>> = {
  '2.16.840.1.101.3.4.1.2': ['aes-128-cbc', 16],
  '2.16.840.1.101.3.4.1.22': ['aes-192-cbc', 24],
  '2.16.840.1.101.3.4.1.42': ['aes-256-cbc', 32],
  '1.2.840.113549.3.7': ['des-ede3-cbc', 24],
};

type Decrypt = (bytes: Buffer) => Buffer;
const byName =
  (name: string, key: Buffer, iv: Buffer): Decrypt =>
  (bytes) => {
    const decipher = createDecipheriv(name, key, iv);
    return Buffer.concat([decipher.update(bytes), decipher.final()]);
  };

/** Of PKCS #12 before PBES2 (RFC 7292, appendix C): bytes of the key, how often SHA-1 is chained for those and the beginning, and the cipher. */
const older: Readonly<Record<string, readonly [number, number, (key: Buffer, iv: Buffer) => Decrypt]>> = {
  '1.2.840.113549.1.12.1.3': [24, 3, (key, iv) => byName('des-ede3-cbc', key, iv)],
  '1.2.840.113549.1.12.1.5': [16, 2, (key, iv) => (bytes) => decryptRc2(key, 128, iv, bytes)],
  '1.2.840.113549.1.12.1.6': [5, 2, (key, iv) => (bytes) => decryptRc2(key, 40, iv, bytes)],
};

/** How what a password encrypted is decrypted. */
function keyed(algorithm: Der, password: string): Decrypt {
  const id = oidOf(partOf(algorithm, 0));
  const params = partOf(algorithm, 1);
  const old = older[id];
  if (old) {
    const [length, chains, decrypt] = old;
    const [salt, rounds] = [partOf(params, 0).body, checkRounds(intOf(partOf(params, 1)), chains)];
    return decrypt(deriveOld(sha1, 1, password, salt, rounds, length), deriveOld(sha1, 2, password, salt, rounds, 8));
  }
  if (id !== '1.2.840.113549.1.5.13') throw unknownCipher();
  const [derivation, encryption] = [partOf(params, 0), partOf(params, 1)];
  const cipher = ciphers[oidOf(partOf(encryption, 0))];
  if (oidOf(partOf(derivation, 0)) !== '1.2.840.113549.1.5.12' || !cipher) throw unknownCipher();
  const [salt, rounds, ...more] = partsOf(partOf(derivation, 1));
  if (!salt || !rounds) throw unknownCipher();
  const prf = more.find(({ tag }) => tag === 0x30);
  const hash = prf ? prfs[oidOf(partOf(prf, 0))] : 'sha1';
  if (!hash) throw unknownCipher();
  const [name, length] = cipher;
  const chains = Math.ceil(length / digestSize(hash));
  return byName(name, pbkdf2Sync(password, salt.body, checkRounds(intOf(rounds), chains), length, hash), partOf(encryption, 1).body);
}

/** What was encrypted with a password. Faults: KEY_FILE_PASSWORD, KEY_FILE_ROUNDS, KEY_FILE_CIPHER. */
export function decrypted(algorithm: Der, bytes: Buffer, password: string | undefined): Buffer {
  if (password === undefined) throw wrongPassword();
  const decrypt = keyed(algorithm, password);
  try {
    return decrypt(bytes);
  } catch {
    throw wrongPassword();
  }
}

/** EncryptedPrivateKeyInfo (RFC 5958). */
export const decryptedKey = (info: Der, password: string | undefined): Buffer => decrypted(partOf(info, 0), partOf(info, 1).body, password);

/** Whether the whole file was written by who knows the password (RFC 7292, section 4). */
export function checkMac(mac: Der, content: Buffer, password: string | undefined): void {
  const [digest, salt, rounds] = partsOf(mac);
  const hash = digest && hashes[oidOf(partOf(partOf(digest, 0), 0))];
  if (!digest || !salt || !hash) throw unknownCipher();
  const count = checkRounds(rounds ? intOf(rounds) : 1);
  if (password === undefined) throw wrongPassword();
  const key = deriveOld(hash, 3, password, salt.body, count, hash.size);
  const found = createHmac(hash.name, key).update(content).digest();
  const wanted = partOf(digest, 1).body;
  if (wanted.length !== found.length || !timingSafeEqual(wanted, found)) throw wrongPassword();
}
