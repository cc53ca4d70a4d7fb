import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeApk, type TestApk } from '@mooring/apk/apk.factory';
import { developerCalls } from '@mooring/contract/app/calls';
import { softAppTaskCalls } from '@mooring/contract/app/release-calls';
import { regCalls } from '@mooring/contract/device/reg-calls';
import { deptCalls } from '@mooring/contract/org/calls';
import { type Fleet, startFleet } from '@mooring/terminal/start-fleet';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADMIN, type Api, api, signIn } from './api.ts';
import { launchBrowser } from './browser.ts';
import { choose } from './choose.ts';
import { makeEstate } from './estate.ts';
import { addHolder } from './holder.ts';
import { openMenu } from './menu.ts';
import { type Stack, startDemo, waitFor } from './stack.ts';
import { visit } from './visit.ts';

/** The whole life of an app, from its developer to two hundred terminals of an organisation that subscribes to it, and off them again. */
const TERMINALS = 200;
const NAME = 'com.example.till';
const SLOW = { timeout: 600_000 };
const SLOW_S = 400;
let stack: Stack;
let browser: Browser;
let fleet: Fleet;
let hui: Api;
let dev: Page;
let reviewer: Page;
let bank: Page;
let foreign: Page;
const folder = mkdtempSync(join(tmpdir(), 'mooring-app-life-'));
const at = (name: string) => join(folder, name);

const line = (no: number) => createHash('sha256').update(String(no)).digest('hex');
/** Sixty kilobytes when packed, of which a line in thirty is another one from version to version. */
const menu = (apart: number) =>
  new TextEncoder().encode(
    Array.from({ length: 1800 }, (_, no) => `Espresso ${line(no % 30 === 0 ? no + apart : no)}${no % 30 === 0 ? apart : ''}`).join('\n'),
  );

