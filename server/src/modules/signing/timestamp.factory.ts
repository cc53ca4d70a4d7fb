import { createHash, createPrivateKey, sign, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { der, integer, nothing, octets, oid, sequence, setOf } from '@mooring/apk/cms/der';
import type { Authority } from './profile.factory.ts';
import type { TimeAsked } from './timestamp.ts';

const SHA256 = '2.16.840.1.101.3.4.2.1';
const hash = (name: string, bytes: Uint8Array) => createHash(name).update(bytes).digest();
export const rawOf = ({ pem }: Authority): Buffer => new X509Certificate(pem).raw;
const attribute = (id: string, value: Buffer) => sequence(oid(id), setOf(value));

/** Attributes that name a certificate (RFC 5035): by SHA-256, by another digest, and as they were before, by SHA-1. */
export const names = {
  v2: (certificate: Buffer) => attribute('1.2.840.113549.1.9.16.2.47', sequence(sequence(sequence(octets(hash('sha256', certificate)))))),
  v2By: (name: 'sha1' | 'sha512', certificate: Buffer) => {
    const id = name === 'sha1' ? '1.3.14.3.2.26' : '2.16.840.1.101.3.4.2.3';
    return attribute('1.2.840.113549.1.9.16.2.47', sequence(sequence(sequence(sequence(oid(id)), octets(hash(name, certificate))))));
  },
  v1: (certificate: Buffer) => attribute('1.2.840.113549.1.9.16.2.12', sequence(sequence(sequence(octets(hash('sha1', certificate)))))),
};

interface Answering {
  readonly signer: Authority;
  readonly certificates: readonly Buffer[];
  readonly more: readonly Buffer[];
}
/** What a service answers, as openssl wouldn't: any certificate may sign it, and any attributes are signed. */
export function timeAnswer(asked: TimeAsked, { signer, certificates, more }: Answering): Buffer {
  const at = Buffer.from(`${new Date().toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`);
  const imprint = sequence(sequence(oid(SHA256), nothing), octets(asked.digest));
  const info = sequence(integer(1), oid('1.2.3.4'), imprint, integer(7), der(0x18, at), asked.nonce);
  const signed = setOf(
    attribute('1.2.840.113549.1.9.3', oid('1.2.840.113549.1.9.16.1.4')),
    attribute('1.2.840.113549.1.9.4', octets(hash('sha256', info))),
    ...more,
  );
  const key = createPrivateKey(readFileSync(`${signer.path}.key`));
  const digest = sequence(oid(SHA256), nothing);
  const attributes = Buffer.concat([Buffer.from([0xa0]), signed.subarray(1)]);
  const who = sequence(sequence(), integer(1));
  const signature = octets(sign('sha256', signed, key));
  const signerInfo = sequence(integer(1), who, digest, attributes, sequence(oid('1.2.840.113549.1.1.11'), nothing), signature);
  const content = sequence(oid('1.2.840.113549.1.9.16.1.4'), der(0xa0, octets(info)));
  const data = sequence(integer(3), setOf(digest), content, der(0xa0, ...certificates), setOf(signerInfo));
  return sequence(sequence(integer(0)), sequence(oid('1.2.840.113549.1.7.2'), der(0xa0, data)));
}
