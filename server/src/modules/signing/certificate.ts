import { createHash, createPublicKey, randomBytes, X509Certificate } from 'node:crypto';
import { bits, der, integer, nothing, octets, oid, pem, pemBlocks, sequence, time } from '@mooring/apk/cms/der';
import { Fault } from '@mooring/contract/kit/fault';
import { type KeyAlgorithm, keyLimits } from '@mooring/contract/signing/limits';
import { inOneLine, subjectBytes, subjectOf } from './subject.ts';

export type Digest = 'sha256' | 'sha384';
/** How a key signs: the digest that fits its strength, and the algorithm's name for it (RFC 8017, RFC 5758). */
export const digestOf = (algorithm: string): Digest => (algorithm === 'p384' ? 'sha384' : 'sha256');
const SHA256_RSA = '1.2.840.113549.1.1.11';
export const signatureAlgorithm = (algorithm: string): Buffer => {
  if (algorithm.startsWith('rsa')) return sequence(oid(SHA256_RSA), nothing);
  return sequence(oid(algorithm === 'p384' ? '1.2.840.10045.4.3.3' : '1.2.840.10045.4.3.2'));
};

export type SignBytes = (digest: Digest, data: Buffer) => Promise<Buffer>;

const extension = (id: string, value: Buffer, critical = false): Buffer =>
  sequence(oid(id), ...(critical ? [der(0x01, Buffer.from([0xff]))] : []), octets(value));

/** Signs code, and nothing else; a root of no one but itself. */
const extensions = (publicKey: Buffer): Buffer =>
  sequence(
    extension('2.5.29.19', sequence(), true),
    extension('2.5.29.15', bits(Buffer.from([0x80]), 7), true),
    extension('2.5.29.37', sequence(oid('1.3.6.1.5.5.7.3.3'))),
    extension('2.5.29.14', octets(createHash('sha1').update(publicKey).digest())),
  );

export interface OfKey {
  readonly algorithm: KeyAlgorithm;
  readonly publicKey: Buffer;
}
/** A certificate that the key signs for itself, in DER. Fault: KEY_SUBJECT. */
export async function selfSigned(
  { algorithm, publicKey }: OfKey,
  of: { subject: string; years: number; now: Date },
  sign: SignBytes,
): Promise<Buffer> {
  const name = subjectBytes(of.subject);
  const serial = randomBytes(16);
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x40;
  const until = new Date(of.now);
  until.setUTCFullYear(until.getUTCFullYear() + of.years);
  const body = sequence(
    der(0xa0, integer(2)),
    integer(serial),
    signatureAlgorithm(algorithm),
    name,
    sequence(time(new Date(of.now.getTime() - 600_000)), time(until)),
    name,
    publicKey,
    der(0xa3, extensions(publicKey)),
  );
  return sequence(body, signatureAlgorithm(algorithm), bits(await sign(digestOf(algorithm), body)));
}

/** PKCS #10 (RFC 2986). Fault: KEY_SUBJECT. */
export async function certificateRequest({ algorithm, publicKey }: OfKey, subject: string, sign: SignBytes): Promise<string> {
  const body = sequence(integer(0), subjectBytes(subject), publicKey, der(0xa0));
  return pem('CERTIFICATE REQUEST', sequence(body, signatureAlgorithm(algorithm), bits(await sign(digestOf(algorithm), body))));
}

/** What a key's row keeps of its certificates. */
export function certificateColumns(chain: readonly Buffer[]) {
  const own = new X509Certificate(chain[0] ?? Buffer.alloc(0));
  return {
    chain: chain.map((one) => pem('CERTIFICATE', one)),
    subject: subjectOf(own),
    issuer: inOneLine(own.issuer),
    serial: own.serialNumber.toLowerCase(),
    certificate_sha256: createHash('sha256').update(own.raw).digest('hex'),
    not_before: new Date(own.validFrom),
    not_after: new Date(own.validTo),
  };
}

export const fingerprintOf = (publicKey: Buffer): string => createHash('sha256').update(publicKey).digest('hex');
export const derOf = (chain: readonly string[]): Buffer[] => chain.flatMap((one) => pemBlocks(one, 'CERTIFICATE'));

const refused = (name: string, params: Readonly<Record<string, number>> = {}) =>
  new Fault(name, { fields: { certificates: `fault.${name}` }, params: { ...params } });

/** Certificates for a public key, from its own up, in whatever order they came. Faults: CHAIN_*. */
export function chainIn(text: string, publicKey: Buffer): Buffer[] {
  const blocks = pemBlocks(text, 'CERTIFICATE');
  if (blocks.length === 0) throw refused('KEY_CHAIN_UNREAD');
  if (blocks.length > keyLimits.chain) throw refused('KEY_CHAIN_LONG', { most: keyLimits.chain });
  const read = blocks.map((raw) => {
    try {
      return new X509Certificate(raw);
    } catch {
      throw refused('KEY_CHAIN_UNREAD');
    }
  });
  const key = createPublicKey({ key: publicKey, type: 'spki', format: 'der' });
  const own = read.find((one) => one.publicKey.equals(key));
  if (!own) throw refused('KEY_CHAIN_OTHER_KEY');
  const chain = [own];
  for (let last = own; chain.length < read.length; ) {
    const next = read.find((one) => !chain.includes(one) && last.checkIssued(one) && last.verify(one.publicKey));
    if (!next) throw refused('KEY_CHAIN_BROKEN');
    chain.push(next);
    last = next;
  }
  return chain.map(({ raw }) => raw);
}
