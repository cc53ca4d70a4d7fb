import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dictCalls } from '@mooring/contract/settings/dict-calls';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADMIN, type Api, administrator, api, signIn } from './api.ts';
import { launchBrowser } from './browser.ts';
import { type Stack, startStack } from './stack.ts';
import { visit } from './visit.ts';

/** The entries of a picklist go out as a file, are changed in it and come back. */

let stack: Stack;
let browser: Browser;
let page: Page;
let manager: Api;
const folder = mkdtempSync(join(tmpdir(), 'mooring-picklist-'));

beforeAll(async () => {
  stack = await startStack();
  await administrator(stack.url, stack.password);
  manager = api(stack.url, await signIn(stack.url, 'admin', ADMIN, 'manager'), 'manager', 1);
  const { id } = await manager.call(dictCalls.add, { code: 'colours', name: 'Colours' });
  const labels = { red: ['Red', '红色'], blue: ['Blue', '蓝色'], green: ['Green', '绿色'] } as const;
  for (const [value, [en, zh]] of Object.entries(labels))
    await manager.call(dictCalls.entryAdd, { dictId: id, value, labels: { en, 'zh-CN': zh } });
  browser = await launchBrowser();
  ({ page } = await visit(browser, { url: stack.url, account: 'admin', password: ADMIN, platform: 'manager' }));
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const look = async (name: string) => {
  if (process.env.LOOK) await page.screenshot({ path: join(process.env.LOOK, `${name}.png`) });
};
const drawer = () => page.getByRole('dialog', { name: 'Colours' });
const dialog = () => page.getByRole('dialog', { name: 'Import picklist entries' });
const send = (name: string) => dialog().getByRole('button', { name, exact: true });
const upload = (path: string) => dialog().locator('input[type=file]').setInputFiles(path);

/** The newest file of Background jobs. */
async function download(name: string): Promise<string> {
  await page.goto(`${stack.url}/task/export`);
  await page
    .getByRole('row', { name: /Entries.*Completed/ })
    .first()
    .waitFor();
  const coming = page.waitForEvent('download');
  await page
    .getByRole('button', { name: /^Actions for Entries/ })
    .first()
    .press('Enter');
  await page.getByRole('menuitem', { name: 'Download', exact: true }).press('Enter');
  const file = await coming;
  const path = join(folder, name);
  await file.saveAs(path);
  return path;
}
async function open() {
  await page.goto(`${stack.url}/paramsDic?text=colours`);
  await page
    .getByRole('row', { name: /Colours/ })
    .first()
    .click();
  await drawer().getByText('green', { exact: true }).waitFor();
}

test('entries are exported, changed in the file, imported and seen, by keyboard', async () => {
  await open();
  const button = drawer().getByRole('button', { name: 'Export' });
  await button.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: /CSV/ }).press('Enter');
  await page
    .getByText(/Export started/)
    .first()
    .waitFor();
  const sheet = await download('colours.csv');
  const lines = readFileSync(sheet, 'utf8').trim().split(/\r?\n/);
  expect(lines[0]?.replace('\uFEFF', '')).toMatch(/^Picklist code,Value,Label \(English\),Label \(简体中文\),.*Order,Enabled,Revision/);

  // As it went out it would change nothing, and that is said.
  await open();
  await drawer().getByRole('button', { name: 'Import entries' }).focus();
  await page.keyboard.press('Enter');
  await upload(sheet);
  await dialog().getByText('Nothing would change: all rows match the current values.').waitFor();
  expect(await send('Import entries').isDisabled()).toBe(true);
  await look('picklist-nothing');

  // A column that no sheet has, and wrong cells, each with its reason.
  const odd = join(folder, 'odd.csv');
  writeFileSync(odd, lines.map((line, at) => `${line},${at === 0 ? 'Label (Klingon)' : 'x'}`).join('\n'));
  await upload(odd);
  await dialog().getByText('There is no column “Label (Klingon)”. Use the header cells of the template.').waitFor();
  const wrong = join(folder, 'wrong.csv');
  writeFileSync(wrong, [...lines.map((line) => line.replace(',Red,', ',,')), 'colours,green,Green again,,,'].join('\n'));
  await upload(wrong);
  await dialog().getByText('Appears twice in the file.').waitFor();
  await dialog().getByText('Required', { exact: true }).waitFor();
  await look('picklist-wrong');

  const mended = join(folder, 'mended.csv');
  const added = `colours,violet,Violet,紫色${','.repeat((lines[0]?.split(',').length ?? 4) - 4)}`;
  writeFileSync(mended, [...lines.map((line) => line.replace(',Red,', ',Crimson,')), added].join('\n'));
  await upload(mended);
  const changes = dialog().getByRole('region', { name: 'Would change' }).last();
  await changes.getByRole('row', { name: /colours · red.*Red.*Crimson/ }).waitFor();
  await changes.getByRole('row', { name: /colours · violet.*Added.*Violet/ }).waitFor();
  await look('picklist-changes');
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 390, height: 844 });
  await look('picklist-changes-390-dark');
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.emulateMedia({ colorScheme: 'light' });
  await send('Import 2 entries').focus();
  await page.keyboard.press('Enter');
  await dialog().getByText('4 rows done.').waitFor();
  await dialog().getByRole('button', { name: 'Close', exact: true }).last().focus();
  await page.keyboard.press('Enter');
  await drawer().getByText('Crimson').waitFor();
  await drawer().getByText('Violet', { exact: true }).waitFor();
  await look('picklist-after');
});

test('somebody else changed an entry since the export: its row is refused', async () => {
  const { content } = await manager.call(dictCalls.entries, { criteria: {}, page: { size: 100 } });
  const red = content.find(({ value, dictCode }) => value === 'red' && dictCode === 'colours');
  await manager.call(dictCalls.entryUpdate, { id: red?.id, revision: red?.revision, value: 'red', labels: { en: 'Scarlet' }, sort: 5 });
  const old = join(folder, 'old.csv');
  writeFileSync(old, `Picklist code,Value,Label (English),Revision\ncolours,red,Ruby,${red?.revision}\n`);
  await open();
  await drawer().getByRole('button', { name: 'Import entries' }).click();
  await upload(old);
  await dialog()
    .getByText('Someone else has changed this entry since the export. Export again, or clear its revision to overwrite it.')
    .waitFor();
  expect(await send('Import entries').isDisabled()).toBe(true);
});
