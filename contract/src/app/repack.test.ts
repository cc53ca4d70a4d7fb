import fc from 'fast-check';
import { deflateRaw } from 'pako';
import { expect, test } from 'vitest';
import { packedEntries } from './packed-entries.ts';
import { repack, unpackedBase, unpackForDiff } from './repack.ts';

const u16 = (...values: number[]) => values.flatMap((value) => [value & 0xff, value >> 8]);
const u32 = (...values: number[]) => values.flatMap((value) => u16(value & 0xffff, value >>> 16));

interface File {
  readonly content: Uint8Array;
  readonly packed: Uint8Array;
  readonly method?: number;
}

/** An archive of these, as far as it is looked at here. */
function archive(files: readonly File[]): Uint8Array {
  const parts: number[] = [];
  const directory: number[] = [];
  for (const [index, { content, packed, method = 8 }] of files.entries()) {
    const name = [97 + index];
    directory.push(...u32(0x02014b50), ...u16(20, 20, 0, method, 0, 0), ...u32(0, packed.length, content.length));
    directory.push(...u16(1, 0, 0, 0, 0), ...u32(0, parts.length), ...name);
    parts.push(...u32(0x04034b50), ...u16(20, 0, method, 0, 0), ...u32(0, packed.length, content.length), ...u16(1, 0), ...name);
    for (const byte of packed) parts.push(byte);
  }
  const end = [...u32(0x06054b50), ...u16(0, 0, files.length, files.length), ...u32(directory.length, parts.length), ...u16(0)];
  return Uint8Array.from([...parts, ...directory, ...end]);
}

const menu = (prices: number) =>
  new TextEncoder().encode(Array.from({ length: 400 }, (_, at) => `Espresso ${at} ${(at * prices) % 97}\n`).join(''));
const packedAt = (level: 1 | 6 | 9, content: Uint8Array): File => ({ content, packed: deflateRaw(content, { level }) });

test('what was unpacked is packed again to the very same bytes, at whatever level', () => {
  const files = [packedAt(1, menu(3)), packedAt(6, menu(5)), packedAt(9, menu(7)), { content: menu(9), packed: menu(9), method: 0 }];
  const bytes = archive(files);
  const { image, plan } = unpackForDiff(bytes);
  expect(plan.map(([, , level]) => level).filter((level) => level > 0)).toHaveLength(3);
  expect(image.length).toBeGreaterThan(bytes.length * 1.5);
  expect(repack({ image, plan })).toEqual(bytes);
  expect(unpackedBase(bytes)).toEqual(image);
});

test('what another packer made, or lies about its length, stays as it is', () => {
  const foreign = packedAt(6, menu(3));
  // A stored block says the same in other bytes.
  const stored = Uint8Array.from([1, ...u16(menu(5).length, ~menu(5).length & 0xffff), ...menu(5)]);
  const files = [
    { content: menu(5), packed: stored },
    { content: menu(3).subarray(0, 10), packed: foreign.packed },
    { content: menu(4), packed: menu(4) },
  ];
  const bytes = archive(files);
  const { image, plan } = unpackForDiff(bytes);
  expect([image, plan]).toEqual([bytes, [[bytes.length, 0, 0]]]);
  expect(repack({ image, plan })).toEqual(bytes);
});

test('no archive at all is taken as it is', () => {
  for (const bytes of [
    new Uint8Array(0),
    new TextEncoder().encode('a letter'),
    archive([packedAt(6, menu(3))]).subarray(0, -1),
    new Uint8Array(100_000),
  ]) {
    const made = unpackForDiff(bytes);
    expect(repack(made)).toEqual(bytes);
    expect(packedEntries(bytes)).toEqual([]);
  }
});

test('a plan that isn’t of this image makes nothing', () => {
  const image = menu(3);
  for (const plan of [[[image.length + 1, 0, 0]], [[0, 10, 0]], [[0, 10, 12]], [[-1, 0, 0]], [[1, 0, 0]], [[0.5, 0, 0]], []] as const)
    expect(repack({ image, plan: plan.map(([a = 0, b = 0, c = 0]) => [a, b, c] as const) })).toBeUndefined();
});

test('two versions that differ in a line are alike once unpacked', () => {
  const [old, now] = [menu(3), Uint8Array.from([...new TextEncoder().encode('Latte 0 1\n'), ...menu(3)])];
  const [base, { image }] = [unpackedBase(archive([packedAt(9, old)])), unpackForDiff(archive([packedAt(9, now)]))];
  const text = (bytes: Uint8Array) => new TextDecoder('latin1').decode(bytes);
  expect(text(image)).toContain(text(old));
  expect(text(base)).toContain(text(old));
});

const bytesUpTo = (maxLength: number) => fc.uint8Array({ maxLength });
const fileOf = fc
  .record({ content: bytesUpTo(600), level: fc.constantFrom<1 | 6 | 9 | 'other' | 'stored'>(1, 6, 9, 'other', 'stored') })
  .map(({ content, level }): File => {
    if (level === 'stored') return { content, packed: content, method: 0 };
    if (typeof level === 'number') return packedAt(level, content);
    const length = content.length;
    return { content, packed: Uint8Array.from([1, ...u16(length, ~length & 0xffff), ...content]) };
  });

test('whatever is in an archive, it becomes the very same bytes again', () =>
  fc.assert(
    fc.property(fc.array(fileOf, { maxLength: 5 }), bytesUpTo(5), (files, behind) => {
      const bytes = Uint8Array.from([...archive(files), ...behind]);
      const { image, plan } = unpackForDiff(bytes);
      expect(repack({ image, plan }, bytes.length)).toEqual(bytes);
      if (bytes.length > 0) expect(repack({ image, plan }, bytes.length - 1)).toBeUndefined();
    }),
    { numRuns: 300 },
  ));

test('whatever a plan says, it makes nothing larger than it may, and asks for nothing that isn’t there', () =>
  fc.assert(
    fc.property(
      bytesUpTo(300),
      fc.array(fc.tuple(fc.integer({ min: -2, max: 200 }), fc.integer({ min: -2, max: 200 }), fc.integer({ min: -1, max: 12 })), {
        maxLength: 6,
      }),
      (image, plan) => {
        expect(repack({ image, plan }, 200)?.length ?? 0).toBeLessThanOrEqual(200);
      },
    ),
    { numRuns: 1000 },
  ));
