import { backgroundJobCalls } from '@mooring/contract/file/background-job-calls';
import { messageCalls } from '@mooring/contract/message/calls';
import { orderCalls } from '@mooring/contract/order/calls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeSheet } from '../../../test/sheet.ts';
import type { Client, TestApp } from '../../../test/test-app.ts';
import { makeStocked } from '../inventory/inventory.factory.ts';
import type { DeptAt } from '../org/api.ts';
import { makeOrder, orderWorld } from './order.factory.ts';

let app: TestApp;
let bank: DeptAt;
let branch: DeptAt;
let ofBank: Client;
let ofBranch: Client;
let sns: string[];
let productId: number;
beforeAll(async () => {
  ({ app, bank, branch, ofBank, ofBranch, productId } = await orderWorld());
  const made = await makeStocked(app, branch, productId, 4, '1');
  sns = made.map(({ sn }) => sn);
  await makeOrder(ofBranch, made[3]?.id ?? 0, bank.id);
});
afterAll(() => app.stop());

const HEADER = ['SN', 'Service partner', 'Fault', 'Description', 'Contact', 'Phone', 'Return address', 'Due', 'Carrier', 'Tracking number'];
const line = (sn = '', partner = 'bank', fault = 'Printer', more: readonly string[] = []) => [
  sn,
  partner,
  fault,
  ...more,
  ...Array(7 - more.length).fill(''),
];
const bring = async (rows: string[][], more: object = {}) =>
  ofBranch.call(orderCalls.import, { file: await makeSheet(app, ofBranch, branch, HEADER, rows), ...more });

test('every wrong cell is named, and nothing is taken', async () => {
  // Two of one name that might both be meant, and one beside the owner, whom it doesn't ask.
  for (const above of [branch, await app.dept('Below', branch)]) await app.dept('Twin', above);
  const sibling = await app.dept('Sibling', bank);
  const outcome = await bring([
    line('NOBODY99'),
    line(sns[0], 'Nobody'),
    line(sns[1], 'bank', 'broken'),
    line(sns[2], 'bank', 'printer', ['', '', 'no phone', '', '31.12.2026']),
    line(sns[3]),
    line(sns[0]),
    line(sns[0]),
    line(sns[1], 'twin'),
    line(sns[1], String(sibling.id)),
    line(sns[2], 'bank', 'printer', ['', '', '', '', '2020-01-01']),
  ]);
  expect(outcome.wrong.map(({ row, column, fault }) => [row, column, fault])).toEqual([
    [2, 'deviceId', 'NOT_FOUND'],
    [3, 'partnerId', 'ORDER_PARTNER'],
    [4, 'fault', 'BAD_INPUT'],
    [5, 'phone', 'BAD_INPUT'],
    [5, 'dueOn', 'BAD_INPUT'],
    [6, 'deviceId', 'ORDER_OPEN'],
    [8, 'deviceId', 'SHEET_TWICE'],
    [9, 'partnerId', 'ORDER_PARTNER_NAME'],
    [10, 'partnerId', 'ORDER_PARTNER'],
    [11, 'dueOn', 'ORDER_DUE_PAST'],
  ]);
  expect(outcome).toMatchObject({ rows: 10, good: 1, work: null });
});

test('orders come from a sheet, and the partner hears of all of them once', async () => {
  await app.runJobs();
  const { work } = await bring([
    line(sns[0]),
    line(sns[1], String(bank.id), '打印机', ['Torn', 'Ann', '', '', '2999-01-01']),
    line(sns[2]),
  ]);
  // The job makes them, and its message goes out after it.
  await app.runJobs();
  await app.runJobs();
  expect(await ofBranch.call(backgroundJobCalls.detail, { id: work ?? 0 })).toMatchObject({ done: 3, failed: 0 });
  const made = (await ofBank.call(orderCalls.page, { criteria: { text: sns[1] } })).content[0];
  expect(made).toMatchObject({ fault: 'printer', description: 'Torn', contactName: 'Ann', dueOn: '2999-01-01', partnerName: 'Bank' });
  const told = (await ofBank.call(messageCalls.page, {})).content.map(({ title }) => title);
  expect(told).toHaveLength(2);
  expect(told).toContain('New after-sales orders: 3');
});
