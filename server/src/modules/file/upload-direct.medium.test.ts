import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { fileCalls } from '@mooring/contract/file/calls';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { direct, MB, md5, multipart, PART, post, sha256, zipLike } from './upload.factory.ts';
import { UPLOAD_QUOTA } from './upload-quota.ts';

let app: TestApp;
let admin: Client;
let banker: Client;
beforeAll(async () => {
  app = await testApp();
  admin = await app.person('platformAdmin', app.root);
  banker = await app.person('orgManager', await app.dept('Harbour Bank'));
});
afterAll(() => app.stop());
const get = (url: string) => app.http.inject({ url: `/ops${url}` });
const count = async () =>
  Number(
    (
      await app.context.unscoped((db) =>
        db
          .selectFrom('file_file')
          .select((eb) => eb.fn.countAll().as('n'))
          .executeTakeFirstOrThrow(),
      )
    ).n,
  );

test('a small file in one call, and its bytes back as a download', async () => {
  const bytes = zipLike(5000);
  const stored = await direct(app.http, admin, { type: '5', name: 'größe 固件.zip', bytes });
  expect(stored.body).toMatchObject({ fileName: 'größe 固件.zip', size: 5000, sha256: sha256(bytes), md5: md5(bytes) });
  const { url } = await admin.call(fileCalls.getSecurityToken, { id: stored.body?.id ?? 0 });
  const answer = await get(url);
  expect(answer.rawPayload.equals(bytes)).toBe(true);
  expect(answer.headers).toMatchObject({ 'content-type': 'application/octet-stream', 'x-content-type-options': 'nosniff' });
  expect(answer.headers['content-disposition']).toBe(`attachment; filename*=UTF-8''${encodeURIComponent('größe 固件.zip')}`);
});

test('a token is for one file, for ten minutes, of whoever may see it', async () => {
  const mine = await direct(app.http, admin, { type: '5', name: 'a.zip', bytes: zipLike(100) });
  const theirs = await direct(app.http, banker, { type: '8', name: 'notes.txt', bytes: Buffer.from('theirs') });
  const id = mine.body?.id ?? 0;
  expect((await banker.send(fileCalls.getSecurityToken, { id })).code).toBe(404);
  expect((await banker.send(fileCalls.delete, { id })).code).toBe(404);
  const { token, url } = await admin.call(fileCalls.getSecurityToken, { id });
  const [, until = '', mac = ''] = token.split('.');
  const envelope = async (wrong: string) => JSON.parse((await get(`/file/get/${wrong}`)).body) as { code: number; body: { fault: string } };
  for (const wrong of [
    `${theirs.body?.id}.${until}.${mac}`,
    `${id}.${Number(until) + 1}.${mac}`,
    `${id}.${until}.${mac}x`,
    `${id}.${until}.`,
    'x',
    '..%2F..%2Fmaster.key',
    '%00',
  ])
    expect([wrong, (await envelope(wrong)).code]).toEqual([wrong, 404]);
  const before = app.clock.now;
  app.clock.now = new Date(before.getTime() + 601_000);
  expect((await envelope(token)).body.fault).toBe('TOKEN_EXPIRED');
  app.clock.now = before;
  expect((await get(url)).statusCode).toBe(200);
});

