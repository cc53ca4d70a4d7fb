import { randomBytes } from 'node:crypto';
import { SDK_FILE, sdkCalls } from '@mooring/contract/app/sdk';
import { fileCalls } from '@mooring/contract/file/calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeProduct } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { faultOf } from '../merchant/merchant.factory.ts';
import type { DeptAt } from '../org/api.ts';
import { uploaded } from './app.factory.ts';

/** What developers build with, by product and version. */
let app: TestApp;
let bank: DeptAt;
let branch: DeptAt;
let keeper: Client;
let colleague: Client;
let developer: Client;
let below: Client;
let belowKeeper: Client;
let outsider: Client;
let productId: number;
beforeAll(async () => {
  app = await testApp();
  bank = await app.dept('Bank');
  branch = await app.dept('Branch', bank);
  const other = await app.dept('Other');
  keeper = await app.person('platformAdmin', bank);
  colleague = await app.person('platformAdmin', bank);
  developer = await app.person('developer', bank);
  below = await app.person('developer', branch);
  belowKeeper = await app.person('platformAdmin', branch);
  outsider = await app.person('platformAdmin', other);
  productId = await makeProduct(app, app.root);
});
afterAll(() => app.stop());

const run = <T>(query: ReturnType<typeof sql<T>>) => app.context.unscoped(async (db) => (await query.execute(db)).rows);
const file = (who: Client = keeper, at: DeptAt = bank, kind: string = SDK_FILE) => uploaded(app, who, at, randomBytes(64), kind);
let made = 0;
const input = async (more: object = {}) => ({ name: 'Terminal SDK', version: `1.${++made}`, productId, fileId: await file(), ...more });
const add = async (more: object = {}) => keeper.call(sdkCalls.add, await input(more));
const seenBy = async (who: Client, criteria: object = {}) =>
  (await who.call(sdkCalls.page, { criteria, page: { size: 200 } })).content.map(({ version }) => version);
const isThere = async (id: number) => (await run(sql`select from file_file where id = ${id}`)).length === 1;
const reads = async (who: Client, id: number) => (await who.send(fileCalls.getSecurityToken, { id })).code;
const freed = async () =>
  (
    await app.context.pools.owner.query(
      `select (j.payload -> 'payload' ->> 'id')::int as id from graphile_worker._private_jobs j
       join graphile_worker._private_tasks t on t.id = j.task_id where t.identifier = 'file:free'`,
    )
  ).rows.map((row: { id: number }) => row.id);

test('a file stands with its product, version and lowest firmware, and what is missing is named', async () => {
  const fileId = await file();
  const row = await add({ version: ' 2.0 ', lowestFirmware: ' V3.1 ', note: 'Print queues', fileId });
  expect(row).toMatchObject({
    version: '2.0',
    lowestFirmware: 'V3.1',
    note: 'Print queues',
    productId,
    fileId,
    size: 64,
    publishState: '0',
  });
  expect(row.sha256).toMatch(/^[0-9a-f]{64}$/);
  expect(row.allowedActions.toSorted()).toEqual(['delete', 'publish', 'update']);
  expect(await seenBy(keeper, { text: '2.0' })).toEqual(['2.0']);
  expect(await seenBy(keeper, { productId })).toContain('2.0');
  expect(await seenBy(keeper, { productId: await makeProduct(app, app.root) })).toEqual([]);
  for (const [wrong, field] of [
    [{ name: ' ' }, 'name'],
    [{ version: '' }, 'version'],
    [{ version: 'v'.repeat(65) }, 'version'],
    [{ lowestFirmware: 'v'.repeat(65) }, 'lowestFirmware'],
    [{ note: 'n'.repeat(4001) }, 'note'],
  ] as const) {
    const { body } = await keeper.send(sdkCalls.add, await input(wrong));
    expect([body?.fault, Object.keys(body?.fields ?? {})]).toEqual(['BAD_INPUT', [field]]);
  }
});

