import { expect, test } from 'vitest';
import { manifestOf } from '../apk.factory.ts';
import { endOf } from '../attacks.factory.ts';
import { binaryXml } from '../axml.factory.ts';
import { type TestArchive, type TestFile, zipBytes } from '../zip.factory.ts';

const manifest: TestFile = { name: 'AndroidManifest.xml', bytes: binaryXml(manifestOf({})) };
const code: TestFile = { name: 'classes.dex', bytes: Buffer.from('some code') };
const apk = (files: readonly TestFile[], archive?: TestArchive) => endOf(zipBytes([manifest, ...files], archive));
const u32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};

test('a sound archive is read', async () => {
  expect(await apk([code])).toBe('UNSIGNED');
  expect(await apk([{ ...code, isStored: true }])).toBe('UNSIGNED');
  expect(await apk([code], { comment: Buffer.from('made by hand') })).toBe('UNSIGNED');
});

test('what is no archive, or was cut, is neither', async () => {
  expect(await endOf(Buffer.alloc(0))).toBe('NOT_ARCHIVE');
  expect(await endOf(Buffer.from('a letter that somebody meant to send elsewhere'))).toBe('NOT_ARCHIVE');
  const whole = zipBytes([manifest, code]);
  expect(await endOf(whole.subarray(0, whole.length - 30))).toBe('ARCHIVE_BROKEN');
});

test('names: twice the same, leading out, of another system, none', async () => {
  expect(await apk([code, code])).toBe('ARCHIVE_DOUBLED');
  const names = [
    '../classes.dex',
    'a/../../b',
    '/etc/passwd',
    'C:/boot.ini',
    'a\\b',
    'a\0b',
    'a\nb',
    './a',
    'x'.repeat(1025),
    Buffer.from([0xff, 0xfe]),
  ];
  for (const name of names) expect(await apk([{ ...code, name }]), String(name)).toBe('ARCHIVE_NAME');
});

test('links, encrypted files, unknown methods', async () => {
  expect(await apk([{ ...code, madeBy: 0x0314, attributes: 0xa1ff0000 }])).toBe('ARCHIVE_LINK');
  expect(await apk([{ ...code, flags: 1 }])).toBe('ARCHIVE_ENCRYPTED');
  expect(await apk([{ ...code, flags: 0x40 }])).toBe('ARCHIVE_ENCRYPTED');
  expect(await apk([{ ...code, method: 12 }])).toBe('ARCHIVE_METHOD');
});

test('two headers of one file that differ', async () => {
  for (const local of [{ name: 'classes.dey' }, { size: 1 }, { crc: 1 }, { flags: 2 }, { method: 0 }, { name: 'other' }])
    expect(await apk([{ ...code, local }]), JSON.stringify(local)).toBe('ARCHIVE_UNEQUAL');
});

test('files that overlap: one inside of another, many over the same bytes', async () => {
  expect(await apk([code, { ...code, name: 'again.dex', at: 0 }])).toBe('ARCHIVE_OVERLAP');
  const many = Array.from({ length: 50 }, (_, at): TestFile => ({ ...code, name: `a${at}`, at: 0 }));
  expect(await endOf(zipBytes(many))).toBe('ARCHIVE_OVERLAP');
  expect(await apk([{ ...code, packed: 100_000 }])).toBe('ARCHIVE_OVERLAP');
});

test('bombs: by ratio, by sum, by number', async () => {
  expect(await apk([{ ...code, size: 2_000_000_000 }])).toBe('ARCHIVE_BOMB');
  expect(await apk([code], { count: 40_001 })).toBe('ARCHIVE_MANY');
  const large = Array.from({ length: 3 }, (_, at): TestFile => ({ ...code, name: `a${at}`, size: 2_000_000_000, packed: 20_000_000 }));
  expect(await apk(large)).toBe('ARCHIVE_LARGE');
});

test('a file that unpacks to another length, or to other bytes, is damaged', async () => {
  const wrong = (file: Partial<TestFile>) => endOf(zipBytes([{ ...manifest, ...file }, code]));
  expect(await wrong({ size: 10 })).toBe('ARCHIVE_BROKEN');
  expect(await wrong({ size: 100_000 })).toBe('ARCHIVE_BROKEN');
  expect(await wrong({ crc: 7 })).toBe('ARCHIVE_BROKEN');
  expect(await wrong({ size: 30_000_000 })).toBe('MANIFEST_LARGE');
});

test('data that belongs to no file: before, between, behind, and in the comment', async () => {
  expect(await apk([code], { first: Buffer.from('dex\n035\0 code that runs') })).toBe('ARCHIVE_EXTRA');
  expect(await apk([{ ...code, before: Buffer.from('hidden') }])).toBe('ARCHIVE_EXTRA');
  expect(await apk([code], { beforeEnd: Buffer.from('hidden') })).toBe('ARCHIVE_EXTRA');
  expect(await apk([code], { last: Buffer.from('hidden') })).toBe('ARCHIVE_EXTRA');
  const other = zipBytes([code]);
  expect(await apk([code], { comment: Buffer.concat([other, Buffer.from('x')]) })).toBe('ARCHIVE_EXTRA');
  expect(await apk([code], { beforeDirectory: Buffer.from('hidden') })).toBe('BLOCK_BROKEN');
  // Padding of build tools is none.
  expect(await apk([{ ...code, before: Buffer.alloc(64) }])).toBe('UNSIGNED');
});

test('ZIP64, by its locator and by its marks', async () => {
  const locator = Buffer.concat([Buffer.from('PK\u0006\u0007', 'latin1'), Buffer.alloc(16)]);
  expect(await apk([code], { beforeEnd: locator })).toBe('ARCHIVE_ZIP64');
  expect(await apk([code], { count: 0xffff })).toBe('ARCHIVE_ZIP64');
  expect(await apk([{ ...code, size: 0xffffffff }])).toBe('ARCHIVE_ZIP64');
  expect(await apk([{ ...code, at: 0xffffffff }])).toBe('ARCHIVE_ZIP64');
});

test('lengths behind the bytes are read, and compared', async () => {
  const { crc, packed } = headOf(zipBytes([code]));
  const behind = (size: number) => Buffer.concat([Buffer.from('PK\u0007\u0008', 'latin1'), u32(crc), u32(packed), u32(size)]);
  const streamed = { ...code, flags: 8, local: { size: 0, crc: 0 } };
  expect(await apk([{ ...streamed, after: behind(code.bytes.length) }])).toBe('UNSIGNED');
  expect(await apk([{ ...streamed, after: behind(code.bytes.length).subarray(4) }])).toBe('UNSIGNED');
  expect(await apk([{ ...streamed, after: behind(3) }])).toBe('ARCHIVE_UNEQUAL');
  expect(await apk([streamed])).toMatch(/^ARCHIVE_(BROKEN|UNEQUAL)$/);
});

const headOf = (zip: Buffer) => ({ crc: zip.readUInt32LE(14), packed: zip.readUInt32LE(18) });
