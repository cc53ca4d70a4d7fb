import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADMIN } from './api.ts';
import { axe } from './axe.ts';
import { launchBrowser } from './browser.ts';
import { type Stack, startDemo, waitFor } from './stack.ts';
import { visit } from './visit.ts';

let stack: Stack;
let browser: Browser;
let password = '';

beforeAll(async () => {
  ({ stack, password } = await startDemo());
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

async function as(account: string, platform: 'centre' | 'manager'): Promise<Page> {
  const { page } = await visit(browser, { url: stack.url, account, password: account === 'admin' ? ADMIN : password, platform });
  return page;
}

test('Ctrl+K shows where the person was, and finds a device by its SN', async () => {
  const page = await as('mark.market', 'centre');
  for (const [link, heading] of [
    ['Firmware releases', 'Firmware releases'],
    ['Terminals', 'Terminals'],
  ] as const) {
    await page.getByRole('link', { name: link, exact: true }).click();
    await page.getByRole('heading', { name: heading }).first().waitFor();
  }
  await page.keyboard.press('Control+k');
  const recent = page.getByRole('group', { name: 'Recent' });
  await waitFor(async () => (await recent.getByRole('option').count()) >= 3, 'the recent pages');
  const seen = await recent.getByRole('option').allTextContents();
  expect(seen.findIndex((one) => one.startsWith('Terminals'))).toBeLessThan(seen.findIndex((one) => one.startsWith('Firmware releases')));
  expect(seen.join()).not.toContain('login');
  await recent.getByRole('option', { name: /^Firmware releases/ }).click();
  await page.waitForURL('**/device/fota');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('MRG0000007');
  await page.getByRole('option', { name: /MRG0000007/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL('**/device/deviceDetail/**');
  await page.getByRole('heading', { name: /MRG0000007/ }).waitFor();
});

test('Ctrl+K acts: a dialog of another page, a new release, a person, an organisation and a setting, by any words of theirs', async () => {
  const page = await as('admin', 'centre');
  const find = async (typed: string, option: RegExp) => {
    await page.getByRole('navigation', { name: 'Menu' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: /^Search pages/ }).fill(typed);
    await page.getByRole('option', { name: option }).first().click();
  };
  await find('package upl', /^Upload package/);
  await page.waitForURL('**/device/fota/version');
  await page.getByRole('dialog', { name: 'Upload package' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog', { name: 'Upload package' }).waitFor({ state: 'detached' });
  await page.reload();
  await page.getByRole('heading', { name: 'Firmware packages', exact: true }).waitFor();
  expect(await page.getByRole('dialog').count()).toBe(0);
  await find('new rel', /^New release/);
  await page.waitForURL('**/device/fota/taskmod/new**');
  await find('mark.market', /mark\.market/);
  await page.waitForURL('**/sys/member?**');
  await page.getByRole('dialog').getByText('mark.market').first().waitFor();
  await page.keyboard.press('Escape');
  await find('meridian', /^Meridian/);
  await page.waitForURL('**/sys/dept?**');
  await page.getByRole('heading', { name: /^Meridian/ }).waitFor();
  await page.goto(`${stack.url}/manager`);
  await page.getByRole('heading').first().waitFor();
  await find('mail server', /^Mail server/);
  await page.waitForURL('**/system/settings?tab=mail');
  await page.getByRole('heading', { name: 'Mail server' }).waitFor();
});

test('j, k, x, e and Enter work in a list, also beside the drawer that shows one of its rows', async () => {
  const page = await as('admin', 'centre');
  // A list that is kept behind the page is not the one that is meant.
  await page.goto(`${stack.url}/device/fota`);
  await page.getByRole('link', { name: 'Members', exact: true }).click();
  await page.waitForURL('**/sys/member');
  const rows = page.locator('.m-list:visible tbody tr');
  const focused = (at: number) => rows.nth(at).locator('.m-row-open:focus').waitFor();
  const drawer = page.getByRole('dialog');
  const shows = async (at: number) => {
    const cells = await rows.nth(at).getByRole('cell').allTextContents();
    const isNamed = async () => cells.includes((await drawer.getByRole('heading', { level: 2 }).textContent()) ?? '');
    await waitFor(isNamed, `row ${at + 1} in the drawer`);
    await drawer.locator('button:focus').waitFor();
    expect(await drawer.count()).toBe(1);
  };
  await rows.nth(4).waitFor();
  await page.keyboard.press('j');
  await focused(0);
  await page.keyboard.press('j');
  await focused(1);
  await page.keyboard.press('x');
  await page.getByRole('region', { name: 'Selection' }).getByText('1 selected').waitFor();
  expect(await rows.nth(1).getByRole('checkbox').isChecked()).toBe(true);
  await page.keyboard.press('e');
  await page.getByRole('menu').filter({ visible: true }).locator(':focus').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('menu').waitFor({ state: 'hidden' });
  await page.keyboard.press('k');
  await focused(0);
  await page.keyboard.press('j');
  await focused(1);
  await page.keyboard.press('Enter');
  await shows(1);
  expect(await drawer.getAttribute('aria-modal')).toBe('false');
  expect(await axe(page)).toEqual([]);

  // The list beside it stays in use, by the mouse and by the keyboard.
  await rows.nth(2).locator('td:not(.m-check, :has(a, button))').first().click();
  await shows(2);
  await page.keyboard.press('j');
  await focused(3);
  await page.keyboard.press('Enter');
  await shows(3);
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'hidden' });
  await focused(3);

  // It goes with its list; on a phone it is all that there is.
  await page.keyboard.press('Enter');
  await shows(3);
  await page.getByRole('link', { name: 'Terminals', exact: true }).click();
  await page.getByRole('heading', { name: 'Terminals', exact: true }).first().waitFor();
  expect(await drawer.filter({ visible: true }).count()).toBe(0);
  await page.goBack();
  await shows(3);
  await page.setViewportSize({ width: 390, height: 900 });
  await waitFor(async () => (await drawer.getAttribute('aria-modal')) === 'true', 'a drawer above the list');
});
