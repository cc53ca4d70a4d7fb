import { deviceCalls } from '@mooring/contract/device/calls';
import { deviceGroupCalls } from '@mooring/contract/device/group-calls';
import { deviceChangeCalls, deviceImportCalls } from '@mooring/contract/device/sheet/sheet-calls';
import { backgroundJobCalls } from '@mooring/contract/file/background-job-calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeProduct } from '../../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../../test/test-app.ts';
import { byNumbers } from '../../../engines/devices/hardware-numbers.ts';
import { openStore } from '../../../platform/files/open-store.ts';
import { readXlsx } from '../../../platform/work/read-xlsx.ts';
import { faultOf, makeMerchant, makeShop } from '../../merchant/merchant.factory.ts';
import type { DeptAt } from '../../org/api.ts';
import { ended, uploaded } from './sheet.factory.ts';

let app: TestApp;
let [bank, other]: DeptAt[] = [];
let client: Client;
let foreign: Client;
let productId: number;
beforeAll(async () => {
  app = await testApp();
  bank = await app.dept('Sheet bank');
  await app.dept('North', bank);
  other = await app.dept('Other bank');
  client = await app.person('orgManager', bank);
  foreign = await app.person('orgManager', other);
  productId = await makeProduct(app, app.root, 'SP1');
});
afterAll(() => app.stop());

const at = () => bank as DeptAt;
const csv = (...lines: string[]) => uploaded(app, client, at(), `${lines.join('\n')}\n`);
const take = async (file: number, more: object = {}) => {
  const { work } = await client.call(deviceImportCalls.import, { file, productId, mode: 'all', ...more });
  return ended(app, client, work);
};
const deviceOf = async (sn: string) => {
  const { content } = await client.call(deviceCalls.page, { criteria: { sn }, page: {} });
  return content[0] ? client.call(deviceCalls.detail, { id: content[0].id }) : undefined;
};
const cells = (wrong: readonly { row: number; column: string; fault: string }[]) =>
  wrong.map(({ row, column, fault }) => `${row} ${column} ${fault}`).sort();

/** Rows of the file that a job left. */
async function resultOf(id: number): Promise<string[][]> {
  const row = await app.context.unscoped((db) =>
    db
      .selectFrom('work as w')
      .innerJoin('file_file as f', 'f.id', 'w.file_id')
      .select('f.sha256')
      .where('w.id', '=', id)
      .executeTakeFirstOrThrow(),
  );
  const parts: Buffer[] = [];
  for await (const part of await openStore(app.context.config).read(row.sha256)) parts.push(part as Buffer);
  const rows: string[][] = [];
  for await (const cells of readXlsx(Buffer.concat(parts))) rows.push(cells);
  return rows;
}

test('a product that an organisation can’t use brings it no terminal, from a file or by hand', async () => {
  const [west, east] = [await app.dept('West', at()), await app.dept('East', at())];
  const own = await makeProduct(app, west, 'WEST1');
  const file = await csv('sn,Product,Organisation', 'use-0001,west1,west', 'use-0002,west1,east', 'use-0003,west1,');
  const checked = await client.call(deviceImportCalls.check, { file, productId });
  expect(checked).toMatchObject({ rows: 3, good: 2, wrongCells: 1 });
  expect(cells(checked.wrong)).toEqual(['3 device.product DEVICE_PRODUCT']);
  const chosen = await client.call(deviceImportCalls.check, { file: await csv('sn,Organisation', 'use-0004,east'), productId: own });
  expect(cells(chosen.wrong)).toEqual(['2 device.product DEVICE_PRODUCT']);
  const byHand = (deptId: number) => faultOf(client.send(deviceCalls.add, { sn: 'USE-0005', productId: own, deptId }));
  expect([await byHand(east.id), await byHand(west.id)]).toEqual(['DEVICE_PRODUCT', 200]);
});

