import { createPublicKey, hash, verify } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { emptyDatabase } from '../../../test/database.ts';
import { type TestApp, testApp } from '../../../test/test-app.ts';
import { backUp } from '../backup/back-up.ts';
import { restore } from '../backup/restore.ts';
import { withApp } from '../command-app.ts';
import { rotateMasterKey } from '../config/rotate-master-key.ts';
import { lazyTx } from '../db/lazy-tx.ts';
import { checkChain } from './check-chain.ts';
import { exportHeads, readHeads } from './heads.ts';
import { adoptAudit, link, linksAfter, pruneAudit, type Sealed, sealAudit, signHead } from './seal-chain.ts';
import { sealKeys } from './seal-keys.ts';
import { beginTip, readTip, TIP_FILE } from './seal-tip.ts';

const DAY = 86_400_000;
let fresh: TestApp;
const keys = () => sealKeys(fresh.context.masterKey);
const owner = (text: string, values: unknown[] = []) => fresh.context.pools.owner.query(text, values);
const add = (call: string, at = fresh.clock.now.toISOString()) =>
  fresh.context.unscoped((db) =>
    sql`insert into audit_entry (at, request_id, actor_name, dept_path, ip, call, result, input) values (${at}::timestamptz, 'r', 'x', '1.', '127.0.0.1', ${call}, 'done', '{"b":1,"a":[2]}')`.execute(
      db,
    ),
  );
const seal = () => sealAudit(fresh.context);
const check = () => fresh.context.unscoped((db) => checkChain(db, { keys: keys(), tip: readTip(fresh.dataDir) }));
const bad = async () => (await check()).bad.map(({ kind, from, to }) => `${kind} ${from}-${to}`);
const rowsAfter = (sealNo: number) =>
  fresh.context.unscoped(async (db) => {
    const rows: Sealed[] = [];
    for await (const row of linksAfter(db, sealNo)) rows.push(row);
    return rows;
  });
/** What its owner can do without the key: every hash from there on is computed anew. */
const chainAnew = async () => {
  let prev: Buffer = Buffer.alloc(32);
  for (const row of await rowsAfter(0)) {
    prev = link(prev, row.line);
    await owner('update audit_entry set hash = $1 where id = $2', [prev, row.id]);
  }
};
const nextDay = async () => {
  fresh.clock.now = new Date(fresh.clock.now.getTime() + DAY);
  await signHead(fresh.context);
};

beforeAll(async () => {
  fresh = await testApp();
});
beforeEach(async () => {
  await owner('truncate audit_entry, audit_head restart identity');
  await owner(`delete from settings_value where type = 'auditAnchor'`);
  rmSync(join(fresh.dataDir, TIP_FILE), { force: true });
  fresh.clock.now = new Date();
  await seal();
  for (let at = 0; at < 10; at += 1) await add(`/call/${at}`);
  await seal();
  await nextDay();
  for (let at = 10; at < 20; at += 1) await add(`/call/${at}`);
});
afterAll(() => fresh.stop());

test('seals what is committed, once, by one of several sealers, and goes on from the last link', async () => {
  const sealed = await Promise.all([1, 2, 3].map(seal));
  expect(sealed.reduce((sum, n) => sum + n, 0)).toBe(10);
  expect(await seal()).toBe(0);
  await add('/call/later');
  expect(await seal()).toBe(1);
  expect(await check()).toMatchObject({ rows: 21, bad: [], heads: 2 });
});

test('a row that is changed, or taken out of the middle, is named, and nothing beside it', async () => {
  await seal();
  await owner(`update audit_entry set actor_name = 'somebody else' where seal_no = 5`);
  await owner('delete from audit_entry where seal_no between 8 and 9');
  expect(await bad()).toEqual(['changed 5-5', 'missing 8-9']);
  const { trustedTo, to } = await check();
  expect([trustedTo !== null, to !== null]).toEqual([true, true]);
});

test('whoever owns the database and computes the chain anew is found out', async () => {
  await seal();
  await owner(`update audit_entry set actor_name = 'somebody else' where seal_no = 15`);
  await chainAnew();
  expect(await bad()).toEqual(['changed 15-20']);
});

test('… also where the seals are taken away, so that the rows look like those of a version before', async () => {
  await seal();
  await owner(`update audit_entry set actor_name = 'somebody else' where seal_no = 15`);
  await chainAnew();
  await owner('update audit_entry set seal = null where seal_no >= 15');
  await seal();
  expect(await bad()).toEqual(['unsealed 15-20']);
});

