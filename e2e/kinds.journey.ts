import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
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

const TERMINALS = 4;
let stack: Stack;
let browser: Browser;
let page: Page;
let fleet: Fleet;
let code: string;
const folder = mkdtempSync(join(tmpdir(), 'mooring-kinds-'));
const file = join(folder, 'sp.bin');
const pace = { installSeconds: 0.1, bootSeconds: 0.1, speed: 64 * 1024 * 1024 };

beforeAll(async () => {
  writeFileSync(file, gzipSync(randomBytes(6000)));
  stack = await startStack();
  const admin = await administrator(stack.url, stack.password);
  ({ code } = await makeEstate(stack.url, admin, ADMIN, TERMINALS + 1));
  fleet = startFleet({ server: stack.url, count: TERMINALS, code, product: 'A920', seed: 'kinds', firmware: '1.0.0', ...pace });
  await fleet.whenOnline(TERMINALS, 180);
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
const field = (name: string) => page.getByLabel(name, { exact: true });
const menu = (name: string) => openMenu(page, name);
const finished = () => page.getByText('Finished', { exact: true }).filter({ visible: true }).first().waitFor();
const all = (of: (one: Fleet['terminals'][number]) => boolean) => fleet.terminals.every(of);

/** From the second step of the wizard to the page of the release. */
async function releaseTo(words: string): Promise<void> {
  await toReview(page);
  await button(words).click();
  await page.getByRole('tab', { name: 'Progress over time' }).waitFor();
}

async function upload(version: string, name?: string, wrong?: string): Promise<void> {
  await button('Upload package').first().click();
  const dialog = page.getByRole('dialog');
  await dialog.locator('input[type=file]').setInputFiles(file);
  await dialog.getByText('Uploaded', { exact: true }).waitFor();
  await dialog.getByLabel('Version', { exact: true }).fill(version);
  if (wrong) {
    await dialog.getByLabel('Module', { exact: true }).fill(wrong);
    await dialog.getByRole('button', { name: 'Upload package' }).click();
    await dialog.getByText('Letters, digits, dot, dash and underscore; at most 32.').first().waitFor();
  }
  if (name) await dialog.getByLabel('Module', { exact: true }).fill(name);
  await dialog.getByRole('button', { name: 'Upload package' }).click();
  await dialog.waitFor({ state: 'detached' });
}

test('a module is uploaded, released and runs on every terminal; its name is asked for and checked', async () => {
  await menu('Module packages');
  await page.getByText('No module packages yet').waitFor();
  await upload('9.0.0', 'sp', 'not a name!');
  await menu('Module releases');
  await page.getByRole('link', { name: 'New release' }).or(button('New release')).filter({ visible: true }).first().click();
  await field('Name').fill('Security processor 9');
  await choose(field('Package'), '9.0.0');
  await releaseTo('Release to 4 terminals');
  await finished();
  expect(all((one) => one.journal.parts.get('module:sp')?.version === '9.0.0')).toBe(true);
  // The terminal says so itself, and keeps its firmware.
  expect(all((one) => one.journal.firmware === '1.0.0')).toBe(true);
  await page
    .getByRole('link', { name: fleet.terminals[0]?.sn ?? '', exact: true })
    .first()
    .click();
  await page.getByRole('tab', { name: 'Versions' }).click();
  await page.getByRole('row', { name: /sp.*9\.0\.0/ }).waitFor();
  await page.getByRole('tab', { name: 'Releases' }).click();
  await page.getByRole('link', { name: 'Security processor 9 · sp 9.0.0' }).waitFor();
});

test('app permissions are set, told apart from what a terminal changed, and put back', async () => {
  await menu('App permissions');
  await page.getByText('No app permissions released yet').waitFor();
  await page.getByRole('link', { name: 'New release' }).or(button('New release')).filter({ visible: true }).first().click();
  await field('Name').fill('Who may print');
  await button('Next').click();
  await page.locator('.m-problems').getByText('Permission').first().waitFor();
  await choose(field('Permission'), 'May print');
  await field('Apps').fill('not an app');
  await page.keyboard.press('Enter');
  await button('Next').click();
  await page.locator('.m-problems').getByText('The package name of an app, such as com.example.pay.').waitFor();
  await field('Apps').press('Backspace');
  await field('Apps').press('Backspace');
  await field('Apps').press('Backspace');
  await field('Apps').fill('com.mooring.pay');
  await page.keyboard.press('Enter');
  await releaseTo('Release to 4 terminals');
  await finished();
  expect(all((one) => JSON.stringify(one.journal.settings.get('appPermission.print')) === '{"apps":["com.mooring.pay"]}')).toBe(true);
  await page.getByText('As released').first().waitFor();
  await page.getByText('May print: com.mooring.pay').first().waitFor();
  // Somebody changes it on the terminal; its next words say so.
  const [changed] = fleet.terminals;
  changed?.journal.settings.set('appPermission.print', { apps: ['com.other.app'] });
  changed?.agent()?.cut();
  await page
    .getByRole('row', { name: new RegExp(changed?.sn ?? '') })
    .getByText('Changed on the terminal since')
    .waitFor();
  await menu('App permissions');
  await page.getByRole('link', { name: 'New release' }).or(button('New release')).filter({ visible: true }).first().click();
  await field('Name').fill('As it was');
  await choose(field('Permission'), 'May print');
  await choose(field('Action'), 'Reset to what was before');
  await releaseTo('Release to 4 terminals');
  await finished();
  expect(all((one) => !one.journal.settings.has('appPermission.print'))).toBe(true);
});

test('terminals leave Wi-Fi networks that are not on the list', async () => {
  await menu('Network settings');
  await page.getByRole('link', { name: 'New release' }).or(button('New release')).filter({ visible: true }).first().click();
  await field('Name').fill('Only the shop');
  await choose(field('Setting'), 'Allowed Wi-Fi networks');
  await field('Wi-Fi networks').fill('head office');
  await page.keyboard.press('Enter');
  await releaseTo('Release to 4 terminals');
  await finished();
  expect(all((one) => JSON.stringify(one.journal.settings.get('networkConfig.wifiWhitelist')) === '{"ssids":["head office"]}')).toBe(true);
  await waitFor(async () => all((one) => one.body.figures().network?.kind !== 'wifi'), 'the terminals to leave other networks');
});

test('a patch waits for the first contact of a terminal that comes later', async () => {
  await menu('Patch packages');
  await upload('2026-12');
  await menu('Patch releases');
  await page.getByRole('tab', { name: 'At first contact' }).click();
  await page.getByRole('link', { name: 'New first-contact release' }).or(button('New first-contact release')).first().click();
  await field('Name').fill('December patch');
  await choose(field('Package'), '2026-12');
  await releaseTo('Release');
  const late = startFleet({
    server: stack.url,
    count: 1,
    code,
    product: 'A920',
    seed: 'late',
    sns: ['LATE0002'],
    firmware: '1.0.0',
    ...pace,
  });
  try {
    await page
      .getByRole('row', { name: /LATE0002/ })
      .getByText('Succeeded')
      .waitFor();
    expect(late.terminals[0]?.journal.parts.get('patch')?.version).toBe('2026-12');
    expect(all((one) => !one.journal.parts.has('patch'))).toBe(true);
  } finally {
    await late.stop();
  }
});

test('firmware that says another version than the form is refused there; it is shown, and one is taken as it is', async () => {
  const json = Buffer.from('{"product":"A920","version":"3.2.1","build":"b17"}');
  const said = join(folder, 'said.bin');
  writeFileSync(said, Buffer.concat([Buffer.from('MFW1'), Buffer.from([0, json.length]), json, randomBytes(3000)]));
  const dialog = page.getByRole('dialog');
  const choose = async () => {
    await dialog.locator('input[type=file]').setInputFiles(said);
    await dialog.getByText('Uploaded', { exact: true }).waitFor();
  };
  const send = () => dialog.getByRole('button', { name: 'Upload package' }).press('Enter');
  await menu('Firmware packages');
  await button('Upload package').first().click();
  await choose();
  await dialog.getByLabel('Version', { exact: true }).fill('3.2.2');
  await send();
  await dialog.getByText('The file says that it is version 3.2.1.').first().waitFor();
  await dialog.getByLabel('Version', { exact: true }).fill('3.2.1');
  await send();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('link', { name: '3.2.1' }).first().click();
  await page.getByText('A920 · 3.2.1 · b17 (in its header)').waitFor();

  await page.goBack();
  await button('Upload package').first().click();
  await choose();
  // What was uploaded to be read isn't taken for the other kind.
  await dialog.getByLabel('Take the file as it is, without reading what it says of itself').press('Space');
  await dialog.getByText('Uploaded', { exact: true }).waitFor({ state: 'detached' });
  await choose();
  await dialog.getByLabel('Version', { exact: true }).fill('4.0.0');
  await send();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('link', { name: '4.0.0' }).first().click();
  await page
    .getByRole('heading', { name: /4\.0\.0/ })
    .first()
    .waitFor();
  expect(await page.getByText('The file says').filter({ visible: true }).count()).toBe(0);
});
