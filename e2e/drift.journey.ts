import { type Fleet, startFleet } from '@mooring/terminal/start-fleet';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADMIN, administrator } from './api.ts';
import { launchBrowser } from './browser.ts';
import { choose } from './choose.ts';
import { makeEstate } from './estate.ts';
import { openMenu } from './menu.ts';
import { toReview } from './page-parts.ts';
import { type Stack, startStack, waitFor } from './stack.ts';
import { visit } from './visit.ts';

const TERMINALS = 3;
let stack: Stack;
let browser: Browser;
let page: Page;
let fleet: Fleet;
const pace = { installSeconds: 0.1, bootSeconds: 0.1, speed: 64 * 1024 * 1024 };

beforeAll(async () => {
  stack = await startStack();
  const admin = await administrator(stack.url, stack.password);
  const { code } = await makeEstate(stack.url, admin, ADMIN, TERMINALS);
  fleet = startFleet({ server: stack.url, count: TERMINALS, code, product: 'A920', seed: 'drift', firmware: '1.0.0', ...pace });
  await fleet.whenOnline(TERMINALS, 180);
  browser = await launchBrowser();
  ({ page } = await visit(browser, { url: stack.url, account: 'admin', password: ADMIN, platform: 'centre' }));
});
afterAll(async () => {
  await fleet?.stop();
  await browser?.close();
  await stack?.stop();
});

const SECTION = 'networkConfig.wifiWhitelist';
const button = (name: string) => page.getByRole('button', { name, exact: true });
const field = (name: string) => page.getByLabel(name, { exact: true });
const menu = (name: string) => openMenu(page, name);
const rowOf = (sn: string | undefined) => page.getByRole('row', { name: new RegExp(sn ?? '') });
const has = (at: number) => JSON.stringify(fleet.terminals[at]?.journal.settings.get(SECTION));
const SHOP = '{"ssids":["shop"]}';

test('settings that are changed at terminals show as drift, are applied again from the list, and are gone from it', async () => {
  await menu('Network settings');
  await page.getByRole('link', { name: 'New release' }).or(button('New release')).filter({ visible: true }).first().click();
  await field('Name').fill('Only the shop');
  await choose(field('Setting'), 'Allowed Wi-Fi networks');
  await field('Wi-Fi networks').fill('shop');
  await page.keyboard.press('Enter');
  await toReview(page);
  await button(`Release to ${TERMINALS} terminals`).click();
  await page.getByText('Finished', { exact: true }).filter({ visible: true }).first().waitFor();
  await menu('Network settings');
  await page.getByRole('tab', { name: 'Drift' }).click();
  await page.getByText('No drift').waitFor();

  const [first, second, third] = fleet.terminals;
  first?.spot.set(SECTION, { ssids: ['guest'] });
  second?.spot.set(SECTION, null);
  await rowOf(first?.sn).getByText('Other values').waitFor();
  await rowOf(second?.sn).getByText('Not set').waitFor();
  await page.getByRole('tab', { name: 'Drift 2' }).waitFor();
  expect(await rowOf(third?.sn).count()).toBe(0);

  // The other one is put right by its owner: it is as released, and gone by itself.
  second?.spot.set(SECTION, { ssids: ['shop'] });
  await rowOf(second?.sn).waitFor({ state: 'detached' });

  await rowOf(first?.sn).getByRole('checkbox').click();
  await button('Apply again to 1 terminal').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('A new release of the same content is made').waitFor();
  await dialog.getByRole('button', { name: 'Apply again to 1 terminal' }).click();
  await page.getByText('No drift').waitFor();
  await waitFor(async () => has(0) === SHOP, 'the terminal to have the setting again');
  await page.getByRole('tab', { name: 'Releases' }).click();
  await page.getByRole('link', { name: 'Only the shop (again)' }).waitFor();
});

test('the page of a terminal says what isn’t as released, and applies it again', async () => {
  const [, second] = fleet.terminals;
  await menu('Terminals');
  await page
    .getByRole('link', { name: second?.sn ?? '', exact: true })
    .first()
    .click();
  second?.spot.set(SECTION, { ssids: ['guest'] });
  await page.getByText('One thing on this terminal is no longer as released').waitFor();
  await page.getByText('Allowed Wi-Fi networks: shop').first().waitFor();
  await button('Apply again').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('in the same window').waitFor();
  await dialog.getByRole('button', { name: 'Apply again', exact: true }).click();
  await page.getByText('One thing on this terminal is no longer as released').waitFor({ state: 'detached' });
  await waitFor(async () => has(1) === SHOP, 'the terminal to have the setting again');
});