test('a file that lies about its type, its digest or its name is refused, and nothing of it stays', async () => {
  const before = await count();
  const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), randomBytes(50)]);
  const refused = async (file: Parameters<typeof direct>[2]) => (await direct(app.http, admin, file)).body?.fault;
  expect(await refused({ type: '5', name: 'fw.zip', bytes: png })).toBe('FILE_NOT_GENUINE');
  expect(await refused({ type: '4', name: 'app.apk', bytes: randomBytes(50) })).toBe('FILE_NOT_GENUINE');
  expect(await refused({ type: '5', name: 'fw.zip', bytes: zipLike(50), req: { identifier: 'a'.repeat(32) } })).toBe('HASH_MISMATCH');
  expect(await refused({ type: '5', name: 'fw.zip', bytes: Buffer.alloc(0) })).toBe('HASH_MISMATCH');
  expect(await refused({ type: '5', name: 'fw.sh', bytes: zipLike(50) })).toBe('FILE_KIND_REFUSED');
  expect(await refused({ type: '5', name: `${'a'.repeat(300)}.zip`, bytes: zipLike(50) })).toBe('BAD_INPUT');
  expect(await refused({ type: '5', name: 'fw.zip', bytes: zipLike(50), req: { deptId: 1 } })).toBe('BAD_INPUT');
  expect(await refused({ type: '5', name: 'fw.zip', bytes: zipLike(50), req: { requestUrl: 'x'.repeat(600) } })).toBe('BAD_INPUT');
  expect(await refused({ type: '8', name: 'a.txt', bytes: Buffer.from('x'), call: fileCalls.upFiwFile })).toBe('FILE_KIND_REFUSED');
  expect(
    (
      await direct(app.http, await app.person('orgManager', await app.dept('No Firmware Here')), {
        type: '5',
        name: 'fw.zip',
        bytes: zipLike(50),
        call: fileCalls.upImage,
      })
    ).body?.fault,
  ).toBe('FILE_KIND_REFUSED');
  expect(await count()).toBe(before);
  // A path in the name is no path here: its last piece is the name.
  const harmless = await direct(app.http, admin, {
    type: '5',
    name: '../../etc/fw.zip',
    bytes: zipLike(50),
    req: { requestUrl: '../../../etc' },
  });
  expect(harmless.body).toMatchObject({ fileName: 'fw.zip' });
  expect(existsSync(join(app.dataDir, '..', 'etc'))).toBe(false);
});

test('a body that is no multipart, lacks a piece or turns them round is bad input', async () => {
  const req = { name: 'req', value: JSON.stringify({ type: '5', identifier: 'a'.repeat(32) }) };
  const file = { name: 'file', fileName: 'a.zip', value: 'x' };
  for (const pieces of [
    [],
    [req],
    [file],
    [file, req],
    [{ ...req, value: '{' }, file],
    [{ ...req, value: '[]' }, file],
    [req, { ...file, name: 'other' }],
  ])
    expect((await post(app.http, admin, fileCalls.direct, pieces)).body?.fault).toBe('BAD_INPUT');
  expect((await admin.send(fileCalls.direct, {})).body?.fault).toBe('BAD_INPUT');
  const { payload, headers } = multipart([req, file]);
  const cut = await app.http.inject({
    method: 'POST',
    url: '/ops/file/upload/unified',
    headers: { authorization: admin.token, ...headers },
    payload: payload.subarray(0, -20),
  });
  expect(JSON.parse(cut.body).code).not.toBe(200);
});

test('a file that is too large for one call answers 413', async () => {
  const answer = await direct(app.http, admin, { type: '5', name: 'fw.zip', bytes: zipLike(16 * MB + 1) });
  expect(answer).toMatchObject({ code: 413, status: 413, body: { fault: 'TOO_LARGE' } });
});

test('a picture is drawn anew, without what was hidden in it; SVG and broken pictures are refused', async () => {
  const drawn = await sharp({ create: { width: 20, height: 10, channels: 3, background: '#123456' } })
    .png()
    .toBuffer();
  const bytes = Buffer.concat([drawn, Buffer.from('<script>alert(1)</script>')]);
  const stored = await direct(app.http, banker, { type: '1', name: 'logo.png', bytes, call: fileCalls.upImage });
  expect(stored.code).toBe(200);
  const { url } = await banker.call(fileCalls.getSecurityToken, { id: stored.body?.id ?? 0 });
  const kept = (await get(url)).rawPayload;
  expect(kept.includes('script')).toBe(false);
  expect(await sharp(kept).metadata()).toMatchObject({ width: 20, height: 10, format: 'png' });
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
  expect((await direct(app.http, banker, { type: '1', name: 'logo.svg', bytes: svg })).body?.fault).toBe('FILE_KIND_REFUSED');
  expect((await direct(app.http, banker, { type: '1', name: 'logo.png', bytes: svg })).body?.fault).toBe('FILE_NOT_GENUINE');
  expect((await direct(app.http, banker, { type: '1', name: 'logo.png', bytes: drawn.subarray(0, 40) })).body?.fault).toBe(
    'FILE_NOT_GENUINE',
  );
});

