import { createHash, verify } from 'node:crypto';
import { WrongSignature } from '../broken.ts';
import { CONTENT_TYPE, DATA, MESSAGE_DIGEST, SIGNED_DATA } from '../cms/object-names.ts';
import { holds } from './algorithms.ts';
import { type Certificate, issuerAndSerial, plainName, readCertificate } from './certificate.ts';
import { type Der, der, elements, must, objectDer, objectName, only } from './der.ts';

const SHA256 = '2.16.840.1.101.3.4.2.1';
const RSA = '1.2.840.113549.1.1.1';
const ECDSA_SHA256 = '1.2.840.10045.4.3.2';

const hashes: Readonly<Record<string, string>> = {
  '1.3.14.3.2.26': 'sha1',
  '2.16.840.1.101.3.4.2.4': 'sha224',
  [SHA256]: 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
};
/** Of a signature's algorithm: the kind of its key, and the digest where its name holds one. */
const signatures: Readonly<Record<string, readonly [key: string, hash?: string]>> = {
  [RSA]: ['rsa'],
  '1.2.840.113549.1.1.5': ['rsa', 'sha1'],
  '1.2.840.113549.1.1.14': ['rsa', 'sha224'],
  '1.2.840.113549.1.1.11': ['rsa', 'sha256'],
  '1.2.840.113549.1.1.12': ['rsa', 'sha384'],
  '1.2.840.113549.1.1.13': ['rsa', 'sha512'],
  '1.2.840.10040.4.1': ['dsa'],
  '1.2.840.10040.4.3': ['dsa', 'sha1'],
  '2.16.840.1.101.3.4.3.1': ['dsa', 'sha224'],
  '2.16.840.1.101.3.4.3.2': ['dsa', 'sha256'],
  '1.2.840.10045.2.1': ['ec'],
  '1.2.840.10045.4.1': ['ec', 'sha1'],
  '1.2.840.10045.4.3.1': ['ec', 'sha224'],
  [ECDSA_SHA256]: ['ec', 'sha256'],
  '1.2.840.10045.4.3.3': ['ec', 'sha384'],
  '1.2.840.10045.4.3.4': ['ec', 'sha512'],
};

/** No Android knows them with DSA. */
const tooLongForDsa = new Set(['sha384', 'sha512']);

const broken = () => new WrongSignature('BLOCK_BROKEN');

export interface JarSigner {
  readonly certificate: Certificate;
  /** All that lie with it, its own first. */
  readonly certificates: readonly Buffer[];
  readonly hash: string;
}

/** Who signed these bytes, by the block beside them (PKCS #7 without its content). */
export function readPkcs7(block: Buffer, signed: Buffer): JarSigner {
  const [type, wrapped] = elements(only(block, 0x30).body);
  if (objectName(must(type, 0x06)) !== SIGNED_DATA) throw broken();
  const parts = elements(only(must(wrapped, 0xa0).body, 0x30).body);
  const certificates = elements(parts.find(({ tag }) => tag === 0xa0)?.body ?? Buffer.alloc(0)).filter(({ tag }) => tag === 0x30);
  const infos = elements(must(parts.at(-1), 0x31).body);
  const [info] = infos;
  if (!info) throw broken();
  if (infos.length > 1) throw new WrongSignature('SEVERAL_SIGNERS', infos.length);
  return checkInfo(must(info, 0x30), certificates, signed);
}

function checkInfo(info: Der, certificates: readonly Der[], signed: Buffer): JarSigner {
  const parts = elements(info.body);
  const [, named, digest] = parts;
  const attributes = parts[3]?.tag === 0xa0 ? parts[3] : undefined;
  const [algorithm, signature] = parts.slice(attributes ? 4 : 3);
  const [issuer, serial] = elements(must(named, 0x30).body);
  const hash = hashes[nameIn(digest)];
  const [key, ownHash] = signatures[nameIn(algorithm)] ?? [];
  if (!hash || !key || (ownHash ?? hash) !== hash || (key === 'dsa' && tooLongForDsa.has(hash))) throw new WrongSignature('ALGORITHM');
  const mine = certificates.find(({ whole }) => {
    const one = issuerAndSerial(whole);
    return one.serial.equals(must(serial, 0x02).whole) && plainName(one.issuer) === plainName(must(issuer, 0x30).whole);
  });
  if (!mine) throw new WrongSignature('CERTIFICATE_BROKEN');
  const certificate = readCertificate(mine.whole);
  const bytes = attributes ? signedAttributes(attributes, hash, signed) : signed;
  if (certificate.key.asymmetricKeyType !== key) throw new WrongSignature('SIGNATURE_WRONG');
  if (!holds(() => verify(hash, bytes, certificate.key, must(signature, 0x04).body))) throw new WrongSignature('SIGNATURE_WRONG');
  const others = certificates.filter((one) => one !== mine);
  return { certificate, certificates: [mine, ...others].map(({ whole }) => whole), hash };
}

const nameIn = (algorithm: Der | undefined): string => {
  const [name] = elements(must(algorithm, 0x30).body);
  return objectName(must(name, 0x06));
};

/** Where attributes are signed, the kind and the digest of the content are among them, and they are signed as the set that they are. */
function signedAttributes(attributes: Der, hash: string, signed: Buffer): Buffer {
  const one = (name: string): Der => {
    const values = elements(attributes.body).flatMap((attribute) => valuesOf(attribute, name));
    if (values.length !== 1 || !values[0]) throw new WrongSignature('SIGNATURE_WRONG');
    return values[0];
  };
  if (objectName(one(CONTENT_TYPE)) !== DATA) throw new WrongSignature('SIGNATURE_WRONG');
  if (!must(one(MESSAGE_DIGEST), 0x04).body.equals(createHash(hash).update(signed).digest())) throw new WrongSignature('CONTENT_CHANGED');
  return der(0x31, attributes.body);
}

function valuesOf(attribute: Der, wanted: string): Der[] {
  const [name, values] = elements(must(attribute, 0x30).body);
  return objectName(must(name, 0x06)) === wanted ? elements(must(values, 0x31).body) : [];
}

/** The block beside a signature file, of a signature that was made over it. */
export function makePkcs7(certificates: readonly Uint8Array[], algorithm: 'rsa' | 'ec', signature: Uint8Array): Buffer {
  const [own] = certificates;
  if (!own) throw new Error('a signer has a certificate');
  const { issuer, serial } = issuerAndSerial(Buffer.from(own));
  const NULL = der(0x05);
  const digest = der(0x30, objectDer(SHA256), NULL);
  const version = der(0x02, Buffer.from([1]));
  const signedBy = algorithm === 'rsa' ? der(0x30, objectDer(RSA), NULL) : der(0x30, objectDer(ECDSA_SHA256));
  const info = der(0x30, version, der(0x30, issuer, serial), digest, signedBy, der(0x04, signature));
  const content = der(0x30, objectDer(DATA));
  const data = der(0x30, version, der(0x31, digest), content, der(0xa0, ...certificates), der(0x31, info));
  return der(0x30, objectDer(SIGNED_DATA), der(0xa0, data));
}
