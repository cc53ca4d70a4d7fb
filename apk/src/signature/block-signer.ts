import { WrongSignature } from '../broken.ts';
import { Cursor } from '../cursor.ts';
import { algorithmOf, type ContentDigest, isSignedBy } from './algorithms.ts';
import { type Certificate, readCertificate } from './certificate.ts';

/** The one signer of a scheme 2 or 3 whose signatures hold; what they are over is still to be compared with the package. */
export interface BlockSigner {
  readonly certificate: Certificate;
  /** All that lie with it, its own first. */
  readonly certificates: readonly Buffer[];
  readonly digests: ReadonlyMap<ContentDigest, Buffer>;
  /** The root of the tree by which a system checks a file while it reads it, where there is one. */
  readonly tree: Buffer | undefined;
  readonly attributes: ReadonlyMap<number, Buffer>;
  /** API levels from and to which it counts: of scheme 3. */
  readonly minSdk: number;
  readonly maxSdk: number;
}

interface Numbered {
  readonly number: number;
  readonly bytes: Buffer;
}

const MOST = 32;
const broken = () => new WrongSignature('BLOCK_BROKEN');

export function readBlockSigner(block: Buffer, isV3: boolean): BlockSigner {
  const cursor = new Cursor(block, broken);
  const signers = cursor.inPrefixed().allPrefixed(MOST);
  cursor.end();
  const [first] = signers;
  if (!first) throw broken();
  if (signers.length > 1) throw new WrongSignature('SEVERAL_SIGNERS', signers.length);
  return readSigner(first, isV3);
}

function readSigner(bytes: Buffer, isV3: boolean): BlockSigner {
  const cursor = new Cursor(bytes, broken);
  const signed = cursor.prefixed();
  const [minSdk, maxSdk] = isV3 ? [cursor.u32(), cursor.u32()] : [0, 0x7fffffff];
  const signatures = readNumbered(cursor.inPrefixed());
  const publicKey = cursor.prefixed();
  cursor.end();

  const data = new Cursor(signed, broken);
  const digests = readNumbered(data.inPrefixed());
  const certificates = data.inPrefixed().allPrefixed(MOST);
  const [der] = certificates;
  if (isV3 && (data.u32() !== minSdk || data.u32() !== maxSdk || minSdk > maxSdk)) throw broken();
  const attributes = readAttributes(data.inPrefixed());
  checkRest(data, isV3);

  if (!der) throw broken();
  const certificate = readCertificate(der);
  if (!certificate.publicKey.equals(publicKey)) throw new WrongSignature('CERTIFICATES_DIFFER');
  checkSignatures(certificate, signed, signatures, digests);
  return { certificate, certificates, digests: contentOf(digests), tree: treeOf(digests), attributes, minSdk, maxSdk };
}

/** Older tools left room for one more empty list behind the attributes of scheme 2. */
function checkRest(data: Cursor, isV3: boolean): void {
  if (!isV3 && data.left === 4 && data.u32() === 0) return;
  data.end();
}

function readNumbered(cursor: Cursor): Numbered[] {
  return cursor.allPrefixed(MOST).map((piece) => {
    const one = new Cursor(piece, broken);
    const read = { number: one.u32(), bytes: one.prefixed() };
    one.end();
    return read;
  });
}

function readAttributes(cursor: Cursor): Map<number, Buffer> {
  const attributes = new Map<number, Buffer>();
  for (const piece of cursor.allPrefixed(MOST)) {
    const one = new Cursor(piece, broken);
    const id = one.u32();
    if (attributes.has(id)) throw new WrongSignature('BLOCK_DOUBLED');
    attributes.set(id, one.take(one.left));
  }
  return attributes;
}

/** Each that is known must hold; one alone, or Android would go by the one that does. */
function checkSignatures(certificate: Certificate, signed: Buffer, signatures: readonly Numbered[], digests: readonly Numbered[]): void {
  const known = signatures.filter(({ number }) => algorithmOf(number));
  if (known.length === 0) throw signatures.length === 0 ? broken() : new WrongSignature('ALGORITHM');
  const isSame = signatures.length === digests.length && signatures.every(({ number }, at) => number === digests[at]?.number);
  if (!isSame || new Set(signatures.map(({ number }) => number)).size < signatures.length) throw new WrongSignature('DIGESTS_MIXED');
  for (const { number, bytes } of known)
    if (!isSignedBy(certificate.key, number, signed, bytes)) throw new WrongSignature('SIGNATURE_WRONG');
}

function treeOf(digests: readonly Numbered[]): Buffer | undefined {
  const [first, ...others] = digests.filter(({ number }) => algorithmOf(number)?.isTree);
  if (first && others.some(({ bytes }) => !bytes.equals(first.bytes))) throw new WrongSignature('DIGESTS_MIXED');
  return first?.bytes;
}

/** The digests of the content, by how they were made. */
function contentOf(digests: readonly Numbered[]): Map<ContentDigest, Buffer> {
  const found = new Map<ContentDigest, Buffer>();
  for (const { number, bytes } of digests) {
    const algorithm = algorithmOf(number);
    if (!algorithm || algorithm.isTree) continue;
    if (found.get(algorithm.content)?.equals(bytes) === false) throw new WrongSignature('DIGESTS_MIXED');
    found.set(algorithm.content, bytes);
  }
  if (found.size === 0) throw new WrongSignature('ALGORITHM');
  return found;
}
