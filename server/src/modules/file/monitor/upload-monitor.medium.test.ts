import { fileCalls } from '@mooring/contract/file/calls';
import { GB, uploadMonitorCalls } from '@mooring/contract/file/upload-monitor-calls';
import { packageCalls } from '@mooring/contract/firmware/package-calls';
import { messageCalls } from '@mooring/contract/message/calls';
import { noticeCalls } from '@mooring/contract/message/notice-calls';
import { productCalls } from '@mooring/contract/product/calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, type TestApp, testApp } from '../../../../test/test-app.ts';
import type { DeptAt } from '../../org/api.ts';
import { foldUsage } from '../storage-quota.ts';
import { direct, MB, PART, sha256, upload, zipLike } from '../upload.factory.ts';

let app: TestApp;
let bank: DeptAt;
let branch: DeptAt;
let admin: Client;
let ofBank: Client;
let ofBranch: Client;
beforeAll(async () => {
  app = await testApp();
  bank = await app.dept('Bank');
  branch = await app.dept('Branch', bank);
  admin = await app.person('platformAdmin', app.root, 'manager');
  [ofBank, ofBranch] = [await app.person('orgManager', bank, 'manager'), await app.person('orgManager', branch, 'manager')];
});
afterAll(() => app.stop());

const picture = (bytes: Buffer) => ({ type: '8', name: 'log.zip', bytes });
const storageOf = async (name: string) =>
  (await admin.call(uploadMonitorCalls.storage, { criteria: { name }, page: {} })).content.find((row) => row.name === name);
const fileNamed = async (fileName: string) => (await admin.call(uploadMonitorCalls.files, { criteria: { fileName }, page: {} })).content;

test('what organisations keep is counted as it comes and goes, by kind and with those below', async () => {
  const bytes = zipLike(2 * MB);
  const { body } = await direct(app.http, ofBranch, picture(bytes));
  expect(await storageOf('Branch')).toMatchObject({ files: 1, bytes: bytes.length, below: bytes.length, quota: null });
  await direct(app.http, ofBank, picture(zipLike(MB)));
  expect(await storageOf('Bank')).toMatchObject({ files: 1, bytes: MB, below: 3 * MB });
  expect(await admin.call(uploadMonitorCalls.kinds, {})).toContainEqual({ kind: '8', files: 2, bytes: 3 * MB });
  await ofBranch.call(fileCalls.delete, { id: body?.id ?? 0 });
  expect(await storageOf('Branch')).toMatchObject({ files: 0, bytes: 0, below: 0 });
  expect(await storageOf('Bank')).toMatchObject({ below: MB });
});

test('who looks after the storage hears at nine tenths of its quota and once it is full, once each', async () => {
  const cellar = await app.dept('Cellar');
  const keeper = await app.person('orgManager', cellar, 'manager');
  await direct(app.http, keeper, picture(zipLike(MB)));
  const told = async (gigabytes: number | null) => {
    await admin.call(uploadMonitorCalls.quota, { deptId: cellar.id, gigabytes });
    for (const _ of ['once', 'twice']) await app.context.unscoped((db) => app.context.enqueue(db, 'file:quotas', {}));
    await app.runJobs();
    return (await keeper.call(messageCalls.page, {})).content.map(({ title }) => title).filter((title) => title.startsWith('Storage of'));
  };
  const near = 'Storage of Cellar is 95 % full';
  const full = 'Storage of Cellar is full';
  expect(await told((2 * MB) / GB)).toEqual([]);
  expect(await told(MB / GB / 0.955)).toEqual([near]);
  expect(await told(MB / GB)).toEqual([full, near]);
  expect(await told(MB / GB / 0.955)).toEqual([full, near]);
  expect(await told((2 * MB) / GB)).toEqual([full, near]);
  expect(await told(MB / GB / 0.955)).toEqual([near, full, near]);
  expect(await told(null)).toEqual([near, full, near]);
});

