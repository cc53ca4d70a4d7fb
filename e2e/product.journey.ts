import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { ADMIN, administrator } from './api.ts';
import { launchBrowser } from './browser.ts';
import { type Stack, startStack } from './stack.ts';
import { visit } from './visit.ts';

let stack: Stack;
let browser: Browser;
let page: Page;
const folder = mkdtempSync(join(tmpdir(), 'mooring-product-'));
const picture = join(folder, 'kiosk.png');
const file = join(folder, 'model.json');

beforeAll(async () => {
  stack = await startStack();
  await administrator(stack.url, stack.password);
  browser = await launchBrowser();
  ({ page } = await visit(browser, { url: stack.url, account: 'admin', password: ADMIN, platform: 'manager' }));
  await page.screenshot({ path: picture });
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const look = async (name: string) => {
  if (process.env.LOOK) await page.screenshot({ path: join(process.env.LOOK, `product ${name}.png`), fullPage: true });
};
/** What stands there when a step fails. */
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await look('failed');
});
const dialog = (name: string | RegExp) => page.getByRole('dialog', { name });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const choose = async (field: string, option: string) => {
  await page.locator(`#field-${field}`).click();
  await page.locator('.ant-select-dropdown:visible').getByText(option, { exact: true }).click();
};

test('a manufacturer and a category are added beside the products; what is wrong is said at its field', async () => {
  await page.goto(`${stack.url}/device/product`);
  await button('Manufacturers').click();
  await dialog('Manufacturers').getByText('No manufacturers yet').waitFor();
  await dialog('Manufacturers').getByRole('button', { name: 'Add manufacturer' }).first().click();
  const form = dialog('Add manufacturer');
  await form.getByLabel('Name', { exact: true }).fill('Harbour Works');
  await form.getByLabel('Code', { exact: true }).fill('harbour works');
  await form.getByRole('button', { name: 'Add manufacturer' }).click();
  await form.getByText('A code begins with').first().waitFor();
  await form.getByLabel('Code', { exact: true }).fill('HARBOUR');
  await form.getByRole('button', { name: 'Add manufacturer' }).click();
  await dialog('Manufacturers').getByText('Harbour Works').waitFor();
  await look('manufacturers');
  await page.keyboard.press('Escape');
  await button('Categories').click();
  await dialog('Categories').getByText('Cloud speaker').waitFor();
  await dialog('Categories').getByRole('button', { name: 'Add category' }).first().click();
  const category = dialog('Add category');
  await category.getByLabel('Code', { exact: true }).fill('kiosk');
  await category.getByLabel('English', { exact: true }).fill('Kiosk');
  await category.getByRole('button', { name: 'Add category' }).click();
  await dialog('Categories').getByText('Kiosk', { exact: true }).waitFor();
  await look('categories');
  await page.keyboard.press('Escape');
});

test('a product has its manufacturer, category and photo, and limits of its own', async () => {
  await page.getByRole('link', { name: 'Add product' }).first().click();
  await page.getByLabel('Code', { exact: true }).fill('K1');
  await page.getByLabel('Name', { exact: true }).fill('Kiosk K1');
  await choose('category', 'Kiosk');
  await choose('firmId', 'Harbour Works');
  await page.getByLabel(/^Low battery below/).fill('120');
  await page.locator('input[type=file]').setInputFiles(picture);
  await page.getByRole('button', { name: 'Remove photo' }).waitFor();
  await button('Add product').click();
  await page
    .getByText(/from 1 to 99/)
    .first()
    .waitFor();
  await page.getByLabel(/^Low battery below/).fill('30');
  await look('form');
  await button('Add product').click();
  await page.waitForURL('**/device/product');
  await page.getByText('“Kiosk K1” added').waitFor();
  await page.getByRole('link', { name: 'Kiosk K1' }).click();
  await page.getByRole('definition').filter({ hasText: 'Harbour Works' }).waitFor();
  await page.getByText('30%', { exact: true }).waitFor();
  await page.locator('img.m-device-photo').filter({ visible: true }).first().waitFor();
  await look('overview');
});

test('its thing model is drawn up, saved, published and changed; what breaks is named and has to be confirmed', async () => {
  await page.getByRole('tab', { name: 'Thing model' }).click();
  await button('Create thing model').click();
  await button('Add property').click();
  const property = dialog('Add property');
  await property.getByLabel('Identifier', { exact: true }).fill('2nd');
  await property.getByRole('button', { name: 'Apply' }).click();
  await property.getByText('Start with a letter').waitFor();
  await property.getByText('Required').first().waitFor();
  await property.getByLabel('Identifier', { exact: true }).fill('volume');
  await property.getByLabel('Name', { exact: true }).fill('Volume');
  await property.getByLabel('Maximum').fill('100');
  await look('property');
  await property.getByRole('button', { name: 'Apply' }).click();
  await page.getByText('volume', { exact: true }).waitFor();
  await button('Save draft').click();
  await page.getByText('Draft of version 1 saved').waitFor();
  await button('Publish version 1').click();
  await dialog(/Publish version 1/)
    .getByRole('button', { name: 'Publish version 1' })
    .click();
  await page.getByText('Version 1 of the thing model published').waitFor();
  await page.getByRole('heading', { name: 'Version 1', exact: true }).waitFor();
  writeFileSync(file, '{"properties":[{"id":"volume"}]}');
  await page.locator('input[accept=".json"]').setInputFiles(file);
  await page.getByText(/This isn’t a thing model/).waitFor();
  const text = { kind: 'text', maxLength: 10 };
  writeFileSync(file, JSON.stringify({ properties: [{ id: 'volume', name: 'Volume', access: 'r', dataType: text }] }));
  await page.locator('input[accept=".json"]').setInputFiles(file);
  await page.getByText('Imported as draft of version 2').waitFor();
  await look('draft');
  await button('Publish version 2').click();
  const asked = dialog(/Publish version 2/);
  await asked.getByText('Data type changed').waitFor();
  expect(await asked.getByRole('button', { name: 'Publish version 2' }).isDisabled()).toBe(true);
  await asked.getByRole('textbox').fill('K1');
  await look('publish');
  await asked.getByRole('button', { name: 'Publish version 2' }).click();
  await page.getByText('Version 2 of the thing model published').waitFor();
  await page.getByText('Superseded').first().waitFor();
  await look('versions');
});
