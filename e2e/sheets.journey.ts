import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deviceCalls } from '@mooring/contract/device/calls';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADMIN, administrator } from './api.ts';
import { launchBrowser } from './browser.ts';
import { choose } from './choose.ts';
import { makeEstate } from './estate.ts';
import { type Stack, startStack } from './stack.ts';
import { visit } from './visit.ts';

let stack: Stack;
let browser: Browser;
let page: Page;
const folder = mkdtempSync(join(tmpdir(), 'mooring-sheets-'));
const file = (name: string, lines: readonly string[]) => {
  const path = join(folder, name);
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
};
const sn = (n: number) => `ROW-${String(n).padStart(4, '0')}`;
const HEADER = 'SN,Name,Tags,MAC';
/** Sixty rows; of 37 the address of the network is none. */
const rows = (wrong: number) => Array.from({ length: 60 }, (_, at) => `${sn(at)},Till ${at},new,${at < wrong ? 'nothing' : ''}`);

beforeAll(async () => {
  stack = await startStack();
  const admin = await administrator(stack.url, stack.password);
  const { productId } = await makeEstate(stack.url, admin, ADMIN, 1);
  await admin.call(deviceCalls.add, { sn: 'OLD-0001', productId, deptId: 1, tags: ['old'] });
  browser = await launchBrowser();
  ({ page } = await visit(browser, { url: stack.url, account: 'admin', password: ADMIN, platform: 'centre' }));
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const dialog = () => page.getByRole('dialog').last();
const button = (name: string) => page.getByRole('button', { name, exact: true });
const send = (name: string) => dialog().getByRole('button', { name, exact: true }).click();
const look = async (name: string) => {
  if (process.env.LOOK) await page.screenshot({ path: join(process.env.LOOK, `${name}.png`), fullPage: true });
};
const upload = (path: string) => dialog().locator('input[type=file]').setInputFiles(path);

test('a file with 37 wrong cells is refused cell by cell, mended, and comes in', async () => {
  await page.goto(`${stack.url}/device/device`);
  await page.getByText('OLD-0001').first().waitFor();
  // By keyboard.
  await button('Import').focus();
  await page.keyboard.press('Enter');
  await dialog().getByText('Import terminals').first().waitFor();
  await look('sheets-empty');
  await upload(file('odd.csv', ['SN,Colour', 'A,b']));
  await dialog().getByText('There is no column “Colour”. Use the header cells of the template.').waitFor();
  await upload(file('wrong.csv', [HEADER, ...rows(37)]));
  // No product is chosen: each row lacks one too.
  await dialog().getByText('Enter a product, or choose one for the whole file.').first().waitFor();
  await choose(dialog().getByRole('combobox'), 'Smart POS');
  await dialog().getByText('12 hexadecimal digits, such as 00:1A:2B:3C:4D:5E.').first().waitFor();
  const found = dialog().getByRole('region', { name: 'Wrong cells' }).last();
  await expect.poll(() => found.locator('tbody tr').count()).toBe(37);
  await look('sheets-wrong');
  expect(
    await dialog()
      .getByRole('button', { name: /^Import \d+ terminals?$/ })
      .isDisabled(),
  ).toBe(true);
  const [report] = await Promise.all([page.waitForEvent('download'), send('Download report')]);
  const mended = join(folder, 'report.xlsx');
  await report.saveAs(mended);

  // The good ones first.
  await dialog().getByText('Only rows without errors').click();
  await send('Import 23 terminals');
  await dialog().getByText('23 rows done, 37 left out.').waitFor();
  await look('sheets-done');
  const [result] = await Promise.all([page.waitForEvent('download'), send('Download result')]);
  expect(result.suggestedFilename()).toContain('Import terminals');

  // The report comes back as it is: its own column about each row is passed over.
  await send('Import another file');
  await choose(dialog().getByRole('combobox'), 'Smart POS');
  await upload(mended);
  await expect.poll(() => dialog().getByRole('region', { name: 'Wrong cells' }).last().locator('tbody tr').count()).toBe(37);
  await upload(file('mended.csv', [HEADER, ...rows(0).slice(0, 37)]));
  await send('Import 37 terminals');
  await dialog().getByText('37 rows done.').waitFor();
  await page.keyboard.press('Escape');
  await page.reload();
  await page.getByText(sn(0)).first().waitFor();

  // The same file again is said to be the same.
  await button('Import').click();
  await choose(dialog().getByRole('combobox'), 'Smart POS');
  await upload(file('again.csv', [HEADER, ...rows(0).slice(0, 37)]));
  await dialog()
    .getByText(/imported this file on/)
    .waitFor();
  await look('sheets-again');
  await send('Cancel');
});

test('terminals are changed by a file, and what would change is shown first', async () => {
  await button('Change from file').click();
  await upload(file('change.csv', ['SN,Tags', 'OLD-0001,"counter, pilot"', `${sn(1)},-`, `${sn(2)},new`]));
  await dialog().getByText('counter, pilot').waitFor();
  await look('sheets-change');
  await send('Change 2 terminals');
  await dialog().getByText('3 rows done.').waitFor();
  // It was added first, and stands on the second page.
  await page.goto(`${stack.url}/device/device?text=OLD-0001`);
  await page
    .getByRole('row', { name: /OLD-0001/ })
    .getByText('pilot')
    .waitFor();
});
