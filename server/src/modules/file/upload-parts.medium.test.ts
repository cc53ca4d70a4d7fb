import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { fileCalls } from '@mooring/contract/file/calls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { createHttpServer } from '../../platform/http/http-server.ts';
import { startLiveHub } from '../../platform/live/live-hub.ts';
import { makeModules } from '../modules.ts';
import { MB, md5, PART, sha256, upload, zipLike } from './upload.factory.ts';
import { UPLOAD_QUOTA } from './upload-quota.ts';

let app: TestApp;
let admin: Client;
let other: Client;
beforeAll(async () => {
  app = await testApp();
  admin = await app.person('platformAdmin', app.root);
  other = await app.person('platformAdmin', app.root);
});
afterAll(() => app.stop());

const staged = () => {
  const folder = join(app.dataDir, 'uploads');
  return existsSync(folder) ? readdirSync(folder).flatMap((one) => readdirSync(join(folder, one))) : [];
};
const filesNamed = (name: string) =>
  app.context.unscoped((db) => db.selectFrom('file_file').select('id').where('name', '=', name).execute());

test('parts in any order, one of them twice, become the file; the same content again is done at once', async () => {
  const bytes = zipLike(3 * PART + 17);
  const up = upload(app.http, admin, bytes);
  expect(await up.begin()).toMatchObject({ partList: [], partSize: PART, uploadfileDTO: null });
  for (const number of [4, 1, 3]) expect((await up.part(number)).body).toMatchObject({ uploadFlag: false });
  expect((await up.part(3)).body).toMatchObject({ uploadFlag: false });
  expect((await up.begin()).partList.map((part) => part.partNumber)).toEqual([1, 3, 4]);
  expect((await up.part(2)).body).toMatchObject({ uploadFlag: true });
  expect((await up.finish()).body).toEqual({ state: 'assembling' });
  expect((await up.part(2)).body?.fault).toBe('PART_REFUSED');
  await app.runJobs();
  const checked = await up.check();
  expect(checked).toMatchObject({ state: 'done', uploadfileDTO: { sha256: sha256(bytes), size: bytes.length, fileName: 'fw.zip' } });
  const again = { ...up.about, sha256: sha256(bytes) };
  expect((await admin.call(fileCalls.initMultipartUpload, again)).uploadfileDTO).toEqual(checked.uploadfileDTO);
  expect(staged()).toEqual([]);
  // What happened is told by beginning and end; parts leave no rows of their own.
  const told = await app.context.unscoped((db) => db.selectFrom('audit_entry').select(['call', 'input']).orderBy('id').execute());
  const begun = fileCalls.initMultipartUpload.path;
  expect(told.map((row) => row.call)).toEqual([begun, begun, fileCalls.transferUpload.path, begun]);
  expect(told[0]?.input).toMatchObject({ identifier: md5(bytes), fileName: 'fw.zip', size: bytes.length });
});

test('unfinished uploads have a quota, also begun side by side; what nobody goes on with leaves after a day', async () => {
  const hoarder = await app.person('platformAdmin', app.root);
  const begin = (n: number) =>
    hoarder.send(fileCalls.initMultipartUpload, {
      identifier: md5(Buffer.from(`hoard ${n}`)),
      fileName: 'fw.zip',
      size: 2 * PART,
      fileType: '5',
      totalPartSize: 2,
    });
  const { uploads } = UPLOAD_QUOTA.person;
  const answers = await Promise.all(Array.from({ length: uploads + 5 }, (_, n) => begin(n)));
  expect(answers.filter((one) => one.code === 200)).toHaveLength(uploads);
  expect(answers.filter((one) => one.body?.fault === 'UPLOADS_MANY')).toHaveLength(5);
  // What was begun goes on.
  expect((await begin(answers.findIndex((one) => one.code === 200))).code).toBe(200);
  await app.context.unscoped((db) =>
    db
      .updateTable('file_upload')
      .set({ touched_at: new Date(app.clock.now.getTime() - 25 * 3_600_000) })
      .where('user_id', '=', hoarder.userId)
      .execute(),
  );
  await app.context.unscoped((db) => app.context.enqueue(db, 'file:sweep', {}));
  await app.runJobs();
  expect((await begin(uploads + 4)).code).toBe(200);
});

