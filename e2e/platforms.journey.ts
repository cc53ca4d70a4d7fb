import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { addressesOf, type Platform, platforms } from './addresses.ts';
import { ADMIN } from './api.ts';
import { launchBrowser } from './browser.ts';
import { everyRow } from './every-row.ts';
import { settled } from './settled.ts';
import { type Stack, startDemo, startStack } from './stack.ts';
import { arrive, plainLook, visit } from './visit.ts';

const home = { centre: '/welcome', manager: '/device/all' } as const;
const named = { centre: 'Operations', manager: 'Customer' } as const;
const other = { centre: 'manager', manager: 'centre' } as const satisfies Record<Platform, Platform>;

let stack: Stack;
let browser: Browser;
let shown: Page | undefined;
let rows: Awaited<ReturnType<typeof everyRow>>;

beforeAll(async () => {
  const demo = await startDemo();
  ({ stack } = demo);
  rows = await everyRow(demo);
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

const platformOf = (page: Page) => page.evaluate(() => sessionStorage.getItem('mooring.platform'));
const switchBy = {
  menu: async (page: Page, to: Platform) => {
    await page.getByRole('button', { name: named[other[to]], exact: false }).first().click();
    await page.getByRole('menuitem', { name: named[to], exact: true }).click();
  },
  palette: async (page: Page, to: Platform) => {
    await page.keyboard.press('Control+k');
    // In full: a page that was seen lately may begin with the platform's name.
    await page.getByRole('combobox').last().fill(`Switch to ${named[to]}`);
    await page.getByRole('option', { name: `Switch to ${named[to]}` }).waitFor();
    await page.keyboard.press('Enter');
  },
} as const;
async function admin(platform: Platform): Promise<Page> {
  const { page } = await visit(browser, { url: stack.url, account: 'admin', password: ADMIN, platform });
  shown = page;
  return page;
}
/** The other platform's own home, with its menu, and still there when everything has come to rest. */
async function arrives(page: Page, to: Platform, from: string): Promise<void> {
  await page.waitForURL(`**${home[to]}`);
  await page.getByRole('navigation', { name: 'Menu' }).locator('[aria-current=page]').waitFor();
  await settled(page);
  expect({ from, at: new URL(page.url()).pathname, platform: await platformOf(page) }).toEqual({ from, at: home[to], platform: to });
}

test.each(platforms)(
  'from every page of %s, those of rows too, the other platform is reached, and holds',
  async (platform) => {
    const page = await admin(platform);
    const shared = new Set(addressesOf(other[platform], rows));
    for (const [at, path] of addressesOf(platform, rows).entries()) {
      await page.goto(`${stack.url}${path}`);
      await page.getByRole('navigation', { name: 'Menu' }).waitFor();
      // A page of both stays on the one where the tab is.
      if (shared.has(path) && (await platformOf(page)) !== platform) {
        await switchBy.menu(page, platform);
        await arrives(page, platform, path);
        await page.goto(`${stack.url}${path}`);
        await page.getByRole('navigation', { name: 'Menu' }).waitFor();
      } else if ((await platformOf(page)) !== platform) await arrives(page, platform, path);
      await switchBy[at % 2 === 0 ? 'menu' : 'palette'](page, other[platform]);
      await arrives(page, other[platform], path);
      await page.goBack();
      // A page may say in its address what it shows, such as where its map stands.
      await page.waitForURL((url) => `${url.pathname}${url.search}`.startsWith(path));
      await page.reload();
      await page.getByRole('navigation', { name: 'Menu' }).waitFor();
    }
  },
  900_000,
);

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
  const fresh = await startStack();
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
