import { createPublicKey, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { makeApk, proofOfRotation, signedBytes, type TestApk } from '../apk.factory.ts';
import { endOf } from '../attacks.factory.ts';
import { u32 } from '../axml.factory.ts';
import { readPackageFrom, verifyPackageFrom } from '../read-package.ts';
import { prefixed, provenNext } from '../sign/block-bytes.ts';
import { closingRecord } from '../sign/write-zip.ts';
import { makeSigner } from '../signer.factory.ts';
import { bytesSource } from '../source.ts';
import { entryBytes } from '../zip/entry-bytes.ts';
import { readZip } from '../zip/read-zip.ts';
import { zipBytes } from '../zip.factory.ts';
import { contentDigests } from './content-digest.ts';
import { makeSigningBlock, readSigningBlock, V2, V3 } from './signing-block.ts';
import { verityDigest } from './verity-digest.ts';

const verdictOf = async (bytes: Buffer) => (await readPackageFrom(bytesSource(bytes))).signature;
const verdict = async (of: TestApk) => verdictOf(await makeApk(of));

/** The same package with another signing block. */
function withBlock(bytes: Buffer, change: (entries: Map<number, Buffer>) => Buffer): Buffer {
  const zip = readZip(bytesSource(bytes));
  const block = readSigningBlock(zip);
  const at = block?.at ?? zip.directoryAt;
  const made = change(new Map([...(block?.entries ?? [])].filter(([id]) => id === V2 || id === V3)));
  const directory = bytes.subarray(zip.directoryAt, zip.endAt);
  return Buffer.concat([bytes.subarray(0, at), made, directory, closingRecord(zip.entries.length, directory.length, at + made.length)]);
}

test('a signed package: whose it is, by which schemes, and from which Android on', async () => {
  const signer = await makeSigner();
  expect(await verdict({})).toMatchObject({
    wrong: null,
    schemes: ['v1', 'v2', 'v3'],
    signers: 1,
    lineage: [signer.sha256],
    publicTestKey: false,
    validFrom: 18,
    certificate: {
      sha256: signer.sha256,
      subject: 'O=Mooring Tests, CN=Till',
      keyAlgorithm: 'rsa',
      keyBits: 2048,
      notBefore: '2024-01-01T00:00:00.000Z',
    },
  });
  expect(await verdict({ minSdk: 24 })).toMatchObject({ wrong: null, schemes: ['v2', 'v3'], validFrom: 24 });
  expect(await verdict({ signers: [] })).toMatchObject({ wrong: 'UNSIGNED', signers: 0, certificate: null, validFrom: null });
});

test.each(['rsa2048', 'rsa3072', 'rsa4096', 'p256', 'p384'] as const)('a key of the kind %s signs by each scheme', async (kind) => {
  const signer = await makeSigner({ kind });
  expect(await verdict({ signers: [signer] })).toMatchObject({
    wrong: null,
    schemes: ['v1', 'v2', 'v3'],
    certificate: { sha256: signer.sha256 },
  });
});

test('a rotated key: newer Androids see the newest, older ones the oldest', async () => {
  const [old, middle, now] = [await makeSigner({ name: 'Old' }), await makeSigner({ name: 'Middle', kind: 'p256' }), await makeSigner()];
  const found = await verdict({ rotatedFrom: [old, middle], signers: [now] });
  expect(found).toMatchObject({
    wrong: null,
    lineage: [old, middle, now].map(({ sha256 }) => sha256),
    certificate: { sha256: now.sha256 },
  });
});

test('a key of before counts where its apps may still be updated, and not where that was taken from it', async () => {
  const [old, middle, now] = [await makeSigner({ name: 'Old' }), await makeSigner({ name: 'Middle', kind: 'p256' }), await makeSigner()];
  const proof = await proofOfRotation([old, middle, now]);
  // The flags of the first key stand behind what is signed of it.
  const flagsAt = 12 + proof.readUInt32LE(8);
  expect(proof.readUInt32LE(flagsAt)).toBe(0x17);
  proof.writeUInt32LE(0x16, flagsAt);
  const bytes = await signedBytes(await makeApk({ signers: [] }), now, 21, { proof, oldest: old });
  expect(await verdictOf(bytes)).toMatchObject({ wrong: null, lineage: [middle.sha256, now.sha256] });
});

test('the tree by which a system checks a file while it reads is compared too', async () => {
  const signer = await makeSigner();
  const filler = async (length: number) => makeApk({ minSdk: 24, files: { 'assets/a': randomBytes(length) } });
  // The block of such a package begins with a page: the file before it is made as long as that takes.
  const blockAt = (bytes: Buffer) => readSigningBlock(readZip(bytesSource(bytes)))?.at ?? 0;
  const gap = 4096 - (blockAt(await filler(9000)) % 4096);
  const bytes = await filler(9000 + gap);
  expect(blockAt(bytes) % 4096).toBe(0);
  const parts = { ...readZip(bytesSource(bytes)), blockAt: blockAt(bytes) };
  const sound = contentDigests(parts, new Set(['sha256'])).get('sha256') ?? Buffer.alloc(0);
  const listed = (pieces: readonly (readonly [number, Buffer])[]) =>
    prefixed(...pieces.map(([number, piece]) => prefixed(u32(number), prefixed(piece))));
  const publicKey = createPublicKey(signer.key).export({ type: 'spki', format: 'der' });
  const ends = async (tree: Buffer) => {
    const digests = listed([
      [0x0103, sound],
      [0x0421, tree],
    ]);
    const data = Buffer.concat([digests, prefixed(prefixed(signer.certificates[0] ?? Buffer.alloc(0))), prefixed()]);
    const signature = Buffer.from(await signer.sign('sha256', data));
    const signatures = listed([
      [0x0103, signature],
      [0x0421, signature],
    ]);
    const block = prefixed(prefixed(prefixed(data), signatures, prefixed(publicKey)));
    return endOf(withBlock(bytes, () => makeSigningBlock([[V2, block]])));
  };
  expect(await ends(verityDigest(parts))).toBe('v2');
  expect(await ends(Buffer.alloc(40))).toBe('CONTENT_CHANGED');
});

test('a rotation that nobody proved is refused while signing, and while reading', async () => {
  const [old, now, other] = [await makeSigner({ name: 'Old' }), await makeSigner(), await makeSigner({ name: 'Other' })];
  const unsigned = await makeApk({ signers: [] });
  const proof = await proofOfRotation([old, now]);
  await expect(signedBytes(unsigned, other, 21, { proof, oldest: old })).rejects.toMatchObject({ rule: 'LINEAGE_WRONG' });
  const forged = Buffer.from(proof);
  forged[forged.length - 9] = (forged.at(-9) ?? 0) ^ 1;
  await expect(signedBytes(unsigned, now, 21, { proof: forged, oldest: old })).rejects.toMatchObject({ rule: 'LINEAGE_WRONG' });
});

test('for Androids that all know rotation, the newest key signs alone', async () => {
  const [old, now] = [await makeSigner({ name: 'Old' }), await makeSigner()];
  const proof = await proofOfRotation([old, now]);
  const unsigned = await makeApk({ minSdk: 28, signers: [] });
  const found = await verdictOf(await signedBytes(unsigned, now, 28, { proof }));
  expect(found).toMatchObject({ wrong: null, schemes: ['v3'], lineage: [old.sha256, now.sha256], validFrom: 28 });
  await expect(signedBytes(unsigned, now, 27, { proof })).rejects.toThrow('oldest key');
});

test('a key hands on only what leads to it', async () => {
  const [old, now, other] = [await makeSigner({ name: 'Old' }), await makeSigner(), await makeSigner({ name: 'Other' })];
  const proof = await proofOfRotation([old, now]);
  await expect(provenNext(other, old.certificates[0] ?? Buffer.alloc(0), proof)).rejects.toMatchObject({ rule: 'LINEAGE_WRONG' });
});

test('several signers are counted, and never taken', async () => {
  const signers = [await makeSigner(), await makeSigner({ name: 'Second' })];
  expect(await verdict({ signers, minSdk: 24 })).toMatchObject({ wrong: 'SEVERAL_SIGNERS', signers: 2 });
});

test('a changed byte of any file, of the directory or of the block is seen', async () => {
  const bytes = await makeApk({ files: { 'assets/menu.txt': Buffer.from('Espresso 1.20') }, minSdk: 24 });
  const zip = readZip(bytesSource(bytes));
  const changed = (at: number) => {
    const copy = Buffer.from(bytes);
    copy[at] = (copy[at] ?? 0) ^ 0x20;
    return endOf(copy);
  };
  expect(await changed((zip.byName.get('classes.dex')?.dataAt ?? 0) + 3)).toBe('CONTENT_CHANGED');
  expect(await changed(zip.directoryAt + 12)).toMatch(/CONTENT_CHANGED|ARCHIVE_UNEQUAL/);
  expect(await changed((readSigningBlock(zip)?.at ?? 0) + 60)).not.toBe('v2 v3');
});

test('signatures that were taken away leave a trace', async () => {
  const bytes = await makeApk({});
  const only = (id: number) => withBlock(bytes, (entries) => makeSigningBlock([[id, entries.get(id) ?? Buffer.alloc(0)]]));
  expect(await endOf(withBlock(bytes, () => Buffer.alloc(0)))).toBe('STRIPPED');
  expect(await endOf(only(V2))).toBe('STRIPPED');
  expect(await endOf(only(V3))).toBe('STRIPPED');
});

test('tricks with the container: unknown entries, doubled ones, lengths that lie', async () => {
  const bytes = await makeApk({ minSdk: 24 });
  const entries = (all: Map<number, Buffer>) => [...all];
  expect(await endOf(withBlock(bytes, (all) => makeSigningBlock([...entries(all), [0x71777777, Buffer.from('channel')]])))).toBe(
    'BLOCK_UNKNOWN',
  );
  expect(await endOf(withBlock(bytes, (all) => makeSigningBlock([...entries(all), ...entries(all)])))).toBe('BLOCK_DOUBLED');
  const lies = (at: number, value: number) =>
    withBlock(bytes, (all) => {
      const block = makeSigningBlock(entries(all));
      block.writeUInt32LE(value, at < 0 ? block.length + at : at);
      return block;
    });
  for (const [at, value] of [
    [0, 17],
    [-24, 17],
    [-24, 0xfffffff0],
    [8, 0xffffff],
    [8, 1],
  ] as const)
    expect(await endOf(lies(at, value)), `${at} ${value}`).toMatch(/^(BLOCK_BROKEN|BLOCK_UNKNOWN)$/);
  expect(
    await endOf(
      withBlock(bytes, (all) =>
        makeSigningBlock([
          [V2, Buffer.alloc(0)],
          [V3, all.get(V3) ?? Buffer.alloc(0)],
        ]),
      ),
    ),
  ).toBe('BLOCK_BROKEN');
});

test('a block of another package is not of this one', async () => {
  const [one, two] = [await makeApk({ minSdk: 24 }), await makeApk({ minSdk: 24, versionCode: 2 })];
  const foreign = readSigningBlock(readZip(bytesSource(two)))?.entries ?? new Map<number, Buffer>();
  expect(await endOf(withBlock(one, () => makeSigningBlock([...foreign].filter(([id]) => id === V2 || id === V3))))).toBe(
    'CONTENT_CHANGED',
  );
});

test('schemes by different keys', async () => {
  const bytes = await makeApk({ minSdk: 24, signers: [await makeSigner()] });
  const other = await makeApk({ minSdk: 24, signers: [await makeSigner({ name: 'Other' })] });
  const theirs = readSigningBlock(readZip(bytesSource(other)))?.entries.get(V3) ?? Buffer.alloc(0);
  const mixed = withBlock(bytes, (all) =>
    makeSigningBlock([
      [V2, all.get(V2) ?? Buffer.alloc(0)],
      [V3, theirs],
    ]),
  );
  expect(await endOf(mixed)).toBe('CERTIFICATES_DIFFER');
});

test('a file that was added behind the v1 signature’s back', async () => {
  const bytes = await makeApk({ targetSdk: 28 });
  const zip = readZip(bytesSource(bytes));
  const files = zip.entries.map((entry) => ({
    name: entry.name,
    bytes: bytes.subarray(entry.dataAt, entry.dataAt + entry.packed),
    isStored: true,
    method: entry.isDeflated ? 8 : 0,
    size: entry.size,
    crc: entry.crc,
  }));
  const v1 = (more: { name: string; bytes: Buffer }[]) => endOf(zipBytes([...files, ...more]));
  // Alone, it says that others were there.
  expect(await v1([])).toBe('STRIPPED');
  expect(await v1([{ name: 'classes2.dex', bytes: Buffer.from('dex') }])).toBe('CONTENT_UNSIGNED');
  expect(await endOf(zipBytes(files.filter(({ name }) => name !== 'classes.dex')))).toBe('CONTENT_CHANGED');
});

test('a plain archive is signed and verified too, all of its files', async () => {
  const jar = zipBytes([
    { name: 'META-INF/MANIFEST.MF', bytes: Buffer.from('Manifest-Version: 1.0\r\nMain-Class: com.acme.Till\r\n\r\n') },
    { name: 'META-INF/services/a', bytes: Buffer.from('com.acme.A') },
    { name: `com/acme/${'long/'.repeat(20)}收银.class`, bytes: Buffer.from('code') },
  ]);
  const signed = await signedBytes(jar, await makeSigner());
  expect(await verifyPackageFrom(bytesSource(signed))).toMatchObject({ wrong: null, schemes: ['v1'], validFrom: 18 });
  const zip = readZip(bytesSource(signed));
  const manifest = zip.byName.get('META-INF/MANIFEST.MF');
  const read = manifest ? entryBytes(zip.source, manifest, 10_000, () => new Error('too long')).toString() : '';
  expect(read).toMatch(/^Manifest-Version: 1.0\r\nMain-Class: com.acme.Till\r\n\r\nName: /);
  expect(await verifyPackageFrom(bytesSource(jar))).toMatchObject({ wrong: 'UNSIGNED' });
});

test('a signature that isn’t of the certificate’s key leaves no package', async () => {
  const [mine, other] = [await makeSigner(), await makeSigner({ name: 'Other' })];
  await expect(signedBytes(await makeApk({ signers: [] }), { ...mine, sign: other.sign })).rejects.toMatchObject({
    rule: 'SIGNATURE_WRONG',
  });
});

test('signed again, nothing of the older signature stays', async () => {
  const again = await signedBytes(await makeApk({}), await makeSigner({ name: 'Acquirer', kind: 'p256' }));
  const { signature } = await readPackageFrom(bytesSource(again));
  expect(signature).toMatchObject({ wrong: null, signers: 1, certificate: { subject: 'O=Mooring Tests, CN=Acquirer' } });
  expect(
    readZip(bytesSource(again))
      .entries.filter(({ name }) => name.startsWith('META-INF/'))
      .map(({ name }) => name),
  ).toEqual(['META-INF/MANIFEST.MF', 'META-INF/CERT.SF', 'META-INF/CERT.EC']);
});
