import { join } from 'node:path';
import { roleCalls } from '@mooring/contract/access/role-calls';
import { memberCalls } from '@mooring/contract/account/member-calls';
import { deviceCalls } from '@mooring/contract/device/calls';
import { countCalls } from '@mooring/contract/inventory/count';
import { dispatchCalls, transferCalls } from '@mooring/contract/inventory/dispatch';
import { receiptCalls } from '@mooring/contract/inventory/receipt';
import { stockCalls } from '@mooring/contract/inventory/stock';
import { deptCalls } from '@mooring/contract/org/calls';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADMIN, type Api, administrator, api, settleIn, signIn } from './api.ts';
import { launchBrowser } from './browser.ts';
import { choose } from './choose.ts';
import { makeEstate } from './estate.ts';
import { openMenu } from './menu.ts';
import { type Stack, startStack } from './stack.ts';
import { visit } from './visit.ts';

let stack: Stack;
let browser: Browser;
let page: Page;
const sns = ['BOX00001', 'BOX00002', 'BOX00003'];
let ids: number[] = [];
let admin: Api;
let productId = 0;
let region = 0;

beforeAll(async () => {
  stack = await startStack();
  admin = await administrator(stack.url, stack.password);
  ({ productId } = await makeEstate(stack.url, admin, ADMIN, 1));
  region = (await admin.call(deptCalls.add, { parentId: 2, name: 'North Region' })).id;
  for (const sn of sns) ids = [...ids, (await admin.call(deviceCalls.add, { sn, productId, deptId: 1 })).id];
  browser = await launchBrowser();
  ({ page } = await visit(browser, { url: stack.url, account: 'admin', password: ADMIN, platform: 'manager' }));
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

const button = (name: string) => page.getByRole('button', { name, exact: true });
const dialog = () => page.getByRole('dialog').last();
const field = (name: string) => dialog().getByLabel(new RegExp(`^${name}(?: ?\\(?optional\\)?)?$`));
const sheet = (name: string) => dialog().getByRole('textbox', { name: new RegExp(`^${name}`) });
const send = (name: string) => dialog().getByRole('button', { name, exact: true }).click();
const menu = (name: string) => openMenu(page, name);
const follow = (name: string) => page.getByRole('link', { name, exact: true }).filter({ visible: true }).first().click();
const row = (name: string | RegExp) => page.getByRole('row', { name }).filter({ visible: true });
const looks = [
  ['light', 1440],
  ['dark', 390],
] as const;
async function look(name: string): Promise<void> {
  if (!process.env.LOOK) return;
  for (const [scheme, width] of looks) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize({ width, height: 900 });
    await page.screenshot({ path: join(process.env.LOOK, `${name}-${scheme}-${width}.png`), fullPage: true });
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1440, height: 900 });
}

/** A manager of one organisation, on the manager platform. */
async function managerOf(account: string, deptId: number): Promise<Api> {
  const roles = (await admin.call(roleCalls.page, { criteria: { text: 'Organisation manager' } })).content.map(({ id }) => id);
  const { password } = await admin.call(memberCalls.add, { account, userName: account, deptId, roleIds: roles });
  await settleIn(stack.url, account, password ?? '', 'manager');
  return api(stack.url, await signIn(stack.url, account, ADMIN, 'manager'), 'manager', deptId);
}

test('typed serial numbers come into stock, wrong ones are named', async () => {
  await menu('In stock');
  await page.getByText('Nothing in stock').waitFor();
  await look('stock-empty');
  await button('Stock in').first().click();
  await field('Document').fill('?');
  await sheet('Serial numbers').fill([...sns, 'NOBODY99'].join('\n'));
  await send('Stock in');
  await dialog().getByText('Up to 40 letters, digits and . _ / -, beginning with a letter or digit.').waitFor();
  await field('Document').fill('PO-2026-7');
  await look('stock-in');
  await send('Stock in');
  await dialog().getByText('No such terminal here').waitFor();
  await look('stock-in-wrong');
  await send('Continue with the other 3');
  await page.getByText('3 terminals put into stock').waitFor();
  await row(/BOX00001/).waitFor();
  await look('stock');
  await page.getByRole('tab', { name: 'Entries' }).click();
  await row(/BOX00003.*PO-2026-7/).waitFor();
  await look('entries');
});

