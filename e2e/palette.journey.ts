import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADMIN } from './api.ts';
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