test('what keeps the most stands first, also before it is added up', async () => {
  const keeper = await app.dept('Keeper');
  const ofKeeper = await app.person('orgManager', keeper, 'manager');
  const [little, much] = [await app.dept('Keeps little', keeper), await app.dept('Keeps much', keeper)];
  const [ofLittle, ofMuch] = [await app.person('orgManager', little, 'manager'), await app.person('orgManager', much, 'manager')];
  await direct(app.http, ofLittle, picture(zipLike(2000)));
  await direct(app.http, ofMuch, picture(zipLike(1000)));
  await app.context.unscoped((db) => foldUsage(db));
  await direct(app.http, ofMuch, picture(zipLike(5000)));
  for (const [order, names] of [
    ['desc', ['Keeps much', 'Keeps little']],
    ['asc', ['Keeps little', 'Keeps much']],
  ] as const) {
    const first = await ofKeeper.call(uploadMonitorCalls.storage, {
      criteria: { name: 'Keeps' },
      page: { sort: 'bytes', order, size: 1 },
    });
    const second = await ofKeeper.call(uploadMonitorCalls.storage, {
      criteria: { name: 'Keeps' },
      page: { sort: 'bytes', order, size: 1, after: first.next ?? '' },
    });
    expect([...first.content, ...second.content].map(({ name }) => name)).toEqual(names);
  }
});

test('a quota holds for an organisation and all below it, in one call and in parts, and takes nothing away', async () => {
  await admin.call(uploadMonitorCalls.quota, { deptId: bank.id, gigabytes: (4 * MB) / GB });
  expect((await direct(app.http, ofBranch, picture(zipLike(2 * MB)))).code).toBe(200);
  const refused = await direct(app.http, ofBranch, picture(zipLike(2 * MB)));
  expect(refused).toMatchObject({ code: 400, body: { fault: 'STORAGE_QUOTA' } });
  const large = upload(app.http, ofBank, zipLike(PART + 1), 'large.zip', '8');
  expect((await ofBank.send(fileCalls.initMultipartUpload, large.about)).body).toMatchObject({ fault: 'STORAGE_QUOTA' });
  // Nothing was begun: what was refused doesn't take room, and what is kept stays.
  expect((await direct(app.http, ofBank, picture(zipLike(MB / 2)))).code).toBe(200);
  expect(await storageOf('Bank')).toMatchObject({ quota: 4 * MB, below: 3.5 * MB });
  // Below what is kept already nothing goes, and nothing comes.
  await admin.call(uploadMonitorCalls.quota, { deptId: bank.id, gigabytes: MB / GB });
  expect(await storageOf('Bank')).toMatchObject({ quota: MB, below: 3.5 * MB });
  expect((await direct(app.http, ofBank, picture(zipLike(1000)))).body).toMatchObject({ fault: 'STORAGE_QUOTA' });
  await admin.call(uploadMonitorCalls.quota, { deptId: bank.id, gigabytes: null });
  expect((await direct(app.http, ofBank, picture(zipLike(1000)))).code).toBe(200);
});

test('two that begin side by side don’t both get the last room', async () => {
  await admin.call(uploadMonitorCalls.quota, {
    deptId: branch.id,
    gigabytes: ((await storageOf('Branch'))?.bytes ?? 0) / GB + (1.5 * MB) / GB,
  });
  const answers = await Promise.all([1, 2, 3].map(() => direct(app.http, ofBranch, picture(zipLike(MB)))));
  expect(answers.filter((one) => one.code === 200)).toHaveLength(1);
  await admin.call(uploadMonitorCalls.quota, { deptId: branch.id, gigabytes: null });
});

