import { join } from 'node:path';
import { HelpArticle, helpArticleCalls } from '@mooring/contract/help/article';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { asOwner } from '../server/test/test-server.ts';
import { ADMIN, api, signIn } from './api.ts';
import { axe } from './axe.ts';
import { launchBrowser } from './browser.ts';
import { choose } from './choose.ts';
import { type Demo, startDemo } from './stack.ts';
import { arrive, plainLook, visit } from './visit.ts';

let demo: Demo;
let browser: Browser;
let page: Page;
let olga: Page;
let chen: Page;

beforeAll(async () => {
  demo = await startDemo();
  browser = await launchBrowser();
  const { url } = demo.stack;
  ({ page } = await visit(browser, { url, account: 'admin', password: ADMIN, platform: 'manager' }));
  ({ page: olga } = await visit(browser, { url, account: 'olga.manager', password: demo.password, platform: 'manager' }));
  const look = { ...plainLook, lang: 'zh-CN', theme: 'dark' } as const;
  ({ page: chen } = await visit(browser, { url, account: 'admin', password: ADMIN, platform: 'manager', look }));
});
afterAll(async () => {
  await browser?.close();
  await demo?.stack.stop();
});

const lid = () =>
  sharp({ create: { width: 64, height: 40, channels: 3, background: '#0a6a74' } })
    .png()
    .toBuffer();
const button = (on: Page, name: string) => on.getByRole('button', { name, exact: true });
const drawer = (on: Page, name = 'Help') => on.getByRole('dialog', { name });
const heading = (on: Page, name: string) => drawer(on).getByRole('heading', { name, exact: true });
const look = async (on: Page, name: string) => {
  if (process.env.LOOK) await on.screenshot({ path: join(process.env.LOOK, `${name}.png`), fullPage: true });
};

test('the article of a screen is a key away, follows the screen, is searched with its words marked, and voted on', async () => {
  await olga.goto(`${demo.stack.url}/notice`);
  await olga.getByRole('heading', { name: 'Notices', exact: true }).waitFor();
  await olga.keyboard.press('F1');
  await heading(olga, 'Notices').waitFor();
  expect(await drawer(olga).locator('table').first().textContent()).toContain('Recalled');
  await look(olga, 'help-drawer');
  expect(await axe(olga)).toEqual([]);
  await drawer(olga).getByText('Was this helpful?').waitFor();
  await button(olga, 'Yes').click();
  await drawer(olga).getByText('Thank you for your feedback').waitFor();
  // Beside the page, which stays in use.
  await olga.getByRole('link', { name: 'Messages' }).first().click();
  await heading(olga, 'Messages').waitFor();

  const search = drawer(olga).getByRole('textbox', { name: 'Search help' });
  await search.fill('qwxz');
  await drawer(olga).getByText('No article about “qwxz”').waitFor();
  await search.fill('recall qwxz');
  await drawer(olga).getByText('No article about “recall qwxz”').waitFor();
  await search.fill('recall everyone');
  await drawer(olga).locator('.m-help-hits mark').first().waitFor();
  await look(olga, 'help-search');
  expect(await axe(olga)).toEqual([]);
  await search.press('Tab');
  await drawer(olga).locator('.m-help-hits button').filter({ hasText: 'Notices' }).first().focus();
  await olga.keyboard.press('Enter');
  await heading(olga, 'Notices').waitFor();
  await drawer(olga).locator('article mark').first().waitFor();
  expect(await button(olga, 'Yes').getAttribute('aria-pressed')).toBe('true');
  await button(olga, 'No').click();
  await olga.locator('button[aria-pressed="true"]').getByText('No', { exact: true }).waitFor();
  await button(olga, 'Contents').click();
  await drawer(olga).getByText('Getting started').waitFor();
  await button(olga, 'About this screen').click();
  await heading(olga, 'Messages').waitFor();

  await drawer(olga).getByRole('link', { name: 'Open in full' }).click();
  await olga.waitForURL('**/help/messages');
  await olga.keyboard.press('F1');
  await drawer(olga).waitFor({ state: 'detached' });
  await olga.reload();
  await olga.getByRole('heading', { name: 'Messages', level: 2 }).waitFor();
  await look(olga, 'help-page');
  expect(await axe(olga)).toEqual([]);
  await olga.goBack();
  await olga.waitForURL('**/manager/message');
});

test('whoever can’t sign in reads how to, from the sign-in page and without being asked to', async () => {
  const { page: door } = await arrive(browser, demo.stack.url);
  await door.getByRole('link', { name: 'Help with signing in' }).click();
  await door.getByRole('heading', { name: 'Two-step verification' }).waitFor();
  await look(door, 'help-open');
  expect(await axe(door)).toEqual([]);
  await door.locator('.m-help-article').getByRole('link', { name: 'Reset password' }).first().click();
  await door.waitForURL('**/login/help/forgotten-password');
  await door.getByRole('heading', { name: 'Reset password', level: 2 }).waitFor();
  expect(await door.locator('.m-help-article').getByRole('link', { name: 'Users' }).count()).toBe(0);
  await door.getByRole('link', { name: 'Back to sign-in' }).click();
  await door.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
  await door.close();
});

