import { countCalls } from '@mooring/contract/inventory/count';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeProduct } from '../../../test/firmware.ts';
import { makeSheet, makeText } from '../../../test/sheet.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { faultOf } from '../merchant/merchant.factory.ts';
import type { DeptAt } from '../org/api.ts';
import { makeStocked } from './inventory.factory.ts';

let app: TestApp;
let bank: DeptAt;
let client: Client;
let outsider: Client;
let sns: string[];
beforeAll(async () => {
  app = await testApp();
  bank = await app.dept('Bank');
  const other = await app.dept('Other');
  client = await app.person('orgManager', bank, 'manager');
  outsider = await app.person('orgManager', other, 'manager');
  const productId = await makeProduct(app, app.root);
  sns = (await makeStocked(app, bank, productId, 3)).map(({ sn }) => sn);
  await makeStocked(app, other, productId, 1);
});
afterAll(() => app.stop());

const shelf = () => ({ deptId: bank.id, productId: null });
const sn = (at: number) => sns[at] ?? '';
const check = (file: number) => client.call(countCalls.checkFile, { ...shelf(), file });
const short = ({ scans }: Awaited<ReturnType<typeof check>>) => scans.map((one) => [one.sn, one.result]);

test('a sheet with a column of serial numbers is read as scans in its order, its wrong rows named', async () => {
  const file = await makeSheet(
    app,
    client,
    bank,
    ['Shelf', 'SN'],
    [
      ['A', sn(0).toLowerCase()],
      ['A', sn(1)],
      ['B', ''],
      ['B', sn(0)],
      ['B', 'ALIEN001'],
      ['C', 'no number!'],
    ],
  );
  const checked = await check(file);
  expect(short(checked)).toEqual([
    [sn(0), 'found'],
    [sn(1), 'found'],
    [sn(0), 'found'],
    ['ALIEN001', 'unexpected'],
  ]);
  expect(checked).toMatchObject({ wrongRows: 1, wrong: [{ row: 7, value: 'NO NUMBER!', why: 'wrong' }] });
  const { id } = await client.call(countCalls.save, { ...shelf(), sns: checked.scans.map((one) => one.sn) });
  expect(await client.call(countCalls.detail, { id })).toMatchObject({ expected: 3, found: 2, missing: 1, unexpected: 1, doubled: 1 });
});

test.each([
  ['list.txt', (all: string) => all],
  ['list.csv', (all: string) => all],
  ['list.csv', (all: string) => `SN\r\n${all}`],
  ['list.txt', (all: string) => `\uFEFF${all.replaceAll('\n', '; ')}`],
])('a plain list (%s) needs no heading', async (name, write) => {
  const file = await makeText(app, client, bank, name, write([sn(2), sn(0)].join('\n')));
  expect(short(await check(file))).toEqual([
    [sn(2), 'found'],
    [sn(0), 'found'],
  ]);
});

test('what can’t be read is said', async () => {
  const of = async (name: string, text: string) =>
    faultOf(client.send(countCalls.checkFile, { ...shelf(), file: await makeText(app, client, bank, name, text) }));
  expect(await of('a.csv', 'one,two\nAAAA,BBBB\n')).toBe('COUNT_FILE_COLUMN');
  expect(await of('a.txt', ' \n\n')).toBe('COUNT_FILE_EMPTY');
  expect(await of('a.xlsx', 'no workbook')).toBe('SHEET_BROKEN');
  expect(await of('a.txt', 'AAAA\n'.repeat(20_001))).toBe('SHEET_TOO_LARGE');
  // Also where none of it is a serial number.
  expect(await of('a.txt', 'A '.repeat(20_002))).toBe('SHEET_TOO_LARGE');
  expect(await of('a.txt', '1\n'.repeat(4_000_000))).toBe('SHEET_TOO_LARGE');
});

test('rows of a plain list are counted with those that are empty', async () => {
  const file = await makeText(app, client, bank, 'rows.txt', `${sn(0)}; ?\r\n\r\n${sn(1)}\n!\n`);
  expect(await check(file)).toMatchObject({
    wrong: [
      { row: 1, value: '?' },
      { row: 4, value: '!' },
    ],
  });
});

test('a file, or a shelf, of another organisation is not there', async () => {
  const file = await makeText(app, client, bank, 'a.txt', sn(0));
  expect((await outsider.send(countCalls.checkFile, { ...shelf(), file })).code).toBe(404);
  const theirs = await makeText(app, outsider, bank, 'b.txt', sn(0));
  expect((await client.send(countCalls.checkFile, { ...shelf(), file: theirs })).code).toBe(404);
});