test('nor do many of several organisations under one quota; adding up changes nothing', async () => {
  const twigs = await Promise.all(['Twig 1', 'Twig 2', 'Twig 3'].map((name) => app.dept(name, branch)));
  const people = await Promise.all(twigs.map((twig) => app.person('orgManager', twig, 'manager')));
  const before = await storageOf('Branch');
  await admin.call(uploadMonitorCalls.quota, { deptId: branch.id, gigabytes: ((before?.below ?? 0) + 1.5 * MB) / GB });
  const answers = await Promise.all(people.map((person) => direct(app.http, person, picture(zipLike(MB)))));
  expect(answers.filter((one) => one.code === 200)).toHaveLength(1);
  const after = await storageOf('Branch');
  expect(after?.below).toBe((before?.below ?? 0) + MB);
  await app.context.unscoped(foldUsage);
  await app.context.unscoped(foldUsage);
  expect(await storageOf('Branch')).toEqual(after);
  await admin.call(uploadMonitorCalls.quota, { deptId: branch.id, gigabytes: null });
});

test('an upload is seen while it comes, and given up for another person: its parts go, and its next part says so', async () => {
  const up = upload(app.http, ofBank, zipLike(2 * PART), 'slow.zip', '8');
  await up.begin();
  await up.part(1);
  const [row] = (await admin.call(uploadMonitorCalls.page, { criteria: { fileName: 'slow' }, page: {} })).content;
  expect(row).toMatchObject({
    state: 'uploading',
    sent: PART,
    size: 2 * PART,
    partsSent: 1,
    parts: 2,
    deptName: 'Bank',
    allowedActions: ['cancel'],
  });
  await admin.call(uploadMonitorCalls.cancel, { id: row?.id ?? 0 });
  const seen = async () => (await admin.call(uploadMonitorCalls.page, { criteria: { fileName: 'slow' }, page: {} })).content;
  expect(await seen()).toMatchObject([{ state: 'cancelled', sent: PART, partsSent: 1, parts: 2, allowedActions: [] }]);
  expect((await up.part(2)).body).toMatchObject({ fault: 'UPLOAD_CANCELLED' });
  expect((await admin.send(uploadMonitorCalls.cancel, { id: row?.id ?? 0 })).body).toMatchObject({ fault: 'UPLOAD_ENDED' });
  // Who uploads it may begin anew; what was is remembered beside it, and counts for no quota.
  await up.begin();
  for (const number of [1, 2]) expect((await up.part(number)).code).toBe(200);
  await up.finish();
  await app.runJobs();
  await up.begin();
  expect((await seen()).map((one) => one.state)).toEqual(['uploading', 'done', 'cancelled']);
});

test('an ended upload can’t be given up; a file that a package names can’t be deleted, one that nothing names can', async () => {
  const uploader = await app.person('platformAdmin', app.root, 'centre');
  const bytes = zipLike(PART + 5);
  const up = upload(app.http, uploader, bytes, 'used.zip');
  await up.begin();
  for (const number of [1, 2]) await up.part(number);
  await up.finish();
  await app.runJobs();
  const [row] = (await admin.call(uploadMonitorCalls.page, { criteria: { fileName: 'used' }, page: {} })).content;
  expect(row).toMatchObject({ state: 'done', sent: bytes.length, allowedActions: [] });
  expect((await admin.send(uploadMonitorCalls.cancel, { id: row?.id ?? 0 })).body).toMatchObject({ fault: 'UPLOAD_ENDED' });

  const product = await admin.call(productCalls.add, { code: 'USED1', name: 'Used', category: 'smartPos', publish: true });
  const [file] = await fileNamed('used');
  expect(file).toMatchObject({ used: false, size: bytes.length, allowedActions: ['delete'] });
  await uploader.call(packageCalls.add, { productId: product.id, version: '1.0', fileId: file?.id ?? 0 });
  expect((await fileNamed('used'))[0]).toMatchObject({ used: true, allowedActions: [] });
  expect((await admin.send(uploadMonitorCalls.delete, { id: file?.id ?? 0 })).body).toMatchObject({ fault: 'FILE_IN_USE' });
  const kept = await admin.call(uploadMonitorCalls.uses, { id: file?.id ?? 0 });
  expect(kept.uses.length + kept.others).toBe(1);

  const spare = zipLike(MB);
  await direct(app.http, uploader, { type: '8', name: 'spare.zip', bytes: spare });
  const [unused] = await fileNamed('spare');
  await admin.call(uploadMonitorCalls.delete, { id: unused?.id ?? 0 });
  await app.runJobs();
  expect(await fileNamed('spare')).toEqual([]);
  const rows = await app.context.unscoped((db) => db.selectFrom('file_file').select('id').where('sha256', '=', sha256(spare)).execute());
  expect(rows).toEqual([]);
});

