import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import type { FactoryIdentity } from '@mooring/terminal/enrolment';
import * as x509 from '@peculiar/x509';

x509.cryptoProvider.set(webcrypto as never);
const EC = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const RSA = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256', publicExponent: new Uint8Array([1, 0, 1]), modulusLength: 2048 } as const;
const DAY = 86_400_000;

export interface Maker {
  /** PEM of this authority. */
  readonly pem: string;
  /** PEM of those between this one and the first, this one included. */
  readonly below: string;
  /** An authority below this one. */
  authority(change?: { pathLength?: number; ends?: number; ca?: boolean }): Promise<Maker>;
  /** What a terminal leaves the factory with; `ends` in days from now. */
  terminal(sn: string, change?: { subject?: string; ends?: number; rsa?: boolean }): Promise<FactoryIdentity & { readonly serial: string }>;
}

let count = 0;

async function makerOf(certificate: x509.X509Certificate, keys: webcrypto.CryptoKeyPair, below: string): Promise<Maker> {
  const issue = async (subject: string, publicKey: webcrypto.CryptoKey, ends: number, extensions: x509.Extension[]) => {
    count += 1;
    return x509.X509CertificateGenerator.create({
      serialNumber: (0x4000 + count).toString(16),
      subject,
      issuer: certificate.subject,
      notBefore: new Date(Date.now() - 400 * DAY),
      notAfter: new Date(Date.now() + ends * DAY),
      publicKey: publicKey as never,
      signingKey: keys.privateKey as never,
      signingAlgorithm: EC,
      extensions,
    });
  };
  return {
    pem: certificate.toString('pem'),
    below,
    async authority({ pathLength, ends = 3650, ca = true } = {}) {
      const own = (await webcrypto.subtle.generateKey(EC, true, ['sign', 'verify'])) as webcrypto.CryptoKeyPair;
      const made = await issue(`CN=Line ${count}, O=Maker`, own.publicKey, ends, [
        new x509.BasicConstraintsExtension(ca, pathLength, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
      ]);
      return makerOf(made, own, `${made.toString('pem')}\n${below}`);
    },
    async terminal(sn, { subject = `CN=${sn}, O=Maker`, ends = 3650, rsa = false } = {}) {
      const own = (await webcrypto.subtle.generateKey(rsa ? RSA : EC, true, ['sign', 'verify'])) as webcrypto.CryptoKeyPair;
      const made = await issue(subject, own.publicKey, ends, [
        new x509.BasicConstraintsExtension(false, undefined, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      ]);
      const key = await webcrypto.subtle.exportKey('pkcs8', own.privateKey);
      return {
        chain: `${made.toString('pem')}\n${below}`,
        privatePem: x509.PemConverter.encode(key, 'PRIVATE KEY'),
        serial: made.serialNumber,
      };
    },
  };
}

/** A maker of terminals with a certificate authority of its own. */
export async function makeMaker(options: { pathLength?: number; ends?: number } = {}): Promise<Maker> {
  const keys = (await webcrypto.subtle.generateKey(EC, true, ['sign', 'verify'])) as webcrypto.CryptoKeyPair;
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: `CN=Maker root ${++count}, O=Maker`,
    serialNumber: count.toString(16).padStart(2, '0'),
    notBefore: new Date(Date.now() - 800 * DAY),
    notAfter: new Date(Date.now() + (options.ends ?? 7300) * DAY),
    keys: keys as never,
    signingAlgorithm: EC,
    extensions: [
      new x509.BasicConstraintsExtension(true, options.pathLength, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
    ],
  });
  return makerOf(certificate, keys, '');
}
