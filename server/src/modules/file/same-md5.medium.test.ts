import { fileCalls } from '@mooring/contract/file/calls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { md5, PART, sha256, upload } from './upload.factory.ts';

/** Wang and Yu, "How to Break MD5 and Other Hash Functions", 2005: two messages of 128 bytes, one MD5. */
const [ONE, OTHER] = [
  'd131dd02c5e6eec4693d9a0698aff95c2fcab58712467eab4004583eb8fb7f8955ad340609f4b30283e488832571415a085125e8f7cdc99fd91dbdf280373c5b' +
    'd8823e3156348f5bae6dacd436c919c6dd53e2b487da03fd02396306d248cda0e99f33420f577ee8ce54b67080a80d1ec69821bcb6a8839396f9652b6ff72a70',
  'd131dd02c5e6eec4693d9a0698aff95c2fcab50712467eab4004583eb8fb7f8955ad340609f4b30283e4888325f1415a085125e8f7cdc99fd91dbd7280373c5b' +
    'd8823e3156348f5bae6dacd436c919c6dd53e23487da03fd02396306d248cda0e99f33420f577ee8ce54b67080280d1ec69821bcb6a8839396f965ab6ff72a70',
].map((hex) => Buffer.from(hex, 'hex')) as [Buffer, Buffer];

let app: TestApp;
let admin: Client;
beforeAll(async () => {
  app = await testApp();
  admin = await app.person('platformAdmin', app.root);
});
afterAll(() => app.stop());

/** Two files of one MD5 whose first parts have one MD5 too: what follows the two messages is the same. */
function pair(tail: string) {
  const rest = Buffer.alloc(PART + 9, tail);
  const [one, other] = [Buffer.concat([ONE, rest]), Buffer.concat([OTHER, rest])];
  expect([md5(one), sha256(one) === sha256(other)]).toEqual([md5(other), false]);
  const of = (bytes: Buffer) => upload(app.http, admin, bytes, 'fw.bin', '7');
  return [of(one), of(other)] as const;
}
const stored = async (up: ReturnType<typeof upload>) => {
  await up.finish();
  await app.runJobs();
  return up.check();
};

test('a file is here already by its SHA-256, and never by its MD5', async () => {
  const [one, other] = pair('a');
  await one.begin();
  for (const part of [1, 2]) await one.part(part);
  expect((await stored(one)).uploadfileDTO?.sha256).toBe(sha256(one.bytes));
  const asked = (of: typeof one, digest: string | undefined) =>
    admin.call(fileCalls.initMultipartUpload, digest === undefined ? of.about : { ...of.about, sha256: digest });
  expect((await asked(one, sha256(one.bytes))).uploadfileDTO?.sha256).toBe(sha256(one.bytes));
  // Nothing but the MD5 is said, or another SHA-256: its parts are wanted.
  expect(await asked(other, undefined)).toMatchObject({ uploadfileDTO: null, partList: [], known: sha256(one.bytes) });
  expect(await asked(other, sha256(other.bytes))).toMatchObject({ uploadfileDTO: null, partList: [] });
  for (const part of [1, 2]) expect((await other.part(part)).code).toBe(200);
  expect((await stored(other)).uploadfileDTO?.sha256).toBe(sha256(other.bytes));
  expect((await asked(one, sha256(one.bytes))).uploadfileDTO?.sha256).toBe(sha256(one.bytes));
  expect((await asked(other, sha256(other.bytes))).uploadfileDTO?.sha256).toBe(sha256(other.bytes));
});

test('a part with other bytes of the same MD5 is refused, and never taken for the one that is here', async () => {
  const [one, other] = pair('b');
  await one.begin();
  expect((await one.part(1)).code).toBe(200);
  expect((await one.part(1)).code).toBe(200);
  expect((await other.part(1)).body?.fault).toBe('PART_REFUSED');
  await one.cancel();
});

test('an upload that goes on where one of the same MD5 stopped ends with the file whose SHA-256 was said, or fails', async () => {
  const [one, other] = pair('c');
  await one.begin();
  await one.part(1);
  expect((await other.begin()).partList).toEqual([{ partNumber: 1 }]);
  await other.part(2);
  await admin.call(fileCalls.transferUpload, { ...other.which, sha256: sha256(other.bytes) });
  await app.runJobs();
  expect(await other.check()).toMatchObject({ state: 'failed', reason: 'HASH_MISMATCH', uploadfileDTO: null });
  expect((await other.begin()).partList).toEqual([]);
  for (const part of [1, 2]) await other.part(part);
  await admin.call(fileCalls.transferUpload, { ...other.which, sha256: sha256(other.bytes) });
  await app.runJobs();
  expect((await other.check()).uploadfileDTO?.sha256).toBe(sha256(other.bytes));
});
