import { expect, test } from 'vitest';
import { makeApk, manifestOf, type TestApk } from './apk.factory.ts';
import { LABEL, resourceTable } from './arsc.factory.ts';
import { endOf } from './attacks.factory.ts';
import { type Attribute, binaryXml, chunk, type Element, stringPool, u16, u32 } from './axml.factory.ts';
import { readInfo } from './read-info.ts';
import { bytesSource } from './source.ts';
import { readZip } from './zip/read-zip.ts';
import { zipBytes } from './zip.factory.ts';

const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
const infoOf = (bytes: Buffer) => readInfo(readZip(bytesSource(bytes))).info;
const read = async (of: TestApk) => infoOf(await makeApk({ signers: [], ...of }));
const packed = (manifest: Buffer, others: Readonly<Record<string, Buffer>> = {}) =>
  zipBytes([{ name: 'AndroidManifest.xml', bytes: manifest }, ...Object.entries(others).map(([name, bytes]) => ({ name, bytes }))]);
const withRoot = (change: (root: Element) => Element) => endOf(packed(binaryXml(change(manifestOf({})))));

test('says what the package says of itself', async () => {
  const info = await read({
    packageName: 'com.acme.till_2',
    versionCode: 3 * 2 ** 32 + 7,
    versionName: '1.0.4 [BETA]',
    minSdk: 22,
    targetSdk: 34,
    maxSdk: 40,
    labels: { '': 'Till', 'zh-CN': '收银', 'sr-Latn-RS': 'Kasa' },
    permissions: ['android.permission.INTERNET', 'android.permission.CAMERA', 'android.permission.INTERNET'],
    features: ['android.hardware.nfc'],
    icon: png,
    debuggable: true,
    testOnly: true,
    sharedUser: 'com.acme.shared',
    abis: ['armeabi-v7a', 'arm64-v8a'],
  });
  expect({ ...info, icon: info.icon && Buffer.from(info.icon.bytes).equals(png) }).toEqual({
    packageName: 'com.acme.till_2',
    versionCode: 3 * 2 ** 32 + 7,
    versionName: '1.0.4 [BETA]',
    minSdk: 22,
    targetSdk: 34,
    maxSdk: 40,
    label: 'Till',
    labels: { '': 'Till', 'zh-CN': '收银', 'sr-Latn-RS': 'Kasa' },
    permissions: ['android.permission.INTERNET', 'android.permission.CAMERA'],
    features: ['android.hardware.nfc'],
    debuggable: true,
    testOnly: true,
    sharedUser: 'com.acme.shared',
    abis: ['arm64-v8a', 'armeabi-v7a'],
    icon: true,
  });
});

test('what it doesn’t say has the values that Android takes', async () => {
  const bare = binaryXml({ name: 'manifest', attributes: [{ name: 'package', value: 'com.acme.till' }] });
  expect(infoOf(packed(bare))).toMatchObject({
    ...{ versionCode: 0, versionName: '', minSdk: 1, targetSdk: 1, maxSdk: null, label: 'com.acme.till', labels: {} },
    ...{ icon: null, permissions: [], abis: [], debuggable: false },
  });
});

test('attributes go by their numbers: a name that lies is not believed', () => {
  const lies = { id: 0x01010001, name: 'versionCode', value: 'no number' };
  const manifest = manifestOf({ versionCode: 5 });
  const said = { ...manifest, attributes: [lies, ...(manifest.attributes ?? []).filter(({ name }) => name !== 'versionCode')] };
  expect(infoOf(packed(binaryXml(said))).versionCode).toBe(0);
});

test('the package is the attribute that Android takes for it, and none is written twice', async () => {
  const manifest = manifestOf({ packageName: 'com.acme.till' });
  const others = (manifest.attributes ?? []).filter(({ name }) => name !== 'package');
  const withThese = (...attributes: Attribute[]) => binaryXml({ ...manifest, attributes: [...others, ...attributes] });
  const numbered = { id: 0x01010ff0, name: 'package', value: 'com.acme.other', isBare: true };
  expect(infoOf(packed(withThese(numbered))).packageName).toBe('com.acme.other');
  const plain = { name: 'package', value: 'com.acme.till' };
  for (const [first, second] of [
    [plain, plain],
    [
      { id: 1, name: 'a', value: 1 },
      { id: 1, name: 'b', value: 2 },
    ],
    [numbered, { ...plain, value: 'com.acme.till' }],
  ] as const)
    expect(await endOf(packed(withThese(first, second)))).toBe('MANIFEST_BROKEN');
});

