import { uploadMonitorCalls } from '@mooring/contract/file/upload-monitor-calls';
import { packageCalls } from '@mooring/contract/firmware/package-calls';
import { productCalls } from '@mooring/contract/product/calls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, type TestApp, testApp } from '../../../../test/test-app.ts';
import type { DeptAt } from '../../org/api.ts';
import { direct, PART, upload, zipLike } from '../upload.factory.ts';

let app: TestApp;
let bank: DeptAt;
let branch: DeptAt;
let admin: Client;
let ofBranch: Client;
beforeAll(async () => {
  app = await testApp();
  bank = await app.dept('Bank');
  branch = await app.dept('Branch', bank);
  admin = await app.person('platformAdmin', app.root, 'manager');
  ofBranch = await app.person('orgManager', branch, 'manager');
});
afterAll(() => app.stop());

const fileNamed = async (fileName: string) => (await admin.call(uploadMonitorCalls.files, { criteria: { fileName }, page: {} })).content;

test('what comes in one call stands among the uploads when it has ended, with what became of it', async () => {
  const bytes = zipLike(3000);
  await direct(app.http, ofBranch, { type: '8', name: 'whole.zip', bytes });
  const seen = async (fileName: string) => (await admin.call(uploadMonitorCalls.page, { criteria: { fileName }, page: {} })).content;
  expect(await seen('whole')).toMatchObject([
    {
      state: 'done',
      way: 'direct',
      size: bytes.length,
      sent: bytes.length,
      parts: 1,
      deptName: 'Branch',
      reason: null,
      allowedActions: [],
    },
  ]);
  await admin.call(uploadMonitorCalls.quota, { deptId: branch.id, gigabytes: 0 });
  expect((await direct(app.http, ofBranch, { type: '8', name: 'over.zip', bytes })).body).toMatchObject({ fault: 'STORAGE_QUOTA' });
  expect(await seen('over')).toMatchObject([{ state: 'refused', way: 'direct', reason: 'STORAGE_QUOTA', sent: 0 }]);
  const own = await ofBranch.call(uploadMonitorCalls.own, {});
  expect(own).toMatchObject({ quota: 0, room: -own.kept });
  expect((await (await app.person('orgMember', bank, 'manager')).call(uploadMonitorCalls.own, {})).quota).toBeNull();
  // What was refused counts for no quota, and is no upload that goes on.
  await admin.call(uploadMonitorCalls.quota, { deptId: branch.id, gigabytes: null });
  expect(await ofBranch.call(uploadMonitorCalls.own, {})).toEqual({ kept: own.kept, quota: null, room: null });
  const whole = upload(app.http, ofBranch, zipLike(2 * PART), 'twice.zip', '8');
  await whole.begin();
  await whole.part(1);
  await direct(app.http, ofBranch, { type: '8', name: 'beside.zip', bytes: zipLike(10) });
  expect((await whole.part(2)).code).toBe(200);
});

test('a package that is deleted frees its file, also where an ended release had it', async () => {
  const uploader = await app.person('platformAdmin', app.root, 'centre');
  const product = await admin.call(productCalls.add, { code: 'FREE1', name: 'Free', category: 'smartPos', publish: true });
  const nameOf = (at: number) => `freed${at}.zip`;
  for (const at of [1, 2]) {
    const up = upload(app.http, uploader, zipLike(PART + at), nameOf(at));
    await up.begin();
    for (const number of [1, 2]) await up.part(number);
    await up.finish();
    await app.runJobs();
    const [file] = await fileNamed(nameOf(at));
    const { id } = await uploader.call(packageCalls.add, { productId: product.id, version: `${at}.0`, fileId: file?.id ?? 0 });
    if (at === 2)
      await app.context.unscoped((db) => db.updateTable('rollout_package').set({ deleted_at: new Date() }).where('id', '=', id).execute());
    else await uploader.call(packageCalls.delete, { id });
    await app.runJobs();
  }
  const [freed] = await fileNamed(nameOf(1));
  // Links to it may still be used: it goes when the last of them is over.
  const { rows } = await app.context.pools.owner.query<{ later: boolean }>(
    `select j.run_at > $1 as later from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
     where t.identifier = 'file:free'`,
    [new Date(app.clock.now.getTime() + 72 * 3_600_000)],
  );
  expect(rows.map(({ later }) => later)).toEqual([true]);
  const free = async () => {
    await app.context.unscoped((db) => app.context.enqueue(db, 'file:free', { id: freed?.id }));
    await app.runJobs();
    return fileNamed(nameOf(1));
  };
  // Brought anew meanwhile: a form may still be open that will name it.
  await app.context.unscoped((db) =>
    db.updateTable('file_file').set({ created_at: app.clock.now }).where('name', '=', nameOf(1)).execute(),
  );
  expect(await free()).toHaveLength(1);
  await app.context.unscoped((db) =>
    db
      .updateTable('file_file')
      .set({ created_at: new Date(app.clock.now.getTime() - 25 * 3_600_000) })
      .where('name', '=', nameOf(1))
      .execute(),
  );
  expect(await free()).toEqual([]);
  // One that history keeps the name of doesn't hold its file.
  expect(await fileNamed(nameOf(2))).toMatchObject([{ used: false }]);
});

test('uploads and files are found by who brought them, and who brought the most stands first; those of others aren’t told', async () => {
  const shop = await app.dept('Shop', bank);
  const [much, little] = [await app.person('orgManager', shop, 'manager'), await app.person('orgManager', shop, 'manager')];
  const bring = (who: Client, name: string, size: number) => direct(app.http, who, { type: '8', name, bytes: zipLike(size) });
  await bring(little, 'little.zip', 1000);
  await bring(much, 'much.zip', 5000);
  await bring(much, 'more.zip', 4000);
  await admin.call(uploadMonitorCalls.quota, { deptId: shop.id, gigabytes: 0 });
  await bring(much, 'refused.zip', 3000);
  const criteria = { userId: much.userId };
  const names = (rows: readonly { fileName: string }[]) => rows.map(({ fileName }) => fileName).sort();
  expect(names((await admin.call(uploadMonitorCalls.page, { criteria, page: {} })).content)).toEqual([
    'more.zip',
    'much.zip',
    'refused.zip',
  ]);
  expect(names((await admin.call(uploadMonitorCalls.files, { criteria, page: {} })).content)).toEqual(['more.zip', 'much.zip']);
  expect((await ofBranch.call(uploadMonitorCalls.files, { criteria, page: {} })).content).toEqual([]);
  const keeper = await app.person('orgManager', shop, 'manager');
  expect(await keeper.call(uploadMonitorCalls.uploaders, {})).toMatchObject([
    { id: much.userId, files: 2, bytes: 9000, failed: 1 },
    { id: little.userId, files: 1, bytes: 1000, failed: 0 },
  ]);
  expect((await ofBranch.call(uploadMonitorCalls.uploaders, {})).map(({ id }) => id)).not.toContain(much.userId);
  expect((await keeper.call(uploadMonitorCalls.people, {})).map(({ id }) => id)).toEqual(
    expect.arrayContaining([much.userId, little.userId]),
  );
});
