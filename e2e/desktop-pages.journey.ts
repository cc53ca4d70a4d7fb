import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADMIN, administrator } from './api.ts';
import { launchBrowser } from './browser.ts';
import { makeEstate } from './estate.ts';
import { openMenu } from './menu.ts';
import { look } from './page-parts.ts';
import { type Stack, startStack } from './stack.ts';
import { visit } from './visit.ts';

let stack: Stack;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  stack = await startStack();
  await makeEstate(stack.url, await administrator(stack.url, stack.password), ADMIN, 1);
  browser = await launchBrowser();
  ({ page } = await visit(browser, { url: stack.url, account: 'admin', password: ADMIN, platform: 'centre' }));
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

const button = (name: string) => page.getByRole('button', { name, exact: true });

test('a page becomes the first one and moves on, by the mouse and by the keyboard, and is taken back', async () => {
  await openMenu(page, 'Desktops');
  await page.getByRole('link', { name: 'Add desktop' }).first().click();
  await page.getByRole('heading', { name: 'Add desktop', level: 1 }).waitFor();
  expect(await button('Move page').isDisabled()).toBe(true);
  await button('App').click();
  await page.getByLabel('Package name').fill('com.mooring.pay');
  const pay = page.locator('.m-screen-grid').first().getByRole('button', { name: /^pay,/ });
  await pay.waitFor();
  await button('Add page').click();
  await pay.waitFor({ state: 'detached' });
  // The new one to the front, by keyboard; it stays open.
  await button('Move page').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Make it the first page' }).waitFor();
  await look(page, 'move-page');
  await page.keyboard.press('Enter');
  await button('Page 2').click();
  await pay.waitFor();
  // Back by mouse.
  await button('Move page').click();
  await page.getByRole('menuitem', { name: 'One place earlier' }).click();
  await pay.waitFor();
  await button('Page 2').click();
  await pay.waitFor({ state: 'detached' });
  await button('Undo').click();
  await pay.waitFor();
  await button('Undo').click();
  await pay.waitFor({ state: 'detached' });
  await button('Page 1').click();
  await pay.waitFor();
});
