import { deviceCalls } from '@mooring/contract/device/calls';
import { productCalls } from '@mooring/contract/product/calls';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADMIN, type Api, administrator, api, signIn } from './api.ts';
import { launchBrowser } from './browser.ts';
import { type Stack, startStack } from './stack.ts';
import { visit } from './visit.ts';

/** An installation in which nothing has been made yet. */
let stack: Stack;
let browser: Browser;
let page: Page;
let admin: Api;
beforeAll(async () => {
  stack = await startStack();
  admin = await administrator(stack.url, stack.password);
  browser = await launchBrowser();
  ({ page } = await visit(browser, { url: stack.url, account: 'admin', password: ADMIN, platform: 'centre' }));
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

const button = (name: string) => page.getByRole('button', { name, exact: true });

test('a picker without anything to pick leads to where that is made, also by the keyboard, and on the other platform', async () => {
  await page.goto(`${stack.url}/regDevice?tab=codes`);
  await button('Create enrolment code').first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Nothing to choose from yet.').waitFor();
  await dialog.locator('#field-productId').click();
  const list = page.locator('.ant-select-dropdown:visible');
  await list.getByText('No matches').waitFor();
  expect(await list.getByRole('link').textContent()).toBe('Open Customer › Products');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Open Customer › Products');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/device/product');
  await page.getByRole('heading', { name: 'Products', exact: true }).waitFor();
  expect(await page.getByRole('dialog').filter({ visible: true }).count()).toBe(0);
});

test('who has added a product is offered the next step', async () => {
  await page.goto(`${stack.url}/device/product/new`);
  await page.getByLabel('Code', { exact: true }).fill('A920');
  await page.getByLabel('Name', { exact: true }).fill('Smart POS');
  await page.locator('#field-publish').click();
  await button('Add product').click();
  await page.getByText('“Smart POS” added').waitFor();
  await button('Publish').click();
  await page.getByText('“Smart POS” published').waitFor();
  await button('Create enrolment code').click();
  const dialog = page.getByRole('dialog', { name: 'Create enrolment code' });
  await dialog.getByText('Smart POS').waitFor();
  await page.waitForURL('**/regDevice?tab=codes');
  await dialog.getByRole('button', { name: 'Cancel', exact: true }).click();
});

test('a terminal that was deleted comes back by Undo', async () => {
  const manager = api(stack.url, await signIn(stack.url, 'admin', ADMIN, 'manager'), 'manager', 1);
  const [product] = (await manager.call(productCalls.page)).content;
  await admin.call(deviceCalls.add, { sn: 'UNDO-0001', productId: product?.id ?? 0, deptId: 1 });
  await page.goto(`${stack.url}/device/device`);
  const row = page.getByRole('row', { name: /UNDO-0001/ });
  await row.getByRole('button', { name: /^Actions for/ }).click();
  await page.getByRole('menuitem', { name: 'Delete', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill('UNDO-0001');
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByText('“UNDO-0001” deleted').waitFor();
  await row.waitFor({ state: 'hidden' });
  // Whoever is about to press it isn't hurried.
  await button('Undo').hover();
  await page.waitForTimeout(9000);
  await button('Undo').click();
  await page.getByText('“UNDO-0001” restored').waitFor();
  await row.waitFor();
});

test('terminals that were deleted together come back together by Undo', async () => {
  const manager = api(stack.url, await signIn(stack.url, 'admin', ADMIN, 'manager'), 'manager', 1);
  const [product] = (await manager.call(productCalls.page)).content;
  const sns = ['UNDO-0002', 'UNDO-0003'];
  for (const sn of sns) await admin.call(deviceCalls.add, { sn, productId: product?.id ?? 0, deptId: 1 });
  await page.goto(`${stack.url}/device/device?sn=UNDO-000`);
  for (const sn of sns) await page.getByRole('checkbox', { name: `Select ${sn}` }).check();
  await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: /^More/ }).click();
  await page.getByRole('menuitem', { name: 'Delete 2 terminals' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill('confirm');
  await dialog.getByRole('button', { name: 'Delete 2 terminals', exact: true }).click();
  await page.getByText('2 terminals deleted').waitFor();
  for (const sn of sns) await page.getByRole('row', { name: new RegExp(sn) }).waitFor({ state: 'hidden' });
  await button('Undo').click();
  await page.getByText('2 terminals restored').waitFor();
  for (const sn of sns) await page.getByRole('row', { name: new RegExp(sn) }).waitFor();
});
