import { dictCalls, dictFindCalls } from '@mooring/contract/settings/dict-calls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeSheet } from '../../../test/sheet.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';

let app: TestApp;
let admin: Client;
beforeAll(async () => {
  app = await testApp();
  admin = await app.person('platformAdmin', app.root, 'manager');
});
afterAll(() => app.stop());

const HEADER = ['Picklist code', 'Value', 'English label', 'Chinese label', 'Order', 'Enabled'];
const bring = async (rows: string[][], more: object = {}) =>
  admin.call(dictCalls.entryImport, { file: await makeSheet(app, admin, app.root, HEADER, rows), ...more });
const offered = async () => {
  const found = await admin.call(dictFindCalls.findByCriteria, { criteria: { type: 'industry' } });
  return found.map(({ value, label }) => `${value} ${label}`);
};

test('every wrong cell is named, and nothing is taken, or the good ones alone', async () => {
  const rows = [
    ['industry', 'florist', 'Florist', '花店', '', ''],
    ['INDUSTRY', 'bakery', 'Bakery', '', '5', 'Yes'],
    ['industry', 'closed', 'Closed shop', '', '7', '否'],
    ['industry', 'retail', 'Retail again', '', '', ''],
    ['industry', 'Florist', 'Twice', '', '', ''],
    ['industry', 'bare', '', '', '', ''],
    ['industry', 'many', 'Many', '', '10000', 'perhaps'],
    ['networkKind', 'smoke', 'Smoke signals', '', '', ''],
    ['nowhere', 'x', 'X', '', '', ''],
    ['industry', '', 'No value', '', '', ''],
  ];
  const wrong = [
    { row: 5, column: 'value', fault: 'DICT_ENTRY_TAKEN' },
    { row: 6, column: 'value', fault: 'SHEET_TWICE' },
    { row: 7, column: 'en', fault: 'BAD_INPUT' },
    { row: 8, column: 'sort', fault: 'BAD_INPUT' },
    { row: 8, column: 'enabled', fault: 'BAD_INPUT' },
    { row: 9, column: 'dict', fault: 'DICT_LOCKED' },
    { row: 10, column: 'dict', fault: 'NOT_FOUND' },
    { row: 11, column: 'value', fault: 'BAD_INPUT' },
  ];
  const before = await offered();
  const outcome = await bring(rows);
  expect(outcome).toMatchObject({ rows: 10, good: 3, wrong, work: null });
  // As a form would say it.
  expect(outcome.wrong.map(({ words }) => words?.key)).toEqual([
    undefined,
    undefined,
    'invalid.required',
    'invalid.whole',
    'invalid.yesNo',
    undefined,
    undefined,
    'invalid.required',
  ]);
  await app.runJobs();
  expect(await offered()).toEqual(before);
  expect(await bring(rows, { skipWrong: true })).toMatchObject({ good: 3, wrong });
  await app.runJobs();
  const after = await offered();
  expect(after.filter((one) => !before.includes(one))).toEqual(['bakery Bakery', 'florist Florist']);
  // The same again finds them all there.
  expect(await bring(rows.slice(0, 3))).toMatchObject({ good: 0, work: null });
});

test('a header of another sheet is refused, and who may not edit picklists imports none', async () => {
  const file = await makeSheet(app, admin, app.root, ['Value'], [['x']]);
  expect((await admin.send(dictCalls.entryImport, { file })).body?.fault).toBe('SHEET_HEADER');
  const member = await app.person('orgMember', await app.dept('Bank'), 'manager');
  expect((await member.send(dictCalls.entryImport, { file })).code).toBe(403);
});