beforeAll(async () => {
  const demo = await startDemo();
  stack = demo.stack;
  const { url } = stack;
  await makeEstate(url, demo.admin, ADMIN, 1);
  hui = api(url, await signIn(url, 'hui.manager', demo.password), 'centre');
  const till: Omit<TestApk, 'versionCode' | 'versionName'> = { packageName: NAME, labels: { '': 'Till' }, minSdk: 24 };
  const write = async (code: number, versionName: string, apart: number) =>
    writeFileSync(
      at(`till-${code}.apk`),
      await makeApk({ ...till, versionCode: code, versionName, files: { 'assets/menu.txt': menu(apart) } }),
    );
  await write(10, '1.0', 0);
  await write(20, '2.0', 5000);
  // Neither holds more than the one role that comes with the product for it.
  const managing = api(url, await signIn(url, 'admin', ADMIN, 'manager'), 'manager', 1);
  const [maker] = await managing.call(deptCalls.search, { text: 'Meridian Payments' });
  await addHolder(url, managing, { account: 'dana.developer', name: 'Dana Brandt', role: 'Developer', deptId: maker?.id ?? 0 });
  await addHolder(url, managing, { account: 'rene.reviewer', name: 'René Okafor', role: 'App reviewer', deptId: 1 });
  const dana = api(url, await signIn(url, 'dana.developer', ADMIN), 'centre');
  const rene = api(url, await signIn(url, 'rene.reviewer', ADMIN), 'centre');
  const { id } = await dana.call(developerCalls.apply, { contactName: 'Dana Brandt', email: 'dana@example.com' });
  await rene.call(developerCalls.accept, { id });
  browser = await launchBrowser();
  const here = async (account: string, password = demo.password) =>
    (await visit(browser, { url, account, password, platform: 'centre' })).page;
  [dev, reviewer, bank, foreign] = [
    await here('dana.developer', ADMIN),
    await here('rene.reviewer', ADMIN),
    await here('hui.manager'),
    await here('mia.member'),
  ];
}, 600_000);
afterAll(async () => {
  await fleet?.stop();
  await browser?.close();
  await stack?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const button = (on: Page, name: string) => on.getByRole('button', { name, exact: true }).filter({ visible: true });
const link = (on: Page, name: string) => on.getByRole('link', { name, exact: true }).filter({ visible: true }).first();
const dialog = (on: Page) => on.getByRole('dialog').last();
const send = (on: Page, name: string) => dialog(on).getByRole('button', { name, exact: true }).click();
const field = (on: Page, name: string) => on.getByLabel(new RegExp(`^${name}(?: ?\\(?optional\\)?)?$`)).filter({ visible: true });
const state = (on: Page, words: string) => on.locator('.m-page-head').filter({ visible: true }).getByText(words, { exact: true }).waitFor();
const step = (title: string) => bank.getByRole('heading', { name: title, exact: true, level: 2 }).waitFor();
const having = (code: number) => fleet.terminals.filter(({ journal }) => journal.apps.get(NAME)?.versionCode === code).length;

/** An act of the page's head, which may have slid under _More_. */
async function act(on: Page, name: string): Promise<void> {
  const more = on.locator('.m-page-head').filter({ visible: true }).getByRole('button', { name: /^More/ });
  const own = button(on, name);
  await own.or(more).first().waitFor();
  if (await own.isVisible()) return own.click();
  await more.click();
  await on.getByRole('menuitem', { name, exact: true }).click();
}

async function upload(code: number, how: string): Promise<void> {
  await button(dev, how).first().click();
  await dialog(dev)
    .locator('input[type=file]')
    .setInputFiles(at(`till-${code}.apk`));
  await dialog(dev).locator('.m-uploads li').getByText('Uploaded', { exact: true }).waitFor();
  await send(dev, how);
  await state(dev, 'To be submitted');
}

/** The reviewer opens the one that waits; the one before may still stand in the list for a moment. */
async function open(version: string): Promise<void> {
  await openMenu(reviewer, 'App catalogue');
  await reviewer.getByRole('tab', { name: 'Waiting for review' }).click();
  await reviewer.getByRole('row').filter({ hasText: version, visible: true }).getByRole('link', { name: 'Till', exact: true }).click();
  await state(reviewer, 'Waiting for review');
}

test('a developer’s app is sent back, mended, approved and listed; until then others find nothing', SLOW, async () => {
  await openMenu(dev, 'Developer centre');
  await upload(10, 'Upload app');
  const version = new URL(dev.url()).pathname;
  await button(dev, 'Edit listing').click();
  await field(dev, 'Short text').fill('Takes payments');
  await choose(dev.getByRole('combobox', { name: /^Products/ }).filter({ visible: true }), 'A920');
  await button(dev, 'Save changes').click();
  await button(dev, 'Submit for review').click();
  await send(dev, 'Submit for review');
  await state(dev, 'Waiting for review');
  await open('1.0');
  await button(reviewer, 'Send back').click();
  await field(reviewer, 'What has to change').fill('Describe what it does.');
  await send(reviewer, 'Send back');
  await dev.getByText('Describe what it does.').waitFor();
  for (const other of [bank, foreign]) {
    await other.goto(stack.url + version);
    await other
      .getByText(/doesn’t exist|not found|isn’t there/i)
      .first()
      .waitFor();
  }
  await button(dev, 'Edit listing').click();
  await field(dev, 'Description').fill('It takes payments at the counter.');
  await button(dev, 'Save changes').click();
  await button(dev, 'Submit for review').click();
  await send(dev, 'Submit for review');
  await state(dev, 'Waiting for review');
  // Whoever wrote it isn’t offered the decision.
  expect(await button(dev, 'Approve').count()).toBe(0);
  await button(reviewer, 'Approve').click();
  await send(reviewer, 'Approve');
  await state(reviewer, 'Listed');
  await state(dev, 'Listed');
});

test('another organisation subscribes, and 200 of its terminals get the app ring by ring', SLOW, async () => {
  await link(dev, 'Till').click();
  await button(dev, 'How others subscribe').click();
  await choose(dialog(dev).getByRole('combobox'), 'At once');
  await send(dev, 'Save');
  await dev.getByText('Subscriptions of Till saved').waitFor();
  await openMenu(bank, 'App catalogue');
  await link(bank, 'Till').click();
  await button(bank, 'Subscribe').click();
  await send(bank, 'Subscribe to app');
  await bank.getByRole('link', { name: 'Your subscription', exact: true }).waitFor();
  await startTerminals();
  await newRelease();
  await field(bank, 'Name').fill('Till for the counters');
  await choose(bank.getByRole('combobox', { name: /^App version/ }).filter({ visible: true }), 'Till');
  await button(bank, 'Next').click();
  await step('Targets');
  await bank.getByText(`The release would reach ${TERMINALS} terminals`).waitFor();
  await button(bank, 'Next').click();
  await step('Rollout');
  await button(bank, 'Release in rings').click();
  await button(bank, 'Next').click();
  await step('Review');
  await toItsEnd();
  expect(having(10)).toBe(TERMINALS);
  const id = Number(/(\d+)$/.exec(new URL(bank.url()).pathname)?.[1]);
  const { rings, tally } = await hui.call(softAppTaskCalls.detail, { id });
  expect([rings.length, rings.reduce((all, ring) => all + ring.total, 0), tally]).toEqual([3, TERMINALS, { '3': TERMINALS }]);
});

test('the newer version comes to each of them by what differs', SLOW, async () => {
  await upload(20, 'Upload version');
  await button(dev, 'Submit for review').click();
  await send(dev, 'Submit for review');
  await state(dev, 'Waiting for review');
  const version = new URL(dev.url()).pathname;
  await open('2.0');
  await button(reviewer, 'Approve').click();
  await send(reviewer, 'Approve');
  await state(reviewer, 'Listed');
  await dev.getByRole('tab', { name: 'Delta packages' }).click();
  // Made by itself: terminals run the one before.
  await dev
    .getByRole('row', { name: /1\.0 \(10\).*Contents/ })
    .getByText('In use', { exact: true })
    .waitFor();
  await bank.goto(stack.url + version);
  await button(bank, 'Release to terminals').click();
  await bank.getByRole('heading', { name: /^New / }).first().waitFor();
  await field(bank, 'Name').fill('Till 2.0');
  await toReview();
  await bank.getByRole('row', { name: /10.*Delta package/ }).waitFor();
  await toItsEnd();
  expect(having(20)).toBe(TERMINALS);
  const journals = fleet.terminals.map(({ body }) =>
    body.runLog
      .select({ lines: 500 })
      .map(({ text }) => text)
      .join('\n'),
  );
  expect(journals.filter((words) => words.includes('applied to 10'))).toHaveLength(TERMINALS);
});

test('how many terminals have it says each organisation its own', SLOW, async () => {
  const withIt = (on: Page) => on.locator('.m-stat').filter({ hasText: 'With this version' }).filter({ visible: true });
  await dev.getByRole('tab', { name: 'On terminals' }).click();
  await withIt(dev).getByText('0', { exact: true }).waitFor();
  // At its subscriber it learns how it went, not where.
  await dev.getByRole('heading', { name: 'Subscribers’ terminals' }).waitFor();
  const succeeded = dev.locator('.m-stat').filter({ hasText: 'Releases succeeded' }).filter({ visible: true });
  await succeeded.last().getByText(String(TERMINALS), { exact: true }).waitFor();
  expect(await succeeded.first().getByText('0', { exact: true }).count()).toBe(1);
  await bank.goto(dev.url());
  await withIt(bank).getByText(String(TERMINALS), { exact: true }).waitFor();
});

test('delisted it goes to nobody any more, and is taken off all terminals', SLOW, async () => {
  await act(reviewer, 'Delist');
  await field(reviewer, 'Reason').fill('Replaced by another product');
  await send(reviewer, 'Delist');
  await state(reviewer, 'Delisted');
  // Whose terminals have it reads of that, and is led to the release that takes it off.
  await bank.goto(`${stack.url}/message`);
  await bank.getByText('Till 2.0 on your terminals was delisted', { exact: true }).filter({ visible: true }).first().click();
  await dialog(bank).getByText(`${TERMINALS} terminals have it`).waitFor();
  await dialog(bank).getByRole('link', { name: 'Open', exact: true }).click();
  await bank.getByRole('heading', { name: /^New / }).first().waitFor();
  await bank.getByText(`Till – ${NAME}`, { exact: true }).filter({ visible: true }).first().waitFor();
  await bank.getByText('Uninstall', { exact: true }).filter({ visible: true }).first().waitFor();
  await field(bank, 'Name').fill('Till off');
  await toReview();
  await toItsEnd();
  expect(fleet.terminals.filter(({ journal }) => journal.apps.get(NAME))).toHaveLength(0);
});

async function toReview(): Promise<void> {
  for (const title of ['Targets', 'Rollout', 'Review']) {
    await button(bank, 'Next').click();
    await step(title);
  }
}

/** Of the review: to all terminals, until the last has answered. */
async function toItsEnd(): Promise<void> {
  await button(bank, `Release to ${TERMINALS} terminals`).click();
  await bank
    .getByText('Finished', { exact: true })
    .filter({ visible: true })
    .first()
    .waitFor({ timeout: SLOW_S * 1000 });
}

/** Of the subscriber alone, let in by a code of its own. */
async function startTerminals(): Promise<void> {
  const [own] = await hui.call(deptCalls.search, { text: 'Harbour Bank' });
  const { code } = await hui.call(regCalls.code, { deptId: own?.id ?? 0, maxUses: TERMINALS, hours: 24 });
  fleet = startFleet({
    server: stack.url,
    count: TERMINALS,
    code,
    product: 'A920',
    seed: 'life',
    installSeconds: 0.1,
    bootSeconds: 0.1,
    atOnce: 20,
  });
  await fleet.whenOnline(TERMINALS, SLOW_S);
}

/** Of the list: the home page, which stands until the list is there, offers releases of another kind by the same words. */
async function newRelease(): Promise<void> {
  await waitFor(() => fleet.online() === TERMINALS, 'all terminals to be online');
  await openMenu(bank, 'General releases');
  await bank.getByRole('heading', { name: 'General releases', level: 1, exact: true }).waitFor();
  await bank.getByRole('link', { name: 'New release' }).filter({ visible: true }).first().click();
  await bank.getByRole('link', { name: 'App', exact: true }).click();
}
