import { backgroundJobCalls } from '@mooring/contract/file/background-job-calls';
import { dispatchCalls } from '@mooring/contract/inventory/dispatch';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeProduct } from '../../../test/firmware.ts';
import { makeSheet } from '../../../test/sheet.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import type { DeptAt } from '../org/api.ts';
import { makeStocked, sendTo } from './inventory.factory.ts';

let app: TestApp;
let bank: DeptAt;
let north: DeptAt;
let client: Client;
let sns: string[];
beforeAll(async () => {
  app = await testApp();
  bank = await app.dept('Bank');
  north = await app.dept('North', bank);
  await app.dept('South', bank);
  client = await app.person('orgManager', bank, 'manager');
  sns = (await makeStocked(app, bank, await makeProduct(app, app.root), 6)).map(({ sn }) => sn);
});
afterAll(() => app.stop());

const HEADER = ['SN', 'Receiver', 'Document', 'Remark'];
const bring = async (rows: string[][], more: object = {}) =>
  client.call(dispatchCalls.import, { file: await makeSheet(app, client, bank, HEADER, rows), ...more });
const dispatches = async (text: string) =>
  (await client.call(dispatchCalls.page, { criteria: { text }, page: { sort: 'number', order: 'asc' } })).content;
const sn = (at: number) => sns[at] ?? '';

test('rows of one receiver and document become one dispatch', async () => {
  const outcome = await bring([
    [sn(0), 'North', 'IMP-1', 'First'],
    [sn(1).toLowerCase(), 'north', 'imp-1', ''],
    [sn(2), 'South', 'IMP-2', ''],
  ]);
  expect(outcome).toMatchObject({ rows: 3, good: 3, wrong: [] });
  await app.runJobs();
  expect(await client.call(backgroundJobCalls.detail, { id: outcome.work ?? 0 })).toMatchObject({ state: 'done' });
  expect((await dispatches('IMP-')).map(({ number, toName, total, state }) => [number, toName, total, state])).toEqual([
    ['IMP-1', 'North', 2, '1'],
    ['IMP-2', 'South', 1, '1'],
  ]);
});

test('each wrong cell is named, and the good rows may come alone', async () => {
  await sendTo(client, north.id, [sn(3)]);
  const rows = [
    [sn(4), 'North', 'ODD-1', ''],
    [sn(4), 'North', 'ODD-1', ''],
    [sn(3), 'North', 'ODD-1', ''],
    ['?', 'North', 'ODD-1', ''],
    [sn(5), 'Nowhere', '?', ''],
    [sn(5), 'Bank', 'ODD-2', 'x'.repeat(501)],
  ];
  const outcome = await bring(rows, { preview: true });
  expect(outcome.wrong.map(({ row, column, fault }) => [row, column, fault])).toEqual([
    [3, 'sn', 'SHEET_TWICE'],
    [4, 'sn', 'DEVICE_IN_TRANSFER'],
    [5, 'sn', 'BAD_INPUT'],
    [6, 'toId', 'NOT_FOUND'],
    [6, 'number', 'BAD_INPUT'],
    [7, 'sn', 'SHEET_TWICE'],
    [7, 'toId', 'DEVICE_THERE'],
    [7, 'remark', 'BAD_INPUT'],
  ]);
  expect((await bring(rows)).work).toBeNull();
  expect((await bring(rows, { skipWrong: true })).good).toBe(1);
  await app.runJobs();
  expect((await dispatches('ODD-')).map(({ total }) => total)).toEqual([1]);
});

test('a number that is taken refuses the whole sheet, and says so', async () => {
  const outcome = await bring([[sn(5), 'North', 'IMP-1', '']]);
  await app.runJobs();
  expect(await client.call(backgroundJobCalls.detail, { id: outcome.work ?? 0 })).toMatchObject({
    state: 'failed',
    reason: 'DOCUMENT_TAKEN',
  });
});
