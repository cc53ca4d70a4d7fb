import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AlertBench, alertBench } from './alert.factory.ts';
import { lookAtTerminals } from './watch-terminals.ts';

let bench: AlertBench;
beforeAll(async () => {
  bench = await alertBench();
});
afterAll(() => bench.app.stop());

test('thousands of terminals meet the rules above them alone, not each rule of a thousand organisations', async () => {
  const { app, productId } = bench;
  await app.context.unscoped(async (db) => {
    await sql`insert into org_dept (name, kind, parent_id, dept_path, state)
      select 'Scale ' || n, 'organisation', 1, '1.' || (100000 + n) || '.', 'enabled' from generate_series(1, 1000) n`.execute(db);
    await sql`with d as (
        insert into device (sn, name, status, product_id, dept_id, dept_path, firmware, activated_at)
        select 'SCALE' || n, 'Scale', case when n % 5 = 0 then '2' else '3' end, ${productId}, o.id, o.dept_path, '1.0', now() - interval '30 days'
        from generate_series(1, 4000) n
        join (select id, dept_path, row_number() over (order by id) as k from org_dept where name like 'Scale %') o on o.k = 1 + n % 1000 returning id
      ) insert into device_presence (device_id, online, seen_at, battery, temperature) select id, true, now() - interval '2 hours', 50, 30 from d`.execute(
      db,
    );
    await sql`insert into alert_rule (name, kind, params, dept_id, dept_path, for_minutes, clear_minutes)
      select 'R' || k, (array['battery', 'silent', 'temperature'])[k], case k when 2 then '{"minutes": 60}'::jsonb when 3 then '{"above": 60}'::jsonb else '{}'::jsonb end,
        o.id, o.dept_path, 0, 5 from org_dept o, generate_series(1, 3) k where o.name like 'Scale %'`.execute(db);
  });
  const begun = performance.now();
  expect(await app.context.inBulk((db) => lookAtTerminals(db, app.clock.now))).toMatchObject({ isEnd: true, changed: { length: 800 } });
  // It took over a minute when a plan was free to meet every rule with every terminal.
  expect(performance.now() - begun).toBeLessThan(10_000);
  const { rows } = await app.context.unscoped((db) => sql<{ n: number }>`select count(*)::int as n from alert_alarm`.execute(db));
  expect(rows[0]?.n).toBe(800);
});
