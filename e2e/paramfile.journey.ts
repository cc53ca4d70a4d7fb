import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { type Fleet, startFleet } from '@mooring/terminal/start-fleet';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ZipFile } from 'yazl';
import { ADMIN, administrator } from './api.ts';
import { launchBrowser } from './browser.ts';
import { makeEstate } from './estate.ts';
import { openMenu } from './menu.ts';
import { toReview } from './page-parts.ts';
import { type Stack, startStack } from './stack.ts';
import { visit } from './visit.ts';

const TERMINALS = 3;
let stack: Stack;
let browser: Browser;
let page: Page;
let fleet: Fleet;
const folder = mkdtempSync(join(tmpdir(), 'mooring-params-'));
const archive = join(folder, 'may.zip');
const contentOf = (sn: string) => JSON.stringify({ merchant: `M-${sn}`, currency: 'EUR' });
let start: () => Fleet;

beforeAll(async () => {
  stack = await startStack();
  const admin = await administrator(stack.url, stack.password);
  const { code } = await makeEstate(stack.url, admin, ADMIN, TERMINALS);
  const pace = { installSeconds: 0.1, bootSeconds: 0.1 };
  start = () =>
    startFleet({ server: stack.url, count: TERMINALS, code, product: 'A920', seed: 'params', stateFile: join(folder, 'state'), ...pace });
  fleet = start();
  await fleet.whenOnline(TERMINALS, 180);
  const zip = new ZipFile();
  for (const { sn } of fleet.terminals) zip.addBuffer(Buffer.from(contentOf(sn)), `north/${sn.toLowerCase()}.json`);
  zip.addBuffer(Buffer.from('{}'), 'NOBODY01.json');
  zip.end();
  writeFileSync(archive, await buffer(zip.outputStream as unknown as NodeJS.ReadableStream));
  browser = await launchBrowser();
  ({ page } = await visit(browser, { url: stack.url, account: 'admin', password: ADMIN, platform: 'centre' }));
});
afterAll(async () => {
  await fleet?.stop();
  await browser?.close();
  await stack?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const button = (name: string) => page.getByRole('button', { name, exact: true });
const menu = (name: string) => openMenu(page, name);
const holds = (one: Fleet['terminals'][number]) => Buffer.from(one.journal.paramFile ?? '', 'base64').toString();

test('files go up in one archive, what is nobody’s is named, and each terminal gets its own and keeps it', async () => {
  await menu('Parameter files');
  await page.getByText('No parameter files yet').waitFor();
  await button('Upload parameter files').first().click();
  const dialog = page.getByRole('dialog');
  await dialog.locator('input[type=file]').setInputFiles(archive);
  await dialog.getByText('3 files belong to a terminal.').waitFor();
  await dialog.getByText('NOBODY01.json').waitFor();
  await dialog.getByLabel('Name', { exact: true }).fill('May prices');
  await dialog.getByRole('button', { name: 'Upload parameter files' }).click();
  await dialog.getByText('1 file belongs to no terminal. Correct the archive, or leave them out.').waitFor();
  await dialog.getByText('Leave these out and upload the rest').click();
  await dialog.getByRole('button', { name: 'Upload parameter files' }).click();
  await page.getByText('May prices uploaded: 3 files').waitFor();
  await page.getByRole('link', { name: 'May prices', exact: true }).click();
  const [first] = fleet.terminals;
  await page
    .getByRole('row', { name: new RegExp(first?.sn ?? '') })
    .getByText('No file yet')
    .waitFor();
  await page.locator('#main').getByRole('button', { name: 'Release', exact: true }).click();
  await page.getByLabel('Name', { exact: true }).fill('Prices of May');
  await toReview(page);
  await page.getByText('May prices').filter({ visible: true }).first().waitFor();
  await button('Release to 3 terminals').click();
  await page.getByRole('tab', { name: 'Progress over time' }).waitFor();
  await page.getByText('Finished', { exact: true }).filter({ visible: true }).first().waitFor();
  for (const one of fleet.terminals) expect(holds(one)).toBe(contentOf(one.sn));
  await menu('Parameter files');
  await page.getByRole('link', { name: 'May prices', exact: true }).click();
  await page
    .getByRole('row', { name: new RegExp(first?.sn ?? '') })
    .getByText('This file')
    .waitFor();
  await page
    .getByRole('link', { name: first?.sn ?? '', exact: true })
    .first()
    .click();
  await page.getByRole('tab', { name: 'Versions' }).click();
  await page.getByRole('row', { name: /Parameter files/ }).waitFor();
  await page.getByRole('tab', { name: 'Releases' }).click();
  await page.getByRole('link', { name: 'Prices of May · May prices' }).waitFor();
  // Over a restart of the terminals, too.
  await fleet.stop();
  fleet = start();
  await fleet.whenOnline(TERMINALS, 180);
  for (const one of fleet.terminals) expect(holds(one)).toBe(contentOf(one.sn));
});
