import type { ApkSigner } from './api.ts';
import { ICON, LABEL, resourceTable } from './arsc.factory.ts';
import { type Attribute, binaryXml, type Element } from './axml.factory.ts';
import { knownSigner, prefixed, provenNext, v2Block } from './sign/block-bytes.ts';
import { signZip } from './sign/sign-zip.ts';
import { closingRecord } from './sign/write-zip.ts';
import { contentDigests } from './signature/content-digest.ts';
import { makeSigningBlock, readSigningBlock, V2 } from './signature/signing-block.ts';
import { makeSigner } from './signer.factory.ts';
import { bytesSource } from './source.ts';
import { readZip } from './zip/read-zip.ts';
import { type TestFile, zipBytes } from './zip.factory.ts';

/** Test data: what a package is made with. */
export interface TestApk {
  readonly packageName?: string;
  readonly versionCode?: number;
  readonly versionName?: string;
  readonly minSdk?: number;
  readonly targetSdk?: number;
  readonly maxSdk?: number;
  /** By language; '' is the one of every other. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly permissions?: readonly string[];
  readonly features?: readonly string[];
  /** A picture (PNG, WebP, JPEG). */
  readonly icon?: Uint8Array;
  readonly debuggable?: boolean;
  readonly testOnly?: boolean;
  readonly abis?: readonly string[];
  /** More files, by name. */
  readonly files?: Readonly<Record<string, Uint8Array>>;
  /** Of a part of a split package. */
  readonly split?: string;
  /** Of the first of one: what it asks for besides. */
  readonly isSplitRequired?: boolean;
  readonly requiredSplitTypes?: string;
  readonly sharedUser?: string;
  /** None: unsigned. Several: signed by all of them, which no console takes. By default the one of `makeSigner()`. */
  readonly signers?: readonly ApkSigner[];
  /** Keys before the signer's, from the oldest on: the signer is what they were rotated to. */
  readonly rotatedFrom?: readonly ApkSigner[];
}

/** The proof that each of these keys named the next one, from the oldest on. */
export async function proofOfRotation([first, ...others]: readonly ApkSigner[]): Promise<Buffer> {
  let [by, proof] = [first, undefined as Buffer | undefined];
  for (const next of others) {
    if (by) proof = await provenNext(by, next.certificates[0] ?? Buffer.alloc(0), proof);
    by = next;
  }
  if (!proof) throw new Error('a rotation has two keys');
  return proof;
}

/** A real package, signed by v1, v2 and v3. */
export async function makeApk(of: TestApk = {}): Promise<Buffer> {
  const unsigned = zipBytes(filesOf(of));
  const signers = of.signers ?? [await makeSigner()];
  const [signer, ...others] = signers;
  if (!signer) return unsigned;
  const [oldest] = of.rotatedFrom ?? [];
  const lineage = oldest ? { proof: await proofOfRotation([...(of.rotatedFrom ?? []), signer]), oldest } : undefined;
  const one = await signedBytes(unsigned, signer, others.length > 0 ? 24 : (of.minSdk ?? 21), lineage);
  return others.length === 0 ? one : await signedBySeveral(one, signers);
}

/** Signed in memory, as the thread does it on disk. */
export async function signedBytes(
  bytes: Buffer,
  signer: ApkSigner,
  minSdk = 21,
  lineage?: { proof: Uint8Array; oldest?: ApkSigner },
): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  const sink = {
    written: 0,
    write(piece: Uint8Array) {
      pieces.push(Uint8Array.from(piece));
      sink.written += piece.length;
    },
  };
  await signZip(bytesSource(bytes), sink, () => bytesSource(Buffer.concat(pieces)), { signer, minSdk, ...(lineage ? { lineage } : {}) });
  return Buffer.concat(pieces);
}

