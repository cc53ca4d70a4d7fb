import { createHash, verify, X509Certificate } from 'node:crypto';
import { der, integer, octets, oid, readDer, sequence, setOf, time } from '@mooring/apk/cms/der';
import { issuerAndSerial } from '@mooring/apk/cms/read-cms';
import { Fault } from '@mooring/contract/kit/fault';
import { digestOf, type SignBytes, signatureAlgorithm } from './certificate.ts';

const ids = { sha256: '2.16.840.1.101.3.4.2.1', sha384: '2.16.840.1.101.3.4.2.2' } as const;
const TIME_STAMP = '1.2.840.113549.1.9.16.2.14';
const attribute = (id: string, value: Buffer) => sequence(oid(id), setOf(value));

export interface Detached {
  readonly algorithm: string;
  /** DER, the key's own first. */
  readonly chain: readonly Buffer[];
  /** Of the content, by the digest that fits the key. */
  readonly digest: Buffer;
  readonly at: Date;
  /** A time-stamp token for the signature, which goes into it (RFC 3161, appendix A). */
  readonly stamp?: ((signature: Buffer) => Promise<Buffer>) | undefined;
}

/** A signature beside what it signs (RFC 5652), with the certificates; `openssl cms -verify -binary -content file` reads it. */
export async function detachedCms({ algorithm, chain, digest, at, stamp }: Detached, sign: SignBytes): Promise<Buffer> {
  const name = digestOf(algorithm);
  const own = chain[0] ?? Buffer.alloc(0);
  const attributes = [
    attribute('1.2.840.113549.1.9.3', oid('1.2.840.113549.1.7.1')),
    attribute('1.2.840.113549.1.9.5', time(at)),
    attribute('1.2.840.113549.1.9.4', octets(digest)),
  ];
  const signature = await sign(name, setOf(...attributes));
  if (!verify(name, setOf(...attributes), new X509Certificate(own).publicKey, signature)) throw new Fault('SIGNATURE_MISMATCH');
  const digestAlgorithm = sequence(oid(ids[name]));
  const beside = stamp ? [der(0xa1, attribute(TIME_STAMP, await stamp(signature)))] : [];
  const signer = sequence(
    integer(1),
    issuerAndSerial(own),
    digestAlgorithm,
    der(0xa0, setOf(...attributes).subarray(lengthOfHead(setOf(...attributes)))),
    signatureAlgorithm(algorithm),
    octets(signature),
    ...beside,
  );
  const certificates = der(0xa0, ...[...new Set(chain.map((one) => new X509Certificate(one).raw))]);
  const signed = sequence(integer(1), setOf(digestAlgorithm), sequence(oid('1.2.840.113549.1.7.1')), certificates, setOf(signer));
  return sequence(oid('1.2.840.113549.1.7.2'), der(0xa0, signed));
}

const lengthOfHead = (bytes: Buffer): number => bytes.length - readDer(bytes).body.length;

export const contentDigest = (algorithm: string) => createHash(digestOf(algorithm));
