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
import { speak, visit } from './visit.ts';

let stack: Stack;
let fleet: Fleet;
let browser: Browser;
let page: Page;
const sns = ['DOUB0001', 'DOUB0002', 'DOUB0003', 'DOUB0004'];

beforeAll(async () => {
  stack = await startStack();
  const { code } = await makeEstate(stack.url, await administrator(stack.url, stack.password), ADMIN, sns.length);
  fleet = startFleet({ server: stack.url, count: sns.length, code, product: 'A920', sns, heartbeatSeconds: 5, maxBackoffSeconds: 1 });
  await fleet.whenOnline(sns.length);
  browser = await launchBrowser();
  ({ page } = await visit(browser, { url: stack.url, account: 'admin', password: ADMIN, platform: 'centre' }));
});
afterAll(async () => {
  await fleet?.stop();
  await browser?.close();
  await stack?.stop();
});

async function look(name: string): Promise<void> {
  if (!process.env.LOOK) return;
  mkdirSync(process.env.LOOK, { recursive: true });
  for (const [colorScheme, width] of [
    ['light', 1440],
    ['dark', 390],
    ['light', 390],
    ['dark', 1440],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    await settled(page);
    await page.screenshot({ path: join(process.env.LOOK, `${name} ${colorScheme} ${width}.png`) });
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1440, height: 900 });
}

test('a SIM that goes to another terminal is found by the filter, and each of the two names the other', async () => {
  await page.goto(`${stack.url}/device/device?doubles=iccid`);
  await page.getByRole('button', { name: 'Clear filters' }).last().waitFor();
  expect(await page.getByRole('link', { name: /^DOUB/ }).count()).toBe(0);
  const [from, to] = fleet.terminals;
  to?.body.swapSim(String(from?.body.facts().iccid));
  to?.agent()?.cut();
  // The list is open and hears of it by itself, within the minute.
  for (const sn of ['DOUB0001', 'DOUB0002']) await page.getByRole('link', { name: sn, exact: true }).waitFor();
  expect(await page.getByRole('link', { name: /^DOUB/ }).count()).toBe(2);
  await look('filter en');
  await page.getByRole('link', { name: 'DOUB0001', exact: true }).click();
  await page.getByText('ICCID is also reported by DOUB0002').waitFor();
  await settled(page);
  expect([...(await axe(page)), ...(await bareKeys(page))]).toEqual([]);
  await look('note en');
  await page.getByRole('link', { name: 'DOUB0002', exact: true }).click();
  await page.getByText('ICCID is also reported by DOUB0001').waitFor();
});

test('in Chinese it reads as well', async () => {
  await speak(page, 'zh-CN');
  await page.getByText('以下终端也上报了相同的 ICCID：').waitFor();
  await settled(page);
  expect(await bareKeys(page)).toEqual([]);
  await look('note zh');
  await page.goto(`${stack.url}/device/device?doubles=iccid`);
  await page.getByRole('link', { name: 'DOUB0001', exact: true }).waitFor();
  await look('filter zh');
});
