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

const TERMINALS = 6;
const sns = Array.from({ length: TERMINALS }, (_, n) => `LIVE000${n + 1}`);
let stack: Stack;
let fleet: Fleet;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  stack = await startStack();
  const { code } = await makeEstate(stack.url, await administrator(stack.url, stack.password), ADMIN, TERMINALS);
  browser = await launchBrowser();
  ({ page } = await visit(browser, { url: stack.url, account: 'admin', password: ADMIN, platform: 'centre', at: '/device/active' }));
  await page.getByText('No terminals online', { exact: true }).waitFor();
  await look('active empty');
  fleet = startFleet({ server: stack.url, count: TERMINALS, code, product: 'A920', sns, heartbeatSeconds: 5 });
  await fleet.whenOnline(TERMINALS);
});
afterAll(async () => {
  await fleet?.stop();
  await browser?.close();
  await stack?.stop();
});

const button = (name: string) => page.getByRole('button', { name, exact: true });
const ticker = () => page.getByRole('region', { name: 'Coming and going' }).first();
const isStat = (name: string, value: string) =>
  page.locator('.m-stat').filter({ hasText: name }).locator('.m-stat-value').first().getByText(value, { exact: true }).waitFor();
async function look(name: string): Promise<void> {
  if (!process.env.LOOK) return;
  mkdirSync(process.env.LOOK, { recursive: true });
  await settled(page);
  await page.screenshot({ path: join(process.env.LOOK, `${name}.png`), fullPage: true });
}

test('who comes is told as it happens, with the figures, and the product narrows all of it', async () => {
  await ticker().getByRole('link', { name: 'LIVE0006' }).waitFor();
  await isStat('Online', String(TERMINALS));
  await isStat('Of terminals in use', '100%');
  await settled(page);
  expect([...(await axe(page)), ...(await bareKeys(page))]).toEqual([]);
  await look('active');
  await button('Smart POS A920').click();
  await page.waitForURL('**/device/active?productId=*');
  await page.reload();
  await isStat('Online', String(TERMINALS));
  await button('All products').click();
  await page.waitForURL('**/device/active');
});

test('paused the list of changes holds still, and says that there are newer ones', async () => {
  await button('Pause').click();
  await fleet.terminals[5]?.agent()?.stop();
  await page.getByText('Paused. 1 newer change').waitFor();
  expect(await ticker().getByText('Disconnected').count()).toBe(0);
  await button('Resume').click();
  await ticker().getByText('Disconnected').waitFor();
  await isStat('Online', String(TERMINALS - 1));
});

test('a row opens its terminal, and the way back is where it was', async () => {
  const list = page.getByRole('region', { name: 'Terminals online' });
  await waitFor(async () => (await list.getByRole('link', { name: /^LIVE/ }).count()) === TERMINALS - 1, 'the list');
  await list.getByRole('link', { name: 'LIVE0001' }).click();
  await page.waitForURL('**/device/deviceDetail/*');
  await page.goBack();
  await ticker().getByText('Disconnected').waitFor();
});