test('an organisation sees its own and what is below it, gives those quotas, and widens none that was set for itself; members see none of it', async () => {
  await admin.call(uploadMonitorCalls.quota, { deptId: bank.id, gigabytes: 2 });
  const rows = (await ofBank.call(uploadMonitorCalls.storage, {})).content;
  expect(rows.find(({ id }) => id === bank.id)).toMatchObject({ name: 'Bank', quota: 2 * GB, allowedActions: [] });
  expect(rows.find(({ id }) => id === branch.id)).toMatchObject({ name: 'Branch', allowedActions: ['quota'] });
  const outside = await app.dept('Outside', { id: 2, path: '1.2.' });
  const other = await app.person('orgManager', outside, 'manager');
  expect((await other.call(uploadMonitorCalls.storage, {})).content.filter(({ id }) => id !== outside.id)).toEqual([]);
  expect((await other.call(uploadMonitorCalls.files, {})).content).toEqual([]);
  expect((await other.call(uploadMonitorCalls.page, {})).content).toEqual([]);
  expect((await ofBank.send(uploadMonitorCalls.quota, { deptId: bank.id, gigabytes: 100 })).code).toBe(403);
  expect((await ofBank.send(uploadMonitorCalls.quota, { deptId: outside.id, gigabytes: 1 })).code).toBe(404);
  expect(await ofBank.call(uploadMonitorCalls.quota, { deptId: branch.id, gigabytes: 1 })).toMatchObject({ quota: GB });
  for (const deptId of [bank.id, branch.id]) await admin.call(uploadMonitorCalls.quota, { deptId, gigabytes: null });
  const member = await app.person('orgMember', bank, 'manager');
  for (const call of [uploadMonitorCalls.page, uploadMonitorCalls.storage, uploadMonitorCalls.files])
    expect((await member.send(call, {})).code).toBe(403);
});

test('a quota that was given from above is lowered by who is between, and put back, never raised or removed; below one’s own word anything goes', async () => {
  const set = (who: Client, deptId: number, gigabytes: number | null) => who.send(uploadMonitorCalls.quota, { deptId, gigabytes });
  const quotaOf = async () => (await storageOf('Branch'))?.quota ?? null;
  await admin.call(uploadMonitorCalls.quota, { deptId: branch.id, gigabytes: 2 });
  for (const wider of [3, null]) expect((await set(ofBank, branch.id, wider)).body).toMatchObject({ fault: 'QUOTA_FROM_ABOVE' });
  expect(await quotaOf()).toBe(2 * GB);
  expect((await set(ofBank, branch.id, 1)).code).toBe(200);
  for (const wider of [3, null]) expect((await set(ofBank, branch.id, wider)).body).toMatchObject({ fault: 'QUOTA_FROM_ABOVE' });
  expect((await set(ofBank, branch.id, 2)).code).toBe(200);
  // Once it is taken away from above, it is the bank's to give; and the platform has the last word over that too.
  await admin.call(uploadMonitorCalls.quota, { deptId: branch.id, gigabytes: null });
  for (const own of [1, 5, null, 4]) expect((await set(ofBank, branch.id, own)).code).toBe(200);
  await admin.call(uploadMonitorCalls.quota, { deptId: branch.id, gigabytes: 3 });
  expect((await set(ofBank, branch.id, 4)).body).toMatchObject({ fault: 'QUOTA_FROM_ABOVE' });
  await admin.call(uploadMonitorCalls.quota, { deptId: branch.id, gigabytes: null });
});