test('a shelf is counted with a scanner, also after a reload', async () => {
  await page.getByRole('link', { name: 'Count stock', exact: true }).or(button('Count stock')).first().click();
  const scanner = page.getByRole('textbox', { name: 'Scan serial number' });
  // The page of before goes first: it has a box of that name too, and is kept unseen.
  await scanner.waitFor();
  await choose(page.getByRole('combobox', { name: 'Organisation' }).filter({ visible: true }), 'Mooring');
  for (const sn of ['box00001', 'BOX00002', 'BOX00001', 'ALIEN001']) {
    await scanner.pressSequentially(sn);
    await scanner.press('Enter');
  }
  await page.getByText('No such terminal here').waitFor();
  await page.getByText('Scanned again').waitFor();
  await page.reload();
  await page.getByText('Scanned again').waitFor();
  await look('count');
  const list = { name: 'shelf.csv', mimeType: 'text/csv', buffer: Buffer.from('SN\nBOX00002\nALIEN002\nnot one!\n') };
  await button('Add from file').click();
  // A file whose answer is late isn't shown as the one that was chosen after it.
  const [asked, late, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await page.route(
    `**${countCalls.checkFile.path}`,
    async (route) => {
      asked.resolve();
      await late.promise;
      await route.fulfill({ response: await route.fetch() });
      answered.resolve();
    },
    { times: 1 },
  );
  const other = { ...list, name: 'other.csv', buffer: Buffer.from('SN\nBOX00003\n') };
  await dialog().locator('input[type=file]').setInputFiles(other);
  await asked.promise;
  await dialog().locator('input[type=file]').setInputFiles(list);
  await dialog().getByText('2 serial numbers in this file: 1 expected here, 1 not.').waitFor();
  late.resolve();
  await answered.promise;
  await dialog().getByText('2 serial numbers in this file: 1 expected here, 1 not.').waitFor();
  await dialog().getByText('NOT ONE!').waitFor();
  await look('count-file');
  await send('Add 2 serial numbers');
  await row(/ALIEN002/).waitFor();
  await button('Save count').click();
  await row(/BOX00003.*Missing/).waitFor();
  await row(/ALIEN001.*Unexpected/).waitFor();
  await row(/BOX00001.*Found.*2/).waitFor();
  await look('count-saved');
});

test('they are dispatched, received with a signature, and one each is returned and taken back', async () => {
  await menu('Dispatches');
  await page.getByText('No dispatches yet').waitFor();
  await button('New dispatch').first().click();
  await choose(dialog().getByRole('combobox', { name: 'Receiver' }), 'North Region');
  await field('Document').fill('D-77');
  await sheet('Serial numbers').fill(sns.join('\n'));
  await look('dispatch-add');
  await send('New dispatch');
  await page.getByRole('heading', { name: 'D-77' }).waitFor();
  await button('Send 3 terminals').click();
  await send('Send');
  await page.getByText('3 terminals sent').waitFor();
  await look('dispatch');

  // Listed twice is refused, with the document that has it.
  await menu('Dispatches');
  await button('New dispatch').first().click();
  await choose(dialog().getByRole('combobox', { name: 'Receiver' }), 'North Region');
  await sheet('Serial numbers').fill(sns[0] ?? '');
  await send('New dispatch');
  await dialog().getByText('Already listed in dispatch D-77').waitFor();
  // What was typed is there for who goes back.
  await send('Back to the list');
  expect(await sheet('Serial numbers').inputValue()).toBe(sns[0]);
  await send('Cancel');

  await menu('Receipts');
  await page.getByRole('heading', { name: 'Receipts' }).waitFor();
  await follow('D-77');
  await button('Accept 3 terminals').click();
  await send('Accept');
  await dialog().getByText('Required').first().waitFor();
  await field('Signed by').fill('Ann Smith');
  await field('Receipt document').fill('R-77');
  const box = await dialog().locator('.m-signature-field').boundingBox();
  if (!box) throw new Error('nowhere to sign');
  await page.mouse.move(box.x + 20, box.y + 90);
  await page.mouse.down();
  await page.mouse.move(box.x + 120, box.y + 30, { steps: 8 });
  await page.mouse.move(box.x + 220, box.y + 100, { steps: 8 });
  await page.mouse.up();
  await sheet('Only these terminals').fill('STRANGER1');
  await send('Accept');
  await dialog().getByText('Not part of this delivery, or answered already: STRANGER1').first().waitFor();
  await sheet('Only these terminals').fill('');
  await look('accept');
  await send('Accept');
  await page.getByText('3 terminals accepted').waitFor();
  await page.getByRole('tab', { name: 'Signatures' }).click();
  await page.locator('.m-signatures strong').getByText('Ann Smith').waitFor();
  await look('signatures');
  await page.getByRole('tab', { name: 'Terminals' }).click();
  await look('receipt');
  await row(/BOX00001/)
    .getByRole('button', { name: /^Actions for/ })
    .click();
  await page.getByRole('menuitem', { name: 'Return' }).click();
  await field('Reason').fill('Cracked screen');
  await send('Return');
  await page.getByText('1 terminal returned').waitFor();

  await page.reload();
  await row(/BOX00001.*Returned/).waitFor();
  await menu('Dispatches');
  await page.getByRole('heading', { name: 'Dispatches' }).waitFor();
  await follow('D-77');
  await row(/BOX00002/)
    .getByRole('button', { name: /^Actions for/ })
    .click();
  await page.getByRole('menuitem', { name: 'Recall' }).click();
  await send('Recall');
  await page.getByText('1 terminal recalled').waitFor();
  await row(/BOX00002.*Recalled/).waitFor();
  await look('dispatch-after');
});

test('one is sold with a warranty, and its page tells through whose hands it went', async () => {
  await menu('Sales');
  await page.getByText('No sales yet').waitFor();
  await button('Sell terminal').first().click();
  await choose(field('Terminal'), 'BOX00001');
  await send('Sell terminal');
  await dialog().getByText('Choose a merchant or name the buyer.').waitFor();
  await field('Buyer').fill('Corner Bakery');
  await field('Document').fill('INV-9');
  await sheet('Price').fill('123456789.995');
  await field('Warranty until').fill('2099-01-31');
  await page.keyboard.press('Enter');
  await look('sale-form');
  await send('Sell terminal');
  await page.getByText('Terminal sold').waitFor();
  await row(/BOX00001.*INV-9/)
    .getByText('¥12,345,678.99')
    .waitFor();
  await look('sales');
  await follow('BOX00001');
  await page.getByRole('tab', { name: 'Custody' }).click();
  for (const said of ['Sold', 'Returned to the sender', 'Received', 'Dispatched', 'Put into stock', 'Added'])
    await page.getByText(said, { exact: true }).first().waitFor();
  await page.getByText(/Sold to Corner Bakery on/).waitFor();
  await look('custody');
  expect(ids).toHaveLength(3);
});

test('five hundred go to a region and on to its branch; part comes back, and what is left is recalled', async () => {
  const many = Array.from({ length: 500 }, (_, at) => `PALLET${String(at).padStart(4, '0')}`);
  const token = await signIn(stack.url, 'admin', ADMIN, 'manager');
  const own = api(stack.url, token, 'manager', 1);
  expect(await own.call(stockCalls.warehouse, { sns: many, productId, document: 'PALLET-1' })).toMatchObject({ done: 500 });
  const branch = await admin.call(deptCalls.add, { parentId: region, name: 'Harbour Branch' });
  await menu('Dispatches');
  await page.getByRole('heading', { name: 'Dispatches' }).waitFor();
  await button('New dispatch').first().click();
  await choose(dialog().getByRole('combobox', { name: 'Receiver' }), 'North Region');
  await field('Document').fill('D-500');
  await sheet('Serial numbers').fill(many.join('\n'));
  await send('New dispatch');
  await page.getByRole('heading', { name: 'D-500' }).waitFor();
  await button('Send 500 terminals').click();
  await send('Send');
  await page.getByText('500 terminals sent').waitFor();
  await menu('Receipts');
  await page.getByRole('heading', { name: 'Receipts' }).waitFor();
  await follow('D-500');
  await button('Accept 500 terminals').click();
  await field('Signed by').fill('Ann Smith');
  await send('Accept');
  await page.getByText('500 terminals accepted').waitFor();

  // The region sends them on, which keeps them from being recalled from it, and the branch returns what it doesn't need.
  const ofRegion = await managerOf('rita.region', region);
  const { id } = await ofRegion.call(dispatchCalls.add, { toId: branch.id, number: 'D-501', sns: many.slice(0, 400) });
  await ofRegion.call(dispatchCalls.transfer, { id: id ?? 0 });
  const ofBranch = await managerOf('bea.branch', branch.id);
  const receipt = (await ofBranch.call(receiptCalls.page, { criteria: { text: 'D-501' } })).content[0];
  await ofBranch.call(receiptCalls.accept, { id: receipt?.id ?? 0, signedBy: 'Bob Stone' });
  await ofBranch.call(receiptCalls.giveBack, { id: receipt?.id ?? 0, sns: many.slice(0, 50), reason: 'Too many' });

  await menu('Dispatches');
  await page.getByRole('heading', { name: 'Dispatches' }).waitFor();
  await follow('D-500');
  await button('Recall all').click();
  await send('Recall');
  await page.getByText('150 terminals done, 350 not possible').first().waitFor();
  await look('recalled-of-500');
  const states = async (number: string, state: string) => {
    const one = (await ofRegion.call(dispatchCalls.page, { criteria: { text: number } })).content[0]?.id;
    const dispatchId = one ?? (await own.call(dispatchCalls.page, { criteria: { text: number } })).content[0]?.id ?? 0;
    return (await own.call(transferCalls.page, { criteria: { dispatchId, state: state as '3' } })).total;
  };
  expect([await states('D-501', '15'), await states('D-501', '3')]).toEqual([50, 350]);
  expect([await states('D-500', '9'), await states('D-500', '11')]).toEqual([150, 350]);
});

test('chosen rows are acted on together, and several are sold under one document', async () => {
  const boxes = ['BULK0001', 'BULK0002', 'BULK0003', 'BULK0004'];
  const own = api(stack.url, await signIn(stack.url, 'admin', ADMIN, 'manager'), 'manager', 1);
  await own.call(stockCalls.warehouse, { sns: boxes, productId });
  await own.call(dispatchCalls.add, { toId: region, number: 'D-600', sns: boxes.slice(0, 2) });
  await own.call(dispatchCalls.add, { toId: region, number: 'D-601', sns: boxes.slice(2) });
  await menu('Dispatches');
  await page.getByRole('heading', { name: 'Dispatches' }).waitFor();
  await row(/D-600/).getByRole('checkbox').check();
  await row(/D-601/).getByRole('checkbox').check();
  await look('dispatches-chosen');
  await button('Send 2 dispatches').click();
  await look('dispatches-send');
  await send('Send 2 dispatches');
  await page.getByText('4 terminals sent').waitFor();
  await follow('D-600');
  await row(/BULK0002/)
    .getByRole('checkbox')
    .check();
  await row(/BULK0001/)
    .getByRole('checkbox')
    .check();
  await button('Recall 2 terminals').click();
  await send('Recall 2 terminals');
  await page.getByText('2 terminals recalled').waitFor();
  await row(/BULK0001.*Not received/).waitFor();
  await menu('Receipts');
  await page.getByRole('heading', { name: 'Receipts' }).waitFor();
  await follow('D-601');
  await row(/BULK0003/)
    .getByRole('checkbox')
    .check();
  await look('receipt-chosen');
  await button('Accept 1 terminal').click();
  await field('Signed by').fill('Ann Smith');
  await look('receipt-accept-chosen');
  await send('Accept 1 terminal');
  await page.getByText('1 terminal accepted').waitFor();

  await menu('Sales');
  await page.getByRole('heading', { name: 'Sales' }).waitFor();
  await button('Sell several').click();
  await sheet('Serial numbers').fill('BULK0001 129.90\nBULK0002\nNOBODY99');
  await field('Buyer').fill('Corner Bakery');
  await field('Document').fill('INV-10');
  await sheet('Price of each').fill('99');
  await look('sell-several');
  await send('Sell several');
  await dialog().getByText('No such terminal here').waitFor();
  await look('sell-several-wrong');
  await send('Back to the list');
  await sheet('Serial numbers').fill('BULK0001 129.90\nBULK0002');
  await send('Sell several');
  await page.getByText('2 terminals sold').waitFor();
  await row(/BULK0001.*INV-10/)
    .getByText('¥129.90')
    .waitFor();
  await row(/BULK0002.*INV-10/)
    .getByText('¥99.00')
    .waitFor();
});

test('a document of another organisation is not there', async () => {
  await page.goto(`${stack.url}/device/dispatch/page/999999`);
  await page.getByText('It doesn’t exist, or you don’t have access to it.').first().waitFor();
});
