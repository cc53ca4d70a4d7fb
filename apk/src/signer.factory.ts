import 'reflect-metadata';
import { createHash, createPrivateKey, type KeyObject, sign, webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';
import type { ApkSigner } from './api.ts';

/** Test data: a key at hand, and what a test asks of it. */
export interface TestSigner extends ApkSigner {
  readonly key: KeyObject;
  readonly sha256: string;
}
export interface TestKey {
  /** Another name is another key. */
  readonly name?: string;
  readonly kind?: 'rsa2048' | 'rsa3072' | 'rsa4096' | 'p256' | 'p384';
}

const kinds = {
  rsa2048: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256', publicExponent: new Uint8Array([1, 0, 1]), modulusLength: 2048 },
  rsa3072: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256', publicExponent: new Uint8Array([1, 0, 1]), modulusLength: 3072 },
  rsa4096: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256', publicExponent: new Uint8Array([1, 0, 1]), modulusLength: 4096 },
  p256: { name: 'ECDSA', hash: 'SHA-256', namedCurve: 'P-256' },
  p384: { name: 'ECDSA', hash: 'SHA-384', namedCurve: 'P-384' },
};

const made = new Map<string, Promise<TestSigner>>();

/** A signer of this name and kind: the same one for the whole process. */
export function makeSigner({ name = 'Till', kind = 'rsa2048' }: TestKey = {}): Promise<TestSigner> {
  const id = `${kind} ${name}`;
  const known = made.get(id) ?? generate(name, kind);
  made.set(id, known);
  return known;
}

async function generate(name: string, kind: keyof typeof kinds): Promise<TestSigner> {
  const signingAlgorithm = kinds[kind];
  const keys = await webcrypto.subtle.generateKey(signingAlgorithm, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: createHash('sha256').update(name).digest('hex').slice(0, 16).replace(/^./, '1'),
    name: `CN=${name}, O=Mooring Tests`,
    notBefore: new Date('2024-01-01T00:00:00Z'),
    notAfter: new Date('2054-01-01T00:00:00Z'),
    signingAlgorithm,
    // Two declarations of one thing: Node's and the browser's.
    keys: keys as never,
  });
  const pkcs8 = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey));
  const key = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' });
  const der = Buffer.from(certificate.rawData);
  return {
    key,
    certificates: [der],
    algorithm: kind.startsWith('rsa') ? 'rsa' : 'ec',
    sha256: createHash('sha256').update(der).digest('hex'),
    sign: async (digest, data) => sign(digest, data, key),
  };
}
