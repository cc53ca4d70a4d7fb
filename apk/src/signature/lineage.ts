import { WrongSignature } from '../broken.ts';
import { Cursor } from '../cursor.ts';
import { isSignedBy } from './algorithms.ts';
import { type Certificate, readCertificate } from './certificate.ts';

export const PROOF = 0x3ba06f8c;
const VERSION = 1;
const MOST = 32;
/** What a signer of before is still good for: an update by a later one keeps the data of what it had signed. */
const INSTALLED_DATA = 0x1;
const wrong = () => new WrongSignature('LINEAGE_WRONG');

export interface Ancestor {
  readonly certificate: Certificate;
  /** Whether its apps may be updated by a later key. */
  readonly handsOn: boolean;
}

/** The nodes of a proof that leads to the certificate of this SHA-256, as they are written. */
export function provenNodes(proof: Buffer, leadsTo: string): Buffer[] {
  if (readLineage(proof).at(-1)?.certificate.sha256 !== leadsTo) throw wrong();
  return new Cursor(proof.subarray(4), wrong).allPrefixed(MOST);
}

/** The certificates of a rotation from the oldest on, where each is named by the one before it (Android's scheme 3, "Proof-of-rotation"). */
export function readLineage(proof: Buffer): Ancestor[] {
  const cursor = new Cursor(proof, wrong);
  if (cursor.u32() !== VERSION) throw wrong();
  const nodes = cursor.allPrefixed(MOST);
  const line: Ancestor[] = [];
  let algorithm = 0;
  for (const bytes of nodes) {
    const node = new Cursor(bytes, wrong);
    const signed = node.prefixed();
    const flags = node.u32();
    const next = node.u32();
    const signature = node.prefixed();
    node.end();
    const data = new Cursor(signed, wrong);
    const der = data.prefixed();
    const by = data.u32();
    data.end();
    const parent = line.at(-1)?.certificate;
    if (parent && (by !== algorithm || !isSignedBy(parent.key, algorithm, signed, signature))) throw wrong();
    const certificate = readCertificate(der);
    if (line.some((one) => one.certificate.sha256 === certificate.sha256)) throw wrong();
    line.push({ certificate, handsOn: (flags & INSTALLED_DATA) !== 0 });
    algorithm = next;
  }
  if (line.length === 0) throw wrong();
  return line;
}
