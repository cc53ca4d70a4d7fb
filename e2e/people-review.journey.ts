import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { reviewCalls } from '@mooring/contract/access/review-calls';
import { memberCalls } from '@mooring/contract/account/member-calls';
import { tokenCalls } from '@mooring/contract/account/token-calls';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { ADMIN, type Api, api, signIn } from './api.ts';
import { axe, bindingTags } from './axe.ts';
import { launchBrowser } from './browser.ts';
import { openMenu } from './menu.ts';
import { settled } from './settled.ts';
import { type Stack, startDemo } from './stack.ts';
import { type Look, visit } from './visit.ts';

let stack: Stack;
let browser: Browser;
let admin: Api;
let password = '';
const open: Page[] = [];

beforeAll(async () => {
  ({ stack, admin, password } = await startDemo());
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});
afterEach(async ({ task }) => {
  for (const [at, page] of open.entries()) {
    if (task.result?.state === 'fail') {
      const place = join(import.meta.dirname, '../.cache/journeys', `${task.name.slice(0, 40)} ${at}`);
      await page.screenshot({ path: `${place}.png` });
      writeFileSync(`${place}.log`, stack.output());
    }
    await page.context().close();
  }
  open.length = 0;
});

async function as(account: string, platform: 'centre' | 'manager', { look, at }: { look?: Look; at?: string } = {}): Promise<Page> {
  const { page } = await visit(browser, {
    url: stack.url,
    account,
    password: account === 'admin' ? ADMIN : password,
    platform,
    ...(look && { look }),
    at,
  });
  open.push(page);
  return page;
}
const rowOf = (page: Page, account: string) => page.getByRole('row', { name: new RegExp(account) }).first();
const stateOf = async (account: string) => {
  const { content } = await admin.call(reviewCalls.page, { criteria: { text: account, kind: 'role' }, page: { size: 100 } });
  return content.find((one) => one.account === account);
};

test('an organisation’s manager confirms one right and withdraws another, with the mouse', async () => {
  const page = await as('olga.manager', 'centre');
  await openMenu(page, 'Access review');
  await page.getByRole('heading', { name: 'Access review' }).waitFor();
  await page.getByLabel('Search by name or account', { exact: true }).fill('mia.member');
  await page.keyboard.press('Enter');
  await rowOf(page, 'mia.member')
    .getByRole('button', { name: /^Actions for|^Confirm/ })
    .first()
    .click();
  const item = page.getByRole('menuitem', { name: 'Confirm' });
  if (await item.count()) await item.click();
  await page.getByRole('dialog').getByRole('button', { name: 'Confirm', exact: true }).click();
  await page.getByText('Access of mia.member confirmed').waitFor();
  expect((await stateOf('mia.member'))?.decidedBy).toContain('Olga');
  await rowOf(page, 'mia.member')
    .getByRole('button', { name: /^Actions for/ })
    .click();
  await page.getByRole('menuitem', { name: 'Withdraw' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Withdraw', exact: true }).click();
  await page.getByText('Access of mia.member withdrawn').waitFor();
  expect((await stateOf('mia.member'))?.state).toBe('withdrawn');
  expect((await admin.call(memberCalls.page, { criteria: { text: 'mia.member' } })).content[0]?.roles).toEqual([]);
});

test('an administrator confirms many at once by keyboard alone', async () => {
  const page = await as('admin', 'manager', { at: '/managerSys/review?kind=role' });
  await page.getByRole('row').nth(2).waitFor();
  await page.getByRole('checkbox').first().focus();
  await page.keyboard.press('Space');
  const many = page.getByRole('button', { name: /^Confirm \d+/ });
  await many.focus();
  await page.keyboard.press('Enter');
  const confirm = page.getByRole('dialog').getByRole('button', { name: /^Confirm/ });
  await confirm.waitFor();
  await confirm.focus();
  await page.keyboard.press('Enter');
  await page
    .getByText(/grants? of access confirmed/)
    .first()
    .waitFor();
  expect((await stateOf('olga.manager'))?.decidedBy).not.toBeNull();
});

test('a reset lists the API tokens of a person, which are revoked where that is chosen', async () => {
  const owner = api(stack.url, await signIn(stack.url, 'hui.manager', password), 'centre');
  await owner.call(tokenCalls.add, { name: 'Ledger export', scopes: ['device:device:page'] });
  const page = await as('admin', 'centre', { at: '/sys/member?text=hui.manager' });
  await rowOf(page, 'hui.manager')
    .getByRole('button', { name: /^Actions for/ })
    .click();
  await page.getByRole('menuitem', { name: 'Disable' }).click();
  await page.getByRole('dialog').getByText('Ledger export').waitFor();
  if (process.env.LOOK) await page.screenshot({ path: join(process.env.LOOK, 'disable.png') });
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await rowOf(page, 'hui.manager')
    .getByRole('button', { name: /^Actions for/ })
    .click();
  await page.getByRole('menuitem', { name: 'Reset password' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Ledger export').waitFor();
  await dialog.getByRole('checkbox', { name: /^Revoke/ }).focus();
  await page.keyboard.press('Space');
  await dialog.getByRole('button', { name: 'Reset password' }).click();
  await page.getByRole('button', { name: 'Done', exact: true }).waitFor();
  const found = (await admin.call(memberCalls.page, { criteria: { text: 'hui.manager' } })).content[0];
  expect(await admin.call(memberCalls.tokens, { id: found?.id })).toEqual([]);
});

test.each([
  { theme: 'light', width: 1440, lang: 'en' },
  { theme: 'dark', width: 390, lang: 'zh-CN' },
] as const satisfies readonly Look[])('the review stands in $theme, $width px, $lang', async (look) => {
  const page = await as('admin', 'manager', { look, at: '/managerSys/review' });
  await settled(page);
  if (process.env.LOOK) await page.screenshot({ path: join(process.env.LOOK, `review ${look.theme} ${look.width} ${look.lang}.png`) });
  expect(await axe(page, bindingTags)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0);
});

test('an auditor’s lists of roles and members say whom they leave out', async () => {
  const page = await as('aud.auditor', 'centre');
  for (const path of ['/sys/role', '/sys/member']) {
    await page.goto(`${stack.url}${path}`);
    await page.getByText('are listed for administrators only').waitFor();
  }
});

test('an empty list tells only those to fill it who may', async () => {
  for (const [account, acts] of [
    ['admin', 1],
    ['aud.auditor', 0],
  ] as const) {
    const page = await as(account, 'centre', { at: '/pos/advert' });
    await page.getByText('No adverts yet').waitFor();
    expect([account, await page.getByText('Upload pictures or videos').count()]).toEqual([account, acts]);
  }
});
