import { X509Certificate } from 'node:crypto';
import { Fault } from '@mooring/contract/kit/fault';
import { type Der, DerError, intOf, oidOf, partOf, partsOf, pemBlocks, readDer } from './der.ts';
import { Issuers } from './issuers.ts';

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

/** When it is judged; undefined: whenever, where that a certificate is over is no fault. */
type Moment = Date | undefined;
const isValid = (one: X509Certificate, now: Moment) => now === undefined || (new Date(one.validFrom) <= now && now < new Date(one.validTo));
/** Whether it may certify one with so many authorities below it. */
function mayIssue(one: X509Certificate, below: number): boolean {
  try {
    const most = pathLength(one);
    return most === undefined || below <= most;
  } catch {
    return false;
  }
}

interface Reached {
  readonly one: X509Certificate;
  /** Authorities between it and the signer, and itself. */
  readonly below: number;
}
/** What the signer's certificate, the first of these, leads to among the others: each once, by the shortest way, which is the one that limits allow first. */
export function climb(chain: readonly X509Certificate[], now: Moment, issuers: Issuers): readonly Reached[] {
  const [own, ...others] = chain.slice(0, MOST);
  if (!own || !isValid(own, now)) return [];
  const reached: Reached[] = [{ one: own, below: 0 }];
  const left = new Map(others.filter(({ raw }) => !raw.equals(own.raw)).map((one) => [one.raw.toString('base64'), one]));
  for (const { one, below } of reached)
    for (const [name, issuer] of left) {
      if (!isValid(issuer, now) || !mayIssue(issuer, below) || !issuers.issued(one, issuer)) continue;
      left.delete(name);
      reached.push({ one: issuer, below: below + 1 });
    }
  return reached;
}

/** Whether what was reached ends at this root. */
export function endsAt(reached: readonly Reached[], root: X509Certificate, now: Moment, issuers: Issuers): boolean {
  const [own] = reached;
  if (!own || own.one.raw.equals(root.raw) || !isValid(root, now)) return false;
  return reached.some(({ one, below }) => !one.raw.equals(root.raw) && mayIssue(root, below) && issuers.issued(one, root));
}

/** Whether a signer's certificate, the first of these, leads to the root: by signatures, validity, what each may issue, and how long a line it may. */
export function leadsTo(chain: readonly Uint8Array[], root: X509Certificate, now: Moment, issuers = new Issuers()): boolean {
  try {
    const read = chain.slice(0, MOST).map((one) => new X509Certificate(one));
    return endsAt(climb(read, now, issuers), root, now, issuers);
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
  if (!new Issuers().issued(root, root)) throw refused('SIGNING_ROOT_NOT_CA');
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
