import { createCipheriv, createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { der, integer, nothing, octets, oid, sequence, setOf } from '@mooring/apk/cms/der';
import { DATA } from '@mooring/apk/cms/object-names';
import { deriveOld } from './password-cipher.ts';

const ROUNDS = 100_000;
const SHA256 = { name: 'sha256', block: 64 };
const BAG = '1.2.840.113549.1.12.10.1.';

const content = (bytes: Buffer) => sequence(oid(DATA), der(0xa0, octets(bytes)));

/** Named alike, so that a reader knows which certificate is the key's. */
function attributes(name: string, own: Buffer): Buffer {
  const text = Buffer.from(name, 'utf16le').swap16();
  const id = createHash('sha1').update(own).digest();
  return setOf(sequence(oid('1.2.840.113549.1.9.20'), setOf(der(0x1e, text))), sequence(oid('1.2.840.113549.1.9.21'), setOf(octets(id))));
}

/** EncryptedPrivateKeyInfo by PBES2: PBKDF2 with HMAC-SHA-256, AES-256 (RFC 8018). */
function shrouded(key: Buffer, password: string): Buffer {
  const [salt, iv] = [randomBytes(16), randomBytes(16)];
  const cipher = createCipheriv('aes-256-cbc', pbkdf2Sync(password, salt, ROUNDS, 32, 'sha256'), iv);
  const body = Buffer.concat([cipher.update(key), cipher.final()]);
  const derivation = sequence(
    oid('1.2.840.113549.1.5.12'),
    sequence(octets(salt), integer(ROUNDS), sequence(oid('1.2.840.113549.2.9'), nothing)),
  );
  const encryption = sequence(oid('2.16.840.1.101.3.4.1.42'), octets(iv));
  return sequence(sequence(oid('1.2.840.113549.1.5.13'), sequence(derivation, encryption)), octets(body));
}

/** PKCS #12 (RFC 7292) as openssl and keytool read it: the key under the password, its certificates open, all of it under a MAC. */
export function writePkcs12(name: string, key: Buffer, chain: readonly Buffer[], password: string): Buffer {
  const own = chain[0] ?? Buffer.alloc(0);
  const named = attributes(name, own);
  const certificates = chain.map((one, at) =>
    sequence(oid(`${BAG}3`), der(0xa0, sequence(oid('1.2.840.113549.1.9.22.1'), der(0xa0, octets(one)))), ...(at === 0 ? [named] : [])),
  );
  const keys = sequence(sequence(oid(`${BAG}2`), der(0xa0, shrouded(key, password)), named));
  const safe = sequence(content(sequence(...certificates)), content(keys));
  const salt = randomBytes(16);
  const mac = createHmac('sha256', deriveOld(SHA256, 3, password, salt, ROUNDS, 32))
    .update(safe)
    .digest();
  const digest = sequence(sequence(oid('2.16.840.1.101.3.4.2.1'), nothing), octets(mac));
  return sequence(integer(3), content(safe), sequence(digest, octets(salt), integer(ROUNDS)));
}
