import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { fileCalls } from '@mooring/contract/file/calls';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, type TestHouse, testHouse } from '../../../test/house.ts';
import { asOwner } from '../../../test/test-server.ts';
import { freePort } from '../device/device.factory.ts';
import { direct, MB, md5, multipart, post, sha256, upload, zipLike } from './upload.factory.ts';

let house: TestHouse;
let admin: Client;
let banker: Client;
beforeAll(async () => {
  house = await testHouse();
  admin = await house.person('platformAdmin', house.root);
  banker = await house.person('orgManager', await house.dept('Harbour Bank'));
});
afterAll(() => house.stop());
const get = (url: string) => house.app.inject({ url: `/ops${url}` });
const count = async () =>
  Number(
    (
      await house.house.unscoped((db) =>
        db
          .selectFrom('file_file')
          .select((eb) => eb.fn.countAll().as('n'))
          .executeTakeFirstOrThrow(),
      )
    ).n,
  );

test('a small file in one call, and its bytes back as a download', async () => {
  const bytes = zipLike(5000);
  const stored = await direct(house.app, admin, { type: '5', name: 'größe 固件.zip', bytes });
  expect(stored.body).toMatchObject({ fileName: 'größe 固件.zip', size: 5000, sha256: sha256(bytes), md5: md5(bytes) });
  const { url } = await admin.call(fileCalls.getSecurityToken, { id: stored.body?.id ?? 0 });
  const answer = await get(url);
  expect(answer.rawPayload.equals(bytes)).toBe(true);
  expect(answer.headers).toMatchObject({ 'content-type': 'application/octet-stream', 'x-content-type-options': 'nosniff' });
  expect(answer.headers['content-disposition']).toBe(`attachment; filename*=UTF-8''${encodeURIComponent('größe 固件.zip')}`);
});

test('a token is for one file, for ten minutes, of whoever may see it', async () => {
  const mine = await direct(house.app, admin, { type: '5', name: 'a.zip', bytes: zipLike(100) });
  const theirs = await direct(house.app, banker, { type: '8', name: 'notes.txt', bytes: Buffer.from('theirs') });
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
  const before = house.clock.now;
  house.clock.now = new Date(before.getTime() + 601_000);
  expect((await envelope(token)).body.fault).toBe('TOKEN_EXPIRED');
  house.clock.now = before;
  expect((await get(url)).statusCode).toBe(200);
});

test('a file that lies about its type, its digest or its name is refused, and nothing of it stays', async () => {
  const before = await count();
  const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), randomBytes(50)]);
  const refused = async (file: Parameters<typeof direct>[2]) => (await direct(house.app, admin, file)).body?.fault;
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
      await direct(house.app, await house.person('orgManager', await house.dept('No Firmware Here')), {
        type: '5',
        name: 'fw.zip',
        bytes: zipLike(50),
        call: fileCalls.upImage,
      })
    ).body?.fault,
  ).toBe('FILE_KIND_REFUSED');
  expect(await count()).toBe(before);
  // A path in the name is no path here: its last piece is the name.
  const harmless = await direct(house.app, admin, {
    type: '5',
    name: '../../etc/fw.zip',
    bytes: zipLike(50),
    req: { requestUrl: '../../../etc' },
  });
  expect(harmless.body).toMatchObject({ fileName: 'fw.zip' });
  expect(existsSync(join(house.dataDir, '..', 'etc'))).toBe(false);
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
    expect((await post(house.app, admin, fileCalls.direct, pieces)).body?.fault).toBe('BAD_INPUT');
  expect((await admin.send(fileCalls.direct, {})).body?.fault).toBe('BAD_INPUT');
  const { payload, headers } = multipart([req, file]);
  const cut = await house.app.inject({
    method: 'POST',
    url: '/ops/file/upload/unified',
    headers: { authorization: admin.token, ...headers },
    payload: payload.subarray(0, -20),
  });
  expect(JSON.parse(cut.body).code).not.toBe(200);
});

test('a file that is too large for one call answers 413', async () => {
  const answer = await direct(house.app, admin, { type: '5', name: 'fw.zip', bytes: zipLike(16 * MB + 1) });
  expect(answer).toMatchObject({ code: 413, status: 413, body: { fault: 'TOO_LARGE' } });
});

test('a picture is drawn anew, without what was hidden in it; SVG and broken pictures are refused', async () => {
  const drawn = await sharp({ create: { width: 20, height: 10, channels: 3, background: '#123456' } })
    .png()
    .toBuffer();
  const bytes = Buffer.concat([drawn, Buffer.from('<script>alert(1)</script>')]);
  const stored = await direct(house.app, banker, { type: '1', name: 'logo.png', bytes, call: fileCalls.upImage });
  expect(stored.code).toBe(200);
  const { url } = await banker.call(fileCalls.getSecurityToken, { id: stored.body?.id ?? 0 });
  const kept = (await get(url)).rawPayload;
  expect(kept.includes('script')).toBe(false);
  expect(await sharp(kept).metadata()).toMatchObject({ width: 20, height: 10, format: 'png' });
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
  expect((await direct(house.app, banker, { type: '1', name: 'logo.svg', bytes: svg })).body?.fault).toBe('FILE_KIND_REFUSED');
  expect((await direct(house.app, banker, { type: '1', name: 'logo.png', bytes: svg })).body?.fault).toBe('FILE_NOT_GENUINE');
  expect((await direct(house.app, banker, { type: '1', name: 'logo.png', bytes: drawn.subarray(0, 40) })).body?.fault).toBe(
    'FILE_NOT_GENUINE',
  );
});

