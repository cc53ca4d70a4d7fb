import { taskMachine } from '@mooring/contract/engines/rollout/state-machines';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { makePackage, makeProduct } from '../../../test/firmware.ts';
import { type TestApp, testApp } from '../../../test/test-app.ts';
import { move, statefulTable } from './move.ts';

const rows = statefulTable('rollout_task', taskMachine);
let app: TestApp;
let id = 0;
let packageId = 0;
let productId = 0;

beforeAll(async () => {
  app = await testApp();
  const admin = await app.person('platformAdmin', app.root);
  productId = await makeProduct(app, app.root);
  packageId = await makePackage(app, admin, app.root, productId, '1.0');
});
afterAll(() => app.stop());
beforeEach(async () => {
  const row = await app.context.unscoped((db) =>
    db
      .insertInto('rollout_task')
      .values({
        kind: 'firmware',
        name: 'x',
        package_id: packageId,
        product_id: productId,
        release_scope: '0',
        scope: '{}',
        delivery: '{}',
        dept_id: 1,
        dept_path: '1.',
        created_by: 1,
        created_by_name: 'x',
        state: 'running',
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  );
  id = row.id;
});
const changes = () =>
  app.context
    .unscoped((db) =>
      sql<{
        event: string;
        from_state: string;
        to_state: string;
      }>`select event, from_state, to_state from state_change where life = 'task' and row_id = ${id} order by id`.execute(db),
    )
    .then((found) => found.rows);

test('moves a row, and notes it in the same statement', async () => {
  expect(await app.context.unscoped((db) => move(db, rows, 'pause', [id]))).toEqual([{ id, from: 'running' }]);
  expect(await changes()).toEqual([{ event: 'pause', from_state: 'running', to_state: 'paused' }]);
});

test('of many at once exactly one wins, and one change is noted', async () => {
  const won = await Promise.all(Array.from({ length: 8 }, () => app.context.unscoped((db) => move(db, rows, 'pause', [id]))));
  expect(won.flat()).toHaveLength(1);
  expect(await changes()).toHaveLength(1);
});

test('a row in another state is left alone', async () => {
  expect(await app.context.unscoped((db) => move(db, rows, 'enable', [id]))).toEqual([]);
  expect(await changes()).toEqual([]);
});

test('an event with several targets wants one of them', async () => {
  await expect(app.context.unscoped((db) => move(db, rows, 'submit', [id]))).rejects.toThrow('submit leads to');
  await expect(app.context.unscoped((db) => move(db, rows, 'submit', [id], { to: 'running' }))).rejects.toThrow('submit leads to');
});
