import { backgroundJobCalls } from '@mooring/contract/file/background-job-calls';
import { deptCalls } from '@mooring/contract/org/calls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeSheet } from '../../../test/sheet.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import type { DeptAt } from './add-dept.ts';

let app: TestApp;
let region: DeptAt;
let other: DeptAt;
let regional: Client;
beforeAll(async () => {
  app = await testApp();
  await app.person('platformAdmin', app.root);
  const line = await app.person('productLineAdmin', { id: 2, path: '1.2.' });
  const add = async (name: string): Promise<DeptAt> => {
    const { id } = await line.call(deptCalls.add, { parentId: 2, name });
    return { id, path: `1.2.${id}.` };
  };
  region = await add('Region East');
  other = await add('Region West');
  regional = await app.person('regionMaintainer', region);
  await regional.call(deptCalls.add, { parentId: region.id, name: 'Old bank' });
});
afterAll(() => app.stop());

const HEADER = ['Name', 'Parent', 'Time zone', 'Contact', 'Phone', 'E-mail', 'Address', 'Remark'];
const row = (name: string, parent = '', timeZone = '', email = '') => [name, parent, timeZone, 'Jo', '', email, '', ''];
const sheet = (rows: readonly (readonly string[])[], header = HEADER) => makeSheet(app, regional, region, header, rows);
const bring = async (rows: readonly (readonly string[])[], client = regional) => client.call(deptCalls.import, { file: await sheet(rows) });
const listed = async (text: string) =>
  (await regional.call(deptCalls.page, { criteria: { text } })).content.map((one) => `${one.parentName} › ${one.name} (${one.kind})`);

test('a tree from one sheet: parents are units that stand, by name or number, or rows further up', async () => {
  const [old] = (await regional.call(deptCalls.page, { criteria: { text: 'Old bank' } })).content;
  const made = await bring([
    row('Sheet bank'),
    row('Sheet north', 'sheet BANK', 'Europe/Berlin', 'north@example.com'),
    row('Sheet shop', 'Sheet north'),
    row('Sheet branch', String(old?.id)),
  ]);
  expect(made).toMatchObject({ rows: 4, wrong: [] });
  await app.runJobs();
  expect(await regional.call(backgroundJobCalls.detail, { id: made.work ?? 0 })).toMatchObject({ state: 'done' });
  expect(await listed('Sheet ')).toEqual([
    'Region East › Sheet bank (organisation)',
    'Old bank › Sheet branch (organisation)',
    'Sheet bank › Sheet north (organisation)',
    'Sheet north › Sheet shop (organisation)',
  ]);
  const [north] = (await regional.call(deptCalls.page, { criteria: { text: 'Sheet north' } })).content;
  expect(north).toMatchObject({ timeZone: 'Europe/Berlin', contactEmail: 'north@example.com', state: 'enabled' });
});

test('every wrong cell is named by row and column, and nothing is taken', async () => {
  const checked = await bring([
    row('Wrong bank'),
    row('', 'Nowhere', 'Mars/Base', 'no'),
    row('wrong BANK'),
    row('Old bank'),
    row('Wrong shop', 'Region West'),
    row('Twin', 'Wrong bank'),
    row('Twin', 'Old bank'),
    row('Below twins', 'Twin'),
  ]);
  expect(checked).toMatchObject({ rows: 8, work: null });
  expect(checked.wrong.map((one) => `${one.row} ${one.column} ${one.fault}`)).toEqual([
    '3 name BAD_INPUT',
    '3 timeZone BAD_INPUT',
    '3 contactEmail BAD_INPUT',
    '3 parent NOT_FOUND',
    '4 name SHEET_TWICE',
    '5 name DEPT_NAME_TAKEN',
    '6 parent NOT_FOUND',
    '9 parent SHEET_MANY',
  ]);
  expect(await listed('Wrong')).toEqual([]);
  const refused = await regional.send(deptCalls.import, { file: await sheet([row('x')], ['A', 'B']) });
  expect(refused.body?.fault).toBe('SHEET_HEADER');
});

test('what is taken meanwhile fails the whole of it; whoever lost the right brings nothing', async () => {
  const made = await bring([row('Late bank'), row('Race bank')]);
  await regional.call(deptCalls.add, { parentId: region.id, name: 'Race bank' });
  await app.runJobs();
  expect(await regional.call(backgroundJobCalls.detail, { id: made.work ?? 0 })).toMatchObject({
    state: 'failed',
    reason: 'DEPT_NAME_TAKEN',
  });
  expect(await listed('Late bank')).toEqual([]);
  const reader = await app.person('auditor', other);
  expect((await reader.send(deptCalls.import, { file: await sheet([row('Nobody’s')]) })).code).not.toBe(200);
});

test('the list holds the scope’s own units alone, by kind and state', async () => {
  const names = async (criteria: object) => (await regional.call(deptCalls.page, { criteria })).content.map((one) => one.name);
  expect(await names({ kind: 'businessUnit' })).toEqual(['Region East']);
  const [old] = (await regional.call(deptCalls.page, { criteria: { text: 'Old bank' } })).content;
  await regional.call(deptCalls.disable, { id: old?.id ?? 0 });
  expect(await names({ state: 'disabled' })).toEqual(['Old bank']);
});
