import { backgroundJobCalls } from '@mooring/contract/file/background-job-calls';
import { merchantCalls } from '@mooring/contract/merchant/calls';
import { shopCalls } from '@mooring/contract/merchant/shop';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeFile } from '../../../test/firmware.ts';
import { makeSheet } from '../../../test/sheet.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import type { DeptAt } from '../org/api.ts';
import { faultOf, makeMerchant, makeShop } from './merchant.factory.ts';

let app: TestApp;
let bank: DeptAt;
let client: Client;
beforeAll(async () => {
  app = await testApp();
  bank = await app.dept('Sheet bank');
  await app.dept('North', bank);
  client = await app.person('orgManager', bank);
});
afterAll(() => app.stop());

const HEADER = [
  'Merchant number',
  'Name',
  'Line of business',
  'Organisation',
  'Contact',
  'Phone',
  'E-mail',
  'Country or region',
  'State or province',
  'City',
  'Address',
  'Postcode',
  'Latitude',
  'Longitude',
  'Remark',
];
const merchant = (number: string, name: string, more: Partial<Record<string, string>> = {}) =>
  HEADER.map((title, at) => (at === 0 ? number : at === 1 ? name : (more[title] ?? '')));
const SHOPS = [
  'Merchant',
  'Shop number',
  'Name',
  'Address',
  'City',
  'Phone',
  'Time zone',
  'Opening hours',
  'Latitude',
  'Longitude',
  'Remark',
];
const bring = async (rows: string[][], more: object = {}) =>
  client.call(merchantCalls.import, { file: await makeSheet(app, client, bank, HEADER, rows), ...more });
const numbers = async (text: string) =>
  (await client.call(merchantCalls.page, { criteria: { text }, page: { sort: 'number', order: 'asc' } })).content;

test('merchants come from a sheet, of their own organisation or of one that is named', async () => {
  const outcome = await bring([
    merchant('IN-1', 'Bakery', {
      'Line of business': 'restaurant',
      Phone: "'+49 30 1",
      Latitude: '52,5',
      Longitude: '13.4',
      'Country or region': 'de',
    }),
    merchant('IN-2', 'Pharmacy', { 'Line of business': '医疗', Organisation: 'north' }),
  ]);
  expect(outcome).toMatchObject({ rows: 2, good: 2, wrong: [] });
  await app.runJobs();
  expect(await client.call(backgroundJobCalls.detail, { id: outcome.work ?? 0 })).toMatchObject({ state: 'done' });
  expect(await numbers('IN-')).toMatchObject([
    { number: 'IN-1', kind: 'restaurant', phone: '+49 30 1', lat: 52.5, lon: 13.4, country: 'DE', deptName: 'Sheet bank' },
    { number: 'IN-2', kind: 'health', deptName: 'North' },
  ]);
});

test('every wrong cell is named; nothing is taken, or the good ones alone', async () => {
  await makeMerchant(client, bank.id, { number: 'HERE' });
  const rows = [
    merchant('GOOD-1', 'Good'),
    merchant('', '', { 'E-mail': 'no', 'Line of business': 'pirates', Organisation: 'Nowhere', Latitude: '1' }),
    merchant('here', 'Taken'),
    merchant('GOOD-1', 'Twice'),
    merchant('GOOD-2', 'Good', { Latitude: 'x', Longitude: '1' }),
  ];
  const checked = await bring(rows);
  expect(checked).toMatchObject({ rows: 5, good: 1, work: null });
  expect(checked.wrong.map((one) => `${one.row} ${one.column} ${one.fault}`).sort()).toEqual([
    '3 deptId NOT_FOUND',
    '3 email BAD_INPUT',
    '3 kind BAD_INPUT',
    '3 lon BAD_INPUT',
    '3 name BAD_INPUT',
    '3 number BAD_INPUT',
    '4 number MERCHANT_NUMBER_TAKEN',
    '5 number SHEET_TWICE',
    '6 lat BAD_INPUT',
  ]);
  const partly = await bring(rows, { skipWrong: true });
  expect(partly).toMatchObject({ good: 1, work: expect.any(Number) });
  await app.runJobs();
  expect((await numbers('GOOD-')).map(({ number }) => number)).toEqual(['GOOD-1']);
});

