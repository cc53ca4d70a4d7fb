import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Fleet, startFleet } from '@mooring/terminal/start-fleet';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADMIN, administrator } from './api.ts';
import { axe } from './axe.ts';
import { bareKeys } from './bare-keys.ts';
import { launchBrowser } from './browser.ts';
import { makeEstate } from './estate.ts';
import { settled } from './settled.ts';
import { type Stack, startStack } from './stack.ts';
import { visit } from './visit.ts';

let stack: Stack;
let fleet: Fleet;
let browser: Browser;
let page: Page;
const sns = ['SELE0001', 'SELE0002', 'SELE0003'];

beforeAll(async () => {
  stack = await startStack();
  const { code } = await makeEstate(stack.url, await administrator(stack.url, stack.password), ADMIN, sns.length);
  browser = await launchBrowser();
  ({ page } = await visit(browser, { url: stack.url, account: 'admin', password: ADMIN, platform: 'centre' }));
  fleet = startFleet({ server: stack.url, count: sns.length, code, product: 'A920', sns, heartbeatSeconds: 5 });
  await fleet.whenOnline(sns.length);
  for (const { body } of fleet.terminals) body.missing.clear();
});
afterAll(async () => {
  await fleet?.stop();
  await browser?.close();
  await stack?.stop();
});

const rowOf = (name: string) => page.getByRole('row').filter({ hasText: name }).first();
const dialog = () => page.getByRole('dialog');
const press = (name: string) => dialog().getByRole('button', { name, exact: true }).click();
async function look(name: string): Promise<void> {
  expect([...(await axe(page)), ...(await bareKeys(page))]).toEqual([]);
  if (!process.env.LOOK) return;
  mkdirSync(process.env.LOOK, { recursive: true });
  for (const [scheme, width] of [
    ['light', 1440],
    ['dark', 390],
  ] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize({ width, height: 900 });
    await settled(page);
    await page.screenshot({ path: join(process.env.LOOK, `${name} ${scheme} ${width}.png`) });
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1440, height: 900 });
}
/** An act on all three, from the menu of the selection. */
async function choose(act: string): Promise<void> {
  await page.goto(`${stack.url}/device/device`);
  await rowOf('SELE0003').waitFor();
  await page.getByLabel('Select all rows on this page').check();
  await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: /^More/ }).click();
  await page.getByRole('menuitem', { name: act }).click();
  await dialog().waitFor();
}

test('a selection tests its hardware: nothing to test is refused, and each reports its result', async () => {
  await choose('Test hardware of 3 terminals');
  await dialog().getByText('3 of the 3 selected will be changed.').waitFor();
  const parts = ['Printer', 'Screen', 'Card reader', 'NFC', 'Scanner', 'Network', 'Battery'];
  for (const name of parts) await dialog().getByRole('checkbox', { name }).uncheck();
  await press('Test hardware of 3 terminals');
  await dialog().locator('.m-field-error').first().waitFor();
  await dialog().getByRole('checkbox', { name: 'Printer' }).check();
  await look('selection hardware');
  await dialog().getByRole('button', { name: 'Test hardware of 3 terminals' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('3 terminals asked to test their hardware').waitFor();
  await page.goto(`${stack.url}/device/hardware`);
  for (const sn of sns) await rowOf(sn).getByText('Passed', { exact: true }).waitFor();
  await page.reload();
  for (const sn of sns) await rowOf(sn).getByText('Printer', { exact: true }).first().waitFor();
});

test('settings of a selection: only what is named changes, and who has it already is named', async () => {
  await choose('Change settings of 3 terminals');
  await press('Change settings of 3 terminals');
  await dialog().getByText('Enter a setting to change or to remove.').waitFor();
  await dialog().getByRole('button', { name: 'Add setting' }).click();
  await dialog().getByLabel('Name', { exact: true }).fill('Bad name');
  await dialog().locator('.m-field-error').first().waitFor();
  await dialog().getByLabel('Name', { exact: true }).fill('receiptHead');
  await dialog().getByLabel('Value', { exact: true }).fill('Harbour Bank');
  await dialog().getByText('3 of the 3 selected will be changed.').waitFor();
  await look('selection settings');
  await press('Change settings of 3 terminals');
  await page.getByText('Settings of 3 terminals changed').waitFor();
  await choose('Change settings of 3 terminals');
  await dialog().getByRole('button', { name: 'Add setting' }).click();
  await dialog().getByLabel('Name', { exact: true }).fill('receiptHead');
  await dialog().getByLabel('Value', { exact: true }).fill('Harbour Bank');
  await dialog().getByText('It has these settings already', { exact: false }).first().waitFor();
  await look('selection settings refused');
  await press('Cancel');
});

test('a terminal like another takes its place and settings; a wrong SN stays in the form', async () => {
  await page.goto(`${stack.url}/device/device`);
  await rowOf('SELE0001').getByRole('link').first().click();
  await page.waitForURL('**/device/deviceDetail/*');
  await page.getByRole('heading', { name: 'SELE0001' }).first().waitFor();
  await look('terminal page');
  // What comes late would close the menu again.
  await settled(page);
  await page.getByRole('button', { name: /^More/ }).filter({ visible: true }).click();
  await page.getByRole('menuitem', { name: 'Add one like it' }).click();
  await press('Cancel');
  await dialog().waitFor({ state: 'detached' });
  // Its address opens it too.
  expect(page.url()).not.toContain('clone');
  await page.goto(`${page.url()}?clone=1`);
  await dialog().getByLabel('SN', { exact: true }).fill('no');
  await press('Add terminal');
  await dialog().locator('.m-field-error').first().waitFor();
  await dialog().getByLabel('SN', { exact: true }).fill('SELE0001');
  await press('Add terminal');
  await dialog().locator('.m-field-error').first().waitFor();
  await look('clone');
  await dialog().getByLabel('SN', { exact: true }).fill('SELE0009');
  await page.keyboard.press('Control+Enter');
  await page.getByText('SELE0009 added like SELE0001').waitFor();
  await page.getByRole('heading', { name: 'SELE0009' }).first().waitFor();
  await page.goBack();
  await page.getByRole('heading', { name: 'SELE0001' }).first().waitFor();
  expect(await dialog().count()).toBe(0);
  await page.goForward();
  await page.getByRole('heading', { name: 'SELE0009' }).first().waitFor();
  await page.reload();
  await page.getByRole('tab', { name: 'Settings', exact: true }).click();
  await page.getByText('Harbour Bank').first().waitFor();
});
