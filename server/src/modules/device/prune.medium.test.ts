import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeCredential, makeDevices, makeProduct } from '../../../test/firmware.ts';
import { type TestApp, testApp } from '../../../test/test-app.ts';
import { revokedCertificates } from '../../platform/gateway/revoked.ts';

const DAY = 86_400_000;
let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.stop());
const ago = (days: number) => new Date(app.clock.now.getTime() - days * DAY);

test('what ended long ago goes, what counts or was refused stays, and a second run finds nothing', async () => {
  const { unscoped } = app.context;
  const [deviceId = 0] = await makeDevices(app, app.root, await makeProduct(app, app.root), ['PRUNE-01']);
  for (const expiresAt of [ago(91), ago(89), undefined]) await makeCredential(app, deviceId, expiresAt);
  await unscoped(async (db) => {
    const code = { hint: 'x', dept_id: 1, dept_path: '1.', max_uses: 1 };
    for (const [name, days] of Object.entries({ old: 91, late: 89, open: -1 }))
      await db
        .insertInto('device_enrol_code')
        .values({ ...code, code_hash: name, expires_at: ago(days) })
        .execute();
    const asking = { key_hash: 'k', product_code: 'p', ip: '127.0.0.1', dept_path: '1.' };
    for (const [sn, days, state] of [
      ['GONE', 91, 'asking'],
      ['HERE', 89, 'asking'],
      ['NEVER', 400, 'refused'],
    ] as const)
      await db
        .insertInto('device_pending')
        .values({ ...asking, sn, state, last_at: ago(days) })
        .execute();
    for (const [nonce, days] of Object.entries({ used: 0.01, fresh: -0.01 }))
      await db
        .insertInto('device_nonce')
        .values({ nonce, expires_at: ago(days) })
        .execute();
    for (const [sn, days] of Object.entries({ old: 31, late: 29 }))
      await db
        .insertInto('gateway_refused')
        .values({ sn, at: ago(days), kind: 'guard', reason: 'x', bytes: 0, payload: '' })
        .execute();
    for (const [key, days] of Object.entries({ repeated: 6, past: 8 }))
      await db
        .insertInto('gateway_recent')
        .values({ device_id: 1, key, at: ago(days) })
        .execute();
  });
  const left = async () => {
    const names = async (what: string, table: string) =>
      (
        await unscoped((db) => sql<{ name: string }>`select ${sql.ref(what)}::text as name from ${sql.table(table)} order by 1`.execute(db))
      ).rows.map((row) => row.name);
    return {
      credentials: (await names('serial', 'device_credential')).length,
      codes: await names('code_hash', 'device_enrol_code'),
      pending: await names('sn', 'device_pending'),
      nonces: await names('nonce', 'device_nonce'),
      refused: await names('sn', 'gateway_refused'),
      recent: await names('key', 'gateway_recent'),
    };
  };
  for (let run = 0; run < 2; run += 1) {
    for (const name of ['device.prune', 'retention:prune']) await unscoped((db) => app.context.enqueue(db, name, {}));
    await app.runJobs();
    expect(await left()).toEqual({
      credentials: 2,
      codes: ['late', 'open'],
      pending: ['HERE', 'NEVER'],
      nonces: ['fresh'],
      refused: ['late'],
      recent: ['repeated'],
    });
  }
});

test('a forgotten device’s certificate stays on the broker’s list until it ends', async () => {
  const { unscoped } = app.context;
  const [deviceId = 0] = await makeDevices(app, app.root, await makeProduct(app, app.root), ['PRUNE-02']);
  await makeCredential(app, deviceId, new Date(app.clock.now.getTime() + 40 * DAY));
  await unscoped((db) =>
    db
      .updateTable('device')
      .set({ deleted_at: ago(31) })
      .where('id', '=', deviceId)
      .execute(),
  );
  const listed = async () => (await revokedCertificates(app.context)).filter((one) => one.sn === 'PRUNE-02').length;
  expect(await listed()).toBe(1);
  const night = async () => {
    for (const name of ['device.forget', 'device.prune']) await unscoped((db) => app.context.enqueue(db, name, {}));
    await app.runJobs();
  };
  await night();
  expect(await unscoped((db) => db.selectFrom('device').select('id').where('sn', '=', 'PRUNE-02').execute())).toEqual([]);
  expect(await listed()).toBe(1);
  app.clock.now = new Date(app.clock.now.getTime() + 41 * DAY);
  await night();
  expect(await listed()).toBe(0);
  expect(await unscoped((db) => db.selectFrom('device_gone').select('sn').execute())).toEqual([]);
});

test('a terminal that was deleted long ago takes with it what was never told to it, and nothing of the others', async () => {
  const { unscoped } = app.context;
  const ids = await makeDevices(app, app.root, await makeProduct(app, app.root), ['TOLD-OLD', 'TOLD-LATE', 'TOLD-HERE']);
  await unscoped(async (db) => {
    const data = { command: 'message', params: { title: 'Hello', text: 'Hello', seconds: 5 } };
    await app.context.sendMessages(
      db,
      ids.map((deviceId) => ({ deviceId, kind: 'command' as const, data, expiresAt: ago(-1) })),
    );
    for (const [at, days] of [31, 29].entries()) await sql`update device set deleted_at = ${ago(days)} where id = ${ids[at]}`.execute(db);
    await app.context.enqueue(db, 'device.forget', {});
  });
  await app.runJobs();
  const told = await unscoped((db) => sql<{ sn: string }>`select sn from gateway_outbox order by sn`.execute(db));
  expect(told.rows.map((row) => row.sn)).toEqual(['TOLD-HERE', 'TOLD-LATE']);
});
