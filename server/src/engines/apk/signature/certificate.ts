import { createHash, type KeyObject, X509Certificate } from 'node:crypto';
import type { SignerCertificate } from '@mooring/contract/app/package';
import { WrongSignature } from '../broken.ts';
import { elements, must, only } from './der.ts';

/** A signer's certificate as it lies in the package. */
export interface Certificate {
  readonly der: Buffer;
  readonly sha256: string;
  readonly key: KeyObject;
  /** DER of the public key, as the schemes write it. */
  readonly publicKey: Buffer;
  readonly said: SignerCertificate;
}

const MOST = 64 * 1024;
const broken = () => new WrongSignature('CERTIFICATE_BROKEN');

export function readCertificate(der: Buffer): Certificate {
  if (der.length > MOST) throw broken();
  try {
    return read(der);
  } catch {
    throw broken();
  }
}

function read(der: Buffer): Certificate {
  const parsed = new X509Certificate(der);
  const key = parsed.publicKey;
  // Of the bytes as they lie there: read and written again, a badly encoded one would be another.
  const sha256 = createHash('sha256').update(der).digest('hex');
  return {
    der,
    sha256,
    key,
    publicKey: key.export({ type: 'spki', format: 'der' }),
    said: {
      sha256,
      subject: oneLine(parsed.subject),
      issuer: oneLine(parsed.issuer),
      serial: parsed.serialNumber.slice(0, 100),
      notBefore: new Date(parsed.validFrom).toISOString(),
      notAfter: new Date(parsed.validTo).toISOString(),
      ...keySaid(key),
    },
  };
}

/** "CN=Till, O=Acme", the most special first, as people know it. */
const oneLine = (name: string | undefined) => (name ?? '').split('\n').reverse().join(', ').slice(0, 1000);

const curveBits: Readonly<Record<string, number>> = { prime256v1: 256, secp384r1: 384, secp521r1: 521 };

function keySaid(key: KeyObject): Pick<SignerCertificate, 'keyAlgorithm' | 'keyBits'> {
  const details = key.asymmetricKeyDetails;
  if (key.asymmetricKeyType === 'rsa' || key.asymmetricKeyType === 'rsa-pss')
    return { keyAlgorithm: 'rsa', keyBits: details?.modulusLength ?? 0 };
  if (key.asymmetricKeyType === 'ec') return { keyAlgorithm: 'ec', keyBits: curveBits[details?.namedCurve ?? ''] ?? 0 };
  if (key.asymmetricKeyType === 'dsa') return { keyAlgorithm: 'dsa', keyBits: details?.modulusLength ?? 0 };
  return { keyAlgorithm: 'other', keyBits: 0 };
}

/** What a signature names its certificate by. */
export function issuerAndSerial(certificate: Buffer): { readonly issuer: Buffer; readonly serial: Buffer } {
  const [signed] = elements(only(certificate, 0x30).body);
  const parts = elements(must(signed, 0x30).body).filter(({ tag }) => tag !== 0xa0);
  return { serial: must(parts[0], 0x02).whole, issuer: must(parts[2], 0x30).whole };
}

const TEXTS = new Set([0x0c, 0x13, 0x14, 0x16]);
const MOST_NESTED = 8;

/** A name without how its texts are encoded: old signers write them otherwise than the certificate does. */
export function plainName(name: Buffer, depth = 0): string {
  if (depth > MOST_NESTED) throw broken();
  return elements(name)
    .map(({ tag, body }) => (tag & 0x20 ? `(${plainName(body, depth + 1)})` : `${TEXTS.has(tag) ? 't' : tag}:${body.toString('hex')}`))
    .join(',');
}

/** Keys that everybody has: those which Android is built with for a start. */
const publicKeys = new Set([
  'a40da80a59d170caa950cf15c18c454d47a39b26989d8b640ecd745ba71bf5dc',
  'c8a2e9bccf597c2fb6dc66bee293fc13f2fc47ec77bc6b2b0d52c11f51192ab8',
  '28bbfe4a7b97e74681dc55c2fbb6ccb8d6c74963733f6af6ae74d8c3a6e879fd',
  '465983f7791f2abeb43ea2cbdc7f21a8260b72bc08a55c839fc1a43bc741a81e',
  'e1dbadce60dc080d15b58a014b0dcf9400e24de23fa00b287a5a982bfebda2ee',
]);
export const isPublicTestKey = (sha256: string): boolean => publicKeys.has(sha256);
