import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import pg from 'pg';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADMIN, administrator } from './api.ts';
import { launchBrowser } from './browser.ts';
import { makeEstate, uploadFirmware } from './estate.ts';
import { openMenu } from './menu.ts';
import { settled } from './settled.ts';
import { type Stack, startStack } from './stack.ts';
import { visit } from './visit.ts';

let stack: Stack;
let browser: Browser;
let page: Page;
const look = (name: string) => process.env.LOOK && page.screenshot({ path: join(process.env.LOOK, `${name}.png`), fullPage: true });

beforeAll(async () => {
  stack = await startStack();
  const admin = await administrator(stack.url, stack.password);
  await makeEstate(stack.url, admin, ADMIN, 1);
  await uploadFirmware(stack.url, ADMIN, randomBytes(600 * 1024));
  browser = await launchBrowser();
  ({ page } = await visit(browser, { url: stack.url, account: 'admin', password: ADMIN, platform: 'manager' }));
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

const tab = (name: string) => page.getByRole('tab', { name, exact: true });
const act = async (label: string) => {
  await page
    .getByRole('row')
    .getByRole('button', { name: /More|Actions/ })
    .first()
    .click();
  await page.getByRole('menuitem', { name: label }).click();
};

test('what is kept stands by kind and organisation; a quota that is set there is a clear answer to the next upload', async () => {
  await openMenu(page, 'Uploads and storage');
  // One that was sent in one piece stands there too.
  await page.getByRole('row', { name: /fw\.bin/ }).waitFor();
  await look('uploads one piece');
  await tab('Storage').click();
  await page.getByRole('region', { name: 'By kind' }).getByText('600 KB').waitFor();
  await settled(page);
  await look('storage');
  // The picture’s figures as a table, by keyboard: how many files too.
  const picture = page.getByRole('region', { name: 'By kind' });
  await picture.getByRole('img', { name: 'By kind' }).waitFor();
  await picture.getByRole('button', { name: 'Table' }).press('Enter');
  await picture.getByRole('row', { name: 'Firmware 600 KB 1' }).waitFor();
  await picture.getByRole('button', { name: 'Chart' }).press('Enter');
  await act('Set quota');
  const dialog = page.getByRole('dialog');
  const gigabytes = dialog.getByLabel('Quota (GB)');
  await gigabytes.fill('-1');
  await dialog.getByRole('button', { name: 'Set quota' }).click();
  await dialog.getByText(/0 or more|at least 0|0 to /).waitFor();
  await gigabytes.fill('0.0001');
  await dialog.getByRole('button', { name: 'Set quota' }).click();
  await page.getByText(/Quota of .* saved/).waitFor();
  await page
    .getByRole('row')
    .getByText(/of 105 KB/)
    .waitFor();
  await look('quota');

  const { page: operations } = await visit(browser, {
    url: stack.url,
    account: 'admin',
    password: ADMIN,
    platform: 'centre',
    at: '/device/fota/version',
  });
  await operations.getByRole('button', { name: 'Upload package' }).first().click();
  await operations
    .locator('input[type=file]')
    .setInputFiles({ name: 'fw.bin', mimeType: 'application/octet-stream', buffer: randomBytes(4096) });
  await operations
    .getByText(/storage quota of your organisation/)
    .first()
    .waitFor();
  await operations.context().close();
});

/** As if the hour had passed in which the server looks for what nothing uses. */
async function age(): Promise<void> {
  const client = new pg.Client(stack.databaseUrl());
  await client.connect();
  await client.query("update file_file set unused_since = now() - interval '2 hours' where unused_since is null");
  await client.end();
}

test('what nothing uses is cleaned up after a question, by keyboard too', async () => {
  await tab('Clean up').click();
  await page.getByText('Nothing to clean up').waitFor();
  await look('clean empty');
  await age();
  await page.reload();
  const row = page.getByRole('row', { name: /Firmware/ });
  await row.getByText('600 KB').waitFor();
  await look('clean');
  await row.getByRole('button', { name: /Clean up/ }).press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/^One file of .* \(Firmware.*, 600 KB\) will be deleted/).waitFor();
  await look('clean question');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  await row.getByRole('button', { name: /Clean up/ }).click();
  await dialog.getByRole('button', { name: 'Clean up', exact: true }).click();
  await page.getByText('One file deleted, 600 KB freed').waitFor();
  await page.getByText('Nothing to clean up').waitFor();
  // Within the quota that stands here.
  await uploadFirmware(stack.url, ADMIN, randomBytes(50 * 1024));
});

test('a file that nothing uses is deleted, and what is kept is less', async () => {
  await tab('Files').click();
  await page.getByRole('row', { name: /fw\.bin/ }).waitFor();
  await look('files');
  await act('Delete');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No files').waitFor();
  await tab('Storage').click();
  await page.getByText('Nothing is stored yet').first().waitFor();
  await page.reload();
  await settled(page);
  expect(await tab('Storage').getAttribute('aria-selected')).toBe('true');
});

test('it is whole at a phone’s width, in the dark, and in Chinese', async () => {
  for (const look of [
    { theme: 'dark', width: 1440, lang: 'en' },
    { theme: 'light', width: 390, lang: 'zh-CN' },
  ] as const) {
    const {
      page: other,
      context,
      wrong,
    } = await visit(browser, { url: stack.url, account: 'admin', password: ADMIN, platform: 'manager', look });
    for (const name of ['uploads', 'files', 'storage', 'unused']) {
      await other.goto(`${stack.url}/uploadMonitor?tab=${name}`);
      await settled(other);
      if (process.env.LOOK) await other.screenshot({ path: join(process.env.LOOK, `${name} ${look.theme} ${look.width}.png`) });
      expect(await other.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0);
    }
    expect(wrong).toEqual([]);
    await context.close();
  }
});