test('terminals come from a file with all that a terminal has', async () => {
  const merchant = await makeMerchant(client, at().id, { number: 'M-1' });
  await makeShop(client, merchant.id, { number: 'S-1' });
  await client.call(deviceGroupCalls.add, { name: 'Pilot', kind: 'static', deptId: at().id });
  const file = await csv(
    'sn,Name,Product,Organisation,In stock,Merchant number,Shop number,Groups,Tags,PN,IMEI,MAC,ICCID,Remark',
    'imp-0001,Counter,sp1,north,no,m-1,s-1,pilot,"counter, pilot",P-1,861234567890123,001a2b3c4d5e,89860012345678901234,first',
    'imp-0002,,,,yes,,,,,,,,,',
  );
  const checked = await client.call(deviceImportCalls.check, { file, productId });
  expect(checked).toMatchObject({ rows: 2, good: 2, wrongCells: 0, wrong: [], before: null });
  const done = await take(file, { rows: 2 });
  expect(done).toMatchObject({ state: 'done', done: 2, total: 2, failed: 0, fileName: expect.stringContaining('Import terminals') });
  expect(await deviceOf('IMP-0001')).toMatchObject({
    name: 'Counter',
    status: '1',
    deptName: 'North',
    merchantName: merchant.name,
    tags: ['counter', 'pilot'],
    groups: [{ name: 'Pilot' }],
    pn: 'P-1',
    imei: '861234567890123',
    mac: '00:1A:2B:3C:4D:5E',
    iccid: '89860012345678901234',
    remark: 'first',
  });
  expect(await deviceOf('IMP-0002')).toMatchObject({ name: 'IMP-0002', status: '5', deptName: 'Sheet bank', productName: 'Product SP1' });
  expect((await resultOf(done.id)).map((row) => row.at(-1))).toEqual(['Result', 'Added', 'Added']);
  const log = await app.context.unscoped((db) => db.selectFrom('device_custody').select('event').where('by_name', '<>', '').execute());
  expect(log.filter(({ event }) => event === 'entered').length).toBeGreaterThanOrEqual(2);
});

test('every wrong cell is named, the report can be mended, and the good ones alone may come in', async () => {
  await client.call(deviceCalls.add, { sn: 'HERE-0001', productId, deptId: at().id });
  await foreign.call(deviceCalls.add, { sn: 'THEIRS-001', productId, deptId: (other as DeptAt).id });
  const lines = [
    'SN,Product,Organisation,In stock,Merchant number,Shop number,Groups,MAC,IMEI',
    'GOOD-0001,,,,,,,,',
    'x,,,,,,,,',
    'HERE-0001,,,,,,,,',
    'THEIRS-001,,,,,,,,',
    'GOOD-0001,,,,,,,,',
    'GOOD-0002,Nothing,Nowhere,maybe,,,,zz,12',
    'GOOD-0003,,Other bank,,,,,,',
    'GOOD-0004,,,,NONE,,Nobody,,',
    'GOOD-0005,,,,,S-1,,,',
    '1.23457E+19,,,,,,,,',
    'GOOD-0006,,,,,,,,',
  ];
  const file = await csv(...lines);
  const checked = await client.call(deviceImportCalls.check, { file, productId });
  expect(checked).toMatchObject({ rows: 11, good: 2 });
  expect(cells(checked.wrong)).toEqual([
    '10 device.sheet.shop SHEET_NO_MERCHANT',
    '11 device.sn SHEET_DIGITS',
    '3 device.sn BAD_INPUT',
    '4 device.sn SN_TAKEN',
    '5 device.sn SN_TAKEN',
    '6 device.sn SHEET_TWICE',
    '7 device.dept NOT_FOUND',
    '7 device.imei BAD_INPUT',
    '7 device.mac BAD_INPUT',
    '7 device.product NOT_FOUND',
    '7 device.stocked SHEET_YES_NO',
    '8 device.dept NOT_FOUND',
    '9 device.groups SHEET_GROUP',
    '9 device.sheet.merchant NOT_FOUND',
  ]);
  expect(await take(file)).toMatchObject({ state: 'failed', reason: 'SHEET_REFUSED', failed: 9, done: 0 });
  expect(await deviceOf('GOOD-0001')).toBeUndefined();
  const done = await take(file, { mode: 'good' });
  expect(done).toMatchObject({ state: 'done', failed: 9 });
  expect(await deviceOf('GOOD-0006')).toBeDefined();
  const results = await resultOf(done.id);
  expect(results).toHaveLength(12);
  expect(results[3]?.at(-1)).toBe('SN: This SN is already in use.');
});

test('the same bytes are known again, by this organisation alone', async () => {
  const file = await csv('SN', 'AGAIN-0001');
  expect((await take(file)).state).toBe('done');
  const same = await csv('SN', 'AGAIN-0001');
  const checked = await client.call(deviceImportCalls.check, { file: same, productId });
  expect(checked.before).toMatchObject({ rows: 1, by: expect.any(String) });
  expect(await faultOf(client.send(deviceImportCalls.import, { file: same, productId, mode: 'all' }))).toBe('SHEET_AGAIN');
  expect(await take(same, { mode: 'good', again: true })).toMatchObject({ state: 'done', failed: 1 });
  const theirs = await uploaded(app, foreign, other as DeptAt, 'SN\nAGAIN-0001\n');
  expect((await foreign.call(deviceImportCalls.check, { file: theirs, productId })).before).toBeNull();
  expect(await faultOf(foreign.send(deviceImportCalls.check, { file, productId }))).toBe('NOT_FOUND');
});