test('what nothing names is listed after a day and cleaned by who may, and what is named again stays', async () => {
  const at = await app.dept('Archive', bank);
  const who = await app.person('orgManager', at, 'manager');
  const brought = async (name: string, bytes: number) =>
    (await direct(app.http, who, { type: '8', name, bytes: zipLike(bytes) })).body?.id ?? 0;
  const [left, named] = [await brought('left.zip', MB), await brought('named.zip', MB)];
  const look = async () => {
    await app.context.unscoped((db) => app.context.enqueue(db, 'file:unused', {}));
    await app.runJobs();
    return (await admin.call(uploadMonitorCalls.unused, {})).filter(({ deptId }) => deptId === at.id);
  };
  expect(await look()).toEqual([]);
  app.clock.now = new Date(app.clock.now.getTime() + 25 * 3_600_000);
  expect(await look()).toMatchObject([{ deptName: 'Archive', kind: '8', files: 2, bytes: 2 * MB, allowedActions: ['clean'] }]);
  // Named since it was looked for.
  await who.call(noticeCalls.add, { title: 'Plan', body: 'See the file', files: [named] });
  const elsewhere = await app.person('orgManager', branch, 'manager');
  expect((await elsewhere.send(uploadMonitorCalls.clean, { deptId: at.id, kind: '8' })).code).toBe(404);
  const names = async (asker: Client) =>
    (await asker.call(uploadMonitorCalls.unusedFiles, { deptId: at.id, kind: '8' })).map(({ fileName }) => fileName);
  expect((await names(admin)).toSorted()).toEqual(['left.zip', 'named.zip']);
  expect((await elsewhere.send(uploadMonitorCalls.unusedFiles, { deptId: at.id, kind: '8' })).code).toBe(404);
  expect(await admin.call(uploadMonitorCalls.clean, { deptId: at.id, kind: '8' })).toEqual({ files: 1, bytes: MB, more: false });
  expect((await fileNamed('named.zip')).map(({ id }) => id)).toEqual([named]);
  expect((await fileNamed('left.zip')).map(({ id }) => id)).not.toContain(left);
  expect(await look()).toEqual([]);
  expect(await admin.call(uploadMonitorCalls.clean, { deptId: at.id, kind: '8' })).toEqual({ files: 0, bytes: 0, more: false });
});

test('what keeps a file is named to who may see it, and counted to who may not', async () => {
  const id = (await direct(app.http, ofBranch, { type: '8', name: 'kept.zip', bytes: zipLike(MB) })).body?.id ?? 0;
  expect(await ofBank.call(uploadMonitorCalls.uses, { id })).toEqual({ uses: [], others: 0 });
  const { id: notice } = await ofBranch.call(noticeCalls.add, { title: 'Plan of the year', body: 'See the file', files: [id] });
  const named = {
    uses: [{ what: 'notice', name: 'Plan of the year', link: `/notice?row=${notice}&text=Plan%20of%20the%20year` }],
    others: 0,
  };
  for (const who of [ofBank, ofBranch]) expect(await who.call(uploadMonitorCalls.uses, { id })).toEqual(named);
  const article = await app.context.unscoped((db) =>
    db.selectFrom('help_article').select('id').where('key', '=', 'sign-in').executeTakeFirstOrThrow(),
  );
  await app.context.unscoped((db) => db.insertInto('help_file').values({ article_id: article.id, file_id: id }).execute());
  expect(await ofBank.call(uploadMonitorCalls.uses, { id })).toEqual({ ...named, others: 1 });
  // Its title is a word of the console.
  expect((await admin.call(uploadMonitorCalls.uses, { id })).uses).toContainEqual({
    what: 'help',
    name: 'Sign in',
    link: `/helpCenterConsole/${article.id}`,
  });
  const outside = await app.person('orgManager', await app.dept('Elsewhere'), 'manager');
  expect((await outside.send(uploadMonitorCalls.uses, { id })).code).toBe(404);
  await app.context.unscoped((db) => db.deleteFrom('help_file').where('file_id', '=', id).execute());
});

