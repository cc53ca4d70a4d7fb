import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { noticeCalls } from '@mooring/contract/message/notice-calls';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADMIN, api, signIn } from './api.ts';
import { launchBrowser } from './browser.ts';
import { choose } from './choose.ts';
import { type Demo, startDemo, waitFor } from './stack.ts';
import { visit } from './visit.ts';

let demo: Demo;
let browser: Browser;
let page: Page;
let olga: Page;
const folder = mkdtempSync(join(tmpdir(), 'mooring-notice-'));
const plan = join(folder, 'plan.txt');

beforeAll(async () => {
  demo = await startDemo();
  writeFileSync(plan, 'Two to four: the gateway.');
  browser = await launchBrowser();
  const { url } = demo.stack;
  ({ page } = await visit(browser, { url, account: 'admin', password: ADMIN, platform: 'manager' }));
  ({ page: olga } = await visit(browser, { url, account: 'olga.manager', password: demo.password, platform: 'manager' }));
});
afterAll(async () => {
  await browser?.close();
  await demo?.stack.stop();
  rmSync(folder, { recursive: true, force: true });
});

const button = (on: Page, name: string) => on.getByRole('button', { name, exact: true });
const field = (name: string) => page.getByLabel(new RegExp(`^${name}(?: ?\\(?optional\\)?)?$`));
const text = () => page.getByRole('textbox', { name: 'Text', exact: true });
const look = (on: Page, name: string) => process.env.LOOK && on.screenshot({ path: join(process.env.LOOK, `${name}.png`), fullPage: true });
const act = async (row: string, name: string) => {
  await page
    .getByRole('row', { name: row })
    .getByRole('button', { name: /^Actions for/ })
    .click();
  await page.getByRole('menuitem', { name, exact: true }).click();
};

test('a notice is written, shown as a popup that stays, read, counted and recalled from everyone', async () => {
  await page.goto(`${demo.stack.url}/notice`);
  await page.getByText('No notices yet').waitFor();
  await look(page, 'notice-empty');
  await page.getByRole('link', { name: 'New notice' }).or(button(page, 'New notice')).first().click();
  await field('Title').fill('Works on Sunday');
  await text().fill('The gateway restarts.');
  await text().selectText();
  await button(page, 'Bold').click();
  expect(await text().inputValue()).toBe('**The gateway restarts.**');
  await text().fill('**The gateway restarts.** See [status](javascript:alert(1)).');
  await button(page, 'New notice').last().click();
  await page.getByText('This text has a link or picture that can’t be used.').first().waitFor();
  await text().fill('# Sunday\n\n**The gateway restarts.** <b>not</b> See [status](https://status.example).\n\n- two to four');
  await button(page, 'Preview').click();
  await page.locator('.m-markdown strong').getByText('The gateway restarts.').waitFor();
  expect(await page.locator('.m-markdown b').count()).toBe(0);
  expect(await page.locator('.m-markdown a').getAttribute('rel')).toContain('noopener');
  await page.locator('input[type=file]').setInputFiles(plan);
  await page.getByText('plan.txt').first().waitFor();
  await choose(page.locator('#field-priority'), 'High');
  await choose(page.getByRole('combobox', { name: 'Also show by' }), 'Popup');
  await page.keyboard.press('Escape');
  await look(page, 'notice-form');
  await button(page, 'New notice').last().click();
  await page.getByRole('row', { name: /Works on Sunday/ }).waitFor();
  await act('Works on Sunday', 'Publish');
  await page.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByText('“Works on Sunday” published').waitFor();

  const popup = olga.getByRole('dialog', { name: 'Works on Sunday' });
  await popup.getByText('The gateway restarts.').waitFor();
  await olga.keyboard.press('Escape');
  await olga.reload();
  await popup.getByText('The gateway restarts.').waitFor();
  await look(olga, 'notice-popup');
  const [file] = await Promise.all([olga.waitForEvent('download'), popup.getByRole('button', { name: /plan\.txt/ }).click()]);
  expect(file.suggestedFilename()).toBe('plan.txt');
  await popup.getByRole('button', { name: 'Mark as read' }).click();
  await popup.waitFor({ state: 'detached' });
  await olga.reload();
  await olga.goto(`${demo.stack.url}/manager/message?tab=notices`);
  const row = olga.getByRole('row', { name: /Works on Sunday/ });
  await row.getByText('Read', { exact: true }).waitFor();
  await look(olga, 'notice-own');
  await row.getByText('Works on Sunday').click();
  await olga.getByRole('dialog').getByText('two to four').waitFor();

  await button(page, 'Mark as read').click();
  await page
    .getByRole('row', { name: /Works on Sunday/ })
    .getByText('Published')
    .click();
  await page.getByRole('dialog').getByText('Olga Brandt').waitFor();
  await look(page, 'notice-readers');
  await page.keyboard.press('Escape');
  // The focus goes back when it is gone.
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await act('Works on Sunday', 'Recall');
  await page.getByRole('dialog').getByRole('button', { name: 'Recall', exact: true }).click();
  await page.getByText('“Works on Sunday” recalled').waitFor();
  await olga.getByText('No notices').first().waitFor();
  // What was wrong with it is put right in a copy, which has its files.
  await act('Works on Sunday', 'Copy');
  await page.waitForURL(/\/notice\/new\?copy=/);
  await page.getByText('plan.txt').first().waitFor();
  expect(await text().inputValue()).toContain('two to four');
  await field('Title').fill('Works on Monday');
  await button(page, 'New notice').last().click();
  await page.getByRole('row', { name: /Works on Monday.*Draft/ }).waitFor();
  await page.getByRole('row', { name: /Works on Sunday.*Recalled/ }).waitFor();
});

