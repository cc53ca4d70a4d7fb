import type { ApkSigner } from '../api.ts';
import { WrongSignature } from '../broken.ts';
import { algorithmFor, algorithmOf, type ContentDigest, isSignedBy } from '../signature/algorithms.ts';
import { type Certificate, readCertificate } from '../signature/certificate.ts';
import { PROOF, provenNodes } from '../signature/lineage.ts';

const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes;
};
/** These pieces as one, with its length before it. */
export const prefixed = (...parts: readonly Uint8Array[]): Buffer => {
  const body = Buffer.concat(parts);
  return Buffer.concat([u32(body.length), body]);
};

const NEWER = 0xbeeff00d;
const FROM = 28;
const NO_LIMIT = 0x7fffffff;

/** A signer with what its own certificate says of its key. */
export interface KnownSigner {
  readonly signer: ApkSigner;
  readonly own: Certificate;
  readonly number: number;
  readonly content: ContentDigest;
}

export function knownSigner(signer: ApkSigner): KnownSigner {
  const [first] = signer.certificates;
  if (!first) throw new Error('a signer has a certificate');
  const own = readCertificate(Buffer.from(first));
  const number = algorithmFor(own);
  return { signer, own, number, content: algorithmOf(number)?.content ?? 'sha256' };
}

const attribute = (id: number, bytes: Uint8Array) => prefixed(u32(id), bytes);

/** What comes back from where the key is, once it is seen to be of that key. */
async function signatureOf(by: KnownSigner, data: Buffer): Promise<Buffer> {
  const signature = Buffer.from(await by.signer.sign(by.content, data));
  if (!isSignedBy(by.own.key, by.number, data, signature)) throw new WrongSignature('SIGNATURE_WRONG');
  return signature;
}

async function signedBlock(by: KnownSigner, digest: Buffer, sdks: readonly Buffer[], attributes: readonly Buffer[]): Promise<Buffer> {
  const digests = prefixed(prefixed(u32(by.number), prefixed(digest)));
  const certificates = prefixed(...by.signer.certificates.map((one) => prefixed(one)));
  const data = Buffer.concat([digests, certificates, ...sdks, prefixed(...attributes)]);
  const signature = await signatureOf(by, data);
  const signatures = prefixed(prefixed(u32(by.number), prefixed(signature)));
  return prefixed(prefixed(prefixed(data), ...sdks, signatures, prefixed(by.own.publicKey)));
}

/** Scheme 2; where there is a scheme 3 too it says so, and nobody takes that away. */
export const v2Block = (by: KnownSigner, digest: Buffer, isAlone = false): Promise<Buffer> =>
  signedBlock(by, digest, [], isAlone ? [] : [attribute(NEWER, u32(3))]);

/** Scheme 3, with the proof that older keys named this one. */
export const v3Block = (by: KnownSigner, digest: Buffer, proof?: Uint8Array): Promise<Buffer> =>
  signedBlock(by, digest, [u32(FROM), u32(NO_LIMIT)], proof ? [attribute(PROOF, proof)] : []);

/** An installed app's data, permissions and shared user stay with the next key; the old one alone can't sign an update. */
const CAPABILITIES = 0x17;

const node = (certificate: Certificate, by: number, signature: Uint8Array): Buffer =>
  Buffer.concat([prefixed(prefixed(certificate.der), u32(by)), u32(CAPABILITIES), u32(0), prefixed(signature)]);

/** Says in the last node, behind what is signed of it, by which algorithm its key signed the next one. */
function handedOn(last: Buffer, number: number): Buffer {
  const bytes = Buffer.from(last);
  bytes.writeUInt32LE(number, 8 + bytes.readUInt32LE());
  return bytes;
}

/** The proof that this key named the one of the next certificate, behind `proof`, which says what it follows itself. */
export async function provenNext(old: ApkSigner, next: Uint8Array, proof?: Uint8Array): Promise<Buffer> {
  const by = knownSigner(old);
  const certificate = readCertificate(Buffer.from(next));
  const before = proof ? provenNodes(Buffer.from(proof), by.own.sha256) : [node(by.own, 0, Buffer.alloc(0))];
  const last = handedOn(before.at(-1) ?? Buffer.alloc(0), by.number);
  const signature = await signatureOf(by, Buffer.concat([prefixed(certificate.der), u32(by.number)]));
  const nodes = [...before.slice(0, -1), last, node(certificate, by.number, signature)];
  return Buffer.concat([u32(1), ...nodes.map((one) => prefixed(one))]);
}