test('CSV as well; what is no sheet of ours is refused', async () => {
  const csv = async (text: string) => {
    const id = await makeFile(app, client, bank, Buffer.from(text));
    await app.context.unscoped((db) =>
      db.updateTable('file_file').set({ name: 'merchants.csv', kind: '8' }).where('id', '=', id).execute(),
    );
    return id;
  };
  const file = await csv(`\uFEFF${HEADER.join(';')}\r\nCSV-1;"Café; ""Roma""";;;;;;;;;;;;;\r\n`);
  expect(await client.call(merchantCalls.import, { file })).toMatchObject({ rows: 1, good: 1 });
  await app.runJobs();
  expect((await numbers('CSV-1'))[0]?.name).toBe('Café; "Roma"');
  expect(await faultOf(client.send(merchantCalls.import, { file: await csv('a,b\n1,2\n') }))).toBe('SHEET_HEADER');
  expect(await faultOf(client.send(merchantCalls.import, { file: await csv(`${HEADER.join()}\n${'x,y\n'.repeat(1100)}`) }))).toBe(
    'SHEET_TOO_LARGE',
  );
});

test('a number that is taken meanwhile fails the whole; whoever lost the right brings nothing', async () => {
  const outcome = await bring([merchant('LATE-1', 'One'), merchant('LATE-2', 'Two')]);
  await makeMerchant(client, bank.id, { number: 'late-2' });
  await app.runJobs();
  expect(await client.call(backgroundJobCalls.detail, { id: outcome.work ?? 0 })).toMatchObject({
    state: 'failed',
    reason: 'MERCHANT_NUMBER_TAKEN',
  });
  expect(await numbers('LATE-1')).toEqual([]);
  const reader = await app.person('orgMember', bank);
  expect(await faultOf(reader.send(merchantCalls.import, { file: await makeSheet(app, reader, bank, HEADER, [merchant('N', 'N')]) }))).toBe(
    'FORBIDDEN',
  );
});

test('shops come with their hours, to merchants by their numbers', async () => {
  const owner = await makeMerchant(client, bank.id, { number: 'OWNER' });
  await makeShop(client, owner.id, { number: 'OLD' });
  const shop = (of: string, number: string, hours: string, zone = 'Europe/Berlin') => [
    of,
    number,
    `Shop ${number}`,
    '',
    '',
    '',
    zone,
    hours,
    '',
    '',
    '',
  ];
  const file = await makeSheet(app, client, bank, SHOPS, [
    shop('owner', 'NEW', '1-5 09:00-18:00; 6 10:00-14:00'),
    shop('nobody', 'A', ''),
    shop('OWNER', 'old', 'always', 'Mars/Base'),
    shop('OWNER', 'B', '1 09:00-12:00 11:00-13:00'),
  ]);
  const outcome = await client.call(shopCalls.import, { file, skipWrong: true });
  expect(outcome.wrong.map((one) => `${one.row} ${one.column} ${one.fault}`).sort()).toEqual([
    '3 merchantId NOT_FOUND',
    '4 number SHOP_NUMBER_TAKEN',
    '4 openingHours BAD_INPUT',
    '4 timeZone BAD_INPUT',
    '5 openingHours BAD_INPUT',
  ]);
  await app.runJobs();
  const { content } = await client.call(shopCalls.page, { criteria: { merchantId: owner.id, text: 'NEW' } });
  expect(content).toMatchObject([{ number: 'NEW', timeZone: 'Europe/Berlin', merchantName: owner.name }]);
  expect(content[0]?.openingHours).toHaveLength(6);
});