test('a deleted file takes its bytes along, unless another file has the same', async () => {
  const bytes = zipLike(700);
  const [first, second] = [
    await direct(house.app, admin, { type: '5', name: 'one.zip', bytes }),
    await direct(house.app, admin, { type: '5', name: 'two.zip', bytes }),
  ];
  const blob = join(house.dataDir, 'blobs', sha256(bytes).slice(0, 2), sha256(bytes));
  await admin.call(fileCalls.delete, { id: first.body?.id ?? 0 });
  await house.runJobs();
  expect(existsSync(blob)).toBe(true);
  await admin.call(fileCalls.delete, { id: second.body?.id ?? 0 });
  await house.runJobs();
  expect(existsSync(blob)).toBe(false);
});

test('bytes that come again while they are being deleted stay', async () => {
  const bytes = zipLike(800);
  const stored = await direct(house.app, admin, { type: '5', name: 'one.zip', bytes });
  await admin.call(fileCalls.delete, { id: stored.body?.id ?? 0 });
  const deleting = await asOwner(house.url, async (client) => {
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [sha256(bytes)]);
    const ended = house.runJobs();
    await expect
      .poll(
        async () =>
          (
            await client.query(
              "select from pg_locks where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())",
            )
          ).rowCount,
        { interval: 10, timeout: 10_000 },
      )
      .toBe(1);
    await client.query("insert into file_file (kind, name, size, sha256, md5, dept_path) values ('5', 'again.zip', 800, $1, '', '1.')", [
      sha256(bytes),
    ]);
    await client.query('commit');
    return { ended };
  });
  await deleting.ended;
  expect(existsSync(join(house.dataDir, 'blobs', sha256(bytes).slice(0, 2), sha256(bytes)))).toBe(true);
});

test('a line that breaks in the middle of the bytes leaves nothing, and the server goes on', async () => {
  const port = await freePort();
  await house.app.listen({ host: '127.0.0.1', port });
  const up = upload(house.app, admin, zipLike(MB));
  await up.begin();
  const info = { ...up.about, partNumber: 1, curPartSize: MB, md5: md5(up.bytes) };
  const { payload, headers } = multipart([
    { name: 'req', value: JSON.stringify(info) },
    { name: 'file', fileName: 'blob', value: up.bytes },
  ]);
  for (const share of [0.001, 0.3, 0.9]) {
    const socket = connect(port, '127.0.0.1');
    const head = `POST /ops/file/uploadPart HTTP/1.1\r\nhost: x\r\nauthorization: ${admin.token}\r\ncontent-type: ${headers['content-type']}\r\ncontent-length: ${payload.length}\r\n\r\n`;
    await new Promise((resolve) => socket.write(Buffer.concat([Buffer.from(head), payload.subarray(0, share * payload.length)]), resolve));
    await new Promise((resolve) => setTimeout(resolve, 100));
    socket.destroy();
  }
  const folder = join(house.dataDir, 'uploads');
  const left = () => (existsSync(folder) ? readdirSync(folder).flatMap((one) => readdirSync(join(folder, one))) : []);
  await expect.poll(left).toEqual([]);
  expect((await up.begin()).partList).toEqual([]);
  expect((await up.part(1)).body).toMatchObject({ uploadFlag: true });
  await up.cancel();
});

test('what a killed server left half stored goes after a day', async () => {
  const incoming = join(house.dataDir, 'blobs', 'incoming');
  for (const name of ['old', 'fresh']) writeFileSync(join(incoming, name), 'half');
  const old = new Date(house.clock.now.getTime() - 25 * 3_600_000);
  utimesSync(join(incoming, 'old'), old, old);
  await house.house.unscoped((db) => house.house.enqueue(db, 'file:sweep', {}));
  await house.runJobs();
  expect(readdirSync(incoming)).toEqual(['fresh']);
  rmSync(join(incoming, 'fresh'));
});

test('a folder that can’t be written is said, nothing is half there, and it goes on when it can', async () => {
  const folders = ['uploads', 'blobs'].map((name) => join(house.dataDir, name));
  for (const folder of folders) {
    if (existsSync(folder)) renameSync(folder, `${folder}.away`);
    writeFileSync(folder, '');
  }
  const before = await count();
  const up = upload(house.app, admin, zipLike(MB));
  await up.begin();
  expect(await up.part(1)).toMatchObject({ code: 503, status: 503, body: { fault: 'UNAVAILABLE' } });
  expect(await direct(house.app, admin, { type: '5', name: 'fw.zip', bytes: zipLike(90) })).toMatchObject({
    code: 503,
    body: { fault: 'UNAVAILABLE' },
  });
  expect((await up.begin()).partList).toEqual([]);
  expect(await count()).toBe(before);
  for (const folder of folders) {
    rmSync(folder);
    if (existsSync(`${folder}.away`)) renameSync(`${folder}.away`, folder);
  }
  expect((await up.part(1)).body).toMatchObject({ uploadFlag: true });
  await up.finish();
  await house.runJobs();
  expect((await up.check()).state).toBe('done');
  expect(readdirSync(join(house.dataDir, 'blobs', 'incoming'))).toEqual([]);
});