test('in Chinese, on a dark screen, and on a narrow one', async () => {
  await chen.goto(`${demo.stack.url}/notice`);
  await chen.getByRole('heading', { name: '公告', level: 1 }).waitFor();
  await button(chen, '帮助').click();
  const help = drawer(chen, '帮助');
  await help.getByRole('heading', { name: '公告管理' }).waitFor();
  await look(chen, 'help-drawer-zh-dark');
  await help.getByRole('textbox', { name: '搜索帮助' }).fill('撤回');
  await help.locator('.m-help-hits mark').getByText('撤回').first().waitFor();
  await look(chen, 'help-search-zh-dark');
  expect(await axe(chen)).toEqual([]);
  await chen.keyboard.press('F1');
  await chen.setViewportSize({ width: 390, height: 844 });
  await button(chen, 'admin 的账号')
    .or(chen.getByRole('button', { name: /的账号/ }))
    .first()
    .click();
  await chen.getByRole('menuitem', { name: '帮助' }).click();
  await help.getByRole('heading', { name: '公告管理' }).waitFor();
  await look(chen, 'help-drawer-zh-narrow');
  await chen.goto(`${demo.stack.url}/help/notices`);
  await chen.getByRole('heading', { name: '公告管理', level: 2 }).waitFor();
  await look(chen, 'help-page-zh-narrow');
});

