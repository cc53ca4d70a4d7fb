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
const sns = ['HARD0001', 'HARD0002', 'HARD0003'];

beforeAll(async () => {
  stack = await startStack();
  const { code } = await makeEstate(stack.url, await administrator(stack.url, stack.password), ADMIN, sns.length);
  browser = await launchBrowser();
  ({ page } = await visit(browser, { url: stack.url, account: 'admin', password: ADMIN, platform: 'centre', at: '/device/hardware' }));
  await page.getByText('No hardware tests yet', { exact: true }).waitFor();
  await look('hardware empty');
  fleet = startFleet({ server: stack.url, count: sns.length, code, product: 'A920', sns, heartbeatSeconds: 5 });
  await fleet.whenOnline(sns.length);
  for (const { body } of fleet.terminals) body.missing.clear();
  fleet.terminals[0]?.body.broken.add('printer').add('nfc');
  fleet.terminals[1]?.body.missing.add('scanner');
});
afterAll(async () => {
  await fleet?.stop();
  await browser?.close();
  await stack?.stop();
});

const rowOf = (sn: string) => page.getByRole('row').filter({ hasText: sn }).first();
async function look(name: string): Promise<void> {
  if (!process.env.LOOK) return;
  mkdirSync(process.env.LOOK, { recursive: true });
  for (const [scheme, width] of [
    ['light', 1440],
    ['dark', 390],
  ] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize({ width, height: 900 });
    await settled(page);
    await page.screenshot({ path: join(process.env.LOOK, `${name} ${scheme} ${width}.png`), fullPage: true });
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1440, height: 900 });
}

test('terminals are chosen, done wrong first, and test their parts', async () => {
  await page.getByRole('button', { name: 'New test' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Test the hardware of terminals' });
  await dialog.getByRole('button', { name: 'Start test' }).click();
  await dialog.locator('.m-field-error').first().waitFor();
  await dialog.getByRole('combobox', { name: 'Terminals' }).click();
  await page.getByTitle('HARD0001').click();
  await page.getByTitle('HARD0002').click();
  await page.keyboard.press('Escape');
  await dialog.getByRole('checkbox', { name: 'Battery' }).uncheck();
  await look('hardware new');
  await dialog.getByRole('button', { name: 'Start test' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('2 terminals asked to test their hardware').waitFor();
  await rowOf('HARD0001').getByText('Failed', { exact: true }).waitFor();
  await rowOf('HARD0002').getByText('Passed', { exact: true }).waitFor();
  await rowOf('HARD0001').getByText('Printer, NFC', { exact: true }).waitFor();
  await settled(page);
  expect([...(await axe(page)), ...(await bareKeys(page))]).toEqual([]);
  await look('hardware list');
});

test('a test shows each part, what failed and why, over a reload, and is run again when it is mended', async () => {
  await rowOf('HARD0001').getByRole('link').first().click();
  await page.waitForURL('**/device/hardwareDetail/*');
  await page.reload();
  await rowOf('Printer').getByText('Out of paper').waitFor();
  await rowOf('Scanner').getByText('Works').waitFor();
  await settled(page);
  expect([...(await axe(page)), ...(await bareKeys(page))]).toEqual([]);
  await look('hardware detail');
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download report (PDF)' }).filter({ visible: true }).first().click();
  expect((await saved).suggestedFilename()).toMatch(/^HARD0001.*\.pdf$/);
  await page.getByRole('tab', { name: 'Tests of this terminal' }).click();
  await page.getByRole('tabpanel').getByRole('row').filter({ hasText: 'HARD0001' }).waitFor();
});

test('the page of a terminal says what fails, and a later test that passes takes it away', async () => {
  await page.getByRole('link', { name: 'HARD0001' }).first().click();
  await page.waitForURL('**/device/deviceDetail/*');
  await page.getByText('Failed in the last hardware test: Printer, NFC').waitFor();
  fleet.terminals[0]?.body.broken.clear();
  await page.getByRole('tab', { name: 'Hardware tests' }).click();
  await look('terminal hardware');
  await page.getByRole('button', { name: 'New test' }).click();
  const dialog = page.getByRole('dialog', { name: 'Test the hardware of terminals' });
  await dialog.getByRole('button', { name: 'Start test' }).click();
  await page.getByRole('row').filter({ hasText: 'Passed' }).first().waitFor();
  await page.getByText('Failed in the last hardware test').waitFor({ state: 'detached' });
});

test('a terminal that is away waits, and its test is cancelled', async () => {
  await fleet.terminals[2]?.agent()?.stop();
  await page.goto(`${stack.url}/device/hardware`);
  await page.getByRole('button', { name: 'New test' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Test the hardware of terminals' });
  await dialog.getByRole('combobox', { name: 'Terminals' }).click();
  await page.getByTitle('HARD0003').click();
  await page.keyboard.press('Escape');
  await dialog.getByRole('button', { name: 'Start test' }).click();
  await rowOf('HARD0003').getByText('Requested', { exact: true }).waitFor();
  await rowOf('HARD0003').getByRole('link').first().click();
  await page.waitForURL('**/device/hardwareDetail/*');
  // The list stays until its row is drawn, and has a button of that name too.
  await page.getByRole('heading', { level: 1, name: 'Hardware tests', exact: true }).waitFor({ state: 'hidden' });
  await look('hardware waiting');
  const cancel = async () => {
    await page.getByRole('button', { name: /^More/ }).filter({ visible: true }).click();
    await page.getByRole('menuitem', { name: 'Cancel test' }).click();
  };
  await cancel();
  const confirm = page.getByRole('dialog');
  await confirm.getByRole('button', { name: 'Keep test' }).click();
  await page.locator('.m-status').filter({ hasText: 'Requested', visible: true }).first().waitFor();
  await cancel();
  await confirm.getByRole('button', { name: 'Cancel test' }).click();
  await page.locator('.m-status').filter({ hasText: 'Cancelled', visible: true }).first().waitFor();
});
