import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { packageCalls } from '@mooring/contract/firmware/package-calls';
import { type Fleet, startFleet } from '@mooring/terminal/start-fleet';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADMIN, administrator } from './api.ts';
import { launchBrowser } from './browser.ts';
import { choose } from './choose.ts';
import { makeEstate, uploadFirmware } from './estate.ts';
import { openMenu } from './menu.ts';
import { addPublished } from './published.ts';
import { type Stack, startStack } from './stack.ts';
import { visit } from './visit.ts';

let stack: Stack;
let browser: Browser;
let page: Page;
let onBase: Fleet;
let elsewhere: Fleet;
const folder = mkdtempSync(join(tmpdir(), 'mooring-differences-'));
const KB = 1024;
const common = randomBytes(900 * KB);
// Stored, not compressed: what changes in it changes in the file, as in an image.
const image = (own: Buffer) => gzipSync(Buffer.concat([common, own]), { level: 0 });
const [old, full] = [image(randomBytes(20 * KB)), image(randomBytes(60 * KB))];

beforeAll(async () => {
  const file = join(folder, '1.0.0.bin');
  writeFileSync(file, old);
  stack = await startStack();
  const admin = await administrator(stack.url, stack.password);
  const { productId, code } = await makeEstate(stack.url, admin, ADMIN, 2);
  for (const [version, bytes] of [
    ['1.0.0', old],
    ['2.0.0', full],
  ] as const)
    await addPublished(admin, packageCalls, { productId, version, fileId: await uploadFirmware(stack.url, ADMIN, bytes) });
  const rest = { server: stack.url, count: 1, code, product: 'A920', installSeconds: 0.1, bootSeconds: 0.1 };
  onBase = startFleet({ ...rest, seed: 'base', firmware: '1.0.0', firmwareFile: file });
  elsewhere = startFleet({ ...rest, seed: 'other', firmware: '0.9.0' });
  await Promise.all([onBase.whenOnline(1, 180), elsewhere.whenOnline(1, 180)]);
  browser = await launchBrowser();
  ({ page } = await visit(browser, { url: stack.url, account: 'admin', password: ADMIN, platform: 'centre' }));
});
afterAll(async () => {
  await onBase?.stop();
  await elsewhere?.stop();
  await browser?.close();
  await stack?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const button = (name: string) => page.getByRole('button', { name, exact: true });
const step = (title: string) => page.getByRole('heading', { name: title, exact: true, level: 2 }).waitFor();
const menu = (name: string) => openMenu(page, name);
/** What a terminal says that it did. */
const journalOf = (fleet: Fleet) => (fleet.terminals[0]?.body.runLog.select({ lines: 500 }) ?? []).map(({ text }) => text).join('\n');
const fetched = (fleet: Fleet) => Number(/download 2\.0\.0, (\d+) bytes/.exec(journalOf(fleet))?.[1]);

/** From the first step to the last. */
async function toReview(name: string): Promise<void> {
  await page.getByLabel('Name', { exact: true }).fill(name);
  for (const title of ['Targets', 'Rollout', 'Review']) {
    await button('Next').click();
    await step(title);
  }
}

test('a difference is made and enabled; a terminal on its base fetches that, another one the full package', async () => {
  await menu('Firmware packages');
  await page.getByRole('link', { name: '2.0.0', exact: true }).click();
  await page.getByRole('tab', { name: 'Delta packages' }).click();
  await page.getByText('No delta packages yet').waitFor();
  await button('Create delta package').first().click();
  const dialog = page.getByRole('dialog');
  await choose(dialog.getByLabel('From these versions', { exact: true }), '1.0.0 · 1 terminal');
  // It is used by itself, unless a person wants to look at it first.
  expect(await dialog.getByLabel('Use it as soon as it is verified').getAttribute('aria-checked')).toBe('true');
  await dialog.getByLabel('Use it as soon as it is verified').click();
  await dialog.getByRole('button', { name: 'Create delta package' }).click();
  await page.getByText('1 delta package is being generated').waitFor();
  const row = page.getByRole('row', { name: /1\.0\.0/ });
  await row.getByText('Ready, not in use', { exact: true }).waitFor();
  await row.getByText('Enable it: until then terminals get the full package.').waitFor();
  await page.getByText('1 delta package is ready, and not in use.').waitFor();
  await row.getByText('Passed').waitFor();
  const address = page.url();
  await button('Release').click();
  await toReview('Before it is used');
  await page
    .getByRole('row', { name: /1\.0\.0.*Full package/ })
    .getByRole('link', { name: 'A delta package is ready, and not in use' })
    .click();
  await page.getByRole('dialog').getByRole('button', { name: 'Leave', exact: true }).click();
  await page.waitForURL(/tab=differences/);
  await page.goto(address);
  await row.getByRole('button').last().click();
  await page.getByRole('menuitem', { name: 'Enable', exact: true }).click();
  await row.getByText('In use', { exact: true }).waitFor();

  await button('Release').click();
  await toReview('To two');
  await page.getByRole('row', { name: /1\.0\.0.*Delta package/ }).waitFor();
  await button('Release to 2 terminals').click();
  await page.getByText('Finished', { exact: true }).filter({ visible: true }).first().waitFor();
  for (const fleet of [onBase, elsewhere]) expect(fleet.terminals[0]?.journal.firmware).toBe('2.0.0');
  expect(fetched(onBase)).toBeLessThan(80 * KB);
  expect(journalOf(onBase)).toContain('applied to 1.0.0');
  expect(fetched(elsewhere)).toBe(full.length);
});

test('terminals that run a newer version are named before anything is sent, with what would take them back', async () => {
  await menu('Firmware packages');
  await page.getByRole('link', { name: '1.0.0', exact: true }).click();
  await button('Release').first().click();
  await page.getByLabel('Name', { exact: true }).fill('Back to the old one');
  await button('Next').click();
  await step('Targets');
  await page.getByText('The release would reach no terminal').waitFor();
  const [first = '', second = ''] = [onBase, elsewhere].map((fleet) => fleet.terminals[0]?.sn ?? '').toSorted();
  await page.getByText(`2 run a newer version, and downgrade isn’t allowed: ${first}, ${second}`).waitFor();
  for (const title of ['Rollout', 'Review']) {
    await button('Next').click();
    await step(title);
  }
  // There is nothing to press, and the reason stands beside it.
  expect(await button('Release to terminals').isDisabled()).toBe(true);
  await page.getByText('The release would reach no terminal · 2 run a newer version, and downgrade isn’t allowed').waitFor();
  await button('Allow downgrade').click();
  await button('Release to 2 terminals').waitFor();
  expect(await button('Release to 2 terminals').isEnabled()).toBe(true);
});