test('an article is written in two languages, refused where it is wrong, published, edited and restored', async () => {
  await page.goto(`${demo.stack.url}/helpCenterConsole`);
  await page.getByRole('row', { name: /Notices/ }).waitFor();
  await look(page, 'help-console');
  await page.getByRole('treeitem', { name: 'Getting started' }).click();
  await page.waitForURL(/category=/);
  await page.getByRole('row', { name: /Notices/ }).waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'New article' }).or(button(page, 'New article')).first().click();
  await page.getByRole('heading', { name: 'New article' }).waitFor();
  await page.locator('#field-title').fill('Paper jam');
  await page
    .getByRole('textbox', { name: 'Text', exact: true })
    .fill('Open **the lid**. [Go](javascript:alert(1)) <script>alert(1)</script>');
  await page.locator('.m-markdown strong').getByText('the lid').waitFor();
  await page.locator('#field-key').fill('Paper Jam');
  await page.keyboard.press('Control+Enter');
  await page.getByText('Lowercase letters, digits and single hyphens').first().waitFor();
  await page.locator('#field-key').fill('paper-jam');
  await choose(page.locator('#field-categoryId'), 'Getting started');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+Enter');
  await page.getByText('This text has a link or picture that can’t be used.', { exact: false }).first().waitFor();
  await page.getByRole('textbox', { name: 'Text', exact: true }).fill('Open **the lid** of {{menu.notice}}. <script>alert(1)</script>');
  await page.locator('.m-markdown').getByText('of Notices.', { exact: false }).waitFor();
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name: 'lid.png', mimeType: 'image/png', buffer: await lid() });
  await page.locator('.m-markdown img').waitFor();
  await page.getByRole('tab', { name: '中文' }).click();
  await page.locator('#field-titleZh').fill('卡纸');
  await page.getByRole('textbox', { name: /^Text in Chinese/ }).fill('请打开**打印机盖**。');
  await look(page, 'help-form');
  expect(await axe(page)).toEqual([]);
  await page.getByRole('tab', { name: 'العربية' }).click();
  await page.getByRole('textbox', { name: 'Title in this language' }).fill('انحشار الورق');
  await page.keyboard.press('Control+Enter');
  await page.getByText('Each translation needs a title and a text.').first().waitFor();
  await page.getByRole('textbox', { name: /^Text in this language/ }).fill('افتح **الغطاء**.');
  await look(page, 'help-form-translation');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('heading', { name: 'Paper jam', level: 1 }).waitFor();
  await look(page, 'help-article');
  await button(page, 'Publish').click();
  await page.getByText('“Paper jam” published').waitFor();

  await olga.goto(`${demo.stack.url}/help/paper-jam`);
  await olga.getByText('the lid').waitFor();
  await olga.locator('.m-help-article img[src^="blob:"]').waitFor();
  expect(await olga.locator('.m-help-article script').count()).toBe(0);
  expect(await olga.locator('.m-help-article').textContent()).toContain('<script>alert(1)</script>');

  // Whoever wasn't helped says what is missing, and whoever edits the article reads it while the page is open.
  await page.getByRole('tab', { name: 'Feedback' }).click();
  await page.getByText('No feedback yet').waitFor();
  await button(olga, 'No').click();
  const missing = olga.getByRole('textbox', { name: 'What is missing or wrong?' });
  await missing.fill('Which lid is it?');
  await button(olga, 'Send').click();
  await button(olga, 'Send').and(olga.locator(':disabled')).waitFor();
  await look(olga, 'help-missing');
  expect(await axe(olga)).toEqual([]);
  await page.getByRole('tabpanel').getByText('Which lid is it?').waitFor();
  await page.getByRole('tabpanel').getByRole('cell', { name: '1', exact: true }).waitFor();
  await look(page, 'help-feedback');
  await olga.reload();
  await expect.poll(() => missing.inputValue()).toBe('Which lid is it?');
  await button(page, 'Edit article')
    .or(page.getByRole('link', { name: 'Edit article' }))
    .first()
    .click();
  await page.locator('#field-title').fill('Paper is stuck');
  await page.keyboard.press('Control+Enter');
  await page.getByText('Readers still see version 1.', { exact: false }).waitFor();
  await button(page, 'العربية').click();
  await page.getByText('The English text has changed since this was translated.').waitFor();
  await page.getByText('الغطاء').waitFor();
  await button(page, 'Publish').click();
  await olga.getByRole('heading', { name: 'Paper is stuck' }).waitFor();
  await page.getByRole('tab', { name: 'Versions' }).click();
  const first = page.getByRole('row', { name: /Paper jam/ });
  await first.getByRole('button', { name: /^Actions for/ }).click();
  await page.getByRole('menuitem', { name: 'Restore' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Restore', exact: true }).click();
  await page.getByText('Version 1 is in the draft').waitFor();
  await look(page, 'help-versions');
  // Another one at once, without a look elsewhere.
  await page
    .getByRole('row', { name: /Paper is stuck/ })
    .getByRole('button', { name: /^Actions for/ })
    .click();
  await page.getByRole('menuitem', { name: 'Restore' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Restore', exact: true }).click();
  await page.getByText('Version 2 is in the draft').waitFor();
  await first.getByRole('button', { name: /^Actions for/ }).click();
  await page.getByRole('menuitem', { name: 'Restore' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Restore', exact: true }).click();
  await page.getByText('Version 1 is in the draft').last().waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'Paper jam', level: 1 }).waitFor();
  await button(page, 'Publish').click();
  await olga.getByRole('heading', { name: 'Paper jam' }).waitFor();
  await page.getByRole('button', { name: /^More/ }).click();
  await page.getByRole('menuitem', { name: 'Withdraw', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Withdraw', exact: true }).click();
  await page.getByText('“Paper jam” withdrawn').waitFor();
  await olga.reload();
  await olga.getByRole('heading', { name: 'Paper jam' }).waitFor({ state: 'detached' });
});

test('a newer text of the manual is read line by line beside one’s own before it is taken', async () => {
  const { stack } = demo;
  const admin = api(stack.url, await signIn(stack.url, 'admin', ADMIN, 'manager'), 'manager', 1);
  const { content } = await admin.call(helpArticleCalls.page, { criteria: { text: 'merchants' } });
  const of = content.find(({ key }) => key === 'merchants');
  if (!of) throw new Error('the article on merchants');
  const kept = HelpArticle.change.parse(Object.fromEntries(Object.entries(of).filter(([name]) => name in HelpArticle.change.shape)));
  await admin.call(helpArticleCalls.update, { ...kept, body: `${of.body}\n\nOur own till has a blue key.` });
  // As the start after an upgrade leaves it, whose text has another line.
  const newer = { title: of.title, title_zh: of.titleZh, body: `${of.body}\n\nA till that came later.`, body_zh: of.bodyZh };
  const text = JSON.stringify({ ...newer, routes: of.routes, position: of.position, open: of.open });
  await asOwner(stack.databaseUrl(), (client) => client.query('update help_article set newer = $1 where id = $2', [text, of.id]));
  await page.goto(`${stack.url}/helpCenterConsole/${of.id}`);
  await page.getByText('An upgrade brought a newer text of this article.', { exact: false }).first().waitFor();
  const taking = page.getByRole('dialog', { name: 'Use newer text' });
  const open = async () => {
    const there = button(page, 'Use newer text').filter({ visible: true });
    const more = page.getByRole('button', { name: /^More/ }).filter({ visible: true });
    await there.or(more).first().waitFor();
    if ((await there.count()) > 0) return there.press('Enter');
    await more.press('Enter');
    await page.getByRole('menuitem', { name: 'Use newer text' }).click();
  };
  await open();
  await taking.locator('del').getByText('Our own till has a blue key.').waitFor();
  await taking.locator('ins').getByText('A till that came later.').waitFor();
  await taking.getByText('The same in both texts.').waitFor();
  await look(page, 'help-newer');
  expect(await axe(page)).toEqual([]);
  // Looked at and left, one's own stays.
  await page.keyboard.press('Escape');
  await taking.waitFor({ state: 'detached' });
  expect((await admin.call(helpArticleCalls.detail, { id: of.id })).body).toContain('blue key');
  await open();
  await taking.locator('ins').first().waitFor();
  await button(page, 'Use newer text').last().click();
  await page.getByText('The newer text is in the draft').waitFor();
  await page.getByText('A till that came later.').filter({ visible: true }).first().waitFor();
  expect(await page.getByText('Our own till has a blue key.').filter({ visible: true }).count()).toBe(0);
  expect(await button(page, 'Use newer text').filter({ visible: true }).count()).toBe(0);
});