test('until it is published only whoever manages SDKs sees it, also within the same organisation; then every developer at and below', async () => {
  const { id, version, fileId } = await add();
  for (const who of [developer, below, outsider]) {
    expect(await seenBy(who)).not.toContain(version);
    expect(await faultOf(who.send(sdkCalls.detail, { id }))).toBe('NOT_FOUND');
    expect(await reads(who, fileId)).toBe(404);
  }
  expect(await seenBy(colleague)).toContain(version);
  expect(await reads(colleague, fileId)).toBe(200);
  expect(await keeper.call(sdkCalls.publish, { id })).toMatchObject({ publishState: '1', allowedActions: ['unpublish'] });
  for (const who of [developer, below]) {
    expect(await who.call(sdkCalls.detail, { id })).toMatchObject({ version, allowedActions: [] });
    expect(await reads(who, fileId)).toBe(200);
  }
  expect(await seenBy(outsider)).not.toContain(version);
  expect(await reads(outsider, fileId)).toBe(404);
  await keeper.call(sdkCalls.unpublish, { id });
  for (const who of [developer, below]) {
    expect(await seenBy(who)).not.toContain(version);
    expect(await reads(who, fileId)).toBe(404);
  }
});

test('whoever only develops changes none, nor does an organisation below or beside', async () => {
  const { id } = await add();
  await keeper.call(sdkCalls.publish, { id });
  expect(await faultOf(developer.send(sdkCalls.add, await input({ fileId: await file(developer) })))).toBe('FORBIDDEN');
  expect(await faultOf(developer.send(sdkCalls.unpublish, { id }))).toBe('FORBIDDEN');
  for (const who of [belowKeeper, outsider]) {
    expect(await faultOf(who.send(sdkCalls.unpublish, { id }))).toBe('NOT_FOUND');
    expect(await faultOf(who.send(sdkCalls.delete, { id }))).toBe('NOT_FOUND');
  }
  // Nor does one of them bring one for a product, or with a file, that isn't theirs.
  const theirs = await makeProduct(app, bank);
  const own = { fileId: await file(outsider, bank) };
  expect(await faultOf(outsider.send(sdkCalls.add, await input({ ...own, productId: theirs })))).toBe('NOT_FOUND');
  expect(await faultOf(outsider.send(sdkCalls.add, await input()))).toBe('NOT_FOUND');
});

test('a file of another kind is refused, and so is one that isn’t there', async () => {
  expect(await faultOf(keeper.send(sdkCalls.add, await input({ fileId: await file(keeper, bank, '5') })))).toBe('FILE_KIND_REFUSED');
  expect(await faultOf(keeper.send(sdkCalls.add, await input({ fileId: 2_000_000_000 })))).toBe('NOT_FOUND');
  const { id, revision: _, ...row } = await add();
  const { name, version } = row;
  const wrong = { id, name, version, productId, fileId: await file(keeper, bank, '5') };
  expect(await faultOf(keeper.send(sdkCalls.update, wrong))).toBe('FILE_KIND_REFUSED');
  expect(await keeper.call(sdkCalls.detail, { id })).toMatchObject({ fileId: row.fileId });
});

test('a version stands once for each product; of two who add it at once one is told at its field', async () => {
  const one = await add({ version: '9.0' });
  const again = await keeper.send(sdkCalls.add, await input({ version: '9.0' }));
  expect(again.body).toMatchObject({ fault: 'SDK_TAKEN', fields: { version: expect.anything() } });
  const next = await add({ version: '9.1' });
  const renamed = { id: next.id, name: next.name, version: '9.0', productId, fileId: next.fileId };
  expect(await faultOf(keeper.send(sdkCalls.update, renamed))).toBe('SDK_TAKEN');
  // Of another product, or of an organisation below, it is another one.
  await add({ version: '9.0', productId: await makeProduct(app, app.root) });
  await belowKeeper.call(sdkCalls.add, await input({ version: '9.0', fileId: await file(belowKeeper, branch) }));
  await keeper.call(sdkCalls.delete, { id: one.id });
  await add({ version: '9.0' });
  const both = [await input({ version: '9.5' }), await input({ version: '9.5', fileId: await file(colleague) })];
  const answers = await Promise.all([keeper.send(sdkCalls.add, both[0]), colleague.send(sdkCalls.add, both[1])]);
  expect(answers.filter(({ code }) => code === 200)).toHaveLength(1);
  expect(answers.map(({ body }) => (body as { fault?: string } | null)?.fault).filter(Boolean)).toEqual(['SDK_TAKEN']);
});

