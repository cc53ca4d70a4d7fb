import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Fleet, startFleet } from '@mooring/terminal/start-fleet';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADMIN, administrator } from './api.ts';
import { launchBrowser } from './browser.ts';
import { makeEstate } from './estate.ts';
import { type Stack, startStack } from './stack.ts';
import { visit } from './visit.ts';

const TERMINALS = 2;
let stack: Stack;
let browser: Browser;
let page: Page;
let fleet: Fleet;
let start: () => Fleet;
const folder = mkdtempSync(join(tmpdir(), 'mooring-desktop-'));
const [picture, video, page_] = ['summer.png', 'summer.mp4', 'summer.html'].map((name) => join(folder, name)) as [string, string, string];

beforeAll(async () => {
  stack = await startStack();
  const admin = await administrator(stack.url, stack.password);
  const { code } = await makeEstate(stack.url, admin, ADMIN, TERMINALS);
  const pace = { installSeconds: 0.1, bootSeconds: 0.1 };
  start = () =>
    startFleet({ server: stack.url, count: TERMINALS, code, product: 'A920', seed: 'desktop', stateFile: join(folder, 'state'), ...pace });
  fleet = start();
  await fleet.whenOnline(TERMINALS, 180);
  browser = await launchBrowser();
  ({ page } = await visit(browser, { url: stack.url, account: 'admin', password: ADMIN, platform: 'centre' }));
  await page.screenshot({ path: picture });
  writeFileSync(
    video,
    Buffer.concat([Buffer.from('0000001c66747970', 'hex'), Buffer.from('isom\0\0\0\0isomavc1mp42'), Buffer.alloc(9000, 7)]),
  );
  writeFileSync(page_, '<script>alert(1)</script>');
});
afterAll(async () => {
  await fleet?.stop();
  await browser?.close();
  await stack?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const button = (name: string) => page.getByRole('button', { name, exact: true });
const menu = (name: string) => page.getByRole('link', { name, exact: true }).first().click();
const step = (title: string) => page.getByRole('heading', { name: title, exact: true, level: 2 }).waitFor();
/** The state of the row that is open. */
const publish = async () => {
  await button('Publish').first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click();
  await page.getByText(/^“.*” published$/).waitFor();
};

test('an advert of a picture and a video is made, published and released, and terminals show it over a restart', async () => {
  await menu('Adverts');
  await page.getByText('No adverts yet').waitFor();
  await page.getByRole('link', { name: 'Add advert' }).first().click();
  await page.getByRole('heading', { name: 'Add advert', level: 1 }).waitFor();
  await page.getByLabel('Name', { exact: true }).filter({ visible: true }).fill('Summer sale');
  await page.locator('input[type=file]').setInputFiles([picture, video, page_]);
  for (const name of ['summer.mp4', 'summer.png']) await button(`Remove ${name}`).waitFor();
  await page.locator('.m-playlist-item img').waitFor();
  // What is neither a picture nor a video never goes up.
  expect(await page.locator('.m-playlist-item').count()).toBe(2);
  await page
    .getByRole('button', { name: /^Move summer\.mp4 (up|down)$/ })
    .and(page.locator(':enabled'))
    .click();
  await page.locator('form, #main').getByRole('button', { name: 'Add advert' }).last().click();
  await page.getByRole('link', { name: 'Summer sale' }).click();
  await publish();
  await page.locator('.m-playlist-item img').waitFor();
  await page.locator('#main').getByRole('button', { name: 'Release', exact: true }).click();
  await page.getByLabel('Name', { exact: true }).filter({ visible: true }).fill('Summer on all');
  await page.getByText('Summer sale').filter({ visible: true }).first().waitFor();
  await button('Next').click();
  await step('Targets');
  await button('Next').click();
  await step('Rollout');
  await button('Next').click();
  await step('Review');
  await button(`Release to ${TERMINALS} terminals`).click();
  await page.getByText('Finished', { exact: true }).filter({ visible: true }).first().waitFor();
  const shown = () => fleet.terminals.map(({ journal }) => journal.contents.get('storeAdvertSpace.idle')?.document.name);
  expect(shown()).toEqual(['Summer sale', 'Summer sale']);
  await fleet.stop();
  fleet = start();
  await fleet.whenOnline(TERMINALS, 180);
  expect(shown()).toEqual(['Summer sale', 'Summer sale']);
  const [first] = fleet.terminals;
  await menu('Terminals');
  await page
    .getByRole('link', { name: first?.sn ?? '', exact: true })
    .first()
    .click();
  await page.getByRole('tab', { name: 'Versions' }).click();
  await page.getByRole('link', { name: 'Summer sale' }).waitFor();
});

test('a home screen is arranged with the mouse and with the keyboard, step by step back, and is checked', async () => {
  await menu('Desktops');
  await page.getByRole('link', { name: 'Add desktop' }).first().click();
  await page.getByRole('heading', { name: 'Add desktop', level: 1 }).waitFor();
  await page.getByLabel('Name', { exact: true }).filter({ visible: true }).fill('Till');
  const board = page.locator('.m-screen-grid').first();
  const tile = (name: string) => board.getByRole('button', { name: new RegExp(`^${name},`) });
  await button('App').click();
  await page.getByLabel('Package name').fill('com.mooring.pay');
  await button('Clock').click();
  await button('Web link').click();
  await page.getByLabel('Address').fill('http://shop.example');
  await page.locator('#main').getByRole('button', { name: 'Add desktop' }).last().click();
  await page.getByText('Use an address that begins with https://.').first().waitFor();
  await tile('shop.example').click();
  await page.getByLabel('Address').fill('https://shop.example');

  // By mouse: the app to the last row.
  const area = await board.boundingBox();
  const from = await tile('pay').boundingBox();
  if (!area || !from) throw new Error('nothing to drag');
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(area.x + area.width * 0.6, area.y + area.height * 0.9, { steps: 5 });
  await page.mouse.up();
  await board.getByRole('button', { name: 'pay, column 3, row 6' }).waitFor();
  // By keyboard: the same tile on, and not onto another one.
  await tile('pay').focus();
  for (const key of ['Enter', 'ArrowLeft', 'ArrowUp', 'Enter']) await page.keyboard.press(key);
  await board.getByRole('button', { name: 'pay, column 2, row 5' }).waitFor();
  for (const key of ['Enter', 'ArrowUp', 'ArrowUp', 'ArrowUp', 'ArrowUp', 'Enter']) await page.keyboard.press(key);
  await page.getByText('pay has no room there').waitFor({ state: 'attached' });
  await board.getByRole('button', { name: 'pay, column 2, row 5' }).waitFor();
  await page.keyboard.press('Control+z');
  await board.getByRole('button', { name: 'pay, column 3, row 6' }).waitFor();
  await page.keyboard.press('Control+y');
  await board.getByRole('button', { name: 'pay, column 2, row 5' }).waitFor();
  await tile('shop.example').focus();
  await page.keyboard.press('Delete');
  await tile('shop.example').waitFor({ state: 'detached' });
  await button('Undo').click();
  await tile('shop.example').waitFor();
  await button('Preview').click();
  await page.keyboard.press('Escape');
  await page.locator('#main').getByRole('button', { name: 'Add desktop' }).last().click();
  await page.getByRole('link', { name: 'Till' }).click();
  await publish();
});