async function signedBySeveral(one: Buffer, signers: readonly ApkSigner[]): Promise<Buffer> {
  const zip = readZip(bytesSource(one));
  const at = readSigningBlock(zip)?.at ?? zip.directoryAt;
  const known = signers.map(knownSigner);
  const digests = contentDigests({ ...zip, blockAt: at }, new Set(known.map(({ content }) => content)));
  const blocks = await Promise.all(known.map((by) => v2Block(by, digests.get(by.content) ?? Buffer.alloc(0), true)));
  const block = makeSigningBlock([[V2, prefixed(...blocks.map((bytes) => bytes.subarray(4)))]]);
  const directory = one.subarray(zip.directoryAt, zip.endAt);
  return Buffer.concat([one.subarray(0, at), block, directory, closingRecord(zip.entries.length, directory.length, at + block.length)]);
}

function filesOf(of: TestApk): TestFile[] {
  const { labels = { '': 'Till' }, icon, abis = [], packageName = 'com.example.till' } = of;
  const icons = new Map(icon ? [[480, 'res/mipmap-xxhdpi/ic_launcher.png']] : []);
  const library = Buffer.from('\u007fELF a library', 'latin1');
  return [
    { name: 'AndroidManifest.xml', bytes: binaryXml(manifestOf(of)) },
    { name: 'resources.arsc', bytes: resourceTable({ packageName, labels, icons }), isStored: true },
    ...(icon ? [{ name: 'res/mipmap-xxhdpi/ic_launcher.png', bytes: icon, isStored: true }] : []),
    { name: 'classes.dex', bytes: Buffer.from('dex\n035\0 a few bytes', 'latin1') },
    ...abis.map((abi) => ({ name: `lib/${abi}/libtill.so`, bytes: library, isStored: true })),
    ...Object.entries(of.files ?? {}).map(([name, bytes]) => ({ name, bytes })),
  ];
}

const named = (element: string, name: string): Element => ({ name: element, attributes: [{ id: 0x01010003, name: 'name', value: name }] });
const given = <T>(id: number, name: string, value: T | undefined): { id: number; name: string; value: T }[] =>
  value === undefined ? [] : [{ id, name, value }];

/** The manifest as a tool that builds packages writes it. */
export function manifestOf(of: TestApk): Element {
  const { packageName = 'com.example.till', versionCode = 1, versionName = '1.0.0', minSdk = 21, targetSdk = 33 } = of;
  const major = Math.floor(versionCode / 2 ** 32);
  const plain: Attribute[] = [
    { id: 0x0101021b, name: 'versionCode', value: versionCode % 2 ** 32 },
    { id: 0x0101021c, name: 'versionName', value: versionName },
    ...given(0x01010576, 'versionCodeMajor', major > 0 ? major : undefined),
    { name: 'package', value: packageName },
    ...given(0x0101000b, 'sharedUserId', of.sharedUser),
    ...given(0x01010591, 'isSplitRequired', of.isSplitRequired),
    ...given(0x0101064e, 'requiredSplitTypes', of.requiredSplitTypes),
    ...(of.split === undefined ? [] : [{ name: 'split', value: of.split }]),
  ];
  const sdk: Attribute[] = [
    { id: 0x0101020c, name: 'minSdkVersion', value: minSdk },
    { id: 0x01010270, name: 'targetSdkVersion', value: targetSdk },
    ...given(0x01010271, 'maxSdkVersion', of.maxSdk),
  ];
  const application: Attribute[] = [
    { id: 0x01010001, name: 'label', value: { ref: LABEL } },
    ...given(0x01010002, 'icon', of.icon ? { ref: ICON } : undefined),
    ...given(0x0101000f, 'debuggable', of.debuggable),
    ...given(0x01010272, 'testOnly', of.testOnly),
  ];
  return {
    name: 'manifest',
    attributes: plain,
    children: [
      { name: 'uses-sdk', attributes: sdk },
      ...(of.permissions ?? []).map((one) => named('uses-permission', one)),
      ...(of.features ?? []).map((one) => named('uses-feature', one)),
      { name: 'application', attributes: application },
    ],
  };
}