test('two imports at once with the same SN: one has it', async () => {
  const [one, two] = [await csv('SN,Name', 'RACE-0001,a', 'RACE-0002,a'), await csv('SN,Name', 'RACE-0002,b', 'RACE-0001,b')];
  const works = await Promise.all([one, two].map((file) => client.call(deviceImportCalls.import, { file, productId, mode: 'all' })));
  await Promise.all([app.runJobs(), app.runJobs()]);
  await app.runJobs();
  const states = await Promise.all(works.map(({ work }) => client.call(backgroundJobCalls.detail, { id: work })));
  expect(states.map(({ state }) => state).sort()).toEqual(['done', 'failed']);
  expect((await deviceOf('RACE-0001'))?.name).toBe((await deviceOf('RACE-0002'))?.name);
});

test('one that was cancelled, or whose person lost the right, brings nothing', async () => {
  const file = await csv('SN', 'GONE-0001');
  const { work } = await client.call(deviceImportCalls.import, { file, productId, mode: 'all' });
  await client.call(backgroundJobCalls.cancel, { id: work });
  expect((await ended(app, client, work)).state).toBe('cancelled');
  const reader = await app.person('orgMember', at());
  expect(await faultOf(reader.send(deviceImportCalls.import, { file, productId, mode: 'all' }))).toBe('FORBIDDEN');
  expect(await deviceOf('GONE-0001')).toBeUndefined();
});

test.each([
  ['a column that we don’t know', 'SN,Colour\nA,b', 'SHEET_COLUMN_UNKNOWN'],
  ['a file without SNs', 'Name\nA', 'SHEET_COLUMN_MISSING'],
  ['a column that is there twice', 'SN,Name,name\nA,b,c', 'SHEET_COLUMN_TWICE'],
  ['nothing at all', '', 'SHEET_COLUMN_MISSING'],
  ['no text', Buffer.from([0xff, 0xfe, 0x41, 0x00]), 'SHEET_BROKEN'],
  ['more rows than a file may have', `SN\n${'A\n'.repeat(100_002)}`, 'SHEET_TOO_LARGE'],
  ['16,384 columns', `SN${',x'.repeat(16_383)}\n`, 'SHEET_TOO_LARGE'],
])('%s is refused with its reason', async (_, bytes, fault) => {
  expect(await faultOf(client.send(deviceImportCalls.check, { file: await uploaded(app, client, at(), bytes), productId }))).toBe(fault);
});

test('only what the file says changes, an empty cell leaves it, and a dash clears it', async () => {
  const merchant = await makeMerchant(client, at().id, { number: 'C-1' });
  await client.call(deviceGroupCalls.add, { name: 'Changed', kind: 'static', deptId: at().id });
  for (const sn of ['CHG-0001', 'CHG-0002', 'CHG-0003'])
    await client.call(deviceCalls.add, { sn, productId, deptId: at().id, tags: ['old'], remark: 'keep' });
  const change = async (...lines: string[]) => {
    const file = await csv(...lines);
    const checked = await client.call(deviceChangeCalls.check, { file });
    const { work } = await client.call(deviceChangeCalls.import, { file, mode: 'good' });
    return { checked, done: await ended(app, client, work) };
  };
  const { checked, done } = await change(
    'SN,Tags,Merchant number,Groups,Name',
    'chg-0001,"new, two",c-1,changed,Front desk',
    'CHG-0002,-,,,',
    'CHG-0003,old,,,',
    'NOBODY-01,x,,,',
    'CHG-0003,x,,,',
  );
  expect(checked).toMatchObject({ rows: 5, good: 3, changing: 2 });
  expect(checked.changes).toContainEqual({ row: 2, label: 'chg-0001', column: 'device.tags', from: 'old', to: 'new, two', isNew: false });
  expect(cells(checked.wrong)).toEqual(['5 device.sn NOT_FOUND', '6 device.sn SHEET_TWICE']);
  expect(done).toMatchObject({ state: 'done', failed: 2 });
  expect(await deviceOf('CHG-0001')).toMatchObject({
    name: 'Front desk',
    tags: ['new', 'two'],
    merchantName: merchant.name,
    remark: 'keep',
    groups: [{ name: 'Changed' }],
  });
  expect(await deviceOf('CHG-0002')).toMatchObject({ tags: [], remark: 'keep', name: 'CHG-0002' });
  expect((await resultOf(done.id)).map((row) => row.at(-1))).toEqual([
    'Result',
    'Changed',
    'Changed',
    'Nothing to change',
    'SN: It doesn’t exist, or you don’t have access to it.',
    'SN: Appears twice in the file.',
  ]);
  await change('SN,Merchant number,Groups,Name', 'CHG-0001,-,-,-');
  expect(await deviceOf('CHG-0001')).toMatchObject({ merchantName: merchant.name, name: 'Front desk' });
  await change('SN,Merchant number,Groups', 'CHG-0001,-,-');
  expect(await deviceOf('CHG-0001')).toMatchObject({ merchantName: null, groups: [] });
});

