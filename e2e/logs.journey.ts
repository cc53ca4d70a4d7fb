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
import { type Stack, startStack, waitFor } from './stack.ts';
import { visit } from './visit.ts';

let stack: Stack;
let fleet: Fleet;
let browser: Browser;
let page: Page;
const sns = ['LOG00001', 'LOG00002', 'LOG00003'];

beforeAll(async () => {
  stack = await startStack();
  const { code } = await makeEstate(stack.url, await administrator(stack.url, stack.password), ADMIN, sns.length);
  browser = await launchBrowser();
  ({ page } = await visit(browser, { url: stack.url, account: 'admin', password: ADMIN, platform: 'centre', at: '/device/logs' }));
  await page.getByText('No log lines yet', { exact: true }).waitFor();
  await look('logs empty');
  fleet = startFleet({ server: stack.url, count: sns.length, code, product: 'A920', sns, heartbeatSeconds: 5 });
  await fleet.whenOnline(sns.length);
});
afterAll(async () => {
  await fleet?.stop();
  await browser?.close();
  await stack?.stop();
});

const button = (name: string) => page.getByRole('button', { name, exact: true });
const lines = () => page.getByRole('region', { name: 'Log', exact: true }).getByRole('listitem');
const write = (index: number, level: 'debug' | 'info' | 'warn' | 'error', text: string) =>
  fleet.terminals[index]?.body.runLog.add(level, 'pay', text);
async function look(name: string): Promise<void> {
  if (!process.env.LOOK) return;
  mkdirSync(process.env.LOOK, { recursive: true });
  await settled(page);
  await page.screenshot({ path: join(process.env.LOOK, `${name}.png`), fullPage: true });
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 390, height: 844 });
  await settled(page);
  await page.screenshot({ path: join(process.env.LOOK, `${name} narrow dark.png`), fullPage: true });
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1440, height: 900 });
  await settled(page);
}

test('a warning of a terminal shows as it is written, what is below its level does not', async () => {
  write(0, 'info', 'receipt printed');
  write(0, 'warn', 'paper low');
  write(1, 'error', 'card reader: no answer\u001b[0m\u0007');
  await lines().filter({ hasText: 'paper low' }).waitFor();
  await lines().filter({ hasText: 'card reader: no answer' }).waitFor();
  expect(await lines().count()).toBe(2);
  await settled(page);
  expect([...(await axe(page)), ...(await bareKeys(page))]).toEqual([]);
  await look('logs');
});

test('paused it holds still and counts, and going back shows what came', async () => {
  await page.getByRole('checkbox', { name: 'Follow' }).uncheck();
  write(2, 'warn', 'battery below 20 %');
  await page.getByText('Paused. 1 newer line').waitFor();
  expect(await lines().filter({ hasText: 'battery' }).count()).toBe(0);
  await button('Newest').click();
  await lines().filter({ hasText: 'battery' }).waitFor();
});

test('a search is in the address, survives a reload, and finds nothing where nothing is', async () => {
  await page.getByRole('textbox', { name: 'Search text' }).fill('paper');
  await page.waitForURL('**/device/logs?text=paper');
  await waitFor(async () => (await lines().count()) === 1, 'one line');
  await page.reload();
  await waitFor(async () => (await lines().count()) === 1, 'one line');
  await page.getByRole('textbox', { name: 'Search text' }).fill('nowhere');
  await page
    .getByText('Nothing matches')
    .or(page.getByRole('button', { name: 'Clear filters' }))
    .first()
    .waitFor();
  await button('Clear filters').first().click();
  await waitFor(async () => (await lines().count()) >= 3, 'all lines');
});

test('a log is requested by keyboard, done wrong first, and its lines arrive', async () => {
  await button('Request log').click();
  const dialog = page.getByRole('dialog', { name: 'Request the log of terminals' });
  await dialog.getByRole('button', { name: 'Request log' }).click();
  await dialog.locator('.m-field-error').first().waitFor();
  await dialog.getByRole('combobox', { name: 'Terminals' }).click();
  await page.getByTitle('LOG00001').click();
  await page.keyboard.press('Escape');
  await look('logs request');
  await dialog.getByRole('button', { name: 'Request log' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('Log of 1 terminal requested').waitFor();
  await lines().filter({ hasText: 'receipt printed' }).waitFor();
  await page.getByRole('tab', { name: 'Requests' }).click();
  const row = page.getByRole('row').filter({ hasText: 'LOG00001' });
  await row.getByText('Completed').waitFor();
  await look('logs requests');
  await row.getByRole('link', { name: 'LOG00001' }).click();
  await page.waitForURL('**/device/logs?deviceId=*');
});

test('the page of a terminal has its log, and sets from which level it sends', async () => {
  await page.goto(`${stack.url}/device/device`);
  await page.getByRole('link', { name: 'LOG00002' }).click();
  await page.getByRole('tab', { name: 'Log', exact: true }).click();
  await lines().filter({ hasText: 'card reader: no answer' }).waitFor();
  await page.getByRole('combobox', { name: 'Sends automatically from' }).click();
  await page.getByTitle('Debug').click();
  await page.getByText('LOG00002 sends from this level on').waitFor();
  await waitFor(async () => fleet.terminals[1]?.journal.config['log.level'] === 'debug', 'the setting');
  write(1, 'debug', 'keys pressed: 4');
  await lines().filter({ hasText: 'keys pressed: 4' }).waitFor();
  await settled(page);
  expect([...(await axe(page)), ...(await bareKeys(page))]).toEqual([]);
  await look('terminal log');
});
