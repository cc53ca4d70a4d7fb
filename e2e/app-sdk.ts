import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { choose } from './choose.ts';

interface At {
  readonly url: string;
  readonly admin: Page;
  readonly dev: Page;
  readonly folder: string;
  readonly look: (name: string) => Promise<void>;
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).filter({ visible: true });
const dialog = (page: Page) => page.getByRole('dialog').last();
const field = (page: Page, name: string) => page.getByLabel(new RegExp(`^${name}(?: ?\\(?optional\\)?)?$`)).filter({ visible: true });
const send = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true }).click();

/** Opens the menu of a row, and does one of its acts. */
async function act(page: Page, row: RegExp, name: string): Promise<void> {
  await page
    .getByRole('row', { name: row })
    .getByRole('button', { name: /Actions|More/ })
    .click();
  await page.getByRole('menuitem', { name, exact: true }).click();
}

/** What developers build with: added by an administrator, published, fetched by a developer, and withdrawn. */
export async function trySdk({ url, admin, dev, folder, look }: At): Promise<void> {
  writeFileSync(join(folder, 'sdk.zip'), Buffer.from('PK\u0003\u0004 headers and libraries'));
  await admin.goto(`${url}/dev?tab=sdk`);
  await admin.getByText('No SDKs yet').waitFor();
  await button(admin, 'Add SDK').first().click();
  await send(admin, 'Add SDK');
  await dialog(admin)
    .getByText(/Required|Enter|needed/)
    .first()
    .waitFor();
  await field(admin, 'Name').fill('Terminal SDK');
  await field(admin, 'Version').fill('3.2.0');
  await choose(dialog(admin).getByRole('combobox', { name: /^Product/ }), 'A20');
  await look('sdk-add');
  await dialog(admin).locator('input[type=file]').setInputFiles(join(folder, 'sdk.zip'));
  await dialog(admin).locator('.m-uploads li').getByText('Uploaded', { exact: true }).waitFor();
  await send(admin, 'Add SDK');
  await admin.getByRole('row', { name: /Terminal SDK.*Not published/ }).waitFor();
  await dev.goto(`${url}/dev?tab=sdk`);
  await dev.getByText('No SDKs yet').waitFor();
  await act(admin, /Terminal SDK/, 'Publish');
  await admin.getByText('Terminal SDK 3.2.0 published').waitFor();
  await look('sdk');
  await dev.reload();
  await dev.getByRole('row', { name: /Terminal SDK.*Published/ }).waitFor();
  const fetched = dev.waitForEvent('download');
  await act(dev, /Terminal SDK/, 'Download');
  expect((await fetched).suggestedFilename()).toBe('sdk.zip');
  await act(admin, /Terminal SDK/, 'Withdraw');
  await send(admin, 'Withdraw');
  await admin.getByRole('row', { name: /Terminal SDK.*Not published/ }).waitFor();
  await dev.reload();
  await dev.getByText('No SDKs yet').waitFor();
}
