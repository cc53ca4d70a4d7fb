import type { ApkSigner } from '../api.ts';
import { BrokenPackage, WrongSignature } from '../broken.ts';
import { contentDigests } from '../signature/content-digest.ts';
import { readLineage } from '../signature/lineage.ts';
import { makeSigningBlock, V2, V3 } from '../signature/signing-block.ts';
import { isV1File } from '../signature/v1.ts';
import type { Source } from '../source.ts';
import { type PlacedEntry, readZip } from '../zip/read-zip.ts';
import { type KnownSigner, knownSigner, v2Block, v3Block } from './block-bytes.ts';
import { jarFiles } from './jar-files.ts';
import type { Sink } from './sink.ts';
import { closingRecord, zipWriter } from './write-zip.ts';

export interface Signing {
  readonly signer: ApkSigner;
  readonly minSdk: number;
  readonly lineage?: { readonly proof: Uint8Array; readonly oldest?: ApkSigner | undefined };
}

/** From here on no Android looks at a v1 signature where there is another. */
const KNOWS_V2 = 24;
/** And none at a v2 signature, where there is one that knows rotation. */
const KNOWS_V3 = 28;
const APK = 'AndroidManifest.xml';

/** Writes a signed copy; `written` reads back what the sink has taken so far. An archive that is no package gets the v1 signature alone. */
export async function signZip(source: Source, sink: Sink, written: () => Source, how: Signing): Promise<void> {
  const zip = readZip(source);
  const isJar = !zip.byName.has(APK);
  const { newest, oldest } = signersOf(how);
  const kept = zip.entries.filter(({ name }) => !isV1File(name));
  const writer = zipWriter(sink);
  for (const entry of kept) writer.copy(source, entry);
  if (oldest && (isJar || how.minSdk < KNOWS_V2)) {
    const files = await jarFiles(zip, isJar ? kept : signedByAndroid(kept), oldest, isJar);
    for (const [name, bytes] of files) writer.add(name, bytes);
  }
  const blockAt = sink.written;
  const { bytes: directory, count } = writer.directory();
  const block = isJar ? Buffer.alloc(0) : await blockFor(written, blockAt, directory, count, { newest, oldest, proof: how.lineage?.proof });
  if (blockAt + block.length + directory.length > 2 ** 31) throw new BrokenPackage('ARCHIVE_LARGE');
  sink.write(block);
  sink.write(directory);
  sink.write(closingRecord(count, directory.length, blockAt + block.length));
}

const signedByAndroid = (entries: readonly PlacedEntry[]) => entries.filter(({ name }) => !name.startsWith('META-INF/'));

interface Signers {
  readonly newest: KnownSigner;
  /** None: scheme 3 alone. */
  readonly oldest: KnownSigner | undefined;
  readonly proof?: Uint8Array | undefined;
}

/** Both ends of the rotation must be the keys at hand, or no Android would take what comes out. */
function signersOf({ signer, lineage, minSdk }: Signing): Signers {
  const newest = knownSigner(signer);
  if (!lineage) return { newest, oldest: newest };
  const oldest = lineage.oldest && knownSigner(lineage.oldest);
  if (!oldest && minSdk < KNOWS_V3) throw new Error('older Androids need a signature by the oldest key');
  const line = readLineage(Buffer.from(lineage.proof)).map((one) => one.certificate);
  if (oldest && line[0]?.sha256 !== oldest.own.sha256) throw new WrongSignature('LINEAGE_WRONG');
  if (line.at(-1)?.sha256 !== newest.own.sha256) throw new WrongSignature('LINEAGE_WRONG');
  return { newest, oldest };
}

async function blockFor(written: () => Source, blockAt: number, directory: Buffer, count: number, by: Signers): Promise<Buffer> {
  const tail = Buffer.concat([directory, closingRecord(count, directory.length, blockAt)]);
  const whole = joined(written(), blockAt, tail);
  const parts = { source: whole, blockAt, directoryAt: blockAt, endAt: blockAt + directory.length };
  const { newest, oldest } = by;
  const digests = contentDigests(parts, new Set([newest.content, ...(oldest ? [oldest.content] : [])]));
  const digestFor = ({ content }: KnownSigner) => digests.get(content) ?? Buffer.alloc(0);
  const [v2, v3] = await Promise.all([oldest && v2Block(oldest, digestFor(oldest)), v3Block(newest, digestFor(newest), by.proof)]);
  return makeSigningBlock([...(v2 ? [[V2, v2] as const] : []), [V3, v3]]);
}

/** What is written, with what will follow it. */
const joined = (first: Source, length: number, tail: Buffer): Source => ({
  size: length + tail.length,
  read: (at, size, target) => (at < length ? first.read(at, size, target) : tail.subarray(at - length, at - length + size)),
});