test('a permission is asked for by any of its names', () => {
  const asked = ['uses-permission', 'uses-permission-sdk-m', 'uses-permission-sdk-23', 'permission'].map((name) => ({
    name,
    attributes: [{ id: 0x01010003, name: 'name', value: `by.${name}` }],
  }));
  const { permissions } = infoOf(packed(binaryXml({ ...manifestOf({}), children: asked })));
  expect(permissions).toEqual(['by.uses-permission', 'by.uses-permission-sdk-m', 'by.uses-permission-sdk-23']);
});

test('package names, versions and levels that no Android takes', async () => {
  for (const packageName of ['', 'till', 'com..till', '1com.till', 'com.till-x', 'com.ключ', `com.${'a'.repeat(230)}`])
    expect(await withRoot(() => manifestOf({ packageName })), packageName).toBe('MANIFEST_NAME');
  for (const versionName of ['x'.repeat(256), 'a\0b']) expect(await withRoot(() => manifestOf({ versionName }))).toBe('MANIFEST_VERSION');
  expect(await withRoot(() => manifestOf({ versionCode: 2 ** 53 + 2 }))).toBe('MANIFEST_VERSION');
  expect(await withRoot(() => manifestOf({ minSdk: 20_000 }))).toBe('MANIFEST_SDK');
  expect(await withRoot(() => manifestOf({ minSdk: 30, maxSdk: 29 }))).toBe('MANIFEST_SDK');
  const codename = { name: 'uses-sdk', attributes: [{ id: 0x0101020c, name: 'minSdkVersion', value: 'Tiramisu' }] };
  expect(await withRoot((root) => ({ ...root, children: [codename] }))).toBe('MANIFEST_SDK');
  expect(await withRoot(() => manifestOf({ split: 'config.xxhdpi' }))).toBe('MANIFEST_SPLIT');
  expect(await withRoot(() => manifestOf({ isSplitRequired: true }))).toBe('MANIFEST_SPLIT');
  expect(await withRoot(() => manifestOf({ requiredSplitTypes: 'base__abi' }))).toBe('MANIFEST_SPLIT');
  expect(await withRoot(() => manifestOf({ sharedUser: 'a\0b' }))).toBe('MANIFEST_BROKEN');
});

test('a package that installs alone may say so, and whose user it runs as', () => {
  expect(infoOf(packed(binaryXml(manifestOf({ isSplitRequired: false, requiredSplitTypes: '' })))).sharedUser).toBe('');
  expect(infoOf(packed(binaryXml(manifestOf({ sharedUser: 'android.uid.system' })))).sharedUser).toBe('android.uid.system');
});

test('manifests that are none: missing, text, cut, nested, endless', async () => {
  const sound = binaryXml(manifestOf({}));
  expect(await endOf(zipBytes([{ name: 'classes.dex', bytes: sound }]))).toBe('MANIFEST_MISSING');
  const broken = [
    Buffer.alloc(0),
    Buffer.from('<manifest package="com.acme.till"/>'),
    sound.subarray(0, -9),
    Buffer.concat([sound, sound]),
  ];
  for (const bytes of broken) expect(await endOf(packed(bytes))).toBe('MANIFEST_BROKEN');
  let nested: Element = { name: 'a' };
  for (let at = 0; at < 70; at += 1) nested = { name: 'a', children: [nested] };
  expect(await withRoot((root) => ({ ...root, children: [nested] }))).toBe('MANIFEST_BROKEN');
  expect(await withRoot(() => ({ name: 'application' }))).toBe('MANIFEST_BROKEN');
  const many = Array.from({ length: 2001 }, (_, at) => `p${at}`);
  expect(await withRoot(() => manifestOf({ permissions: many }))).toBe('MANIFEST_LARGE');
});

test('pools of texts that promise more than there is', async () => {
  const pool = (...head: number[]) => chunk(0x0003, Buffer.alloc(0), chunk(0x0001, u32(...head), u32(0)));
  for (const bytes of [pool(0x40000000, 0, 0, 28, 0), pool(1, 0, 0, 0xfffffff0, 0), pool(0, 0, 0, 28, 0)])
    expect(await endOf(packed(bytes))).toBe('MANIFEST_BROKEN');
});

test('a table of resources that turns in circles, or is cut, is read to its bound', async () => {
  const table = resourceTable({ packageName: 'com.acme.till', labels: { '': 'Till' }, icons: new Map() });
  const manifest = binaryXml(manifestOf({}));
  expect(infoOf(packed(manifest, { 'resources.arsc': table })).label).toBe('Till');
  // The text becomes a reference to itself.
  const value = table.lastIndexOf(Buffer.concat([u16(8), Buffer.from([0, 0x03])]));
  const circle = Buffer.from(table);
  circle[value + 3] = 0x01;
  circle.writeUInt32LE(LABEL, value + 4);
  expect(infoOf(packed(manifest, { 'resources.arsc': circle })).label).toBe('com.example.till');
  for (const bytes of [table.subarray(0, -4), stringPool(['a']), Buffer.from('PK')])
    expect(await endOf(packed(manifest, { 'resources.arsc': bytes }))).toBe('RESOURCES_BROKEN');
});

