import { createHash, verify, X509Certificate } from 'node:crypto';
import { der, integer, octets, oid, readDer, sequence, setOf, time } from '@mooring/apk/cms/der';
import { CONTENT_TYPE, DATA, MESSAGE_DIGEST, SIGNED_DATA, SIGNING_TIME, TIME_STAMP } from '@mooring/apk/cms/object-names';
import { issuerAndSerial } from '@mooring/apk/cms/read-cms';
import { Fault } from '@mooring/contract/kit/fault';
import { digestOf, type SignBytes, signatureAlgorithm } from './certificate.ts';

const ids = { sha256: '2.16.840.1.101.3.4.2.1', sha384: '2.16.840.1.101.3.4.2.2' } as const;
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
  const attributes = [attribute(CONTENT_TYPE, oid(DATA)), attribute(SIGNING_TIME, time(at)), attribute(MESSAGE_DIGEST, octets(digest))];
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
  const signed = sequence(integer(1), setOf(digestAlgorithm), sequence(oid(DATA)), certificates, setOf(signer));
  return sequence(oid(SIGNED_DATA), der(0xa0, signed));
}

const lengthOfHead = (bytes: Buffer): number => bytes.length - readDer(bytes).body.length;

export const contentDigest = (algorithm: string) => createHash(digestOf(algorithm));