test('who is hidden from who looks on is neither named beside what they brought nor found by it', async () => {
  const place = { id: 2, path: '1.2.' };
  const unseen = await app.person('marketAdmin', place, 'manager');
  await app.context.unscoped((db) =>
    db.updateTable('account_user').set({ name: 'Unseen Market' }).where('id', '=', unseen.userId).execute(),
  );
  await direct(app.http, unseen, { type: '8', name: 'theirs.zip', bytes: zipLike(MB) });
  const auditor = await app.person('orgManager', place, 'manager');
  for (const call of [uploadMonitorCalls.files, uploadMonitorCalls.page]) {
    const namesFor = async (who: Client, criteria: object) =>
      (await who.call(call, { criteria: { fileName: 'theirs', ...criteria } })).content.map(({ userName }) => userName);
    expect(await namesFor(auditor, {})).toEqual([null]);
    expect(await namesFor(auditor, { userId: unseen.userId })).toEqual([]);
    expect(await namesFor(admin, { userId: unseen.userId })).toEqual(['Unseen Market']);
  }
});

test('lists of an organisation go by its path, however much others keep, and are searched within it', async () => {
  const small = await app.dept('Small');
  const who = await app.person('orgManager', small, 'manager');
  await app.context.unscoped(async (db) => {
    for (const path of [bank.path, small.path]) {
      const many = path === bank.path ? 5_000 : 20;
      await sql`insert into file_file (name, kind, size, sha256, md5, user_id, dept_path, created_at)
        select 'seed ' || n, '8', n, 'x', 'x', ${who.userId}, ${path}, now() - n * interval '1 second' from generate_series(1, ${many}) n`.execute(
        db,
      );
      await sql`insert into file_upload (identifier, name, kind, size, part_size, parts, state, user_id, dept_path, created_at, touched_at)
        select ${path} || n, 'seed ' || n, '8', n, 1, 1, 'cancelled', ${who.userId}, ${path}, now() - n * interval '1 second', now() from generate_series(1, ${many}) n`.execute(
        db,
      );
    }
    await sql`analyze file_file, file_upload`.execute(db);
  });
  for (const table of ['file_file', 'file_upload'])
    for (const order of ['created_at', 'size']) {
      const plan = await app.context.inBulk((db) =>
        sql<{
          'QUERY PLAN': string;
        }>`explain select * from ${sql.table(table)} d where d.dept_path >= ${small.path} and d.dept_path < ${`${small.path}~`}
          order by ${sql.ref(order)} desc, id desc limit 20`.execute(db),
      );
      expect(plan.rows.map((row) => row['QUERY PLAN']).join(' '), `${table} by ${order}`).toContain(`${table}_of_dept`);
    }
  for (const call of [uploadMonitorCalls.files, uploadMonitorCalls.page]) {
    // Its own alone, without those below it, and nobody else's.
    const kept = async (asker: Client, deptId: number) =>
      (await asker.call(call, { criteria: { deptId, fileName: 'seed' }, page: { size: 1 } })).total;
    expect([await kept(admin, small.id), await kept(who, small.id), await kept(who, bank.id)]).toEqual([20, 20, 0]);
    expect((await who.call(call, { criteria: { fileName: 'SEED 1' }, page: { size: 100 } })).content).toHaveLength(11);
    expect((await who.call(call, {})).total).toBe(20);
  }
});