test('a part with other bytes, a wrong digest, size or number is refused, and the right one still fits', async () => {
  const bytes = zipLike(2 * PART);
  const up = upload(app.http, admin, bytes);
  await up.begin();
  const fault = async (sent: ReturnType<typeof up.part>) => (await sent).body?.fault;
  expect(await fault(up.part(1, {}, randomBytes(PART)))).toBe('HASH_MISMATCH');
  expect(await fault(up.part(1, {}, bytes.subarray(0, PART - 1)))).toBe('HASH_MISMATCH');
  expect(await fault(up.part(1, {}, Buffer.concat([bytes.subarray(0, PART), Buffer.alloc(9)])))).toBe('PART_REFUSED');
  expect(staged()).toEqual([]);
  for (const wrong of [{ partNumber: 3 }, { curPartSize: PART - 1 }, { totalPartSize: 3 }, { size: 2 * PART + 1 }])
    expect([wrong, await fault(up.part(1, wrong))]).toEqual([wrong, 'PART_REFUSED']);
  for (const wrong of [
    { partNumber: 0 },
    { partNumber: -1 },
    { partNumber: 1.5 },
    { partNumber: '../1' },
    { identifier: '../../x' },
    { fileName: '../x.zip' },
    { fileName: 'a\u0000.zip' },
    { dept: 1 },
  ])
    expect([wrong, await fault(up.part(1, wrong))]).toEqual([wrong, 'BAD_INPUT']);
  expect((await up.part(1)).code).toBe(200);
  expect(await fault(up.part(1, { md5: 'a'.repeat(32) }, randomBytes(PART)))).toBe('PART_REFUSED');
  expect((await up.finish()).body?.fault).toBe('PART_REFUSED');
  await up.part(2);
  await up.finish();
  await app.runJobs();
  expect((await up.check()).uploadfileDTO?.sha256).toBe(sha256(bytes));
});

test('one number with two contents at once: the first one counts, the other is refused', async () => {
  const bytes = zipLike(PART + 1);
  const up = upload(app.http, admin, bytes);
  await up.begin();
  const wrong = randomBytes(PART);
  const answers = await Promise.all([up.part(1), up.part(1, { md5: md5(wrong) }, wrong)]);
  expect(answers.map((answer) => answer.code).sort()).toEqual([200, 400]);
  await up.cancel();
});

test('someone else’s upload, or none, is not there', async () => {
  const up = upload(app.http, admin, zipLike(PART));
  await up.begin();
  const foreign = upload(app.http, other, zipLike(PART));
  const theirs = { ...up.which };
  for (const call of [fileCalls.transferUpload, fileCalls.transferCheck]) expect((await other.send(call, theirs)).code).toBe(404);
  expect((await foreign.part(1, up.which)).code).toBe(404);
  expect((await other.send(fileCalls.cancelUpload, theirs)).code).toBe(200);
  expect((await up.check()).state).toBe('uploading');
});

test('finished twice at once, it is one file', async () => {
  const up = upload(app.http, admin, zipLike(PART + 5), 'once.zip');
  await up.begin();
  await Promise.all([up.part(1), up.part(2)]);
  expect((await Promise.all([up.finish(), up.finish(), up.finish()])).map((answer) => answer.code)).toEqual([200, 200, 200]);
  await Promise.all([app.runJobs(), app.runJobs()]);
  expect((await up.check()).state).toBe('done');
  expect(await filesNamed('once.zip')).toHaveLength(1);
});

test('begun twice at once, it is one upload', async () => {
  const up = upload(app.http, admin, zipLike(PART + 6));
  const begun = await Promise.all([up.begin(), up.begin(), up.begin(), up.begin()]);
  expect(begun.map((one) => one.partList)).toEqual([[], [], [], []]);
  await up.cancel();
});

