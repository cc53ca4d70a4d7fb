import { expect, test } from 'vitest';
import { makeApk, signedBytes } from './apk.factory.ts';
import { endOf } from './attacks.factory.ts';
import { verifyPackageFrom } from './read-package.ts';
import { readSigningBlock } from './signature/signing-block.ts';
import { makeSigner } from './signer.factory.ts';
import { bytesSource } from './source.ts';
import { entryBytes } from './zip/entry-bytes.ts';
import { readZip } from './zip/read-zip.ts';
import { type TestFile, zipBytes } from './zip.factory.ts';

/** 50,000 before a release. */
const RUNS = Number(process.env.APK_MUTANTS ?? 2500);
/** Signed again each time: dearer. */
const UNPACKED = Math.ceil(RUNS / 2);
const SEED = Number(process.env.FUZZ_SEED ?? 22);

/** Numbers that look drawn, and are the same ones every time (mulberry32). */
function numbers(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const odd = [0, 1, 0x7f, 0x80, 0xff];

/** Flips, sets, cuts, doubles or fills: once or a few times. */
function mutant(bytes: Buffer, next: (below: number) => number): Buffer {
  let made = Buffer.from(bytes);
  for (let left = 1 + next(3); left > 0 && made.length > 8; left -= 1) {
    const at = next(made.length);
    const kind = next(6);
    if (kind <= 1) made[at] = (made[at] ?? 0) ^ (1 << next(8));
    else if (kind === 2) made[at] = odd[next(odd.length)] ?? 0;
    else if (kind === 3)
      made.writeUInt32LE([0, 0xffffffff, 0x7fffffff, made.length, next(2 ** 31)][next(5)] ?? 0, Math.min(at, made.length - 4));
    else if (kind === 4) made = Buffer.concat([made.subarray(0, at), made.subarray(Math.min(made.length, at + 1 + next(64)))]);
    else made = Buffer.concat([made.subarray(0, at), made.subarray(Math.max(0, at - next(64)), at), made.subarray(at)]);
  }
  return made;
}

test(
  `each of ${RUNS} mutants ends as an unreadable package or a wrong signature, or is outside of what is signed`,
  async () => {
    const icon = Buffer.from('\u0089PNG\r\n\u001a\n a picture', 'latin1');
    const of = { icon, abis: ['arm64-v8a'], labels: { '': 'Till', 'zh-CN': '收银' }, permissions: ['android.permission.INTERNET'] };
    const [old, now] = [await makeSigner({ name: 'Old', kind: 'p256' }), await makeSigner({ kind: 'p256' })];
    const originals = [
      await makeApk({ ...of, signers: [now] }),
      await makeApk({ ...of, minSdk: 24, signers: [now], rotatedFrom: [old] }),
      await makeApk({ ...of, signers: [] }),
    ];
    const next = numbers(SEED);
    const survived: string[] = [];
    const ends = new Set<string>();
    for (let run = 0; run < RUNS; run += 1) {
      const original = originals[run % originals.length] ?? Buffer.alloc(0);
      const bytes = mutant(original, next);
      const end = await endOf(bytes).catch((error: unknown) => `raw: ${error}`);
      ends.add(end);
      if (end.startsWith('raw')) survived.push(`${run}: ${end}`);
      else if (end.startsWith('v') && !(await isSameSigned(original, bytes))) survived.push(`${run}: ${end}`);
    }
    expect(survived).toEqual([]);
    // Keys are new in each run, so rarer ends come in some runs alone.
    expect([...ends]).toEqual(
      expect.arrayContaining([
        ...['ARCHIVE_BROKEN', 'ARCHIVE_EXTRA', 'ARCHIVE_NAME', 'ARCHIVE_UNEQUAL', 'CERTIFICATE_BROKEN', 'CERTIFICATES_DIFFER'],
        ...['CONTENT_CHANGED', 'SIGNATURE_WRONG', 'UNSIGNED', 'v1 v2 v3', 'v2 v3'],
      ]),
    );
  },
  120_000 + RUNS * 100,
);

test('each byte of a package that is flipped is refused, or is outside of what is signed: its checksum tells', {
  timeout: 300_000,
}, async () => {
  const original = await makeApk({ minSdk: 21, signers: [await makeSigner({ kind: 'p256' })] });
  const survived: string[] = [];
  for (let at = 0; at < original.length; at += 1) {
    const bytes = Buffer.from(original);
    bytes[at] = (bytes[at] ?? 0) ^ 0x01;
    const end = await endOf(bytes);
    if (end.startsWith('v') && !(await isSameSigned(original, bytes))) survived.push(`${at}: ${end}`);
  }
  expect(survived).toEqual([]);
});

/** Files of a package as they are once unpacked: behind the checksums of the archive, where no flipped bit comes by itself. */
function unpacked(bytes: Buffer): TestFile[] {
  const zip = readZip(bytesSource(bytes));
  return zip.entries.map((entry) => ({ name: entry.name, bytes: entryBytes(zip.source, entry, 1_000_000, () => new Error('too long')) }));
}

test(
  `manifest, resources and signature files of ${UNPACKED} mutants raise no error of another kind`,
  async () => {
    const of = {
      labels: { '': 'Till', 'zh-CN': '收银' },
      permissions: ['android.permission.INTERNET'],
      targetSdk: 28,
      icon: Buffer.from('icon'),
    };
    const files = unpacked(await signedBytes(await makeApk({ ...of, signers: [] }), await makeSigner({ kind: 'p256' }), 21));
    const inside = /^(AndroidManifest\.xml|resources\.arsc|META-INF\/.*)$/;
    const chosen = files.filter(({ name }) => inside.test(String(name)));
    const next = numbers(SEED);
    const raised: string[] = [];
    const ends = new Set<string>();
    for (let run = 0; run < UNPACKED; run += 1) {
      const victim = chosen[run % chosen.length];
      const made = files.map((file) => (file === victim ? { ...file, bytes: mutant(Buffer.from(file.bytes), next) } : file));
      const end = await endOf(zipBytes(made)).catch((error: unknown) => `raw: ${error}`);
      ends.add(end);
      // That a newer signature was there is said by the older one: alone, it never holds.
      if (end.startsWith('raw') || end.startsWith('v')) raised.push(`${run}: ${end}`);
    }
    expect(raised).toEqual([]);
    expect([...ends]).toEqual(
      expect.arrayContaining([
        ...[
          'BLOCK_BROKEN',
          'CERTIFICATE_BROKEN',
          'CONTENT_CHANGED',
          'MANIFEST_BROKEN',
          'MANIFEST_NAME',
          'MANIFEST_SDK',
          'MANIFEST_VERSION',
        ],
        ...['MANIFEST_WRONG', 'RESOURCES_BROKEN', 'SIGNATURE_WRONG', 'STRIPPED'],
      ]),
    );
  },
  120_000 + UNPACKED * 100,
);

/** All but the signing block is what it was: only what no signature is over has changed. */
async function isSameSigned(original: Buffer, bytes: Buffer): Promise<boolean> {
  const parts = (of: Buffer) => {
    const zip = readZip(bytesSource(of));
    const at = readSigningBlock(zip)?.at ?? zip.entriesEnd;
    const end = Buffer.from(of.subarray(zip.endAt));
    end.writeUInt32LE(0, 16);
    return Buffer.concat([of.subarray(0, at), of.subarray(zip.directoryAt, zip.endAt), end]);
  };
  const [one, two] = [await verifyPackageFrom(bytesSource(original)), await verifyPackageFrom(bytesSource(bytes))];
  return one.certificate?.sha256 === two.certificate?.sha256 && parts(original).equals(parts(bytes));
}
