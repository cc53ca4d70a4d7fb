import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deviceCalls } from '@mooring/contract/device/calls';
import { packageCalls } from '@mooring/contract/firmware/package-calls';
import { taskCalls } from '@mooring/contract/firmware/task-calls';
import { messageCalls } from '@mooring/contract/message/calls';
import { productCalls } from '@mooring/contract/product/calls';
import { readXlsx } from '@mooring/server/platform/work/read-xlsx';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type {} from '../server/test/global-setup.ts';
import { asOwner } from '../server/test/test-server.ts';
import { ADMIN, type Api } from './api.ts';
import { launchBrowser } from './browser.ts';
import { choose } from './choose.ts';
import { uploadFirmware } from './estate.ts';
import { whenPublished } from './published.ts';
import { settled } from './settled.ts';
import { type Stack, startDemo, waitFor } from './stack.ts';
import { visit } from './visit.ts';

/** The sample estate's devices that no virtual terminal plays. */
const SEEDED = 1950;

let stack: Stack;
let browser: Browser;
let password = '';
let admin: Api;
let shown: Page | undefined;

beforeAll(async () => {
  ({ stack, password, admin } = await startDemo());
  await asOwner(stack.databaseUrl(), (client) =>
    client.query(
      "insert into access_managed_dept (user_id, dept_id) select u.id, d.id from account_user u, org_dept d where u.account = 'admin' and d.name = 'Corner Shops Union'",
    ),
  );
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') {
    const place = join(import.meta.dirname, '../.cache/journeys', task.name.slice(0, 40));
    await shown?.screenshot({ path: `${place}.png` });
    writeFileSync(`${place}.log`, stack.output());
  }
  await shown?.context().close();
  shown = undefined;
});

async function as(account: string, platform: 'centre' | 'manager', at?: string): Promise<Page> {
  const word = account === 'admin' ? ADMIN : password;
  const { page } = await visit(browser, { url: stack.url, account, password: word, platform, at });
  shown = page;
  return page;
}
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const rowOf = (page: Page, name: string | RegExp) => page.getByRole('row', { name });
async function act(page: Page, row: string | RegExp, name: string): Promise<void> {
  await rowOf(page, row)
    .getByRole('button', { name: /^Actions for/ })
    .click();
  await page.getByRole('menuitem', { name, exact: true }).click();
}
const field = (page: Page, name: string) => page.locator(`#field-${name}`);

test('each tab of a manager of several organisations keeps its own, and what it writes goes there', async () => {
  const organisation = (page: Page) => page.locator('.m-topbar-switch');
  const switchTo = async (page: Page, name: string) => {
    await choose(page.getByLabel('Act for organisation', { exact: true }), name);
  };
  const first = await as('olga.manager', 'manager');
  await organisation(first).getByText('Meridian Payments').waitFor();
  const second = await first.context().newPage();
  await second.goto(`${stack.url}/device/all?text=MRG`);
  await switchTo(second, 'Corner Shops Union');
  await second.getByRole('cell', { name: 'Corner Shops Union' }).first().waitFor();
  await first.goto(`${stack.url}/device/all?text=MRG`);
  await organisation(first).getByText('Meridian Payments').waitFor();
  await first
    .getByRole('cell', { name: /^Meridian/ })
    .first()
    .waitFor();
  expect(await first.getByRole('cell', { name: 'Corner Shops Union' }).count()).toBe(0);
  await second.reload();
  await organisation(second).getByText('Corner Shops Union').waitFor();
  await second.getByRole('cell', { name: 'Corner Shops Union' }).first().waitFor();
  expect(await second.getByRole('cell', { name: /^Meridian/ }).count()).toBe(0);
  await first.context().close();

  const own = await as('admin', 'manager');
  await organisation(own).getByText('Mooring').waitFor();
  const other = await own.context().newPage();
  await other.goto(`${stack.url}/device/product`);
  await switchTo(other, 'Corner Shops Union');
  for (const [page, code, name] of [
    [other, 'TAB-2', 'Second tab'],
    [own, 'TAB-1', 'First tab'],
  ] as const) {
    shown = page;
    await page.bringToFront();
    await page.goto(`${stack.url}/device/product/new`);
    await field(page, 'code').fill(code);
    await field(page, 'name').fill(name);
    await choose(page.getByLabel('Category', { exact: true }).last(), 'Smart POS');
    await button(page, 'Add product').click();
    await page.waitForURL('**/device/product');
  }
  await rowOf(own, /First tab.*Mooring/).waitFor();
  await rowOf(own, /Second tab.*Corner Shops Union/).waitFor();
});

