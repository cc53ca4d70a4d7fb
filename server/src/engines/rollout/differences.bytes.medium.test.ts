import { differenceCalls } from '@mooring/contract/firmware/package-calls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { UPLOAD_QUOTA } from '../../modules/file/api.ts';
import { differencesIn } from './differences.factory.ts';

let app: TestApp;
let admin: Client;
beforeAll(async () => {
  app = await testApp();
  admin = await app.person('platformAdmin', app.root);
});
afterAll(() => app.stop());
const { next, all, listed, shaOf, pair, added, blobs } = differencesIn(() => ({ app, admin }));

test('what is almost as large as the full package is never enabled: its size is told, its bytes go', async () => {
  await app.runJobs();
  const of = await pair(0.8);
  const { id } = await added(of);
  await next();
  const built = await app.context.unscoped((db) =>
    db.selectFrom('file_built').select(['user_id', 'size']).orderBy('id', 'desc').limit(1).executeTakeFirst(),
  );
  await all();
  const [row] = await listed(of.packageId);
  expect(row).toMatchObject({ state: 'verified', verification: '1', worth: false, size: built?.size });
  expect(built?.user_id).toBe(admin.userId);
  expect(row?.allowedActions).not.toContain('enable');
  expect((await admin.send(differenceCalls.enable, { id })).body).toMatchObject({ fault: 'DIFFERENCE_NOT_WORTH' });
  const before = await blobs();
  await app.runJobs();
  expect([await shaOf(id), (await blobs()) - before]).toEqual([null, -1]);

  // It can be made again, and goes again.
  await admin.call(differenceCalls.regenerate, { id });
  await all();
  expect(await listed(of.packageId)).toMatchObject([{ state: 'verified', worth: false }]);
});

test('what was made counts to the quota of who asked for it: without room it fails with the reason, and leaves no bytes', async () => {
  await app.runJobs();
  const of = await pair();
  const { id } = await added(of);
  const filled = await app.context.unscoped((db) =>
    db
      .insertInto('file_built')
      .values({ user_id: admin.userId, size: UPLOAD_QUOTA.person.bytes, dept_path: '1.', built_at: app.clock.now })
      .returning('id')
      .executeTakeFirstOrThrow(),
  );
  const before = await blobs();
  await all();
  expect(await listed(of.packageId)).toMatchObject([{ state: 'failed', reason: 'quota', size: null }]);
  await app.runJobs();
  expect(await blobs()).toBe(before);
  await app.context.unscoped((db) => db.deleteFrom('file_built').where('id', '=', filled.id).execute());
  await admin.call(differenceCalls.regenerate, { id });
  await all();
  expect(await listed(of.packageId)).toMatchObject([{ state: 'verified' }]);
});