test('a restart of the server, or another organisation chosen meanwhile, loses no part', async () => {
  const line = { id: 2, path: '1.2.' };
  const bank = await app.dept('Upload Bank', line);
  const manager = await app.person('platformAdmin', line, 'manager');
  await app.context.unscoped((db) => db.insertInto('access_managed_dept').values({ user_id: manager.userId, dept_id: bank.id }).execute());
  const up = upload(app.http, manager, zipLike(2 * PART + 1), 'notes.zip', '8');
  await up.begin();
  await up.part(2);
  const { modules, authenticator, refs } = makeModules(app.context);
  const hub = startLiveHub(app.context);
  const http = await createHttpServer({ app: app.context, authenticator, refs, modules, hub });
  try {
    const again = upload(http, manager, up.bytes, 'notes.zip', '8');
    const headers = { 'accept-deptid': String(bank.id) };
    expect((await manager.send(fileCalls.initMultipartUpload, up.about, { headers })).body).toMatchObject({
      partList: [{ partNumber: 2 }],
    });
    await again.part(1);
    await again.part(3);
    expect((await manager.send(fileCalls.transferUpload, up.which, { headers })).body).toEqual({ state: 'assembling' });
    await app.runJobs();
    expect((await manager.send(fileCalls.transferCheck, up.which, { headers })).body).toMatchObject({
      state: 'done',
      uploadfileDTO: { size: up.bytes.length },
    });
  } finally {
    await http.close();
    await hub.stop();
  }
});

test('cancelled, its parts go away; it begins anew', async () => {
  const up = upload(app.http, admin, zipLike(2 * PART));
  await up.begin();
  await up.part(1);
  expect(staged().length).toBeGreaterThan(0);
  await up.cancel();
  await up.cancel();
  expect(staged()).toEqual([]);
  expect((await up.part(2)).body).toMatchObject({ fault: 'UPLOAD_CANCELLED' });
  expect((await up.begin()).partList).toEqual([]);
  await up.cancel();
});

test('a whole that is not what was announced, or of another type, fails with its reason and may begin anew', async () => {
  const bytes = zipLike(PART + 3);
  const lying = upload(app.http, admin, bytes);
  const identifier = 'd'.repeat(32);
  await admin.call(fileCalls.initMultipartUpload, { ...lying.about, identifier });
  for (const number of [1, 2]) expect((await lying.part(number, { identifier })).code).toBe(200);
  await admin.call(fileCalls.transferUpload, { ...lying.which, identifier });
  await app.runJobs();
  expect(await admin.call(fileCalls.transferCheck, { ...lying.which, identifier })).toMatchObject({
    state: 'failed',
    reason: 'HASH_MISMATCH',
  });
  expect(await admin.call(fileCalls.initMultipartUpload, { ...lying.about, identifier })).toMatchObject({ partList: [] });

  const png = upload(app.http, admin, Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), randomBytes(PART)]));
  await png.begin();
  await Promise.all([png.part(1), png.part(2)]);
  await png.finish();
  await app.runJobs();
  expect(await png.check()).toMatchObject({ state: 'failed', reason: 'FILE_NOT_GENUINE', uploadfileDTO: null });

  const other = upload(app.http, admin, zipLike(PART + 4));
  await admin.call(fileCalls.initMultipartUpload, { ...other.about, sha256: '0'.repeat(64) });
  await Promise.all([other.part(1), other.part(2)]);
  await admin.call(fileCalls.transferUpload, { ...other.which, sha256: '0'.repeat(64) });
  await app.runJobs();
  expect(await other.check()).toMatchObject({ state: 'failed', reason: 'HASH_MISMATCH' });
  // Bytes that no file names take no room past the quota.
  await app.runJobs();
  const names = readdirSync(join(app.dataDir, 'blobs'), { recursive: true }).map(String);
  const stored = new Set(names.flatMap((name) => /[0-9a-f]{64}$/.exec(name) ?? []));
  for (const { bytes: gone } of [lying, png, other]) expect(stored.has(sha256(gone))).toBe(false);
});