test('a bulk act over everything that matches: preview, progress, and the list of what could not be done', async () => {
  const page = await as('mark.market', 'centre', '/device/device?text=MRG');
  await page.getByLabel('Select all rows on this page').check();
  await button(page, 'Select all 1,950 that match').click();
  await button(page, 'Move 1,950 terminals').click();
  await choose(page.getByLabel('Organisation', { exact: true }).last(), 'Silk Road Retail');
  const dialog = page.getByRole('dialog');
  const there = (
    await admin.call(deviceCalls.page, { criteria: { text: 'MRG' }, page: { size: 100, sort: 'sn', order: 'asc' } })
  ).content.filter((row) => row.deptName === 'Silk Road Retail');
  const preview = dialog.getByText(/of the 1,950 selected will be changed/);
  await preview.waitFor();
  const refused = Number(/(\d+) can’t be changed/.exec((await preview.textContent()) ?? '')?.[1]);
  expect(refused).toBeGreaterThanOrEqual(there.length);
  await dialog.getByRole('button', { name: `Move ${(SEEDED - refused).toLocaleString('en')} terminals` }).click();
  await dialog.getByText(`${(SEEDED - refused).toLocaleString('en')} of 1,950 changed.`, { exact: false }).waitFor();
  for (const row of there.slice(0, 3)) await dialog.getByRole('cell', { name: row.sn, exact: true }).waitFor();
  await dialog.getByText('Not possible in its current state.').first().waitFor();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await page.getByRole('cell', { name: 'Silk Road Retail' }).first().waitFor();
  // What it failed for can be read again where its dialog is long closed.
  await page.goto(`${stack.url}/task/export`);
  await rowOf(page, /Move terminals.*Completed/)
    .getByRole('button')
    .first()
    .click();
  for (const row of there.slice(0, 3)) await dialog.getByRole('cell', { name: row.sn, exact: true }).waitFor();
  await dialog.getByText('Not possible in its current state.').first().waitFor();
  const { total } = await admin.call(deviceCalls.page, { criteria: { text: 'MRG', deptId: there[0]?.deptId } });
  expect(total).toBe(SEEDED);
});

test('an export is made in the background, and its cells are those of the list', async () => {
  const page = await as('mark.market', 'centre', '/device/device?text=MRG000010&sort=sn&size=50');
  await rowOf(page, /MRG0000109/).waitFor();
  const heads = (await page.locator('thead th').allTextContents()).map((text) => text.trim());
  const rows = await page
    .locator('tbody tr')
    .evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent.trim())));
  await button(page, 'Export').click();
  await page.getByRole('menuitem', { name: 'Export as XLSX' }).click();
  await button(page, 'Open background jobs').click();
  await page.waitForURL('**/task/export');
  await rowOf(page, /Terminals.*Completed/).waitFor();
  const coming = page.waitForEvent('download');
  await act(page, /Terminals.*Completed/, 'Download');
  const file = await (await coming).path();
  const sheet: string[][] = [];
  for await (const cells of readXlsx(readFileSync(file))) sheet.push(cells);
  expect(sheet.length - 1).toBe(rows.length);
  expect(rows.length).toBe(10);
  for (const name of ['SN', 'Name', 'Status', 'Product', 'Organisation', 'Firmware', 'Network']) {
    const [inList, inFile] = [heads.indexOf(name), sheet[0]?.indexOf(name) ?? -1];
    const words = (text: string | undefined) => (text ?? '').replace(/^–.*$/, '');
    expect([name, sheet.slice(1).map((row) => words(row[inFile]))]).toEqual([name, rows.map((row) => words(row[inList]))]);
  }
  // Again after a reload: it is marked as fetched.
  await rowOf(page, /Terminals.*Completed.*Yes/).waitFor();
});