/** The beginning of a file in one call; the rest comes when it is said, or never. */
function slow(client: Client, bytes: Buffer, sent: number) {
  const { payload, headers } = multipart([
    { name: 'req', value: JSON.stringify({ type: '5', identifier: md5(bytes) }) },
    { name: 'file', fileName: 'slow.zip', value: bytes },
  ]);
  const body = new PassThrough();
  body.write(payload.subarray(0, sent));
  const answer = app.http.inject({
    method: 'POST',
    url: `/ops${fileCalls.direct.path}`,
    headers: { authorization: client.token, ...headers },
    payload: body,
  });
  return { end: () => body.end(payload.subarray(sent)), code: async () => (JSON.parse((await answer).body) as { code: number }).code };
}
const waiting = () => {
  const folder = join(app.dataDir, 'incoming');
  return existsSync(folder) ? readdirSync(folder).map((name) => statSync(join(folder, name)).size) : [];
};
const rows = () => app.context.unscoped((db) => db.selectFrom('file_direct').select('size').execute());

test('a file that comes slowly waits on the disk, and nothing of it stays when it is stored, refused or given up', async () => {
  const bytes = zipLike(9 * MB);
  const one = slow(admin, bytes, 8 * MB);
  await expect.poll(waiting).toEqual([expect.closeTo(8 * MB, -6)]);
  one.end();
  expect(await one.code()).toBe(200);
  expect([waiting(), await rows()]).toEqual([[], []]);
  expect((await direct(app.http, admin, { type: '5', name: 'a.zip', bytes, req: { identifier: 'a'.repeat(32) } })).code).not.toBe(200);
  expect([waiting(), await rows()]).toEqual([[], []]);

  // As after a crash: nobody reads on, and a day later it is swept.
  const left = slow(admin, bytes, 8 * MB);
  await expect.poll(waiting).toHaveLength(1);
  const sweep = async () => {
    await app.context.unscoped((db) => app.context.enqueue(db, 'file:sweep', {}));
    await app.runJobs();
  };
  await sweep();
  expect([waiting().length, (await rows()).length]).toEqual([1, 1]);
  const before = app.clock.now;
  app.clock.now = new Date(before.getTime() + 25 * 3_600_000);
  await sweep();
  expect([waiting(), await rows()]).toEqual([[], []]);
  app.clock.now = before;
  left.end();
  await left.code();
});

test('every way of uploading has the one quota, of a person and of an organisation', async () => {
  const bank = await app.dept('Quota Bank');
  const [one, other] = [await app.person('platformAdmin', bank), await app.person('platformAdmin', bank)];
  const file = () => ({ type: '8', name: 'a.txt', bytes: randomBytes(20) });
  const begin = (client: Client) =>
    client.send(fileCalls.initMultipartUpload, {
      identifier: md5(randomBytes(20)),
      fileName: 'a.zip',
      size: PART + 1,
      fileType: '8',
      totalPartSize: 2,
    });
  const ways = (client: Client) => [
    () => begin(client),
    () => direct(app.http, client, file()),
    () => direct(app.http, client, { ...file(), type: '1', name: 'a.png', call: fileCalls.upImage }),
    () => direct(app.http, client, { ...file(), type: '7', name: 'a.bin', call: fileCalls.upFiwFile }),
  ];
  const faults = async (client: Client) => {
    const said: unknown[] = [];
    for (const way of ways(client)) said.push((await way()).body?.fault);
    return said;
  };
  const full = Array(4).fill('UPLOADS_MANY');
  for (let n = 0; n < UPLOAD_QUOTA.person.uploads; n += 1) expect((await begin(one)).code).toBe(200);
  expect(await faults(one)).toEqual(full);
  expect((await direct(app.http, other, file())).code).toBe(200);
  // What was brought within a day counts, stored or not.
  const grow = (bytes: number) =>
    app.context.unscoped((db) => db.updateTable('file_file').set({ size: bytes }).where('user_id', '=', other.userId).execute());
  await grow(UPLOAD_QUOTA.person.bytes);
  expect(await faults(other)).toEqual(full);
  const third = await app.person('platformAdmin', bank);
  expect((await direct(app.http, third, file())).code).toBe(200);
  await grow(UPLOAD_QUOTA.organisation.bytes);
  expect(await faults(third)).toEqual(full);
  const before = app.clock.now;
  app.clock.now = new Date(before.getTime() + 25 * 3_600_000);
  expect((await direct(app.http, third, file())).code).toBe(200);
  app.clock.now = before;
});
