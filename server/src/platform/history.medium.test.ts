import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../test/test-app.ts';
import { lazyTx } from './db/lazy-tx.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.stop());

const partitions = async () =>
  (
    await app.context.pools.owner.query<{ name: string }>(
      "select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'state_change'::regclass order by 1",
    )
  ).rows.map((row) => row.name);
const month = (ahead: number) => {
  const now = new Date();
  const at = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead, 1));
  return `state_change_${at.toISOString().slice(0, 7).replace('-', '')}`;
};

test('this month and the two after it have their partitions from the first start on', async () => {
  expect(await partitions()).toEqual([month(0), month(1), month(2), 'state_change_default']);
});

test('a partition past its time is dropped as a whole, and twice is harmless', async () => {
  await app.context.pools.owner.query(
    "create table state_change_200001 partition of state_change for values from ('2000-01-01') to ('2000-02-01')",
  );
  for (const _ of [1, 2]) await app.context.unscoped((db) => sql`select keep_partitions('state_change', 24)`.execute(db));
  expect(await partitions()).toEqual([month(0), month(1), month(2), 'state_change_default']);
});

test('a partition is bound by the policy under its own name too', async () => {
  await app.context.pools.owner.query(
    "insert into state_change (life, row_id, event, to_state, dept_path) values ('x', 1, 'x', 'x', '1.9.')",
  );
  const tx = lazyTx(app.context.pools.app, '1.2.');
  const seen = await sql<{
    n: number;
  }>`select (select count(*) from ${sql.table(month(0))}) + (select count(*) from state_change_default) as n`.execute(tx.db);
  expect(seen.rows[0]?.n).toBe(0);
  await tx.rollback();
});

test('nothing else can be kept or dropped this way', async () => {
  await expect(app.context.unscoped((db) => sql`select keep_partitions('device', 0)`.execute(db))).rejects.toThrow(
    'no partitioned history',
  );
  const tx = lazyTx(app.context.pools.app, '1.');
  await expect(sql`select keep_partitions('state_change', 0)`.execute(tx.db)).rejects.toThrow('permission denied');
  await tx.rollback();
});
