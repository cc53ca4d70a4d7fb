import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDevices, makeProduct } from '../../../test/firmware.ts';
import { type TestApp, testApp } from '../../../test/test-app.ts';
import { missed, unparkMissed } from './outbox.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.stop());

test('who said hello while a message was told gets it, and of the many that wait none is read for it', async () => {
  const owner = await app.dept('Bank');
  const [here = 0, away = 0] = await makeDevices(app, owner, await makeProduct(app, app.root), ['HERE', 'AWAY']);
  const now = app.context.now();
  await app.context.unscoped(async (db) => {
    await sql`update device_presence set online = (device_id = ${here})`.execute(db);
    await sql`
      insert into gateway_outbox (key, device_id, sn, dept_path, topic, kind, data, next_at, created_at, expires_at)
      select 'k' || n, case when n % 1000 = 0 then ${here}::bigint else ${away}::bigint end, 'X', ${owner.path}, 'command', 'message', '{}', 'infinity',
        case when n > 4990 then ${now}::timestamptz - interval '1 minute' else ${now}::timestamptz - interval '1 hour' end, ${now}::timestamptz + interval '1 day'
      from generate_series(1, 5000) n`.execute(db);
  });
  await app.context.pools.owner.query('analyze gateway_outbox, device_presence');
  const plan = await app.context.inBulk((db) => sql<{ 'QUERY PLAN': string }>`explain ${missed(now)}`.execute(db));
  expect(plan.rows.map((row) => row['QUERY PLAN']).join('\n')).toMatch(/gateway_outbox_young/);
  await app.context.inBulk((db) => unparkMissed(db, now));
  const due = await app.context.unscoped((db) =>
    sql<{ key: string }>`select key from gateway_outbox where next_at < 'infinity'`.execute(db),
  );
  expect(due.rows.map((row) => row.key)).toEqual(['k5000']);
});
