import { createHash, randomBytes, verify, X509Certificate } from 'node:crypto';
import { type Der, der, integer, intOf, nothing, octets, oid, oidOf, partOf, partsOf, readDer, sequence } from '@mooring/apk/cms/der';
import { extensionOf, leadsTo } from '@mooring/apk/cms/leads-to';
import { CONTENT_TYPE, MESSAGE_DIGEST, SIGNED_DATA } from '@mooring/apk/cms/object-names';
import { Fault } from '@mooring/contract/kit/fault';
import { subjectOf } from './subject.ts';

/** Time stamps (RFC 3161) over SHA-256, as far as signatures need them. */

const TST_INFO = '1.2.840.113549.1.9.16.1.4';
const NAMED = '1.2.840.113549.1.9.16.2.12';
const NAMED_V2 = '1.2.840.113549.1.9.16.2.47';
const EXTENDED_KEY_USAGE = '2.5.29.37';
const TIME_STAMPING = '1.3.6.1.5.5.7.3.8';
const SHA256 = '2.16.840.1.101.3.4.2.1';
/** Those of today's services; SHA-1 isn't among them. */
const digests: Readonly<Record<string, 'sha256' | 'sha384' | 'sha512'>> = {
  [SHA256]: 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
};
const granted = [0, 1];

export interface TimeAsked {
  /** SHA-256 of what is stamped. */
  readonly digest: Buffer;
  readonly nonce: Buffer;
  /** The request itself, in DER. */
  readonly bytes: Buffer;
}
export interface TimeStamp {
  /** The time-stamp token: a CMS signature by the service, in DER. */
  readonly token: Buffer;
  readonly at: Date;
  /** The service, by the subject of its certificate. */
  readonly by: string;
}

/** A request with a number of its own, so that no older answer fits (section 2.4.1). */
export function askTime(digest: Buffer): TimeAsked {
  const nonce = integer(Buffer.concat([Buffer.from([1]), randomBytes(16)]));
  const imprint = sequence(sequence(oid(SHA256), nothing), octets(digest));
  return { digest, nonce, bytes: sequence(integer(1), imprint, nonce, der(0x01, Buffer.from([0xff]))) };
}

const bad = () => new Fault('SIGNING_TIME_BAD');

/** GeneralizedTime in UTC, with fractions of a second or without (section 2.4.2). */
function timeOf({ tag, body }: Der): Date {
  const found = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\.\d+)?Z$/.exec(body.toString('latin1'));
  const [, year, month, day, hour, minute, second] = found ?? [];
  const at = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  if (tag !== 0x18 || Number.isNaN(at.getTime())) throw bad();
  return at;
}

/** Each is there once, with one value (RFC 5652, section 11). */
function attributeNamed(attributes: readonly Der[], name: string): Der | undefined {
  const found = attributes.filter((one) => oidOf(partOf(one, 0)) === name);
  if (found.length > 1) throw bad();
  return found[0];
}
function heldBy(attribute: Der | undefined): Der {
  const values = partsOf(partOf(attribute, 1));
  if (values.length > 1) throw bad();
  return partOf(partOf(attribute, 1), 0);
}
/** What an attribute of this name holds, of those that are signed. */
const attribute = (attributes: readonly Der[], name: string): Der => heldBy(attributeNamed(attributes, name));

/** Whether what is signed names this certificate, by each of the two ways that are there (RFC 5035, sections 3 and 4; RFC 5816): the first one named is who signs. */
function isNamed(attributes: readonly Der[], { raw }: X509Certificate): boolean {
  const [old, current] = [attributeNamed(attributes, NAMED), attributeNamed(attributes, NAMED_V2)];
  const firstOf = (one: Der) => partsOf(partOf(partOf(heldBy(one), 0), 0));
  const isOf = (digest: string | undefined, hash: Der | undefined) =>
    digest !== undefined && hash?.tag === 0x04 && hash.body.equals(createHash(digest).update(raw).digest());
  const isOld = old === undefined || isOf('sha1', firstOf(old)[0]);
  if (!current) return old !== undefined && isOld;
  const [first, second] = firstOf(current);
  return isOld && (first?.tag === 0x30 ? isOf(digests[oidOf(partOf(first, 0))], second) : isOf('sha256', first));
}

