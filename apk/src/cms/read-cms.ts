import { constants, createHash, createVerify, verify, X509Certificate } from 'node:crypto';
import type { Readable } from 'node:stream';
import { Fault } from '@mooring/contract/kit/fault';
import { MOST_BESIDE } from '@mooring/contract/signing/limits';
import type { BesideRule } from '@mooring/contract/signing/verify-beside';
import { type Der, DerError, definite, intOf, oidOf, partOf, partsOf, pemBlocks, readDer, sequence } from './der.ts';
import { extensionOf } from './leads-to.ts';
import { CONTENT_TYPE, DATA, MESSAGE_DIGEST, SIGNED_DATA, SIGNING_TIME, TIME_STAMP } from './object-names.ts';

type DigestName = 'sha256' | 'sha384' | 'sha512';

const KEY_ID = '2.5.29.14';
const KEY_USAGE = '2.5.29.15';
/** digitalSignature and nonRepudiation. */
const FOR_SIGNATURES = 0xc0;
const MOST_SALT = 512;
const PSS = '1.2.840.113549.1.1.10';
const MOST_CERTIFICATES = 20;

const digests: Readonly<Record<string, DigestName>> = {
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
};
/** The kind of the key, and the digest where the algorithm's name holds one; those with SHA-1 aren't among them. */
const algorithms: Readonly<Record<string, readonly [key: 'rsa' | 'ec', digest?: DigestName]>> = {
  '1.2.840.113549.1.1.1': ['rsa'],
  '1.2.840.113549.1.1.11': ['rsa', 'sha256'],
  '1.2.840.113549.1.1.12': ['rsa', 'sha384'],
  '1.2.840.113549.1.1.13': ['rsa', 'sha512'],
  [PSS]: ['rsa'],
  '1.2.840.10045.2.1': ['ec'],
  '1.2.840.10045.4.3.2': ['ec', 'sha256'],
  '1.2.840.10045.4.3.3': ['ec', 'sha384'],
  '1.2.840.10045.4.3.4': ['ec', 'sha512'],
};

/** Issuer and serial number, as the certificate itself has them. */
export function issuerAndSerial(certificate: Buffer): Buffer {
  const [body] = partsOf(readDer(certificate));
  const parts = partsOf(body ?? { body: Buffer.alloc(0) }).filter(({ tag }) => tag !== 0xa0);
  return sequence(parts[2]?.raw ?? Buffer.alloc(0), parts[0]?.raw ?? Buffer.alloc(0));
}

const refused = (name: string) => new Fault(name, { fields: { signature: `fault.${name}` } });

/** A signature beside its content (RFC 5652), as it is written; nothing of it is believed before `check`. */
export interface Beside {
  readonly digest: DigestName;
  readonly own: X509Certificate;
  readonly others: readonly X509Certificate[];
  /** As its signer says. */
  readonly signedAt: Date | null;
  readonly signature: Buffer;
  /** A time-stamp token for it. */
  readonly stamp: Der | undefined;
  /** What is wrong with it, for this content. */
  readonly check: (content: Readable) => Promise<BesideRule | null>;
}

/** DER, or PEM with a block of one of the names that tools give it. */
function bytesOf(file: Buffer): Buffer {
  if (!file.subarray(0, 200).includes('-----BEGIN ')) return file;
  const text = file.toString('latin1');
  const [block] = ['PKCS7', 'CMS', 'PKCS #7 SIGNED DATA'].flatMap((label) => pemBlocks(text, label));
  if (!block) throw new DerError('no block');
  return block;
}

/** UTCTime or GeneralizedTime (RFC 5652, section 11.3). */
function timeOf({ tag, body }: Der): Date {
  const text = body.toString('latin1');
  const full = tag === 0x17 ? `${Number(text.slice(0, 2)) >= 50 ? '19' : '20'}${text}` : text;
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(full) ?? [];
  const at = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  // A day that a month doesn't have would be one of the next.
  if (Number.isNaN(at.getTime()) || at.getUTCDate() !== Number(day)) throw new DerError('no time');
  return at;
}

/** The one value of an attribute, of which there may be one alone, with one value. */
function attributeValue(attributes: Der | undefined, name: string): Der | undefined {
  const found = (attributes ? partsOf(attributes) : []).filter((one) => oidOf(partOf(one, 0)) === name);
  if (found.length > 1) throw new DerError('twice');
  const values = found[0] && partsOf(partOf(found[0], 1));
  if (values && values.length !== 1) throw new DerError('several values');
  return values?.[0];
}

function isBy(one: X509Certificate, sid: Der): boolean {
  if (sid.tag === 0x30) return issuerAndSerial(one.raw).equals(sid.raw);
  const id = extensionOf(one, KEY_ID)?.value;
  return sid.tag === 0x80 && id !== undefined && partsOf(id)[0]?.body.equals(sid.body) === true;
}

/** Bytes of the salt that RSASSA-PSS says (RFC 4055, section 3.1), for the digest that it is of. */
function saltOf(algorithm: Der, digest: DigestName): number {
  const fields = partsOf(partOf(algorithm, 1));
  const hash = fields.find(({ tag }) => tag === 0xa0);
  const salt = fields.find(({ tag }) => tag === 0xa2);
  if (!hash || digests[oidOf(partOf(partOf(hash, 0), 0))] !== digest) throw refused('SIGNATURE_ALGORITHM');
  const bytes = salt ? intOf(partOf(salt, 0)) : 20;
  if (!(bytes >= 0 && bytes <= MOST_SALT)) throw refused('SIGNATURE_ALGORITHM');
  return bytes;
}

