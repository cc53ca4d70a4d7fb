import { createHash, verify } from 'node:crypto';
import { WrongSignature } from '../broken.ts';
import { holds } from '../signature/algorithms.ts';
import { readJarManifest } from '../signature/jar-manifest.ts';
import { makePkcs7 } from '../signature/pkcs7.ts';
import { MANIFEST } from '../signature/v1.ts';
import { eachPiece, entryBytes } from '../zip/entry-bytes.ts';
import type { PlacedEntry, Zip } from '../zip/read-zip.ts';
import type { KnownSigner } from './block-bytes.ts';

const LINE = 70;
const MOST = 32 * 1024 * 1024;
const CREATED_BY = 'Created-By: Mooring\r\n';

/** A line of a manifest: it goes on with a space where it grows too long, counted in bytes. */
function line(name: string, value: string): Buffer {
  const text = Buffer.from(`${name}: ${value}`);
  const pieces: Buffer[] = [];
  for (let at = 0; at < text.length; ) {
    const length = at === 0 ? LINE : LINE - 1;
    pieces.push(Buffer.from(at === 0 ? '' : ' '), text.subarray(at, at + length), Buffer.from('\r\n'));
    at += length;
  }
  return Buffer.concat(pieces);
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('base64');
const section = (name: string, digest: string) => Buffer.concat([line('Name', name), line('SHA-256-Digest', digest), Buffer.from('\r\n')]);

const plainMain = Buffer.from(`Manifest-Version: 1.0\r\n${CREATED_BY}\r\n`);

/** What an archive says of itself, the class that it starts with among it, stays. */
function ownMain(zip: Zip): Buffer {
  const entry = zip.byName.get(MANIFEST);
  if (!entry) return plainMain;
  const { main } = readJarManifest(entryBytes(zip.source, entry, MOST, () => new WrongSignature('MANIFEST_WRONG')));
  return main.bytes.toString('latin1').endsWith('\n\r\n') ? main.bytes : plainMain;
}

/** The three files of a v1 signature over these entries. */
export async function jarFiles(
  zip: Zip,
  entries: readonly PlacedEntry[],
  { signer, own }: KnownSigner,
  isJar: boolean,
): Promise<(readonly [name: string, bytes: Buffer])[]> {
  const main = isJar ? ownMain(zip) : plainMain;
  const sections: (readonly [name: string, bytes: Buffer])[] = [];
  for (const entry of entries) {
    if (entry.name.endsWith('/')) continue;
    const hash = createHash('sha256');
    await eachPiece(zip.source, entry, (piece) => hash.update(piece));
    sections.push([entry.name, section(entry.name, hash.digest('base64'))]);
  }
  const manifest = Buffer.concat([main, ...sections.map(([, bytes]) => bytes)]);
  const also = isJar ? [] : [line('X-Android-APK-Signed', '2, 3')];
  const head = [Buffer.from(`Signature-Version: 1.0\r\n${CREATED_BY}`), line('SHA-256-Digest-Manifest', sha256(manifest)), ...also];
  const file = Buffer.concat([...head, Buffer.from('\r\n'), ...sections.map(([name, bytes]) => section(name, sha256(bytes)))]);
  const signature = Buffer.from(await signer.sign('sha256', file));
  if (!holds(() => verify('sha256', file, own.key, signature))) throw new WrongSignature('SIGNATURE_WRONG');
  const block = makePkcs7(signer.certificates, signer.algorithm, signature);
  return [
    [MANIFEST, manifest],
    ['META-INF/CERT.SF', file],
    [`META-INF/CERT.${signer.algorithm.toUpperCase()}`, block],
  ];
}