test('columns are sized, hidden, moved and pinned for the person alone, and stay', async () => {
  const page = await as('mark.market', 'centre');
  const heads = (of: Page) => of.locator('thead th').evaluateAll((all) => all.map((one) => one.textContent.trim()).filter(Boolean));
  const saved = (of: Page) => of.waitForResponse((answer) => answer.url().endsWith('/form/individuation/config/save'));
  await page.goto(`${stack.url}/device/device?text=MRG`);
  await rowOf(page, /MRG/).first().waitFor();
  const before = await heads(page);
  await button(page, 'Columns').click();
  const drawer = page.getByRole('dialog');
  await drawer.getByLabel('Network', { exact: true }).uncheck();
  // Past merchant and shop, which aren't shown, and past the organisation.
  for (let step = 0; step < 3; step++) await drawer.getByRole('button', { name: 'Move Firmware up' }).click();
  const saving = saved(page);
  await drawer.getByRole('button', { name: 'Pin Battery' }).click();
  await drawer.getByRole('button', { name: 'Done' }).click();
  await drawer.waitFor({ state: 'hidden' });
  await saving;
  const grip = await page.getByRole('separator', { name: 'Width of Product' }).boundingBox();
  if (!grip) throw new Error('no grip');
  const resized = saved(page);
  await page.mouse.move(grip.x + grip.width / 2, grip.y + grip.height / 2);
  await page.mouse.down();
  await page.mouse.move(grip.x + grip.width / 2 + 90, grip.y + grip.height / 2, { steps: 5 });
  await page.mouse.up();
  await resized;
  const wide = Number(await page.getByRole('separator', { name: 'Width of Product' }).getAttribute('aria-valuenow'));
  const wanted = await heads(page);
  expect(wanted).not.toContain('Network');
  expect(wanted.indexOf('Battery')).toBeLessThan(wanted.indexOf('Status'));
  expect(wanted.indexOf('Firmware')).toBeLessThan(wanted.indexOf('Organisation'));

  // Not this browser's memory, but the server's.
  await page.evaluate(() => {
    for (const key of Object.keys(localStorage)) if (key.includes('table.')) localStorage.removeItem(key);
  });
  await page.reload();
  await rowOf(page, /MRG/).first().waitFor();
  expect(await heads(page)).toEqual(wanted);
  expect(Number(await page.getByRole('separator', { name: 'Width of Product' }).getAttribute('aria-valuenow'))).toBe(wide);
  await page.context().close();
  const other = await as('rosa.region', 'centre', '/device/device');
  await rowOf(other, /VDEMO-/)
    .first()
    .waitFor();
  expect(await heads(other)).toEqual(before);
});

test('a product is added, edited and published where it belongs; the other platform leads there, or says why not', async () => {
  const page = await as('admin', 'centre', '/device/product');
  await page.getByRole('heading', { name: 'Products' }).waitFor();
  await page.getByRole('link', { name: 'Add product' }).first().click();
  await page.waitForURL('**/product/new');
  await button(page, 'Add product').click();
  await page.getByText(/fields need attention/).waitFor();
  await field(page, 'code').fill('MP-A20');
  await field(page, 'name').fill('Pier P1');
  await choose(page.getByLabel('Category', { exact: true }).last(), 'Mobile POS');
  await button(page, 'Add product').click();
  await page.getByText('This product code is already in use.').first().waitFor();
  await field(page, 'code').fill('MP-P1');
  await page.getByRole('switch', { name: 'Publish now' }).click();
  await button(page, 'Add product').click();
  await page.waitForURL('**/device/product');
  await rowOf(page, /Pier P1.*Not published/).waitFor();

  await act(page, /Pier P1/, 'Edit product');
  expect(await field(page, 'code').isDisabled()).toBe(true);
  await field(page, 'name').fill('Pier P1 Plus');
  await page.getByRole('link', { name: 'Products' }).first().click();
  await button(page, 'Stay').click();
  await button(page, 'Save changes').click();
  await page.waitForURL('**/device/product');
  await act(page, /Pier P1 Plus/, 'Publish');
  await rowOf(page, /Pier P1 Plus.*MP-P1.*Published/).waitFor();
  await act(page, /Pier P1 Plus/, 'Edit product');
  await waitFor(async () => (await field(page, 'name').inputValue()) === 'Pier P1 Plus', 'the changed name in the form');
  expect((await admin.call(productCalls.list, { text: 'MP-P1' })).map((one) => one.name)).toEqual(['Pier P1 Plus']);
  await page.context().close();

  const outsider = await as('mark.market', 'centre', '/device/product');
  await outsider.getByText('You don’t have access to this page').waitFor();
});

