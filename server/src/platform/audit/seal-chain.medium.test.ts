import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestHouse, testHouse } from '../../../test/house.ts';
import { lazyTx } from '../db/lazy-tx.ts';
import { firstBrokenLink, pruneAudit, sealAudit } from './seal-chain.ts';

let house: TestHouse;
const add = (call: string) =>
  house.house.unscoped((db) =>
    sql`insert into audit_entry (request_id, actor_name, dept_path, ip, call, result, input) values ('r', 'x', '1.', '127.0.0.1', ${call}, 'done', '{"b":1,"a":[2]}')`.execute(
      db,
    ),
  );
const broken = () => house.house.unscoped(firstBrokenLink);

beforeAll(async () => {
  house = await testHouse();
  for (let at = 0; at < 20; at += 1) await add(`/call/${at}`);
});
afterAll(() => house.stop());

test('seals what is committed, once, by one of several sealers', async () => {
  const sealed = await Promise.all([1, 2, 3].map(() => house.house.unscoped(sealAudit)));
  expect(sealed.reduce((sum, n) => sum + n, 0)).toBe(20);
  expect(await house.house.unscoped(sealAudit)).toBe(0);
  expect(await broken()).toBeUndefined();
});

test('goes on from the last link', async () => {
  await add('/call/later');
  expect(await house.house.unscoped(sealAudit)).toBe(1);
  expect(await broken()).toBeUndefined();
});

test('a row that is changed, or taken out of the middle, breaks the chain there', async () => {
  const owner = house.house.pools.owner;
  await owner.query(`update audit_entry set actor_name = 'somebody else' where seal_no = 5`);
  const fifth = await owner.query<{ id: number }>('select id from audit_entry where seal_no = 5');
  expect(await broken()).toBe(fifth.rows[0]?.id);
  await owner.query(`update audit_entry set actor_name = 'x' where seal_no = 5`);
  expect(await broken()).toBeUndefined();
  await owner.query('delete from audit_entry where seal_no = 9');
  const tenth = await owner.query<{ id: number }>('select id from audit_entry where seal_no = 10');
  expect(await broken()).toBe(tenth.rows[0]?.id);
});

test('old links go, and the chain holds from there on', async () => {
  const fresh = await testHouse();
  const note = (at: string) =>
    fresh.house.unscoped((db) =>
      sql`insert into audit_entry (at, request_id, actor_name, dept_path, ip, call, result) values (${at}::timestamptz, 'r', 'x', '1.', '127.0.0.1', '/c', 'done')`.execute(
        db,
      ),
    );
  for (const at of ['2019-01-01', '2019-02-01', '2026-01-01']) await note(at);
  await fresh.house.unscoped(sealAudit);
  expect(await fresh.house.unscoped((db) => pruneAudit(db, new Date('2020-01-01')))).toBe(2);
  expect(await fresh.house.unscoped(firstBrokenLink)).toBeUndefined();
  expect(await fresh.house.unscoped((db) => pruneAudit(db, new Date('2027-01-01')))).toBe(1);
  await note('2027-02-01');
  await fresh.house.unscoped(sealAudit);
  expect(await fresh.house.unscoped(firstBrokenLink)).toBeUndefined();
  await fresh.house.pools.owner.query(`update audit_entry set actor_name = 'y'`);
  expect(await fresh.house.unscoped(firstBrokenLink)).toBeDefined();
  await fresh.stop();
});

test('the bound role can neither change nor delete a row', async () => {
  for (const statement of [sql`update audit_entry set result = 'x'`, sql`delete from audit_entry`]) {
    const tx = lazyTx(house.house.pools.app, '1.');
    await expect(statement.execute(tx.db)).rejects.toThrow('permission denied');
    await tx.rollback();
  }
});
