import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { deviceCalls } from '@mooring/contract/device/calls';
import { deptCalls } from '@mooring/contract/org/calls';
import { systemSettingCalls } from '@mooring/contract/settings/system-calls';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADMIN, type Api, administrator, api, signIn } from './api.ts';
import { launchBrowser } from './browser.ts';
import { choose } from './choose.ts';
import { makeEstate } from './estate.ts';
import { type Stack, startStack } from './stack.ts';
import { visit } from './visit.ts';

let stack: Stack;
let browser: Browser;
let page: Page;
let admin: Api;
const code = 'A920';
/** The company's asset register: it asks for a token, and names terminals page by page. */
let register: Server;
let address = '';
let terminals: readonly object[] = [];

beforeAll(async () => {
  register = createServer((request, response) => {
    if (request.headers.authorization !== 'Bearer asset-token') return void response.writeHead(401).end();
    const at = Number(new URL(request.url ?? '', 'http://register').searchParams.get('cursor') ?? 0);
    const next = at + 2 < terminals.length ? { next: String(at + 2) } : {};
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ terminals: terminals.slice(at, at + 2), ...next }));
  });
  await new Promise<void>((done) => register.listen(0, '127.0.0.1', done));
  address = `http://127.0.0.1:${(register.address() as AddressInfo).port}/feed`;
  stack = await startStack();
  admin = await administrator(stack.url, stack.password);
  const { productId } = await makeEstate(stack.url, admin, ADMIN, 1);
  await admin.call(deptCalls.add, { parentId: 2, name: 'North Region' });
  await admin.call(deviceCalls.add, { sn: 'ASSET0001', productId, deptId: 2 });
  browser = await launchBrowser();
  ({ page } = await visit(browser, { url: stack.url, account: 'admin', password: ADMIN, platform: 'manager' }));
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
  register?.close();
});

const button = (name: string) => page.getByRole('button', { name, exact: true }).filter({ visible: true });
const dialog = () => page.getByRole('dialog').last();
const field = (name: string) => dialog().getByLabel(new RegExp(`^${name}(?: ?\\(?optional\\)?)?$`));
const send = (name: string) => dialog().getByRole('button', { name, exact: true }).click();
const tab = (name: string) => page.getByRole('tab', { name }).click();
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
async function syncNow(): Promise<void> {
  await tab('Registers');
  await row(/Finance/)
    .getByRole('button', { name: /^(More|Actions)/ })
    .click();
  await page.getByRole('menuitem', { name: 'Sync now' }).click();
  await page.getByText('Sync started').first().waitFor();
}

test('a register is connected: an address inside is refused until it is allowed, a wrong token says so', async () => {
  await page.getByRole('link', { name: 'Asset sync', exact: true }).first().click();
  await page.getByText('No conflicts').waitFor();
  await look('sync-empty');
  await tab('Registers');
  await page.getByText('No registers yet').waitFor();
  await button('Add register').first().click();
  await field('Name').fill('Finance');
  await choose(dialog().getByRole('combobox', { name: 'Organisation' }), 'Mooring');
  await field('Feed address').fill('finance');
  await send('Add register');
  await field('Feed address').fill(address);
  await choose(dialog().getByRole('combobox', { name: 'Sign-in' }), 'Bearer token');
  await field('Token').fill('wrong');
  await look('sync-add');
  await send('Add register');
  await dialog()
    .getByText(/private network/)
    .first()
    .waitFor();
  const managing = api(stack.url, await signIn(stack.url, 'admin', ADMIN, 'manager'), 'manager', 1);
  await managing.call(systemSettingCalls.outbound, { registers: ['127.0.0.1'] });
  await send('Add register');
  await page.getByText('Register added').waitFor();
  await syncNow();
  await tab('Sync history');
  await row(/Finance.*Failed.*denied access/).waitFor();
  await look('sync-history');
});

test('new terminals come into stock, what differs is decided with both sides beside each other', async () => {
  terminals = [
    { sn: 'ASSET0001', product: code, owner: 'North Region' },
    { sn: 'ASSET0002', product: code },
    { sn: 'ASSET0003', product: 'T9000' },
  ];
  await tab('Registers');
  await row(/Finance/)
    .getByRole('button', { name: /^(More|Actions)/ })
    .click();
  await page.getByRole('menuitem', { name: 'Edit register' }).click();
  await field('Token').fill('asset-token');
  await send('Save');
  await dialog().waitFor({ state: 'hidden' });
  await syncNow();
  await tab('Sync history');
  await row(/Finance.*Done/).waitFor();
  await tab('Conflicts');
  await row(/ASSET0001.*Different owner.*North Region/).waitFor();
  await row(/ASSET0003.*Product not found/).waitFor();
  await look('sync-conflicts');
  await page.getByLabel('Select all rows on this page').filter({ visible: true }).check();
  await button('Take register’s').first().click();
  await send('Take register’s');
  await dialog().getByText('Product not found here').waitFor();
  await look('sync-taken');
  await page.keyboard.press('Escape');
  const [moved] = (await admin.call(deviceCalls.page, { criteria: { text: 'ASSET0001' } })).content;
  expect(moved?.deptName).toBe('North Region');
  const [added] = (await admin.call(deviceCalls.page, { criteria: { text: 'ASSET0002' } })).content;
  expect(added?.status).toBe('5');
});

test('what is kept stays decided when it is read again', async () => {
  await page.reload();
  await row(/ASSET0003/)
    .getByRole('checkbox')
    .check();
  await button('Keep ours').first().click();
  await send('Keep ours');
  await row(/ASSET0003.*Kept ours/).waitFor();
  await syncNow();
  await tab('Sync history');
  await expect.poll(async () => row(/Finance.*Done/).count()).toBe(2);
  await tab('Conflicts');
  await row(/ASSET0003.*Kept ours/).waitFor();
  await row(/ASSET0001.*Settled/).waitFor();
});