test('terminals of others are not found, and not changed', async () => {
  await foreign.call(deviceCalls.add, { sn: 'ELSE-0001', productId, deptId: (other as DeptAt).id });
  const file = await csv('SN,Name', 'ELSE-0001,mine');
  expect(cells((await client.call(deviceChangeCalls.check, { file })).wrong)).toEqual(['2 device.sn NOT_FOUND']);
});

test('the template fits the product, and is taken back as it is', async () => {
  const answer = await app.http.inject({
    method: 'POST',
    url: '/ops/device/batchImport/template',
    headers: {
      authorization: client.token,
      'accept-platform': 'centre',
      'accept-deptid': '0',
      'accept-language': 'en',
      'content-type': 'application/json',
    },
    payload: JSON.stringify({ productId }),
  });
  expect(answer.headers['content-type'] + answer.body.slice(0, 200)).toContain('spreadsheet');
  const file = await uploaded(app, client, at(), answer.rawPayload, 'terminals.xlsx');
  expect(await client.call(deviceImportCalls.check, { file, productId })).toMatchObject({ rows: 1, good: 1 });
});

test.each([
  ['an IMEI', '351234567890123'],
  ['the beginning of an IMEI', '35123456'],
  ['a MAC with colons', 'fe:ed:0a:2b:3c:4d'],
  ['one without, in capitals', 'FEED0A2B3C4D'],
  ['the beginning of an ICCID', '8944001234'],
  ['a PN', 'pn%7_x'],
])('a terminal is found by %s', async (_, text) => {
  const lines = ['SN,PN,IMEI,MAC,ICCID', 'NUM-0001,PN%7_X9,351234567890123,FE-ED-0A-2B-3C-4D,89440012345678901234', 'NUM-0002,PNA7BX9,,,'];
  await take(await csv(...lines), { again: true });
  const { content } = await client.call(deviceCalls.page, { criteria: { text }, page: {} });
  expect(content.map(({ sn }) => sn)).toEqual(['NUM-0001']);
  expect((await foreign.call(deviceCalls.page, { criteria: { text }, page: {} })).content).toEqual([]);
});

test('each way to find it has its index', async () => {
  const plan = await app.context.unscoped(async (db) => {
    await sql`set local enable_seqscan = off`.execute(db);
    const ways = sql.join(byNumbers('89440012345'), sql` or `);
    return sql<{ 'QUERY PLAN': string }>`explain select id from device d where ${ways}`.execute(db);
  });
  const text = plan.rows.map((row) => row['QUERY PLAN']).join('\n');
  for (const index of ['device_imei', 'device_iccid', 'device_mac', 'device_pn']) expect(text).toContain(index);
});

test('a row without an organisation is of one’s own, whatever others are called; what is the number of one and the name of another is neither', async () => {
  const home = await app.dept('Number bank');
  const person = await app.person('orgManager', home);
  const branch = await app.dept('Numbered', home);
  await app.dept(String(home.id), home);
  await app.dept(String(branch.id), home);
  const lines = ['SN,Organisation', 'NUMB-0001,', 'NUMB-0002,Numbered', `NUMB-0003,${branch.id}`, `NUMB-0004,${home.id}`];
  const file = await uploaded(app, person, home, `${lines.join('\n')}\n`);
  const { wrong } = await person.call(deviceImportCalls.check, { file, productId });
  expect(cells(wrong)).toEqual(['4 device.dept SHEET_MANY', '5 device.dept SHEET_MANY']);
  const { work } = await person.call(deviceImportCalls.import, { file, productId, mode: 'good' });
  expect(await ended(app, person, work)).toMatchObject({ state: 'done', failed: 2 });
  const { content } = await person.call(deviceCalls.page, { criteria: { sn: 'NUMB-' }, page: {} });
  expect(content.map(({ sn, deptName }) => `${sn} ${deptName}`).sort()).toEqual(['NUMB-0001 Number bank', 'NUMB-0002 Numbered']);
});