test('one that is sent later goes out by itself, is read by three people, and recalled from all of them', async () => {
  const { admin, stack } = demo;
  const manager = api(stack.url, await signIn(stack.url, 'admin', ADMIN, 'manager'), 'manager', 1);
  const here = async (account: string) =>
    (await visit(browser, { url: stack.url, account, password: demo.password, platform: 'manager' })).page;
  const [mia, hui] = [await here('mia.member'), await here('hui.manager')];
  const readers = [olga, mia, hui];
  const title = 'Maintenance tonight';
  await page.goto(`${stack.url}/notice`);
  const startsAt = new Date(Date.now() + 15_000).toISOString();
  await manager.call(noticeCalls.add, { title, body: 'From **two** to four.', startsAt });
  const row = (on: Page) => on.getByRole('row', { name: new RegExp(title) });
  await row(page).waitFor();
  await act(title, 'Schedule');
  await row(page).getByText('Scheduled').waitFor();
  await look(page, 'notice-scheduled');
  expect((await admin.call(noticeCalls.mine, {})).content.map((one) => one.title)).not.toContain(title);
  await waitFor(
    async () => (await admin.call(noticeCalls.mine, {})).content.some((one) => one.title === title),
    'the notice to go out',
    150,
  );
  await row(page).getByText('Published').waitFor();
  for (const on of readers) {
    await on.goto(`${stack.url}/manager/message?tab=notices`);
    await row(on).getByText('Unread').waitFor();
    await row(on).getByText(title).click();
    await on.getByRole('dialog').getByText('two', { exact: true }).waitFor();
    // Opening it reads it.
    await row(on).getByText('Read', { exact: true }).waitFor();
    await on.keyboard.press('Escape');
    await on.getByRole('dialog').waitFor({ state: 'detached' });
  }
  await look(mia, 'notice-read');
  await row(page).getByText('Published').click();
  const drawer = page.getByRole('dialog', { name: title });
  await drawer.getByRole('row', { name: /Olga Brandt/ }).waitFor();
  for (const name of ['Olga Brandt', 'Mia Lund', 'Hui Zhang'])
    expect(await drawer.getByRole('row', { name: new RegExp(name) }).textContent()).not.toContain('Unread');
  await drawer
    .getByRole('row', { name: /Aud Nilsen/ })
    .getByText('Unread')
    .waitFor();
  await look(page, 'notice-three');
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });
  await act(title, 'Recall');
  await page.getByRole('dialog').getByRole('button', { name: 'Recall', exact: true }).click();
  await page.getByText(`“${title}” recalled`).waitFor();
  // Gone from all who have it open, also where they look anew.
  for (const on of readers) await row(on).waitFor({ state: 'detached' });
  await hui.reload();
  await hui.getByText('No notices').first().waitFor();
  await row(page).getByText('Recalled').waitFor();
});

test('without a mail server e-mail can’t be chosen for a notice, and what to do about it stands below', async () => {
  const offered = page.locator('.ant-select-dropdown:not(.ant-select-dropdown-hidden) .ant-select-item-option').filter({ visible: true });
  await page.goto(`${demo.stack.url}/notice/new`);
  await page.getByText('No mail server is set, so no mail leaves this system.').waitFor();
  const channels = page.getByRole('combobox', { name: 'Also show by' });
  await channels.click();
  await offered.filter({ hasText: 'E-mail' }).and(page.locator('.ant-select-item-option-disabled')).waitFor();
  await look(page, 'notice-no-mail');
  // By keyboard neither: Popup is all that there is to choose.
  for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
  await page.keyboard.press('Escape');
  expect(await page.locator('.ant-select-selection-item').filter({ hasText: 'E-mail', visible: true }).count()).toBe(0);
  const way = page.getByRole('link', { name: 'Set a mail server' }).filter({ visible: true });
  expect(await way.getAttribute('href')).toBe('/system/settings?tab=mail');
});
