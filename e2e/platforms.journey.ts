import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Platform } from './addresses.ts';
import { ADMIN } from './api.ts';
import { launchBrowser } from './browser.ts';
import { arrives, home, named, platformOf, switchBy } from './crossing.ts';
import { type Stack, startDemo, startStack } from './stack.ts';
import { arrive, plainLook, visit } from './visit.ts';

let stack: Stack;
let browser: Browser;
let shown: Page | undefined;

beforeAll(async () => {
  ({ stack } = await startDemo());
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail')
    await shown?.screenshot({ path: join(import.meta.dirname, '../.cache/journeys', `${task.name.slice(0, 40)}.png`) });
  await shown?.context().close();
  shown = undefined;
});

async function admin(platform: Platform): Promise<Page> {
  const { page } = await visit(browser, { url: stack.url, account: 'admin', password: ADMIN, platform });
  shown = page;
  return page;
}
test('unsaved changes are asked about before the platform is changed', async () => {
  const page = await admin('manager');
  await page.goto(`${stack.url}/device/product/new`);
  await page.locator('#field-name').fill('Half done');
  await switchBy.menu(page, 'centre');
  await page.getByRole('button', { name: 'Stay' }).click();
  expect(await page.locator('#field-name').inputValue()).toBe('Half done');
  expect(await platformOf(page)).toBe('manager');
  await switchBy.menu(page, 'centre');
  await page.getByRole('button', { name: 'Leave' }).click();
  await arrives(page, 'centre', '/device/product/new');
});

test('an address of neither platform says so, with and without a session', async () => {
  const { page } = await arrive(browser, stack.url);
  shown = page;
  await page.goto(`${stack.url}/no/such/page`);
  await page.waitForURL('**/error/not-found');
  await page.getByText('Page not found').waitFor();
});

test.each(['centre', 'manager'] as const)('the very first sign-in, on %s, changes the password and arrives', async (platform) => {
  const fresh = await startStack({ fresh: true });
  try {
    const { page } = await arrive(browser, fresh.url);
    shown = page;
    await page.locator('#login-account').fill('admin');
    await page.locator('#login-password').fill(fresh.password);
    await page.getByText(named[platform], { exact: true }).click();
    await page.keyboard.press('Enter');
    await page.getByLabel('One-time password').fill(fresh.password);
    await page.getByLabel('New password', { exact: true }).fill(ADMIN);
    await page.getByLabel('Repeat new password').fill(ADMIN);
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.waitForURL(`**${home[platform]}`);
    await page.reload();
    await page.getByRole('navigation', { name: 'Menu' }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  } finally {
    await shown?.context().close();
    shown = undefined;
    await fresh.stop();
  }
});

test.each([
  ['en-GB', 'Sign in'],
  ['zh-CN', '登录'],
  ['de-DE', '登录'],
])('a browser in %s meets a sign-in page that says %s', async (locale, said) => {
  const context = await browser.newContext({ locale, viewport: { width: plainLook.width, height: 900 } });
  const page = await context.newPage();
  shown = page;
  await page.goto(stack.url);
  await page.getByRole('button', { name: said, exact: true }).waitFor();
});
