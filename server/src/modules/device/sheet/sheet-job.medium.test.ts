import { deviceCalls } from '@mooring/contract/device/calls';
import { deviceGroupCalls } from '@mooring/contract/device/group-calls';
import { deviceChangeCalls, deviceImportCalls } from '@mooring/contract/device/sheet/sheet-calls';
import { backgroundJobCalls } from '@mooring/contract/file/background-job-calls';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { makeProduct } from '../../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../../test/test-app.ts';
import { makeCtx } from '../../../platform/app-context.ts';
import { inTx } from '../../../platform/db/lazy-tx.ts';
import { readXlsx } from '../../../platform/work/read-xlsx.ts';
import type { DeptAt } from '../../org/api.ts';
import { ended, uploaded } from './sheet.factory.ts';
import { writeChanges } from './write-changes.ts';
import { type NewRow, writeNew } from './write-new.ts';

let app: TestApp;
let bank: DeptAt;
let client: Client;
let productId: number;
beforeAll(async () => {
  app = await testApp();
  bank = await app.dept('Job bank');
  client = await app.person('orgManager', bank);
  productId = await makeProduct(app, app.root, 'JP1');
});
afterEach(() => sound());
afterAll(() => app.stop());

const csv = (...lines: string[]) => uploaded(app, client, bank, `${lines.join('\n')}\n`);
const begin = async (file: number, mode: 'all' | 'good') => (await client.call(deviceImportCalls.import, { file, productId, mode })).work;
const asOwner = (text: string) => app.context.pools.owner.query(text);
/** From now on the database refuses a terminal of this SN, with this code. */
const breaking = (sn: string, code: string) =>
  asOwner(`create or replace function break_it() returns trigger language plpgsql as $$ begin raise exception 'no' using errcode = '${code}'; end $$;
    create trigger break_it before insert on device for each row when (new.sn = '${sn}') execute function break_it()`);
const sound = () => asOwner('drop trigger if exists break_it on device');
const sns = (count: number, of: string) => Array.from({ length: count }, (_, at) => `${of}-${String(at).padStart(5, '0')}`);
const countOf = async (sn: string) => (await client.call(deviceCalls.page, { criteria: { sn }, page: {} })).total;
const again = async (work: number) => {
  await asOwner('update graphile_worker._private_jobs set run_at = now()');
  return ended(app, client, work);
};
const as = <T>(work: (ctx: ReturnType<typeof makeCtx>) => Promise<T>) => {
  const actor = {
    userId: client.userId,
    userName: 'x',
    deptId: bank.id,
    deptPath: bank.path,
    permissions: new Set<string>(),
    sessionId: undefined,
  };
  const scope = { platform: 'centre' as const, deptId: bank.id, path: bank.path };
  return inTx(app.context.pools.app, bank.path, (db) =>
    work(makeCtx(app.context, { actor, scope, lang: 'en', timeZone: 'UTC', requestId: '', ip: '' }, db)),
  );
};

test('good rows come in piece by piece, and a job that begins anew takes none of its own for somebody else’s', async () => {
  const list = sns(1200, 'PIECE');
  await breaking('PIECE-01150', 'P0001');
  const work = await begin(await csv('SN', ...list, 'PIECE-00003'), 'good');
  expect((await ended(app, client, work)).state).toBe('running');
  expect(await countOf('PIECE-')).toBe(1000);
  await sound();
  expect(await again(work)).toMatchObject({ state: 'done', done: 1201, failed: 1, failures: [{ fault: 'SHEET_TWICE' }] });
  expect(await countOf('PIECE-')).toBe(1200);
});

test('nothing of a file that is to come in as a whole does, where an end comes in the middle', async () => {
  await breaking('WHOLE-01150', 'P0001');
  const work = await begin(await csv('SN', ...sns(1200, 'WHOLE')), 'all');
  expect((await ended(app, client, work)).state).toBe('running');
  expect(await countOf('WHOLE-')).toBe(0);
  await sound();
  expect(await again(work)).toMatchObject({ state: 'done', done: 1200, failed: 0 });
});

test.each([
  ['what no column takes', '22003', 'SHEET_CELL', 'all'],
  ['others who write the same again and again', '40P01', 'OVERTAKEN', 'all'],
  ['the same, piece by piece', '40001', 'OVERTAKEN', 'good'],
] as const)('%s ends it in words', async (_, code, reason, mode) => {
  await breaking(`BRK-${code}`, code);
  const work = await begin(await csv('SN', `BRK-${code}`, `BRK-${mode}`), mode);
  expect(await ended(app, client, work)).toMatchObject({ state: 'failed', reason, done: 0 });
});

test('all that is wrong is counted, however much it is', async () => {
  const work = await begin(await csv('SN,MAC', ...sns(2300, 'CNT').map((sn) => `${sn},zz`)), 'all');
  expect(await ended(app, client, work)).toMatchObject({ state: 'failed', reason: 'SHEET_REFUSED', failed: 2300, done: 0 });
});