/** For time stamps alone, which nobody may pass over (section 2.3). */
function isForTime(one: X509Certificate): boolean {
  const usage = extensionOf(one, EXTENDED_KEY_USAGE);
  return one.keyUsage?.join() === TIME_STAMPING && usage?.critical === true;
}

interface Signer {
  readonly own: X509Certificate;
  readonly others: readonly X509Certificate[];
}
/** The certificate that signed it, among those that came along: named by what it signed, and for time stamps. */
function signerOf(signed: readonly Der[], content: Buffer): Signer {
  const certificates = partsOf(signed.find(({ tag }) => tag === 0xa0) ?? { body: Buffer.alloc(0) })
    .filter(({ tag }) => tag === 0x30)
    .map(({ raw }) => new X509Certificate(raw));
  const signers = partsOf(signed.at(-1) ?? { body: Buffer.alloc(0) });
  const [signer] = signers;
  if (!signer || signers.length > 1) throw bad();
  const digest = digests[oidOf(partOf(partOf(signer, 2), 0))];
  const attributes = partOf(signer, 3);
  if (!digest || attributes.tag !== 0xa0) throw bad();
  const names = partsOf(attributes);
  if (oidOf(attribute(names, CONTENT_TYPE)) !== TST_INFO) throw bad();
  if (!attribute(names, MESSAGE_DIGEST).body.equals(createHash(digest).update(content).digest())) throw bad();
  // Signed as the set that they are, sent with a tag of their own (RFC 5652, section 5.4).
  const data = Buffer.concat([Buffer.from([0x31]), attributes.raw.subarray(1)]);
  const signature = partOf(signer, 5).body;
  const own = certificates.find((one) => isNamed(names, one));
  if (!own || !isForTime(own) || !verify(digest, data, own.publicKey, signature)) throw bad();
  return { own, others: certificates.filter((one) => one !== own) };
}

/** What a token says, whoever made it. */
function openToken(token: Der) {
  if (oidOf(partOf(token, 0)) !== SIGNED_DATA) throw bad();
  const signed = partsOf(partOf(partOf(token, 1), 0));
  const inner = signed[2];
  if (oidOf(partOf(inner, 0)) !== TST_INFO) throw bad();
  const content = partOf(partOf(inner, 1), 0).body;
  const info = partsOf(readDer(content));
  const [, , imprint, , time] = info;
  if (!time) throw bad();
  const digest = digests[oidOf(partOf(partOf(imprint, 0), 0))];
  return { signed, content, info, digest, imprint: partOf(imprint, 1).body, at: timeOf(time) };
}

/** A token that lies with a signature (RFC 3161, appendix A): of that one, and signed for time stamps; whom it leads to is asked by whoever reads it. */
export function readToken(token: Der, signature: Buffer): Signer & { readonly at: Date } {
  const { signed, content, digest, imprint, at } = openToken(token);
  if (!digest || !imprint.equals(createHash(digest).update(signature).digest())) throw bad();
  return { ...signerOf(signed, content), at };
}

function read(answer: Buffer, asked: TimeAsked, root: X509Certificate): TimeStamp {
  const [status, token] = partsOf(readDer(answer));
  if (!granted.includes(intOf(partOf(status, 0))) || !token) throw bad();
  const { signed, content, info, digest, imprint, at } = openToken(token);
  if (digest !== 'sha256' || !imprint.equals(asked.digest)) throw bad();
  if (!info.slice(5).some(({ raw }) => raw.equals(asked.nonce))) throw bad();
  const { own, others } = signerOf(signed, content);
  if (!leadsTo([own.raw, ...others.map((one) => one.raw)], root, at)) throw bad();
  return { token: token.raw, at, by: subjectOf(own) };
}

/** What a service answered, if it holds: for what was asked, just now, by one below this root. Fault: SIGNING_TIME_BAD. */
export function readTime(answer: Buffer, asked: TimeAsked, root: X509Certificate): TimeStamp {
  try {
    return read(answer, asked, root);
  } catch {
    throw bad();
  }
}
