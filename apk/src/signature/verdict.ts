import type { SignatureScheme, SignatureVerdict } from '@mooring/contract/app/package';
import { WrongSignature } from '../broken.ts';
import type { Zip } from '../zip/read-zip.ts';
import { type BlockSigner, readBlockSigner } from './block-signer.ts';
import { type Certificate, isPublicTestKey } from './certificate.ts';
import { contentDigests } from './content-digest.ts';
import { type Ancestor, PROOF, readLineage } from './lineage.ts';
import { readSigningBlock, type SigningBlock, V2, V3, V31 } from './signing-block.ts';
import { hasV1, type V1Verdict, verifyV1 } from './v1.ts';
import { verityDigest } from './verity-digest.ts';

/** What the verdict hangs on besides the signature itself: what the package asks for. A plain archive (JAR) asks for nothing. */
export interface SignedFor {
  readonly minSdk: number;
  readonly targetSdk: number;
  readonly isSandboxed: boolean;
  readonly isJar: boolean;
}

const NEWER = 0xbeeff00d;
const ROTATION_FROM = 0x559f8b02;
const NO_LIMIT = 0x7fffffff;
/** From here on Android reads scheme 2, 3, and 3.1; and from the last on it wants more than v1 of a package that targets it. */
const [KNOWS_V2, KNOWS_V3, KNOWS_V31, WANTS_V2] = [24, 28, 33, 30];

interface Found {
  schemes: SignatureScheme[];
  v1?: V1Verdict;
  v2?: BlockSigner;
  v3?: BlockSigner;
  v31?: BlockSigner;
  lineage: Ancestor[];
}

/** Whether the signature of a package holds, and whose it is. A wrong one is an answer, not an error. */
export const signatureVerdict = async (zip: Zip, wanted: SignedFor): Promise<SignatureVerdict> =>
  (await signatureFound(zip, wanted)).verdict;

export interface SignatureFound {
  readonly verdict: SignatureVerdict;
  /** DER: today's certificate, and those that lie with it; of a signature that holds. */
  readonly certificates: readonly Buffer[];
}
export async function signatureFound(zip: Zip, wanted: SignedFor): Promise<SignatureFound> {
  const found: Found = { schemes: [], lineage: [] };
  try {
    const block = readSigningBlock(zip);
    if (block) verifyBlock(zip, block, found);
    await addV1(zip, wanted, found, block);
    checkTogether(found, wanted);
    return { verdict: verdictOf(found), certificates: newest(found)?.certificates ?? [] };
  } catch (error) {
    if (!(error instanceof WrongSignature)) throw error;
    const certificate = todays(found);
    const said = { wrong: error.rule, schemes: found.schemes, signers: error.signers, certificate: certificate?.said ?? null };
    return { verdict: { ...nothing, ...said }, certificates: [] };
  }
}

const nothing = { lineage: [], publicTestKey: false, validFrom: null };

const newest = ({ v31, v3, v2, v1 }: Found) => v31 ?? v3 ?? v2 ?? v1;
const todays = (found: Found): Certificate | undefined => newest(found)?.certificate;

function verifyBlock(zip: Zip, block: SigningBlock, found: Found): void {
  const read = (id: number, scheme: SignatureScheme): BlockSigner | undefined => {
    const bytes = block.entries.get(id);
    if (!bytes) return undefined;
    found.schemes.push(scheme);
    return readBlockSigner(bytes, id !== V2);
  };
  found.v2 = read(V2, 'v2');
  found.v3 = read(V3, 'v3');
  found.v31 = read(V31, 'v3.1');
  checkStripped(found);
  checkContent(zip, block, found);
  const rotated = found.v31 ?? found.v3;
  const proof = rotated?.attributes.get(PROOF);
  found.lineage = proof ? readLineage(proof) : rotated ? [{ certificate: rotated.certificate, handsOn: true }] : [];
  if (rotated && found.lineage.at(-1)?.certificate.sha256 !== rotated.certificate.sha256) throw new WrongSignature('LINEAGE_WRONG');
}