/** With a key and dates that can be read: they are shown, and others verified by them. */
function certificateOf(raw: Buffer): X509Certificate {
  const one = new X509Certificate(raw);
  if (!one.publicKey.asymmetricKeyType) throw new DerError('no key');
  if ([one.validFrom, one.validTo].some((at) => Number.isNaN(Date.parse(at)))) throw new DerError('no date');
  return one;
}

/** One that says what it is for is for signatures (RFC 5280, section 4.2.1.3). Fault: SIGNATURE_USAGE. */
function checkUsage(one: X509Certificate): void {
  const usage = extensionOf(one, KEY_USAGE)?.value;
  if (usage && ((readDer(usage.body).body[1] ?? 0) & FOR_SIGNATURES) === 0) throw refused('SIGNATURE_USAGE');
}

/** What a key or its parameters make impossible is no signature. */
function holds(work: () => boolean): boolean {
  try {
    return work();
  } catch {
    return false;
  }
}

function read(file: Buffer): Beside {
  const root = definite(bytesOf(file));
  if (root.tag !== 0x30 || oidOf(partOf(root, 0)) !== SIGNED_DATA) throw new DerError('no signature');
  const parts = partsOf(partOf(partOf(root, 1), 0));
  const content = partsOf(parts[2] ?? root);
  if (content.length > 1) throw refused('SIGNATURE_WITHIN');
  const signers = partsOf(parts.at(-1) ?? root);
  const [signer] = signers;
  if (!signer || signers.length > 1 || parts.at(-1)?.tag !== 0x31 || parts.length < 4) throw refused('SIGNATURE_SIGNERS');
  const certificates = parts.find(({ tag }, at) => tag === 0xa0 && at > 2);
  const raws = (certificates ? partsOf(certificates) : []).filter(({ tag }) => tag === 0x30);
  if (raws.length > MOST_CERTIFICATES) throw new DerError('too many');
  const known = raws.map(({ raw }) => certificateOf(raw));
  const [, sid, digestAlgorithm, fourth] = partsOf(signer);
  const attributes = fourth?.tag === 0xa0 ? fourth : undefined;
  const [algorithm, value, unsigned] = partsOf(signer).slice(attributes ? 4 : 3);
  if (!sid || !algorithm || value?.tag !== 0x04) throw new DerError('no signature');
  const own = known.find((one) => isBy(one, sid));
  if (!own) throw refused('SIGNATURE_NO_CERTIFICATE');
  checkUsage(own);
  const digest = digests[oidOf(partOf(digestAlgorithm, 0))];
  const name = oidOf(partOf(algorithm, 0));
  const [kind, ofName] = algorithms[name] ?? [];
  if (!digest || !kind || (ofName ?? digest) !== digest || own.publicKey.asymmetricKeyType !== kind) throw refused('SIGNATURE_ALGORITHM');
  const padding = name === PSS ? { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: saltOf(algorithm, digest) } : {};
  const key = { key: own.publicKey, ...padding };
  const signature = value.body;
  const type = oidOf(partOf(parts[2], 0));
  // What is none of data is signed by way of attributes (RFC 5652, section 5.3).
  if (!attributes && type !== DATA) throw new DerError('no attributes');
  const checked = attributes && {
    digest: attributeValue(attributes, MESSAGE_DIGEST)?.body,
    isOfType: oidOf(attributeValue(attributes, CONTENT_TYPE) ?? root) === type,
    // Signed as the set that they are, sent with a tag of their own (RFC 5652, section 5.4).
    holds: holds(() => verify(digest, Buffer.concat([Buffer.from([0x31]), attributes.raw.subarray(1)]), key, signature)),
  };
  const time = attributeValue(attributes, SIGNING_TIME);
  return {
    digest,
    own,
    others: known.filter((one) => one !== own),
    signedAt: time ? timeOf(time) : null,
    signature,
    stamp: attributeValue(unsigned?.tag === 0xa1 ? unsigned : undefined, TIME_STAMP),
    check: async (bytes) => {
      if (!checked) {
        const verifier = createVerify(digest);
        for await (const piece of bytes) verifier.update(piece as Buffer);
        // Without attributes there is nothing that could tell other bytes from a false signature.
        return holds(() => verifier.verify(key, signature)) ? null : 'BYTES_DIFFER';
      }
      const hash = createHash(digest);
      for await (const piece of bytes) hash.update(piece as Buffer);
      if (!checked.holds || !checked.isOfType) return 'SIGNATURE_WRONG';
      return checked.digest?.equals(hash.digest()) ? null : 'BYTES_DIFFER';
    },
  };
}

/** Faults: SIGNATURE_LARGE, SIGNATURE_UNREAD, SIGNATURE_WITHIN, SIGNATURE_SIGNERS, SIGNATURE_NO_CERTIFICATE, SIGNATURE_USAGE, SIGNATURE_ALGORITHM. */
export function readBeside(file: Buffer): Beside {
  if (file.length > MOST_BESIDE) throw refused('SIGNATURE_LARGE');
  try {
    return read(file);
  } catch (error) {
    if (error instanceof Fault) throw error;
    // Whatever a parser says of it.
    throw refused('SIGNATURE_UNREAD');
  }
}