test('a colleague edits what somebody else uploaded, and may bring another file', async () => {
  const { id, version, fileId } = await add();
  const renamed = { id, name: 'Corrected SDK', version, productId };
  expect(await colleague.call(sdkCalls.update, { ...renamed, fileId })).toMatchObject({ name: 'Corrected SDK', fileId });
  const other = await file(colleague);
  expect(await colleague.call(sdkCalls.update, { ...renamed, fileId: other })).toMatchObject({ fileId: other });
});

test('a published one is neither changed nor deleted before it is withdrawn', async () => {
  const { id, name, version, fileId } = await add();
  await keeper.call(sdkCalls.publish, { id });
  expect(await faultOf(keeper.send(sdkCalls.publish, { id }))).toBe('OVERTAKEN');
  expect(await faultOf(keeper.send(sdkCalls.update, { id, name, version, productId, fileId }))).toBe('SDK_PUBLISHED');
  expect(await faultOf(keeper.send(sdkCalls.delete, { id }))).toBe('SDK_PUBLISHED');
  await keeper.call(sdkCalls.unpublish, { id });
  await keeper.call(sdkCalls.delete, { id });
  expect(await faultOf(keeper.send(sdkCalls.detail, { id }))).toBe('NOT_FOUND');
  expect(await isThere(fileId)).toBe(false);
});

test('a file that two versions have stays while one of them does', async () => {
  const fileId = await file();
  const [one, two] = [await add({ fileId }), await add({ fileId })];
  await keeper.call(sdkCalls.delete, { id: one.id });
  expect(await isThere(fileId)).toBe(true);
  await keeper.call(sdkCalls.delete, { id: two.id });
  expect(await isThere(fileId)).toBe(false);
});

test('a file that is replaced goes once nobody fetches it any more, and the new one is what is said', async () => {
  const { id, name, version, fileId } = await add();
  const newer = await file();
  const changed = await keeper.call(sdkCalls.update, { id, name, version, productId, fileId: newer });
  expect(changed).toMatchObject({ fileId: newer, size: 64 });
  expect(await freed()).toContain(fileId);
  await keeper.call(sdkCalls.update, { id, name: 'Renamed SDK', version, productId, fileId: newer });
  expect(await freed()).not.toContain(newer);
  // It was brought long ago by then.
  await run(sql`update file_file set created_at = now() - interval '7 days' where id in (${fileId}, ${newer})`);
  await app.context.pools.owner.query('update graphile_worker._private_jobs set run_at = now()');
  await app.runJob('file:free');
  expect([await isThere(fileId), await isThere(newer)]).toEqual([false, true]);
});

test('of two who act on one at once each gets an answer that is true, and none of them a failure', async () => {
  for (let round = 0; round < 3; round += 1) {
    const { id, name, version, fileId, revision } = await add();
    const change = (words: string) => ({ id, revision, name: words, version, productId, fileId });
    const saved = await Promise.all([
      keeper.send(sdkCalls.update, change(`${name} A`)),
      colleague.send(sdkCalls.update, change(`${name} B`)),
    ]);
    expect(saved.map(({ code }) => code).toSorted()).toEqual([200, 409]);
    const published = await Promise.all([keeper.send(sdkCalls.publish, { id }), colleague.send(sdkCalls.publish, { id })]);
    expect(published.map(({ code }) => code).toSorted()).toEqual([200, 409]);
    await keeper.call(sdkCalls.unpublish, { id });
    const [gone, shown] = await Promise.all([keeper.send(sdkCalls.delete, { id }), colleague.send(sdkCalls.publish, { id })]);
    // Either it was gone, or it is published and stays.
    const left = (await run(sql<{ publish_state: string }>`select publish_state from app_sdk where id = ${id}`))[0]?.publish_state;
    expect([gone.code === 200, shown.code === 200, left]).toEqual(gone.code === 200 ? [true, false, undefined] : [false, true, '1']);
  }
});
