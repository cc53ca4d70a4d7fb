import 'reflect-metadata';
import { createHash, randomBytes, webcrypto, X509Certificate } from 'node:crypto';
import * as x509 from '@peculiar/x509';

x509.cryptoProvider.set(webcrypto as never);

const EC = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const DAY = 86_400_000;
/** Clocks of terminals are a little wrong. */
const SKEW = 10 * 60_000;

export interface Signer {
  readonly certificate: string;
  readonly key: webcrypto.CryptoKey;
}
export interface Issued {
  readonly pem: string;
  readonly serial: string;
  readonly fingerprint: string;
  readonly keyHash: string;
  readonly issuedAt: Date;
  readonly expiresAt: Date;
}

export const makeKeys = (): Promise<webcrypto.CryptoKeyPair> =>
  webcrypto.subtle.generateKey(EC, true, ['sign', 'verify']) as Promise<webcrypto.CryptoKeyPair>;
export async function privatePem(key: webcrypto.CryptoKey): Promise<string> {
  return x509.PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY');
}
export async function readPrivatePem(pem: string): Promise<webcrypto.CryptoKey> {
  return webcrypto.subtle.importKey('pkcs8', x509.PemConverter.decodeFirst(pem), EC, true, ['sign']);
}

const serialNumber = () => {
  const bytes = randomBytes(16);
  // Positive and of full length.
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40;
  return bytes.toString('hex');
};

export interface Wanted {
  readonly subject: string;
  readonly publicKey: webcrypto.CryptoKey | x509.PublicKey;
  readonly signer: Signer | { readonly key: webcrypto.CryptoKey; readonly self: true };
  readonly days: number;
  readonly now: Date;
  readonly kind: 'root' | 'issuer' | 'device' | 'server';
  readonly names?: readonly string[];
}

function extensions(wanted: Wanted): x509.Extension[] {
  if (wanted.kind === 'root' || wanted.kind === 'issuer') {
    return [
      new x509.BasicConstraintsExtension(true, wanted.kind === 'root' ? 1 : 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
    ];
  }
  const usage = wanted.kind === 'device' ? x509.ExtendedKeyUsage.clientAuth : x509.ExtendedKeyUsage.serverAuth;
  const names = (wanted.names ?? []).map((value) => ({ type: /^[\d.]+$|:/.test(value) ? ('ip' as const) : ('dns' as const), value }));
  return [
    new x509.BasicConstraintsExtension(false, undefined, true),
    new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
    new x509.ExtendedKeyUsageExtension([usage]),
    ...(names.length > 0 ? [new x509.SubjectAlternativeNameExtension(names)] : []),
  ];
}

/** Subject and extensions are ours, whatever a request asked for. */
export async function issueCertificate(wanted: Wanted): Promise<Issued> {
  const self = 'self' in wanted.signer;
  const issuer = self ? undefined : new x509.X509Certificate((wanted.signer as Signer).certificate);
  const authority = issuer ? [await x509.AuthorityKeyIdentifierExtension.create(issuer)] : [];
  const subjectKey = [await x509.SubjectKeyIdentifierExtension.create(wanted.publicKey as never)];
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: serialNumber(),
    subject: wanted.subject,
    issuer: issuer?.subject ?? wanted.subject,
    notBefore: new Date(wanted.now.getTime() - SKEW),
    notAfter: new Date(wanted.now.getTime() + wanted.days * DAY),
    publicKey: wanted.publicKey as never,
    signingKey: wanted.signer.key as never,
    signingAlgorithm: EC,
    extensions: [...extensions(wanted), ...authority, ...subjectKey],
  });
  return describe(certificate.toString('pem'));
}

export function describe(pem: string): Issued {
  const read = new X509Certificate(pem);
  return {
    pem,
    serial: read.serialNumber.toLowerCase(),
    fingerprint: read.fingerprint256.replaceAll(':', '').toLowerCase(),
    keyHash: hashOfKey(read.publicKey.export({ type: 'spki', format: 'der' })),
    issuedAt: new Date(read.validFrom),
    expiresAt: new Date(read.validTo),
  };
}

export const hashOfKey = (spki: Buffer): string => createHash('sha256').update(spki).digest('hex');

/** The public key of a signing request, if the request is signed by its private part. */
/** The number of an ECDSA signature that its maker drew: anybody can write the other one anew, so that it still holds. */
function firstHalf(signature: Buffer): Buffer {
  const length = signature[0] === 0x30 && signature[2] === 0x02 ? signature[3] : undefined;
  return length === undefined
    ? signature
    : Buffer.from(
        signature
          .subarray(4, 4 + length)
          .toString('hex')
          .replace(/^(00)+/, ''),
        'hex',
      );
}

export async function readRequest(
  pem: string,
): Promise<{ publicKey: x509.PublicKey; spki: Buffer; keyHash: string; mark: Buffer } | undefined> {
  try {
    const request = new x509.Pkcs10CertificateRequest(pem);
    if (!(await request.verify())) return undefined;
    const spki = Buffer.from(request.publicKey.rawData);
    const keyHash = hashOfKey(spki);
    const mark = createHash('sha256')
      .update(keyHash)
      .update(firstHalf(Buffer.from(request.signature)))
      .digest();
    return { publicKey: request.publicKey, spki, keyHash, mark };
  } catch {
    return undefined;
  }
}

export async function makeCrl(signer: Signer, entries: readonly { serial: string; at: Date }[], now: Date): Promise<string> {
  const crl = await x509.X509CrlGenerator.create({
    issuer: new x509.X509Certificate(signer.certificate).subject,
    thisUpdate: now,
    nextUpdate: new Date(now.getTime() + 7 * DAY),
    entries: entries.map((one) => ({ serialNumber: one.serial, revocationDate: one.at })),
    signingKey: signer.key as never,
    signingAlgorithm: EC,
  });
  // The library writes the label "CRL", which OpenSSL doesn't read.
  return crl.toString('pem').replaceAll(/(BEGIN|END) CRL/g, '$1 X509 CRL');
}
