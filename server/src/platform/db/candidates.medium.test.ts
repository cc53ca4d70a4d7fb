import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../test/test-app.ts';
import type { Ctx, Db } from '../context.ts';
import { candidates, countCandidates, nextCandidates } from './candidates.ts';
import { inBulk } from './lazy-tx.ts';
import { openPools, type Pools } from './pools.ts';

let app: TestApp;
/** Everybody on one connection. */
let pools: Pools;
let ctx: Ctx;
const bulk = <T>(work: (db: Db) => Promise<T>) => inBulk(pools.system, work);

beforeAll(async () => {
  app = await testApp();
  pools = openPools(app.url, { max: 1 });
  ctx = { ...app.context, inBulk: bulk, scope: { platform: 'centre', path: '1.2.9' } } as unknown as Ctx;
  await app.context.unscoped((db) =>
    sql`insert into org_dept (parent_id, dept_path, kind, name) select 2, '1.2.9' || n || '.', 'organisation', 'Quay ' || n from generate_series(1, 20) n`.execute(
      db,
    ),
  );
});
afterAll(async () => {
  await pools.end();
  await app.stop();
});

const named = (name: string): RawBuilder<boolean> => sql<boolean>`d.name like ${name}`;

test('what meets a condition is found inside of the scope, in order, and counted', async () => {
  const all = await nextCandidates(ctx, 'org_dept', named('Quay %'), 0, 100);
  expect(all).toHaveLength(20);
  expect(all).toEqual([...all].sort((a, b) => a - b));
  expect(await nextCandidates(ctx, 'org_dept', named('Quay %'), all[4] ?? 0, 3)).toEqual(all.slice(5, 8));
  expect(await countCandidates(ctx, 'org_dept', named('Quay 1%'), 100)).toBe(11);
  expect(await countCandidates(ctx, 'org_dept', named('Quay 1%'), 4)).toBe(4);
  expect(await countCandidates({ ...ctx, scope: { ...ctx.scope, path: '1.2.920.' } }, 'org_dept', named('Quay %'), 100)).toBe(1);
});

test('each is planned for what it asks, however often', async () => {
  for (let times = 0; times < 12; times += 1) {
    await candidates(ctx, 'org_dept', named(`Quay ${times}`));
    await nextCandidates(ctx, 'org_dept', named(`Quay ${times}`), 0, 10);
    await countCandidates(ctx, 'org_dept', named(`Quay ${times}`), 10);
  }
  const plans = await bulk((db) =>
    sql<{ kept: number; anew: number }>`
      select sum(generic_plans)::int as kept, sum(custom_plans)::int as anew from pg_prepared_statements where statement like '%d.name like%' and statement not like '%generic_plans%'`.execute(
      db,
    ),
  );
  expect(plans.rows).toEqual([{ kept: 0, anew: expect.any(Number) }]);
  expect(plans.rows[0]?.anew).toBeGreaterThanOrEqual(36);
});
