import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { desktopCalls } from '@mooring/contract/desktop/desktop';
import { homeScreen } from '@mooring/contract/desktop/home-screen';
import { desktopTaskCalls } from '@mooring/contract/desktop/release-calls';
import { type Fleet, startFleet } from '@mooring/terminal/start-fleet';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADMIN, type Api, administrator } from './api.ts';
import { launchBrowser } from './browser.ts';
import { choose } from './choose.ts';
import { makeEstate } from './estate.ts';
import { openMenu } from './menu.ts';
import { look, toReview } from './page-parts.ts';
import { type Stack, startStack, waitFor } from './stack.ts';
import { visit } from './visit.ts';

interface Tile {
  readonly package?: string;
  readonly x: number;
}
const TERMINALS = 2;
/** One of each. */
const screens = [
  { width: 720, height: 1280 },
  { width: 1280, height: 800 },
];
let stack: Stack;
let admin: Api;
let browser: Browser;
let page: Page;
let fleet: Fleet;
let start: () => Fleet;
const folder = mkdtempSync(join(tmpdir(), 'mooring-desktop-'));
const [picture, video, page_] = ['summer.png', 'summer.mp4', 'summer.html'].map((name) => join(folder, name)) as [string, string, string];

beforeAll(async () => {
  stack = await startStack();
  admin = await administrator(stack.url, stack.password);
  const { code } = await makeEstate(stack.url, admin, ADMIN, TERMINALS);
  const pace = { installSeconds: 0.1, bootSeconds: 0.1 };
  start = () =>
    startFleet({
      server: stack.url,
      count: TERMINALS,
      code,
      product: 'A920',
      seed: 'desktop',
      stateFile: join(folder, 'state'),
      screens,
      ...pace,
    });
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
const menu = (name: string) => openMenu(page, name);
/** The state of the row that is open. */
const publish = async () => {
  await button('Publish').first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click();
  await page.getByText(/^“.*” published$/).waitFor();
};

const nameField = () => page.getByLabel('Name', { exact: true }).filter({ visible: true });
const all = (of: (one: Fleet['terminals'][number]) => boolean) => fleet.terminals.every(of);
const shown = (section: string) => fleet.terminals.map(({ journal }) => journal.contents.get(section)?.document.name);
const wrote = (line: string | RegExp) => all((one) => one.body.runLog.select({ lines: 500 }).some(({ text }) => text.match(line) !== null));
/** From the first step of the wizard to the end of the release. */
async function releaseToAll(): Promise<void> {
  await toReview(page);
  await button(`Release to ${TERMINALS} terminals`).click();
  await page.getByText('Finished', { exact: true }).filter({ visible: true }).first().waitFor();
}
/** From the page of what is published to the terminals. */
async function release(name: string, content: string): Promise<void> {
  await page.locator('#main').getByRole('button', { name: 'Release', exact: true }).click();
  await nameField().fill(name);
  await page.getByText(content).filter({ visible: true }).first().waitFor();
  await releaseToAll();
}
/** The versions of a terminal, on its page. */
async function versions(nth = 0): Promise<void> {
  await menu('Terminals');
  await page
    .getByRole('link', { name: fleet.terminals[nth]?.sn ?? '', exact: true })
    .first()
    .click();
  await page.getByRole('tab', { name: 'Versions' }).click();
  await page.getByRole('row', { name: /A920/ }).filter({ visible: true }).first().waitFor();
}
/** From the list of what is shown to a release that gives the terminals back what was there before. */
async function giveBack(list: string, content: string, name: string): Promise<void> {
  await menu(list);
  await page.getByRole('link', { name: content, exact: true }).click();
  await page.locator('#main').getByRole('button', { name: 'Release', exact: true }).click();
  await nameField().fill(name);
  await choose(page.getByLabel('Action', { exact: true }), 'Reset to what was before');
  await releaseToAll();
}

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
  await page.getByLabel('Weight summer.png').fill('3');
  await page.getByText('75% of the time').waitFor();
  await page.getByText('25% of the time').waitFor();
  await page.locator('form, #main').getByRole('button', { name: 'Add advert' }).last().click();
  await page.getByRole('link', { name: 'Summer sale' }).click();
  await publish();
  await page.locator('.m-playlist-item img').waitFor();
  await release('Summer on all', 'Summer sale');
  expect(shown('storeAdvertSpace.idle')).toEqual(['Summer sale', 'Summer sale']);
  // The picture, which is the other one, three times as often.
  expect(wrote(/^shows storeAdvertSpace\.idle: Summer sale, in the order (1 1 2 1|2 1 2 2)$/)).toBe(true);
  await fleet.stop();
  fleet = start();
  await fleet.whenOnline(TERMINALS, 180);
  expect(shown('storeAdvertSpace.idle')).toEqual(['Summer sale', 'Summer sale']);
  await versions();
  await page.getByRole('link', { name: 'Summer sale' }).waitFor();
  await giveBack('Adverts', 'Summer sale', 'Summer is over');
  expect(all(({ journal }) => journal.contents.size === 0)).toBe(true);
  await versions();
  await page.getByRole('link', { name: 'Summer sale' }).waitFor({ state: 'hidden' });
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

test('the look of the system and the home screen reach the terminals, and a reset of one gives that one back alone', async () => {
  await menu('Desktops');
  await page.getByRole('link', { name: 'Till', exact: true }).click();
  await release('Till on all', 'Till');
  expect(shown('customizeDesktop')).toEqual(['Till', 'Till']);
  const [first] = fleet.terminals;
  const moved = expect.objectContaining({ kind: 'app', package: 'com.mooring.pay', x: 1, y: 4 });
  expect(first?.journal.contents.get('customizeDesktop')?.document.values.pages).toEqual([{ tiles: expect.arrayContaining([moved]) }]);

  await menu('System customization');
  await page.getByText('No customization yet').waitFor();
  await page.getByRole('link', { name: 'Add customization' }).first().click();
  await page.getByRole('heading', { name: 'Add customization', level: 1 }).waitFor();
  await nameField().fill('Shop look');
  await page.locator('input[type=file]').last().setInputFiles(picture);
  await page.locator('#main img').filter({ visible: true }).first().waitFor();
  await choose(page.getByLabel('Status bar', { exact: true }), 'Hidden');
  await page.getByLabel(/^Brightness/).fill('70');
  await page.getByRole('textbox', { name: /^Language/ }).fill('zh-CN');
  await page.locator('#main').getByRole('button', { name: 'Add customization' }).last().click();
  await page.getByRole('link', { name: 'Shop look' }).click();
  await publish();
  await release('Shop look on all', 'Shop look');
  expect(shown('systemCustomization')).toEqual(['Shop look', 'Shop look']);
  const values = { statusBar: 'hidden', brightness: 70, locale: 'zh-CN', wallpaper: expect.stringMatching(/^files\/[0-9a-f]{64}\.png$/) };
  expect(first?.journal.contents.get('systemCustomization')?.document.values).toEqual(values);
  await versions();
  for (const name of ['Till', 'Shop look']) await page.getByRole('link', { name, exact: true }).waitFor();

  await giveBack('Desktops', 'Till', 'Home screen of the factory');
  expect(all(({ journal }) => [...journal.contents.keys()].join() === 'systemCustomization')).toBe(true);
  expect(wrote('reset customizeDesktop')).toBe(true);
  await giveBack('System customization', 'Shop look', 'Look of the factory');
  expect(all(({ journal }) => journal.contents.size === 0)).toBe(true);
  await versions();
  for (const name of ['Till', 'Shop look']) await page.getByRole('link', { name, exact: true }).waitFor({ state: 'hidden' });
});

test('a home screen has versions: the next one is drawn up, counted and compared with the one before, which is used again', async () => {
  await menu('Desktops');
  await page.getByRole('link', { name: 'Till', exact: true }).click();
  await page.locator('#main').getByRole('button', { name: 'Create new version', exact: true }).click();
  await page.getByRole('heading', { name: 'Edit desktop', level: 1 }).waitFor();
  const board = page.locator('.m-screen-grid').first();
  await board.getByRole('button', { name: /^12:30,/ }).focus();
  await page.keyboard.press('Delete');
  await board.getByRole('button', { name: /^pay,/ }).focus();
  for (const key of ['Enter', 'ArrowRight', 'Enter']) await page.keyboard.press(key);
  await board.getByRole('button', { name: 'pay, column 3, row 5' }).waitFor();
  await page.locator('#main').getByRole('button', { name: 'Save' }).last().click();
  await page
    .getByRole('row', { name: /Till.*Draft/ })
    .getByRole('link', { name: 'Till', exact: true })
    .click();
  await publish();
  await page.getByRole('tab', { name: 'Versions' }).click();
  const version = (number: number) => page.getByRole('row', { name: new RegExp(`^${number}\\b.*Till.*Published`) });
  await version(1).getByRole('link', { name: 'Till on all' }).waitFor();
  await version(2)
    .getByRole('button', { name: /^Show changes/ })
    .click();
  const dialog = page.getByRole('dialog', { name: 'Version 1 → 2' });
  await dialog.getByRole('row', { name: 'Clock Removed' }).waitFor();
  await dialog.getByRole('row', { name: 'pay Moved: page 1, column 2, row 5 → page 1, column 3, row 5' }).waitFor();
  expect(await dialog.getByRole('row').count()).toBe(3);
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await version(1)
    .getByRole('button', { name: /^Create new version from this/ })
    .click();
  await page.getByRole('heading', { name: 'Edit desktop', level: 1 }).waitFor();
  await board.getByRole('button', { name: /^12:30,/ }).waitFor();
  await board.getByRole('button', { name: 'pay, column 2, row 5' }).waitFor();
});

test('a release is rolled back: each terminal has again what it had before, the version before or its own home screen', async () => {
  const { content: desktops } = await admin.call(desktopCalls.page, { criteria: {} });
  const tills = desktops.filter(({ name, state }) => name === 'Till' && state === 'published');
  const [one, two] = tills.toSorted((a, b) => a.id - b.id).map(({ id }) => id);
  const [first, second] = fleet.terminals;
  const pay = () =>
    [first, second].map((terminal) => {
      const { pages = [] } = (terminal?.journal.contents.get('customizeDesktop')?.document.values ?? {}) as { pages?: { tiles: Tile[] }[] };
      return pages.flatMap(({ tiles }) => tiles).find((tile) => tile.package === 'com.mooring.pay')?.x ?? null;
    });
  const send = async (name: string, contentId: number | undefined, sns: readonly (string | undefined)[]) => {
    const content = { action: 'config' as const, contentId: contentId ?? 0 };
    const scope = { releaseScope: '2' as const, sns: sns.map((sn) => sn ?? '') };
    await admin.call(desktopTaskCalls.add, { name, content, scope, release: true });
  };
  await send('Till for one', one, [first?.sn]);
  await waitFor(() => isDeepStrictEqual(pay(), [1, null]), 'the first version on one terminal', 60);
  await send('Till again for all', two, [first?.sn, second?.sn]);
  await waitFor(() => isDeepStrictEqual(pay(), [2, 2]), 'the second version on both', 60);
  const back = async (way: RegExp, name: string) => {
    await page.goto(`${stack.url}/task`);
    await page.getByRole('link', { name: 'Till again for all', exact: true }).click();
    await page.getByRole('heading', { name: 'Till again for all', level: 1 }).waitFor();
    await page.getByText('Finished', { exact: true }).filter({ visible: true }).first().waitFor();
    const act = page.getByText('Roll back to the previous version', { exact: true });
    if (!(await act.isVisible())) await button('More').click();
    await act.click();
    const dialog = page.getByRole('dialog', { name: 'Roll back' });
    await look(page, 'roll-back');
    await dialog.getByRole('listitem').filter({ hasText: way }).getByRole('button').click();
    await page.waitForURL(/back=/);
    expect(await nameField().inputValue()).toBe('Rollback from Till again for all');
    await nameField().fill(name);
    await toReview(page);
    await look(page, 'roll-back-review');
    await button('Release to 1 terminal').click();
    await page.getByText('Finished', { exact: true }).filter({ visible: true }).first().waitFor();
  };
  await back(/^1 terminal goes back · Till/, 'To the version before');
  expect(pay()).toEqual([1, 2]);
  await back(/^1 terminal goes back · Reset to what was before/, 'To its own');
  expect(pay()).toEqual([1, null]);
});

test('a home screen for two screens is one desktop and one release: each terminal shows the one that is drawn up for its own', async () => {
  await menu('Desktops');
  await page.getByRole('link', { name: 'Add desktop' }).first().click();
  await page.getByRole('heading', { name: 'Add desktop', level: 1 }).waitFor();
  await nameField().fill('Both');
  await button('App').click();
  await page.getByLabel('Package name').fill('com.mooring.pay');
  await button('Clock').click();
  await button('Add screen').click();
  const dialog = page.getByRole('dialog', { name: 'Add screen' });
  await dialog.getByRole('button', { name: 'Counter-top, 1280 × 800', exact: true }).click();
  await look(page, 'add-screen');
  await dialog.getByRole('button', { name: 'Add screen', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  const [small, wide] = [button('720 × 1280 (main)'), button('1280 × 800')];
  const board = page.locator('.m-screen-grid').first();
  const pay = (column: number, row: number) => board.getByRole('button', { name: `pay, column ${column}, row ${row}` }).waitFor();
  await pay(1, 1);
  await board.getByRole('button', { name: /^pay,/ }).focus();
  for (const key of ['Enter', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
  await pay(1, 2);
  await small.click();
  await pay(1, 1);
  // What is removed comes back as it was, and so does everything before that, step by step.
  await wide.click();
  await button('Remove screen').click();
  await wide.waitFor({ state: 'detached' });
  await button('Undo').click();
  await wide.click();
  await pay(1, 2);
  for (let step = 0; step < 2; step += 1) await button('Undo').click();
  await wide.waitFor({ state: 'detached' });
  for (let step = 0; step < 2; step += 1) await button('Redo').click();
  await wide.click();
  await pay(1, 2);
  // The other one becomes the main one, and is taken back again.
  await button('Make main screen').click();
  await button('1280 × 800 (main)').waitFor();
  await button('Undo').click();
  await wide.click();

  // What isn't complete leads to its screen.
  await button('Text').click();
  await small.click();
  await button('1280 × 800 · Text on page 1 isn’t complete').click();
  await expect.poll(() => wide.getAttribute('aria-pressed')).toBe('true');
  await page.keyboard.type('Welcome');
  await board.getByRole('button', { name: /^Welcome,/ }).waitFor();
  await look(page, 'two-screens');
  await button('Preview').click();
  await page.getByRole('dialog', { name: 'Preview of page 1, 1280 × 800' }).getByText('Welcome').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('#main').getByRole('button', { name: 'Add desktop' }).last().click();
  await page.getByRole('link', { name: 'Both', exact: true }).click();
  await publish();
  for (const name of ['720 × 1280 (main)', '1280 × 800']) await page.getByRole('heading', { name, exact: true }).waitFor();
  await release('Both on all', 'Both');
  expect(shown('customizeDesktop')).toEqual(['Both', 'Both']);
  for (const [nth, { width, height }] of screens.entries()) {
    expect(fleet.terminals[nth]?.body.runLog.select({ lines: 500 }).map(({ text }) => text)).toContain(
      `shows customizeDesktop: Both, as drawn up for ${width} × ${height}`,
    );
    await versions(nth);
    await page.getByRole('link', { name: `Both (${width} × ${height})`, exact: true }).waitFor();
  }
  // Over a restart each still has all of it, and a screen of its own.
  await fleet.stop();
  fleet = start();
  await fleet.whenOnline(TERMINALS, 180);
  expect(
    fleet.terminals.map(({ body, journal }) =>
      homeScreen(journal.contents.get('customizeDesktop')?.document.values ?? {}, body.facts().screen),
    ),
  ).toMatchObject(screens);
});