test('parts that were lost below it are said, not waited for', async () => {
  const up = upload(app.http, admin, zipLike(PART));
  await up.begin();
  await up.part(1);
  rmSync(join(app.dataDir, 'uploads'), { recursive: true });
  await up.finish();
  await app.runJobs();
  expect(await up.check()).toMatchObject({ state: 'failed', reason: 'HASH_MISMATCH' });
});

test('a size over the kind’s, a wrong count of parts, an unknown kind or a name with a path are refused before any byte', async () => {
  const { about } = upload(app.http, admin, zipLike(PART));
  const size = 201 * MB;
  expect(
    await admin.send(fileCalls.initMultipartUpload, { ...about, fileType: '3', fileName: 'a.jar', size, totalPartSize: 41 }),
  ).toMatchObject({ code: 413, status: 413, message: 'The file is larger than 200 MB.' });
  expect((await admin.send(fileCalls.initMultipartUpload, { ...about, totalPartSize: 2 })).body?.fault).toBe('PART_REFUSED');
  expect((await admin.send(fileCalls.initMultipartUpload, { ...about, fileName: 'fw.exe' })).body?.fault).toBe('FILE_KIND_REFUSED');
  for (const wrong of [
    { fileType: '99' },
    { fileName: '../../fw.zip' },
    { fileName: 'a\\b.zip' },
    { identifier: 'x' },
    { size: 0 },
    { size: -1 },
    { requestUrl: 'x'.repeat(513) },
  ])
    expect([wrong, (await admin.send(fileCalls.initMultipartUpload, { ...about, ...wrong })).body?.fault]).toEqual([wrong, 'BAD_INPUT']);
  expect((await admin.send(fileCalls.initMultipartUpload, { ...about, requestUrl: '../../../etc/passwd' })).code).toBe(200);
});

test('bytes that a crash of the machine lost are sent again, and only those', async () => {
  const up = upload(app.http, admin, zipLike(3 * PART + 5));
  await up.begin();
  for (const number of [1, 2, 3, 4]) await up.part(number);
  const [{ id = 0 } = {}] = await app.context.unscoped((db) =>
    db.selectFrom('file_upload').select('id').where('identifier', '=', up.which.identifier).execute(),
  );
  const whole = openSync(join(app.dataDir, 'uploads', String(id), 'whole'), 'r+');
  writeSync(whole, Buffer.alloc(100), 0, 100, PART + 50);
  closeSync(whole);
  await up.finish();
  await app.runJobs();
  expect(await up.check()).toMatchObject({ state: 'failed', reason: 'HASH_MISMATCH' });
  expect((await up.begin()).partList.map((part) => part.partNumber)).toEqual([1, 3, 4]);
  expect((await up.part(2)).body).toMatchObject({ uploadFlag: true });
  await up.finish();
  await app.runJobs();
  expect((await up.check()).uploadfileDTO?.sha256).toBe(sha256(up.bytes));
  expect(staged()).toEqual([]);
});

test('of the last two parts at one moment one says that all are there', async () => {
  const up = upload(app.http, admin, zipLike(PART + 77));
  await up.begin();
  const answers = await Promise.all([up.part(1), up.part(2)]);
  expect(answers.filter((one) => one.body?.uploadFlag).length).toBeGreaterThan(0);
  await up.cancel();
});

test('who asks for the end of an upload is told when it has ended', async () => {
  const up = upload(app.http, admin, zipLike(PART + 79));
  await up.begin();
  await Promise.all([up.part(1), up.part(2)]);
  await up.finish();
  const [asked] = await Promise.all([up.check(), app.runJobs()]);
  expect(asked).toMatchObject({ state: 'done', uploadfileDTO: { sha256: sha256(up.bytes) } });
});

test('more parts of one person at once than their pages send are refused, and fit a moment later', async () => {
  const up = upload(app.http, admin, zipLike(PART + 78));
  await up.begin();
  const answers = await Promise.all(Array.from({ length: 40 }, () => up.part(1)));
  const refused = answers.filter((one) => one.body?.fault === 'TOO_MANY');
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.length).toBeLessThanOrEqual(28);
  expect((await up.part(2)).body).toMatchObject({ uploadFlag: true });
  await up.cancel();
});
