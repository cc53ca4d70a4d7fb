import { createHash, type Hash } from 'node:crypto';
import { WrongSignature } from '../broken.ts';
import { eachPiece, entryBytes } from '../zip/entry-bytes.ts';
import type { PlacedEntry, Zip } from '../zip/read-zip.ts';
import type { Certificate } from './certificate.ts';
import { type JarManifest, readJarManifest, type Section } from './jar-manifest.ts';
import { type JarSigner, readPkcs7 } from './pkcs7.ts';

export interface V1Verdict {
  readonly certificate: Certificate;
  readonly certificates: readonly Buffer[];
  /** Schemes that it says are there too, so that nobody takes them away. */
  readonly alsoSigned: readonly number[];
  /** Lowest API level that knows its algorithms. */
  readonly validFrom: number;
}

export const MANIFEST = 'META-INF/MANIFEST.MF';
const MOST = 32 * 1024 * 1024;
const MOST_BLOCK = 1024 * 1024;
const wrong = () => new WrongSignature('MANIFEST_WRONG');

const blockName = /^META-INF\/([^/]+)\.(RSA|DSA|EC)$/i;
/** What a v1 signature is made of; it isn't signed itself. */
export const isV1File = (name: string): boolean => /^META-INF\/([^/]+\.(SF|RSA|DSA|EC)|MANIFEST\.MF|SIG-[^/]*)$/i.test(name);
const hashNames: Readonly<Record<string, string>> = {
  sha1: 'sha1',
  'sha-1': 'sha1',
  'sha-256': 'sha256',
  'sha-384': 'sha384',
  'sha-512': 'sha512',
};

export const hasV1 = (zip: Zip): boolean => zip.byName.has(MANIFEST) && zip.entries.some(({ name }) => blockName.test(name));

/** Checks a v1 signature (JAR) over every file; `isJar`: over those of META-INF too, which Android leaves out. */
export async function verifyV1(zip: Zip, isJar: boolean): Promise<V1Verdict> {
  const blocks = zip.entries.filter(({ name }) => blockName.test(name));
  const [block] = blocks;
  if (!block) throw new WrongSignature('UNSIGNED', 0);
  if (blocks.length > 1) throw new WrongSignature('SEVERAL_SIGNERS', blocks.length);
  const signatureFile = zip.byName.get(block.name.replace(/\.[^.]+$/, '.SF'));
  const manifestFile = zip.byName.get(MANIFEST);
  if (!signatureFile || !manifestFile) throw wrong();
  const signed = entryBytes(zip.source, signatureFile, MOST, wrong);
  const signer = readPkcs7(entryBytes(zip.source, block, MOST_BLOCK, wrong), signed);
  const manifestBytes = entryBytes(zip.source, manifestFile, MOST, wrong);
  const [signature, manifest] = [readJarManifest(signed), readJarManifest(manifestBytes)];
  checkSignatureFile(signature, manifest, manifestBytes);
  await checkFiles(zip, manifest, signature, isJar);
  return {
    certificate: signer.certificate,
    certificates: signer.certificates,
    alsoSigned: alsoSigned(signature),
    validFrom: validFrom(signer, signature),
  };
}

const alsoSigned = ({ main }: JarManifest): number[] =>
  (main.attributes.get('x-android-apk-signed') ?? '')
    .split(',')
    .map((one) => Number.parseInt(one.trim(), 10))
    .filter((one) => Number.isSafeInteger(one));

function validFrom({ certificate, hash }: JarSigner, signature: JarManifest): number {
  const { keyAlgorithm } = certificate.said;
  if (keyAlgorithm === 'ec') return 18;
  const isOld = hash === 'sha1' && digestsIn(signature.main, '-digest-manifest').some(({ hash: one }) => one === 'sha1');
  return isOld ? 1 : keyAlgorithm === 'dsa' ? 21 : 18;
}

interface Digest {
  readonly hash: string;
  readonly value: Buffer;
}

/** The digests that a section says, of those that count. */
function digestsIn({ attributes }: Section, ending: string): Digest[] {
  return [...attributes].flatMap(([name, value]) => {
    const hash = name.endsWith(ending) ? hashNames[name.slice(0, -ending.length)] : undefined;
    return hash ? [{ hash, value: Buffer.from(value, 'base64') }] : [];
  });
}

const isOf = (bytes: Buffer, { hash, value }: Digest) => createHash(hash).update(bytes).digest().equals(value);

/** The signature file says the digest of the whole list; or, where lines were added to it later, that of each line. */
function checkSignatureFile(signature: JarManifest, manifest: JarManifest, bytes: Buffer): void {
  if (!signature.main.attributes.has('signature-version')) throw wrong();
  const whole = digestsIn(signature.main, '-digest-manifest');
  if (whole.length > 0 && whole.every((one) => isOf(bytes, one))) return;
  const isSigntool = signature.main.attributes.get('created-by')?.includes('signtool') === true;
  const main = digestsIn(signature.main, '-digest-manifest-main-attributes');
  if (!isSigntool && !main.every((one) => isOf(manifest.main.bytes, one))) throw new WrongSignature('CONTENT_CHANGED');
  for (const [name, section] of signature.files) {
    const listed = manifest.files.get(name);
    const said = digestsIn(section, '-digest');
    if (!listed || said.length === 0 || !said.every((one) => isOf(listed.bytes, one))) throw new WrongSignature('CONTENT_CHANGED');
  }
}

const isSigned = (isJar: boolean, { name }: PlacedEntry) =>
  !name.endsWith('/') && (isJar ? !isV1File(name) : !name.startsWith('META-INF/'));

async function checkFiles(zip: Zip, manifest: JarManifest, signature: JarManifest, isJar: boolean): Promise<void> {
  for (const name of manifest.files.keys()) if (!zip.byName.has(name) && !name.endsWith('/')) throw new WrongSignature('CONTENT_CHANGED');
  for (const entry of zip.entries) {
    if (!isSigned(isJar, entry)) continue;
    const section = manifest.files.get(entry.name);
    const said = section ? digestsIn(section, '-digest') : [];
    if (said.length === 0 || !signature.files.has(entry.name)) throw new WrongSignature('CONTENT_UNSIGNED');
    const made = said.map(({ hash, value }): [Hash, Buffer] => [createHash(hash), value]);
    await eachPiece(zip.source, entry, (piece) => {
      for (const [hash] of made) hash.update(piece);
    });
    if (!made.every(([hash, value]) => hash.digest().equals(value))) throw new WrongSignature('CONTENT_CHANGED');
  }
}
