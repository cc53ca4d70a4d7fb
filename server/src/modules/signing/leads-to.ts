import { X509Certificate } from 'node:crypto';
import { Fault } from '@mooring/contract/kit/fault';
import { type Der, DerError, intOf, oidOf, partOf, partsOf, pemBlocks, readDer } from './der.ts';

const BASIC_CONSTRAINTS = '2.5.29.19';
const MOST = 10;

/** What a certificate says under this name: whether nobody may pass over it, and the value in DER. */
export function extensionOf({ raw }: X509Certificate, name: string): { readonly critical: boolean; readonly value: Der } | undefined {
  const extensions = partsOf(partOf(readDer(raw), 0)).find(({ tag }) => tag === 0xa3);
  const parts = extensions && partsOf(partOf(extensions, 0)).find((one) => oidOf(partOf(one, 0)) === name);
  const [, flag, last] = parts ? partsOf(parts) : [];
  const value = last ?? flag;
  return value && { critical: last !== undefined && flag?.tag === 0x01 && flag.body[0] !== 0, value };
}

/** How many authorities may stand between this one and a signer (RFC 5280, section 4.2.1.9); undefined: any number. */
function pathLength(of: X509Certificate): number | undefined {
  const value = extensionOf(of, BASIC_CONSTRAINTS)?.value;
  const length = value && partsOf(readDer(value.body)).find(({ tag }) => tag === 0x02);
  return length && intOf(length);
}

const isValid = (one: X509Certificate, now: Date) => new Date(one.validFrom) <= now && now < new Date(one.validTo);
const isIssued = (one: X509Certificate, by: X509Certificate): boolean => one.checkIssued(by) && one.verify(by.publicKey);

/** Of `one`, with so many authorities below it already. */
function climbs(one: X509Certificate, below: number, others: readonly X509Certificate[], root: X509Certificate, now: Date): boolean {
  if (!isValid(one, now) || below > MOST) return false;
  if (one.raw.equals(root.raw)) return below > 0;
  return [root, ...others].some((issuer) => {
    if (issuer.raw.equals(one.raw) || !issuer.ca || !isIssued(one, issuer)) return false;
    const most = pathLength(issuer);
    if (most !== undefined && below > most) return false;
    const rest = others.filter((other) => other !== issuer);
    return climbs(issuer, below + 1, rest, root, now);
  });
}

/** Whether a signer's certificate, the first of these, leads to the root: by signatures, validity, what each may issue, and how long a line it may. */
export function leadsTo(chain: readonly Uint8Array[], root: X509Certificate, now: Date): boolean {
  try {
    const [own, ...others] = chain.slice(0, MOST).map((one) => new X509Certificate(one));
    return own !== undefined && climbs(own, 0, others, root, now);
  } catch {
    return false;
  }
}

/** A root as it was pasted into a field. Faults: SIGNING_ROOT_*. */
export function readRoot(text: string, now: Date, field = 'root'): X509Certificate {
  const refused = (name: string) => new Fault(name, { fields: { [field]: `fault.${name}` } });
  const blocks = pemBlocks(text, 'CERTIFICATE');
  const [block] = blocks;
  if (!block || blocks.length > 1) throw refused('SIGNING_ROOT_UNREAD');
  const root = readCertificate(block);
  if (!root) throw refused('SIGNING_ROOT_UNREAD');
  if (!root.ca || !isIssued(root, root)) throw refused('SIGNING_ROOT_NOT_CA');
  if (!isValid(root, now)) throw refused('SIGNING_ROOT_OVER');
  return root;
}

function readCertificate(block: Buffer): X509Certificate | undefined {
  try {
    const root = new X509Certificate(block);
    pathLength(root);
    return root;
  } catch (error) {
    if (error instanceof DerError || error instanceof Error) return undefined;
    throw error;
  }
}