/** What one scheme says of the others: who takes one away is seen. */
function checkStripped({ v2, v3, v31 }: Found): void {
  const newer = v2?.attributes.get(NEWER);
  if (newer && (newer.length !== 4 || (newer.readUInt32LE(0) === 3 && !v3))) throw new WrongSignature('STRIPPED');
  const from = v3?.attributes.get(ROTATION_FROM);
  if (from && (from.length !== 4 || !v31 || v31.minSdk !== from.readUInt32LE(0))) throw new WrongSignature('STRIPPED');
  if (v31 && (!v3 || !from || v31.minSdk < KNOWS_V31)) throw new WrongSignature('BLOCK_BROKEN');
  const top = v31 ?? v3;
  if (top && top.maxSdk !== NO_LIMIT) throw new WrongSignature('BLOCK_BROKEN');
}

function checkContent(zip: Zip, block: SigningBlock, { v2, v3, v31 }: Found): void {
  const signers = [v2, v3, v31].filter((one) => one !== undefined);
  const wanted = new Set(signers.flatMap(({ digests }) => [...digests.keys()]));
  if (wanted.size === 0) return;
  const parts = { ...zip, blockAt: block.at };
  const made = contentDigests(parts, wanted);
  const trees = signers.map(({ tree }) => tree).filter((tree) => tree !== undefined);
  if (trees.length > 0) {
    const root = verityDigest(parts);
    if (trees.some((tree) => !tree.equals(root))) throw new WrongSignature('CONTENT_CHANGED');
  }
  for (const { digests } of signers)
    for (const [algorithm, digest] of digests)
      if (made.get(algorithm)?.equals(digest) !== true) throw new WrongSignature('CONTENT_CHANGED');
}

/** A v1 signature counts where an Android below 24 may read the package, or where there is no other. */
async function addV1(zip: Zip, wanted: SignedFor, found: Found, block: SigningBlock | undefined): Promise<void> {
  const isAlone = !found.v2 && !found.v3;
  if (!hasV1(zip)) {
    if (isAlone) throw new WrongSignature('UNSIGNED', 0);
    return;
  }
  if (!isAlone && wanted.minSdk >= KNOWS_V2) return;
  found.schemes.unshift('v1');
  found.v1 = await verifyV1(zip, wanted.isJar);
  const has = (scheme: number) => block?.entries.has(scheme === 2 ? V2 : V3) === true;
  if (found.v1.alsoSigned.some((scheme) => (scheme === 2 || scheme === 3) && !has(scheme))) throw new WrongSignature('STRIPPED');
}

/** One and the same signer by every scheme: the older ones by the oldest key of a rotation. */
function checkTogether(found: Found, wanted: SignedFor): void {
  const { v1, v2, v3, v31, lineage } = found;
  const oldest = lineage[0]?.certificate.sha256 ?? v2?.certificate.sha256 ?? v1?.certificate.sha256;
  for (const one of [v1, v2]) if (one && one.certificate.sha256 !== oldest) throw new WrongSignature('CERTIFICATES_DIFFER');
  if (v31 && !lineage.some((one) => one.certificate.sha256 === v3?.certificate.sha256)) throw new WrongSignature('CERTIFICATES_DIFFER');
  if (!v2 && !v3 && (wanted.targetSdk >= WANTS_V2 || wanted.isSandboxed)) throw new WrongSignature('SCHEME_TOO_OLD');
}

function verdictOf(found: Found): SignatureVerdict {
  const certificate = todays(found);
  if (!certificate) throw new WrongSignature('UNSIGNED', 0);
  const { v1, v2, v3, schemes, lineage } = found;
  const line = lineage.length > 0 ? lineage : [{ certificate, handsOn: true }];
  return {
    wrong: null,
    schemes,
    signers: 1,
    certificate: certificate.said,
    lineage: line.filter((one) => one.handsOn || one.certificate.sha256 === certificate.sha256).map((one) => one.certificate.sha256),
    publicTestKey: line.some((one) => isPublicTestKey(one.certificate.sha256)),
    validFrom: v1 ? v1.validFrom : v2 ? KNOWS_V2 : Math.max(KNOWS_V3, v3?.minSdk ?? KNOWS_V3),
  };
}