test('a draft release is edited in its steps; one that has moved on says so', async () => {
  const productId = (await admin.call(productCalls.list, { text: 'MP-A20' }))[0]?.id ?? 0;
  const fileId = await uploadFirmware(stack.url, ADMIN, randomBytes(40_000));
  const { id: packageId } = await admin.call(packageCalls.add, { productId, version: '4.3.0', fileId });
  await admin.call(packageCalls.publish, { id: packageId });
  await whenPublished(admin, packageCalls, packageId);
  const sns = ['MRG0000004', 'MRG0000008'];
  const draft = { name: 'Night release', packageId, scope: { releaseScope: '2', sns }, delivery: { retries: 5 } };
  const { id } = await admin.call(taskCalls.add, draft);

  const page = await as('admin', 'centre', '/device/fota');
  await act(page, /Night release/, 'Edit');
  await page.waitForURL(`**/taskmod/${id}/edit`);
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Night release');
  await page.getByLabel('Name', { exact: true }).fill('Night release, north');
  await page.getByRole('link', { name: 'Firmware packages' }).click();
  await page.getByText('Leave without saving?').waitFor();
  await button(page, 'Stay').click();
  await button(page, 'Next').click();
  const list = page.getByRole('textbox', { name: /Serial numbers/ }).or(page.locator('textarea'));
  await list.first().click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('\nmrg0000012\nmrg0000016');
  await page.getByText('4 serial numbers').waitFor();
  await button(page, 'Next').click();
  expect(await page.getByLabel('Automatic retries').inputValue()).toBe('5');
  await button(page, 'Next').click();
  await button(page, 'Save changes').click();
  await page.waitForURL(`**/taskmod/${id}`);
  await page.getByRole('heading', { name: 'Night release, north' }).waitFor();
  expect(await admin.call(taskCalls.detail, { id })).toMatchObject({
    name: 'Night release, north',
    state: 'draft',
    scope: { sns: [...sns, 'MRG0000012', 'MRG0000016'] },
    delivery: { retries: 5 },
  });

  await button(page, 'Edit').click();
  await page.getByLabel('Name', { exact: true }).fill('Too late');
  await admin.call(taskCalls.enable, { id });
  await page.getByText(/Someone else has changed this while/).waitFor();
  await button(page, 'Save changes').click();
  await page
    .locator('.m-problems')
    .getByText(/changed this in the meantime|under way can’t be edited/)
    .waitFor();
  await button(page, 'Cancel').click();
  await button(page, 'Leave').click();
  await page.waitForURL(`**/taskmod/${id}`);
  await page.goto(`${stack.url}/device/fota/taskmod/${id}/edit`);
  await page.getByText('This can’t be edited now').waitFor();
  expect((await admin.call(taskCalls.detail, { id })).name).toBe('Night release, north');
});

test('markup in a name stays a name, wherever it is shown', async () => {
  const markup = '<img src=x onerror="window.hacked = 1"><script>window.hacked = 1</script>{{7*7}}';
  const { content } = await admin.call(deviceCalls.page, { page: { size: 1 } });
  const id = content[0]?.id ?? 0;
  await admin.call(deviceCalls.update, { id, name: markup.slice(0, 64), remark: markup });
  const page = await as('admin', 'centre');
  const met: string[] = [];
  page.on('dialog', (dialog) => met.push(dialog.message()));
  const shows = (text: string) => page.getByText(text, { exact: false }).first().waitFor();
  // Its name, not a message that passes by.
  await page.goto(`${stack.url}/device/device?text=${encodeURIComponent('<img')}`);
  await button(page, 'Columns').click();
  const columns = page.getByRole('dialog');
  await columns.getByLabel('Name', { exact: true }).check();
  await columns.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('cell', { name: '<img src=x' }).waitFor();
  await admin.call(messageCalls.send, { title: markup, text: markup, channels: ['popup'] });
  for (const path of [`/device/deviceDetail/${id}`, '/message', '/sys/log']) {
    await page.goto(`${stack.url}${path}`);
    if (path !== '/sys/log') await shows('<img src=x');
    await settled(page);
    expect(await page.evaluate(() => 'hacked' in window)).toBe(false);
  }
  await page.keyboard.press('Control+k');
  await page.keyboard.type('<img src=x');
  await shows('<img src=x');
  expect(await page.evaluate(() => 'hacked' in window)).toBe(false);
  expect(met).toEqual([]);
});