/** A pool in which each text begins two bytes behind the one before it, and is as long as a text may be. */
function overlapping(count: number): Buffer {
  const long = 0x7fff;
  const data = u16(...Array.from({ length: long + count + 1 }, () => long));
  const offsets = u32(...Array.from({ length: count }, (_, at) => 2 * at));
  return chunk(0x0001, u32(count, 0, 0, 28 + offsets.length, 0), Buffer.concat([offsets, data]));
}

test('texts that lie over one another are no way to many out of few', async () => {
  const count = 20_000;
  const attributes = Array.from({ length: 500 }, (_, at) => at);
  const starts = Array.from({ length: count / 500 }, (_, element) => {
    const written = attributes.map((at) =>
      Buffer.concat([u32(0xffffffff, element * 500 + at, 0xffffffff), u16(8), Buffer.from([0, 0x10]), u32(1)]),
    );
    const start = Buffer.concat([u32(0xffffffff, 0), u16(20, 20, written.length, 0, 0, 0), ...written]);
    return chunk(0x0102, u32(1, 0xffffffff), start);
  });
  const ends = starts.map(() => chunk(0x0103, u32(1, 0xffffffff), u32(0xffffffff, 0)));
  const bytes = packed(chunk(0x0003, Buffer.alloc(0), Buffer.concat([overlapping(count), ...starts, ...ends])));
  expect(await endOf(bytes)).toBe('MANIFEST_BROKEN');
});

test('references that branch at each step are followed to a bound', async () => {
  const type = (value: number, entries: number) => {
    const entry = (at: number) => Buffer.concat([u16(8, 0), u32(0), u16(8), Buffer.from([0, 0x01]), u32(value + at + 1)]);
    const offsets = u32(...Array.from({ length: entries }, (_, at) => 16 * at));
    const header = Buffer.concat([Buffer.from([1, 0, 0, 0]), u32(entries, 20 + 64 + offsets.length), u32(64), Buffer.alloc(60)]);
    return chunk(0x0201, header, Buffer.concat([offsets, ...Array.from({ length: entries }, (_, at) => entry(at))]));
  };
  // A thousand configurations, each of which refers to the next resource: a thousand to the eighth ways.
  const types = Array.from({ length: 1000 }, () => type(LABEL, 10));
  const header = Buffer.concat([u32(0x7f), Buffer.alloc(256), u32(0, 0, 0, 0, 0)]);
  const table = chunk(0x0002, u32(1), Buffer.concat([stringPool(['a']), chunk(0x0200, header, Buffer.concat(types))]));
  expect(await endOf(packed(binaryXml(manifestOf({})), { 'resources.arsc': table }))).toBe('RESOURCES_BROKEN');
});

test('a picture is what its bytes are: neither a drawing nor a page', async () => {
  for (const icon of [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'), Buffer.from('GIF89a'), Buffer.alloc(0)])
    expect((await read({ icon })).icon).toBeNull();
  expect((await read({ icon: Buffer.concat([png, Buffer.alloc(1024 * 1024)]) })).icon).toBeNull();
});

test('of an icon in layers the picture in front is shown', () => {
  const path = 'res/mipmap-anydpi/ic_launcher.xml';
  const table = resourceTable({ packageName: 'com.acme.till', labels: { '': path, de: 'res/front.png' }, icons: new Map() });
  const layered = (drawable: number): Element => ({
    name: 'adaptive-icon',
    children: [{ name: 'foreground', attributes: [{ id: 0x01010199, name: 'drawable', value: { ref: drawable } }] }],
  });
  const manifest = manifestOf({ icon: png });
  const application = manifest.children?.at(-1);
  const icon = { id: 0x01010002, name: 'icon', value: { ref: LABEL } };
  const drawn = { ...manifest, children: [{ name: 'application', attributes: [icon] }] };
  expect(application?.name).toBe('application');
  const files = { 'resources.arsc': table, [path]: binaryXml(layered(LABEL)), 'res/front.png': png };
  expect(infoOf(packed(binaryXml(drawn), files)).icon?.type).toBe('image/png');
});

test('a label is one line, and no longer than a list shows', async () => {
  expect((await read({ labels: { '': `a\n\tb${'x'.repeat(400)}` } })).label).toBe(`a b${'x'.repeat(252)}`);
});
