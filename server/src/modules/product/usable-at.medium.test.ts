import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDevices, makeProduct } from '../../../test/firmware.ts';
import { type TestApp, testApp } from '../../../test/test-app.ts';
import type { Ctx } from '../../platform/context.ts';
import { unusableTo } from './usable-at.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.stop());

test('a terminal that was just given another product is judged by that one', async () => {
  const [bank, other] = [await app.dept('Bank'), await app.dept('Other')];
  const [common, own] = [await makeProduct(app, app.root, 'COMMON'), await makeProduct(app, bank, 'OWN')];
  const [id = 0] = await makeDevices(app, bank, own, ['SN000001']);
  const ctx = { unscoped: app.context.unscoped } as Pick<Ctx, 'unscoped'> as Ctx;
  expect([...(await unusableTo(ctx, [id], other.path))]).toEqual([id]);
  await app.context.unscoped(async (db) => {
    expect([...(await unusableTo(ctx, [id], other.path, db))]).toEqual([id]);
    await sql`update device set product_id = ${common} where id = ${id}`.execute(db);
    expect([...(await unusableTo(ctx, [id], other.path, db))]).toEqual([]);
  });
});