test('a cell that can’t be kept is named, and the others come in', async () => {
  const file = await csv(
    'SN,Remark,Tags',
    'ODD-0001,a\0b,',
    'ODD-0002,a\u0007b,',
    `ODD-0003,${'x'.repeat(5000)},`,
    'ODD-\0,,',
    'ODD-0005,fine,',
  );
  const { wrong } = await client.call(deviceImportCalls.check, { file, productId });
  expect(wrong.map(({ row, column, fault }) => `${row} ${column} ${fault}`)).toEqual([
    '2 device.remark SHEET_TEXT',
    '3 device.remark SHEET_TEXT',
    '4 device.remark SHEET_LONG',
    '5 device.sn SHEET_TEXT',
  ]);
  expect(await ended(app, client, await begin(file, 'good'))).toMatchObject({ state: 'done', done: 5, failed: 4 });
});

test('the report hands back nothing that would be taken for right the next time', async () => {
  const file = await csv('SN,IMEI,Remark', 'REP-0001,8.61235E+14,mine', '1.23457E+19,,');
  const answer = await app.http.inject({
    method: 'POST',
    url: '/ops/device/batchImport/report',
    headers: {
      authorization: client.token,
      'accept-platform': 'centre',
      'accept-deptid': '0',
      'accept-language': 'en',
      'content-type': 'application/json',
    },
    payload: JSON.stringify({ file, productId }),
  });
  const rows: string[][] = [];
  for await (const row of readXlsx(answer.rawPayload)) rows.push(row);
  expect(rows[1]).toEqual(['REP-0001', '', 'mine', expect.stringContaining('(8.61235E+14)')]);
  expect(rows[2]?.[0]).toBe('');
  expect(rows[2]?.[3]).toContain('(1.23457E+19)');
});

const row = (sn: string, more: Partial<NewRow> = {}): NewRow => ({
  sn,
  product: productId,
  dept: bank.id,
  path: bank.path,
  merchantId: null,
  shopId: null,
  groups: [],
  ...more,
});
test('what happens between look and write is told as what it is', async () => {
  const draft = await makeProduct(app, app.root, 'JP2');
  await app.context.unscoped((db) => db.updateTable('product_product').set({ publish_status: '0' }).where('id', '=', draft).execute());
  const [west, east] = [await app.dept('Job west', bank), await app.dept('Job east', bank)];
  const elsewhere = await makeProduct(app, west, 'JP3');
  const { id: gone } = await client.call(deviceGroupCalls.add, { name: 'Gone', kind: 'static', deptId: bank.id });
  await client.call(deviceGroupCalls.delete, { id: gone });
  await client.call(deviceCalls.add, { sn: 'RSN-0001', productId, deptId: bank.id });
  const said = await as((ctx) =>
    writeNew(ctx, [
      row('RSN-0001'),
      row('RSN-0002', { path: `${bank.path}999.` }),
      row('RSN-0003', { product: draft }),
      row('RSN-0004', { groups: [gone] }),
      row('RSN-0005'),
      row('RSN-0006', { product: elsewhere, dept: east.id, path: east.path }),
    ]),
  );
  expect(said).toEqual([
    { fault: 'SN_TAKEN' },
    { fault: 'OVERTAKEN' },
    { fault: 'PRODUCT_UNPUBLISHED' },
    { word: 'device.sheet.addedOutside' },
    { word: 'device.sheet.added' },
    { fault: 'DEVICE_PRODUCT' },
  ]);
  const { content } = await client.call(deviceCalls.page, { criteria: { sn: 'RSN-0005' }, page: {} });
  const change = { isSame: false, isPlaced: true, merchantId: 987_654_321, shopId: null, joins: [], leaves: [] };
  const nowhere = { isPlaced: false, merchantId: null, joins: [gone] };
  const id = content[0]?.id ?? 0;
  expect(
    await as((ctx) =>
      writeChanges(ctx, [
        { id, ...change },
        { id: 987_654_321, ...change },
      ]),
    ),
  ).toEqual([{ fault: 'MERCHANT_ELSEWHERE' }, { fault: 'NOT_FOUND' }]);
  expect(await as((ctx) => writeChanges(ctx, [{ id, ...change, ...nowhere, name: 'Moved' }]))).toEqual([
    { word: 'device.sheet.changedOutside' },
  ]);
});

test('two files that change the same terminals in the opposite order both come in', async () => {
  const list = sns(1500, 'OPP');
  await ended(app, client, await begin(await csv('SN', ...list), 'all'));
  const works: number[] = [];
  for (const [name, order] of [
    ['a', list],
    ['b', list.toReversed()],
  ] as const) {
    const file = await csv('SN,Name', ...order.map((sn) => `${sn},${name}`));
    works.push((await client.call(deviceChangeCalls.import, { file, mode: 'all' })).work);
  }
  await Promise.all([app.runJobs(), app.runJobs()]);
  const states = await Promise.all(works.map((id) => client.call(backgroundJobCalls.detail, { id })));
  expect(states.map(({ state }) => state)).toEqual(['done', 'done']);
});