test('… also where rows look as if they had never been sealed', async () => {
  await seal();
  await owner(`update audit_entry set actor_name = 'x2', seal = null, seal_no = null, hash = null where seal_no >= 15`);
  await seal();
  expect(await bad()).toEqual(['missing 15-20']);
});

test('rows taken away at the end are missed, also when new ones came', async () => {
  await seal();
  await owner('delete from audit_entry where seal_no >= 18');
  expect(await bad()).toEqual(['missing 18-20']);
  await add('/call/new');
  await seal();
  expect(await bad()).toEqual(['missing 18-20']);
});

test('another process, which saw nothing of it, takes the signed days for the truth', async () => {
  await seal();
  rmSync(join(fresh.dataDir, TIP_FILE));
  await owner(`update audit_entry set actor_name = 'somebody else' where seal_no = 4`);
  await chainAnew();
  await owner('update audit_entry set seal = null');
  await seal();
  const found = await bad();
  expect(found).toContain('unsealed 1-10');
  expect(found.some((one) => one.startsWith('head'))).toBe(true);
});

test('signatures that are swapped, taken away or all gone are found', async () => {
  await nextDay();
  await owner('update audit_head set number = number + 100');
  await owner('update audit_head set number = case number when 102 then 3 when 103 then 2 else 1 end');
  expect((await bad()).length).toBeGreaterThan(0);
  await owner('delete from audit_head');
  expect(await bad()).toContain('heads 1-3');
  // The beginning isn't made anew by who knows that there was one.
  await seal();
  expect(await bad()).toContain('heads 1-3');
});

test('an outsider checks an exported day with the public key alone; a day that was exported is missed when it is gone', async () => {
  await nextDay();
  const document = exportHeads(keys(), await fresh.context.unscoped(readHeads));
  expect(document.heads.length).toBe(3);
  let before = '';
  for (const { signed, signature } of document.heads) {
    expect(verify(null, Buffer.from(signed), createPublicKey(document.publicKey), Buffer.from(signature, 'base64'))).toBe(true);
    expect((JSON.parse(signed) as { previous: string }).previous).toBe(before);
    before = hash('sha256', signed, 'hex');
  }
  expect(JSON.parse(document.heads.at(-1)?.signed ?? '')).toMatchObject({ head: 3, sealNo: 20, count: 10 });
  const exported = document.heads.map((one) => ({ ...one, signature: Buffer.from(one.signature, 'base64') }));
  const held = () => fresh.context.unscoped((db) => checkChain(db, { keys: keys(), exported }));
  expect((await held()).bad).toEqual([]);
  await owner('delete from audit_head where number = 3');
  await owner('delete from audit_entry where seal_no > 10');
  expect((await held()).bad.map(({ kind }) => kind)).toEqual(['heads', 'missing']);
});

test('a day is signed once', async () => {
  expect(await signHead(fresh.context)).toBe(false);
  await nextDay();
  expect((await check()).heads).toBe(3);
});

/** As a version before left it. */
const withoutHeads = async () => {
  await seal();
  await owner('update audit_entry set seal = null');
  await owner('delete from audit_head');
  rmSync(join(fresh.dataDir, TIP_FILE));
};

test('rows of a version before hold by the old rule and are covered by the first signature', async () => {
  await withoutHeads();
  await add('/call/first-of-this-version');
  await seal();
  expect(await check()).toMatchObject({ rows: 21, bad: [], heads: 1 });
  await owner(`update audit_entry set actor_name = 'somebody else' where seal_no = 3`);
  expect(await bad()).toEqual(['changed 3-3']);
  await chainAnew();
  expect(await bad()).toEqual(['head 1-20', 'changed 21-21']);
});

test('beside a fresh folder of data a log without signatures is unproved until whoever runs the server adopts it; what follows is sealed', async () => {
  const told: string[] = [];
  await withoutHeads();
  beginTip(fresh.dataDir);
  await owner(`update audit_entry set actor_name = 'somebody else' where seal_no = 4`);
  await chainAnew();
  await add('/call/after');
  await sealAudit(fresh.context, (what) => told.push(what));
  expect(told).toEqual([expect.stringContaining('up to seal number 20')]);
  expect(await bad()).toEqual(['unproved 1-20']);
  await seal();
  await nextDay();
  expect(await bad()).toEqual(['unproved 1-20']);
  expect(await adoptAudit(fresh.context)).toBe(20);
  await seal();
  expect(await bad()).toEqual([]);
  const last = (await rowsAfter(21)).at(-1);
  expect(last?.line).toContain('npm run audit-log');
  expect(await adoptAudit(fresh.context)).toBe(0);
  await owner(`update audit_entry set actor_name = 'somebody else' where seal_no = 3`);
  await chainAnew();
  expect((await bad())[0]).toBe('head 1-20');
});

