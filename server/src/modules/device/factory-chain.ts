import 'reflect-metadata';
import { X509Certificate } from 'node:crypto';
import * as x509 from '@peculiar/x509';

/** What is wrong with a chain, the nearest to right last. */
export const chainFaults = ['FACTORY_UNREADABLE', 'FACTORY_UNTRUSTED', 'FACTORY_EXPIRED', 'FACTORY_REVOKED', 'FACTORY_SN_WRONG'] as const;
export type ChainFault = (typeof chainFaults)[number];

export interface Certificate {
  readonly node: X509Certificate;
  readonly read: x509.X509Certificate;
}
const MOST_CERTIFICATES = 5;
const RSA_BITS = 2048;
/** Extensions whose meaning is kept here; another one that is critical forbids the certificate (RFC 5280, 4.2). */
const understood = new Set(['2.5.29.19', '2.5.29.15', '2.5.29.37']);

/** The certificates of a PEM text; undefined where it holds none, too many, or what isn't one. */
export function readCertificates(pem: string): readonly Certificate[] | undefined {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  if (blocks.length === 0 || blocks.length > MOST_CERTIFICATES) return undefined;
  try {
    return blocks.map((block) => {
      const node = new X509Certificate(block);
      return { node, read: new x509.X509Certificate(node.raw) };
    });
  } catch {
    return undefined;
  }
}

export const isValidAt = ({ read }: Certificate, now: Date): boolean => read.notBefore <= now && now <= read.notAfter;
export const serialOf = ({ node }: Certificate): string => node.serialNumber.toLowerCase();

/** Keys and digests that nobody can forge today. */
export function isStrong({ node, read }: Certificate): boolean {
  try {
    const { asymmetricKeyType: type, asymmetricKeyDetails: details } = node.publicKey;
    const key =
      type === 'ec' || type === 'ed25519' || ((type === 'rsa' || type === 'rsa-pss') && (details?.modulusLength ?? 0) >= RSA_BITS);
    const { hash } = read.signatureAlgorithm as { hash?: { name: string } };
    return key && (hash === undefined || /^SHA-(256|384|512)$/.test(hash.name));
  } catch {
    return false;
  }
}

/** May it issue others, with so many authorities between it and the end? */
export function mayIssue({ node, read }: Certificate, between: number): boolean {
  const limits = read.getExtension(x509.BasicConstraintsExtension);
  const usage = read.getExtension(x509.KeyUsagesExtension);
  return node.ca && (limits?.pathLength ?? between) >= between && (usage === null || (usage.usages & x509.KeyUsageFlags.keyCertSign) !== 0);
}

const isUnderstood = ({ read }: Certificate) => read.extensions.every((one) => !one.critical || understood.has(one.type));
const issued = (issuer: Certificate, one: Certificate) => one.node.checkIssued(issuer.node) && one.node.verify(issuer.node.publicKey);

/** The SN that a factory certificate names: its serialNumber attribute (IEEE 802.1AR), or else its common name. */
export function snOf({ read }: Certificate): string | undefined {
  const serials = read.subjectName.getField('2.5.4.5');
  const names = serials.length > 0 ? serials : read.subjectName.getField('CN');
  return names.length === 1 ? names[0]?.trim().toUpperCase() : undefined;
}

export interface Trust {
  readonly authority: Certificate;
  readonly revoked: readonly string[];
}

/** Does this chain, the terminal's own certificate first, lead to the authority and name the SN? */
export function checkChain(chain: readonly Certificate[], trust: Trust, sn: string, now: Date): 'ok' | ChainFault {
  const { authority } = trust;
  const own = chain.filter((one, at) => at === 0 || one.node.fingerprint256 !== authority.node.fingerprint256);
  const path = [...own, authority];
  const [leaf] = own;
  if (!leaf) return 'FACTORY_UNREADABLE';
  try {
    for (const [at, one] of path.entries()) {
      const issuer = path[at + 1];
      if (issuer && !issued(issuer, one)) return 'FACTORY_UNTRUSTED';
      if (at > 0 && !mayIssue(one, at - 1)) return 'FACTORY_UNTRUSTED';
      if (!isStrong(one) || !isUnderstood(one)) return 'FACTORY_UNTRUSTED';
    }
  } catch {
    return 'FACTORY_UNREADABLE';
  }
  const usage = leaf.read.getExtension(x509.KeyUsagesExtension);
  if (leaf.node.ca || (usage !== null && (usage.usages & x509.KeyUsageFlags.digitalSignature) === 0)) return 'FACTORY_UNTRUSTED';
  if (!path.every((one) => isValidAt(one, now))) return 'FACTORY_EXPIRED';
  if (own.some((one) => trust.revoked.includes(serialOf(one)))) return 'FACTORY_REVOKED';
  return snOf(leaf) === sn ? 'ok' : 'FACTORY_SN_WRONG';
}
