import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deviceCalls } from '@mooring/contract/device/calls';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADMIN, administrator } from './api.ts';
import { launchBrowser } from './browser.ts';
import { choose } from './choose.ts';
import { makeEstate } from './estate.ts';
import { openMenu } from './menu.ts';
import { type Stack, startStack } from './stack.ts';
import { visit } from './visit.ts';

let stack: Stack;
let browser: Browser;
let page: Page;
let sn = '';
const folder = mkdtempSync(join(tmpdir(), 'mooring-merchant-'));
const [sheet, photo] = [join(folder, 'merchants.csv'), join(folder, 'roller.png')];

beforeAll(async () => {
  stack = await startStack();
  const admin = await administrator(stack.url, stack.password);
  const { productId } = await makeEstate(stack.url, admin, ADMIN, 1);
  ({ sn } = await admin.call(deviceCalls.add, { sn: 'SHOP0001', productId, deptId: 1 }));
  await admin.call(deviceCalls.add, { sn: 'SPARE001', productId, deptId: 1, stocked: true });
  browser = await launchBrowser();
  ({ page } = await visit(browser, { url: stack.url, account: 'admin', password: ADMIN, platform: 'centre' }));
  await page.screenshot({ path: photo, clip: { x: 0, y: 0, width: 300, height: 200 } });
  const header =
    'Merchant number,Name,Line of business,Organisation,Contact,Phone,E-mail,Country or region,State or province,City,Address,Postcode,Latitude,Longitude,Remark';
  const row = (number: string, name: string, kind: string) => [number, name, kind, ...Array(12).fill('')].join();
  writeFileSync(
    sheet,
    [header, row('M-20', 'Harbour Pharmacy', 'Health care'), row('M-20', 'Twin', 'Retail'), row('?', 'Odd', 'Piracy')].join('\n'),
  );
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const button = (name: string) => page.getByRole('button', { name, exact: true });
const dialog = () => page.getByRole('dialog').last();
const field = (name: string) => dialog().getByLabel(new RegExp(`^${name}(?: ?\\(?optional\\)?)?$`));
const send = (name: string) => dialog().getByRole('button', { name, exact: true }).click();
const menu = (name: string) => openMenu(page, name);
const look = (name: string) => process.env.LOOK && page.screenshot({ path: join(process.env.LOOK, `${name}.png`), fullPage: true });
const tab = (name: RegExp | string) => page.getByRole('tab', { name }).click();

test('a merchant with a shop is made, gets a terminal, and the work on it is written down', async () => {
  await menu('Merchants');
  await page.getByText('No merchants yet').waitFor();
  await button('Add merchant').first().click();
  await field('Merchant number').fill('-1');
  await field('Name').fill('Corner Bakery');
  await choose(field('Organisation'), 'Mooring');
  await look('merchant-form');
  await field('Latitude').fill('51.5');
  await send('Add merchant');
  await dialog().getByText('Up to 32 letters, digits and . _ -, beginning with a letter or digit.').waitFor();
  await field('Merchant number').fill('M-10');
  await send('Add merchant');
  await dialog().getByText('Give both latitude and longitude, or neither.').waitFor();
  await field('Longitude').fill('-0.15');
  await send('Add merchant');
  await page.getByText('“Corner Bakery” added').waitFor();

  await page.getByRole('link', { name: 'M-10', exact: true }).click();
  await page.getByText('No shops yet').waitFor();
  await button('Add shop').first().click();
  await field('Shop number').fill('S-1');
  await field('Name').fill('Baker Street');
  // The zone that is chosen stays among the options.
  await field('Time zone').click();
  await page.keyboard.type('London');
  await page.locator('.ant-select-item-option').filter({ hasText: 'Europe/London' }).click();
  await send('Add hours');
  await send('Copy Monday to Friday');
  await look('shop-form');
  await dialog().getByLabel('Closes').first().fill('25:00');
  await send('Add shop');
  await dialog().getByText('Enter a time from 00:00 to 24:00, such as 02:30.').first().waitFor();
  await dialog().getByLabel('Closes').first().fill('1800');
  await send('Add shop');
  await page.getByText('“Baker Street” added').waitFor();
  await page
    .getByRole('row', { name: /Baker Street/ })
    .getByText('Monday – Friday 09:00–18:00')
    .waitFor();

  await look('merchant');
  await button('Release to this merchant').click();
  await page.waitForURL(/\/new\?merchant=\d+/);
  await page.getByRole('heading', { name: 'Package', level: 2 }).waitFor();
  await page.goBack();
  await button('Assign terminals').click();
  await choose(dialog().getByRole('combobox', { name: 'Terminals' }), sn);
  await choose(dialog().getByRole('combobox', { name: 'Shop' }), 'Baker Street');
  await send('Assign');
  await page.getByText('1 terminal assigned').waitFor();
  await tab(/^Terminals/);
  await page.getByRole('link', { name: sn, exact: true }).click();
  await page.getByRole('link', { name: 'Corner Bakery · Baker Street' }).click();
  await page.getByText('Europe/London').waitFor();

  await look('of-device');
  await button('Add maintenance record').first().click();
  await field('Fault found').fill('Paper jam');
  await send('Add part');
  await field('Part').fill('Printer roller');
  await field('Unit price').fill('12.505');
  await dialog().getByText('¥12.50').waitFor();
  await dialog().locator('input[type=file]').setInputFiles(photo);
  await dialog().getByRole('button', { name: 'Remove photo 1' }).waitFor();
  await look('maintenance-form');
  await send('Add maintenance record');
  await page.getByText(`Maintenance record of “${sn}” added`).waitFor();
  await menu('Maintenance');
  await page
    .getByRole('row', { name: /Paper jam/ })
    .getByText('Corner Bakery')
    .click();
  await dialog().locator('img').waitFor();
  await look('maintenance');
  await page.keyboard.press('Escape');
  await page
    .getByRole('row', { name: /Paper jam/ })
    .getByRole('button', { name: /^Actions for/ })
    .click();
  await page.getByRole('menuitem', { name: 'Mark as done' }).click();
  await send('Mark as done');
  await page.getByText(`Maintenance of “${sn}” done`).waitFor();
});

test('of a sheet the good rows come in, each wrong cell is named, and a merchant with a terminal stays', async () => {
  await menu('Merchants');
  await button('Import').click();
  await dialog().locator('input[type=file]').setInputFiles(sheet);
  await dialog().getByText('Row 3, Merchant number').waitFor();
  await dialog().getByText('Row 4, Line of business').waitFor();
  expect(await dialog().getByRole('button', { name: 'Import 3 merchants' }).isDisabled()).toBe(true);
  await look('import');
  await dialog().getByText('Leave these rows out and import the other one').click();
  await send('Import 1 merchant');
  await page.getByRole('row', { name: /Harbour Pharmacy/ }).waitFor();
  await page
    .getByRole('row', { name: /Corner Bakery/ })
    .getByRole('button', { name: /^Actions for/ })
    .click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await dialog().getByRole('textbox').fill('Corner Bakery');
  await send('Delete');
  await page.getByText('Terminals are assigned to this merchant. Assign them elsewhere first.').waitFor();
});

test('a broken terminal is replaced where it stands by one out of stock, with the keyboard', async () => {
  await page.goto(`${stack.url}/device/device`);
  await page.getByRole('link', { name: sn, exact: true }).click();
  await page.getByRole('heading', { name: sn }).waitFor();
  await page.getByRole('button', { name: /^More/ }).filter({ visible: true }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Replace' }).press('Enter');
  await dialog().getByLabel('Remark').fill('Does not start');
  await dialog().getByLabel('Remark').press('Escape');
  await page.getByRole('button', { name: 'Keep editing' }).click();
  await send('Replace');
  await dialog().getByText('Required').waitFor();
  await choose(dialog().getByRole('combobox', { name: 'New terminal' }), 'SPARE001');
  await look('swap');
  await send('Replace');
  await page.getByText(`${sn} was replaced by SPARE001`).waitFor();
  await page.getByRole('heading', { name: 'SPARE001' }).waitFor();
  await page.getByRole('link', { name: 'Corner Bakery · Baker Street' }).waitFor();
  await tab('Custody');
  await page.getByText('Replaces another terminal').waitFor();
  await look('swapped');
  await tab('Settings');
  await page.getByText('No settings').waitFor();
  await button('Edit settings').click();
  await send('Add setting');
  await dialog().getByLabel('Name').fill('Volume');
  await send('Save');
  await dialog()
    .getByText(/A property begins with a lower-case letter/)
    .first()
    .waitFor();
  await dialog().getByLabel('Name').fill('volume');
  await choose(dialog().getByLabel('Kind'), 'Number');
  await dialog().getByRole('spinbutton', { name: 'Value' }).fill('5');
  await send('Add setting');
  await dialog().getByLabel('Name').last().fill('volume');
  await dialog().getByText('“volume” is there twice.').waitFor();
  await look('settings');
  await dialog().getByRole('button', { name: 'Remove setting volume' }).last().click();
  await send('Save');
  await page.getByText('Settings saved; they are sent to the terminal').waitFor();
  await page.getByRole('row', { name: /volume 5/ }).waitFor();
  await page.getByText('Not confirmed by the terminal yet').waitFor();
  await page.reload();
  await page.getByRole('link', { name: 'Corner Bakery · Baker Street' }).waitFor();
  await menu('Terminals');
  await page.getByRole('row', { name: sn }).getByText('In stock').waitFor();
});
