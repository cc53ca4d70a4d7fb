import { existsSync, readdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { fileCalls } from '@mooring/contract/file/calls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { asOwner } from '../../../test/test-server.ts';
import { freePort } from '../../platform/free-port.ts';
import { direct, md5, multipart, PART, sha256, upload, zipLike } from './upload.factory.ts';

let app: TestApp;
let admin: Client;
beforeAll(async () => {
  app = await testApp();
  admin = await app.person('platformAdmin', app.root);
});
afterAll(() => app.stop());
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

test('a deleted file takes its bytes along, unless another file has the same', async () => {
  const bytes = zipLike(700);
  const [first, second] = [
    await direct(app.http, admin, { type: '5', name: 'one.zip', bytes }),
    await direct(app.http, admin, { type: '5', name: 'two.zip', bytes }),
  ];
  const blob = join(app.dataDir, 'blobs', sha256(bytes).slice(0, 2), sha256(bytes));
  await admin.call(fileCalls.delete, { id: first.body?.id ?? 0 });
  await app.runJobs();
  expect(existsSync(blob)).toBe(true);
  await admin.call(fileCalls.delete, { id: second.body?.id ?? 0 });
  await app.runJobs();
  expect(existsSync(blob)).toBe(false);
});

test('bytes that come again while they are being deleted stay', async () => {
  const bytes = zipLike(800);
  const stored = await direct(app.http, admin, { type: '5', name: 'one.zip', bytes });
  await admin.call(fileCalls.delete, { id: stored.body?.id ?? 0 });
  const deleting = await asOwner(app.url, async (client) => {
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [sha256(bytes)]);
    const ended = app.runJobs();
    await expect
      .poll(
        async () =>
          (
            await client.query(
              "select from pg_locks where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())",
            )
          ).rowCount,
        { interval: 10 },
      )
      .toBe(1);
    await client.query("insert into file_file (kind, name, size, sha256, md5, dept_path) values ('5', 'again.zip', 800, $1, '', '1.')", [
      sha256(bytes),
    ]);
    await client.query('commit');
    return { ended };
  });
  await deleting.ended;
  expect(existsSync(join(app.dataDir, 'blobs', sha256(bytes).slice(0, 2), sha256(bytes)))).toBe(true);
});

test('a line that breaks in the middle of the bytes leaves nothing, and the server goes on', async () => {
  const port = await freePort();
  await app.http.listen({ host: '127.0.0.1', port });
  const up = upload(app.http, admin, zipLike(PART));
  await up.begin();
  const info = { ...up.about, partNumber: 1, curPartSize: PART, md5: md5(up.bytes) };
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
  const folder = join(app.dataDir, 'uploads');
  const left = () => (existsSync(folder) ? readdirSync(folder).flatMap((one) => readdirSync(join(folder, one))) : []);
  await expect.poll(left).toEqual([]);
  expect((await up.begin()).partList).toEqual([]);
  expect((await up.part(1)).body).toMatchObject({ uploadFlag: true });
  await up.cancel();
});

test('what a killed server left half stored goes after a day', async () => {
  const incoming = join(app.dataDir, 'blobs', 'incoming');
  for (const name of ['old', 'fresh']) writeFileSync(join(incoming, name), 'half');
  const old = new Date(app.clock.now.getTime() - 25 * 3_600_000);
  utimesSync(join(incoming, 'old'), old, old);
  await app.context.unscoped((db) => app.context.enqueue(db, 'file:sweep', {}));
  await app.runJobs();
  expect(readdirSync(incoming)).toEqual(['fresh']);
  rmSync(join(incoming, 'fresh'));
});

test('a folder that can’t be written is said, nothing is half there, and it goes on when it can', async () => {
  const folders = ['uploads', 'blobs'].map((name) => join(app.dataDir, name));
  for (const folder of folders) {
    if (existsSync(folder)) renameSync(folder, `${folder}.away`);
    writeFileSync(folder, '');
  }
  const before = await count();
  const up = upload(app.http, admin, zipLike(PART));
  await up.begin();
  expect(await up.part(1)).toMatchObject({ code: 503, status: 503, body: { fault: 'UNAVAILABLE' } });
  expect(await direct(app.http, admin, { type: '5', name: 'fw.zip', bytes: zipLike(90) })).toMatchObject({
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
  await app.runJobs();
  expect((await up.check()).state).toBe('done');
  expect(readdirSync(join(app.dataDir, 'blobs', 'incoming'))).toEqual([]);
});
