import { buffer } from 'node:stream/consumers';
import { packageCalls } from '@mooring/contract/firmware/package-calls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ZipFile } from 'yazl';
import { makeFile, makeProduct } from '../../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../../test/test-app.ts';

/** What firmware says of itself is read, compared with what a person wrote, and shown. */
let app: TestApp;
let admin: Client;
let productId: number;
beforeAll(async () => {
  app = await testApp();
  admin = await app.person('platformAdmin', app.root);
  productId = await makeProduct(app, app.root, 'A920');
});
afterAll(() => app.stop());

async function zipped(files: Readonly<Record<string, string>>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, text] of Object.entries(files)) zip.addBuffer(Buffer.from(text), name);
  zip.end();
  return buffer(zip.outputStream as unknown as NodeJS.ReadableStream);
}
const container = (said: object) => {
  const json = Buffer.from(JSON.stringify(said));
  const length = Buffer.alloc(2);
  length.writeUInt16BE(json.length);
  return Buffer.concat([Buffer.from('MFW1'), length, json, Buffer.alloc(100, 7)]);
};
async function add(bytes: Buffer, version: string, kind = '5') {
  const fileId = await makeFile(app, admin, app.root, bytes);
  await app.context.unscoped((db) => db.updateTable('file_file').set({ kind }).where('id', '=', fileId).execute());
  return admin.send(packageCalls.add, { productId, version, fileId, publish: false });
}

test('what pkg.json, Android’s metadata and the header of a container say is kept and shown', async () => {
  const own = await zipped({ 'boot.img': 'x'.repeat(5000), 'pkg.json': '{"product":"a920","version":"2.0.0","build":"b17","more":1}' });
  expect((await add(own, '2.0.0')).body).toMatchObject({
    carried: { product: 'a920', version: '2.0.0', build: 'b17', from: 'pkg.json' },
  });
  const metadata = 'ota-type=BLOCK\npost-build=PAX/A920/A920:10/QKQ1/77:user/release-keys\npre-device=A910|A920\n';
  const android = await zipped({ 'payload.bin': 'y'.repeat(3000), 'META-INF/com/android/metadata': metadata });
  expect((await add(android, '3.1')).body).toMatchObject({
    carried: { product: 'A910|A920', version: null, build: 'PAX/A920/A920:10/QKQ1/77:user/release-keys', from: 'android' },
  });
  expect((await add(container({ product: 'A920', version: '4.0' }), '4.0')).body).toMatchObject({
    carried: { version: '4.0', build: null, from: 'container' },
  });
});

test('a file of another version or product isn’t taken for what was written; taken as it is, it is', async () => {
  const own = await zipped({ 'pkg.json': '{"product":"A920","version":"2.0.1"}' });
  const wrong = await add(own, '3.0.0');
  expect(wrong.body).toMatchObject({ fault: 'PACKAGE_OTHER_VERSION', fields: { version: { message: expect.stringContaining('2.0.1') } } });
  const foreign = await add(await zipped({ 'pkg.json': '{"product":"D230","version":"5.0"}' }), '5.0');
  expect(foreign.body).toMatchObject({
    fault: 'PACKAGE_OTHER_PRODUCT',
    fields: { productId: { message: expect.stringContaining('D230') } },
  });
  expect((await add(own, '3.0.0', '7')).body).toMatchObject({ version: '3.0.0', carried: null });
});

test.each([
  ['no JSON', '{'],
  ['a list', '[1,2]'],
  ['numbers', '{"version":7}'],
  ['far too much', JSON.stringify({ version: '1'.repeat(100_000) })],
])('%s in pkg.json says nothing', async (_what, text) => {
  const made = await add(await zipped({ 'pkg.json': text }), `9.${text.length}`);
  expect(made.body).toMatchObject({ carried: null });
});

test('what begins like an archive and is none says nothing', async () => {
  const made = await add(Buffer.concat([Buffer.from([0x50, 0x4b, 3, 4]), Buffer.alloc(5000, 9)]), '9.99');
  expect(made.body).toMatchObject({ carried: null });
});
