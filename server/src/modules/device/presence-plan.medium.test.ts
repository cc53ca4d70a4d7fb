import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDevices, makeProduct } from '../../../test/firmware.ts';
import { type TestApp, testApp } from '../../../test/test-app.ts';
import { inTx } from '../../platform/db/lazy-tx.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.stop());

test('the presence of a page is looked up row by row, and never beside a list of all devices in scope', async () => {
  const owner = await app.dept('Bank');
  const sns = Array.from({ length: 300 }, (_, n) => `PLAN-${n}`);
  const ids = await makeDevices(app, owner, await makeProduct(app, app.root), sns);
  await app.context.unscoped((db) => sql`analyze device, device_presence`.execute(db)).catch(() => {});
  const [few] = [ids.slice(0, 10)];
  const plan = await inTx(app.context.pools.app, owner.path, (db) =>
    sql<{ 'QUERY PLAN': string }>`explain select * from device_presence where device_id = any(${few}::bigint[])`.execute(db),
  );
  expect(plan.rows.map((row) => row['QUERY PLAN']).join('\n')).not.toMatch(/hashed SubPlan/);
  const seen = (scope: string) =>
    inTx(app.context.pools.app, scope, (db) =>
      sql`select device_id from device_presence where device_id = any(${few}::bigint[])`.execute(db),
    );
  expect([(await seen(owner.path)).rows.length, (await seen('1.2.999.')).rows.length]).toEqual([10, 0]);
});