test('… also where they look as if they had never been sealed, and where the beginning went by its age', async () => {
  await seal();
  await owner('delete from audit_head');
  await owner(`update audit_entry set seal = null, seal_no = null, hash = null, at = now() - interval '2 hours' where seal_no <= 15`);
  await owner('delete from audit_entry where seal_no > 15');
  beginTip(fresh.dataDir);
  await seal();
  expect(await bad()).toEqual(['unproved 1-15']);
  await owner('delete from audit_head');
  beginTip(fresh.dataDir);
  await owner('delete from audit_entry where seal_no <= 5');
  await owner(
    `insert into settings_value (type, value) select 'auditAnchor', jsonb_build_object('hash', '${'0'.repeat(64)}', 'sealNo', 5) on conflict (type) do update set value = excluded.value`,
  );
  await seal();
  expect((await bad())[0]).toBe('unproved 1-15');
});

test('what a version before links while this one runs is sealed after it', async () => {
  await seal();
  await add('/call/by-the-older');
  const [last] = await rowsAfter(19);
  await owner('update audit_entry set seal_no = 21, hash = $1 where seal_no is null', [last?.hash]);
  const [row] = await rowsAfter(20);
  await owner('update audit_entry set hash = $1 where seal_no = 21', [link(last?.hash ?? Buffer.alloc(0), row?.line ?? '')]);
  await add('/call/by-this');
  expect(await seal()).toBe(2);
  expect(await check()).toMatchObject({ rows: 22, bad: [] });
});

test('old links go, the chain holds from there on, and nobody else moves its beginning', async () => {
  await seal();
  const month = new Date(fresh.clock.now.getTime() - DAY / 2);
  expect(await fresh.context.unscoped((db) => pruneAudit(db, keys(), month))).toBe(10);
  expect(await check()).toMatchObject({ rows: 10, bad: [] });
  expect(await fresh.context.unscoped((db) => pruneAudit(db, keys(), new Date(fresh.clock.now.getTime() + DAY)))).toBe(10);
  await nextDay();
  await add('/call/after');
  await seal();
  expect(await check()).toMatchObject({ rows: 1, bad: [], heads: 3 });
  await add('/call/after');
  await seal();
  const link21 = await owner(`select encode(hash, 'hex') as hash from audit_entry where seal_no = 21`);
  await owner('delete from audit_entry where seal_no = 21');
  await owner(
    `update settings_value set value = jsonb_build_object('hash', $1::text, 'sealNo', 21) || jsonb_build_object('seal', value->'seal') where type = 'auditAnchor'`,
    [(link21.rows[0] as { hash: string }).hash],
  );
  expect(await bad()).toEqual(['begin 1-21']);
});

test('the bound role can neither change nor delete a row, nor see a signature', async () => {
  for (const statement of [sql`update audit_entry set result = 'x'`, sql`delete from audit_entry`, sql`select from audit_head`]) {
    const tx = lazyTx(fresh.context.pools.app, '1.');
    await expect(statement.execute(tx.db)).rejects.toThrow('permission denied');
    await tx.rollback();
  }
});

// The last: what the app seals with is another key from here on.
test('a new master key changes nothing, and a restored backup is intact: the same key seals on', async () => {
  await seal();
  await rotateMasterKey(fresh.context, undefined);
  await add('/call/after-the-rotation');
  await seal();
  expect((await check()).bad).toEqual([]);
  const before = keys().keyId;
  const into = await emptyDatabase();
  const dataDir = mkdtempSync(join(tmpdir(), 'mooring-restored-'));
  const file = join(fresh.dataDir, 'a.backup');
  await backUp({ url: fresh.url, dataDir: fresh.dataDir, file, now: fresh.clock.now });
  await restore({ url: into.url, dataDir, file });
  expect(readTip(dataDir)).toBeUndefined();
  await withApp({ url: into.url, dataDir }, async (app) => {
    expect(sealKeys(app.masterKey).keyId).toBe(before);
    await sealAudit(app);
    const tip = readTip(dataDir);
    expect(tip).toBeDefined();
    expect(await app.unscoped((db) => checkChain(db, { keys: sealKeys(app.masterKey), tip }))).toMatchObject({ rows: 21, bad: [] });
  });
  await into.drop();
});
