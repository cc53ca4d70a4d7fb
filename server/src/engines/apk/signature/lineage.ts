import { WrongSignature } from '../broken.ts';
import { Cursor } from '../cursor.ts';
import { isSignedBy } from './algorithms.ts';
import { type Certificate, readCertificate } from './certificate.ts';

export const PROOF = 0x3ba06f8c;
const VERSION = 1;
const MOST = 32;
const wrong = () => new WrongSignature('LINEAGE_WRONG');

/** The certificates of a rotation from the oldest on, where each is named by the one before it (Android's scheme 3, "Proof-of-rotation"). */
export function readLineage(proof: Buffer): Certificate[] {
  const cursor = new Cursor(proof, wrong);
  if (cursor.u32() !== VERSION) throw wrong();
  const nodes = cursor.allPrefixed(MOST);
  const certificates: Certificate[] = [];
  let algorithm = 0;
  for (const bytes of nodes) {
    const node = new Cursor(bytes, wrong);
    const signed = node.prefixed();
    node.skip(4);
    const next = node.u32();
    const signature = node.prefixed();
    node.end();
    const data = new Cursor(signed, wrong);
    const der = data.prefixed();
    const by = data.u32();
    data.end();
    const parent = certificates.at(-1);
    if (parent && (by !== algorithm || !isSignedBy(parent.key, algorithm, signed, signature))) throw wrong();
    const certificate = readCertificate(der);
    if (certificates.some(({ sha256 }) => sha256 === certificate.sha256)) throw wrong();
    certificates.push(certificate);
    algorithm = next;
  }
  if (certificates.length === 0) throw wrong();
  return certificates;
}
