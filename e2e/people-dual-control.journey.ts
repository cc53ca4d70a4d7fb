import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { roleCalls } from '@mooring/contract/access/role-calls';
import { memberCalls } from '@mooring/contract/account/member-calls';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { ADMIN, type Api } from './api.ts';
import { launchBrowser } from './browser.ts';
import { type Stack, startDemo, waitFor } from './stack.ts';
import { visit } from './visit.ts';

let stack: Stack;
let browser: Browser;
let password = '';
let admin: Api;
let shown: Page[] = [];

beforeAll(async () => {
  ({ stack, password, admin } = await startDemo());
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});
afterEach(async ({ task }) => {
  for (const [at, page] of shown.entries()) {
    const place = join(import.meta.dirname, '../.cache/journeys', `${task.name.slice(0, 40)} ${at}`);
    if (task.result?.state === 'fail') {
      await page.screenshot({ path: `${place}.png` });
      writeFileSync(`${place}.log`, stack.output());
    }
    await page.context().close();
  }
  shown = [];
});

async function as(account: string, platform: 'centre' | 'manager'): Promise<Page> {
  const { page } = await visit(browser, { url: stack.url, account, password: account === 'admin' ? ADMIN : password, platform });
  shown.push(page);
  return page;
}
const settings = (page: Page, tab: string) => page.goto(`${stack.url}/system/settings?tab=${tab}`);
const field = (page: Page, name: string) => page.locator(`#field-${name}`);
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const said = (page: Page, text: string) => page.getByText(text).first().waitFor();

test('under dual control a change to who may sign in waits for a second person, who refuses it or puts it into effect', async () => {
  const [lina] = (await admin.call(memberCalls.page, { criteria: { text: 'lina.line' } })).content;
  const [role] = (await admin.call(roleCalls.page, { criteria: { text: 'Platform administrator' } })).content;
  await admin.call(memberCalls.update, { id: lina?.id, userName: 'Lina Park', deptId: 1, roleIds: [role?.id] });
  const page = await as('admin', 'manager');
  await settings(page, 'dual-control');
  await field(page, 'enabled').click();
  await button(page, 'Save').click();
  await said(page, 'Dual control is on.');
  const open = field(page, 'open');
  const ask = async () => {
    await page.getByRole('link', { name: 'Registration', exact: true }).click();
    await said(page, 'take effect when a second person approves them');
    await open.click();
    await button(page, 'Save').click();
    await said(page, 'Sent for approval.');
    // What isn't in effect isn't shown as if it were.
    await waitFor(async () => (await open.getAttribute('aria-checked')) === 'true', 'the form shows what is in effect');
    await said(page, 'Your change is waiting for approval.');
  };
  await ask();
  await page.getByRole('link', { name: 'Changes to approve' }).first().click();
  const rowOf = (of: Page) => of.getByRole('row', { name: /Registration.*Waiting for approval/ });
  const act = async (of: Page, name: string) => {
    await rowOf(of)
      .getByRole('button', { name: /^Actions for/ })
      .click();
    await of.getByRole('menuitem', { name, exact: true }).click();
  };
  await rowOf(page).waitFor();
  await rowOf(page)
    .getByRole('button', { name: /^Actions for/ })
    .click();
  expect(await page.getByRole('menuitem').allInnerTexts()).toEqual(['Withdraw']);

  const second = await as('lina.line', 'manager');
  await second
    .getByRole('navigation', { name: 'Menu' })
    .getByRole('link', { name: /System settings/ })
    .click();
  await second.getByRole('link', { name: 'Changes to approve' }).click();
  await act(second, 'Reject');
  await second.getByRole('dialog').getByRole('button', { name: 'Reject' }).click();
  await second.getByRole('dialog').getByText('Required').first().waitFor();
  await field(second, 'remark').fill('The fair is still on');
  await second.getByRole('dialog').getByRole('button', { name: 'Reject' }).click();
  await said(second, 'Change rejected');
  await second.getByRole('row', { name: /Rejected.*The fair is still on/ }).waitFor();

  await page.keyboard.press('Escape');
  await ask();
  await rowOf(second).waitFor();
  await act(second, 'Approve');
  const dialog = second.getByRole('dialog');
  await dialog.getByRole('row', { name: /Registration is open.*Yes.*No/ }).waitFor();
  const approvals: string[] = [];
  second.on('request', (request) => request.url().endsWith('/sys/changeRequest/approve') && approvals.push(request.url()));
  await dialog.getByRole('button', { name: 'Approve' }).dblclick();
  await said(second, 'Change approved and in effect');
  expect([approvals.length, await second.locator('.m-toast-error').count()]).toEqual([1, 0]);
  await waitFor(async () => (await open.getAttribute('aria-checked')) === 'false', 'the author’s open form shows it');

  await settings(page, 'dual-control');
  await field(page, 'enabled').click();
  await button(page, 'Save').click();
  await said(page, 'Sent for approval.');
  await second
    .getByRole('row', { name: /Dual control.*Waiting for approval/ })
    .getByRole('button', { name: /^Actions for/ })
    .click();
  await second.getByRole('menuitem', { name: 'Approve' }).click();
  await second.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  await waitFor(async () => (await field(page, 'enabled').getAttribute('aria-checked')) === 'false', 'one person is enough again');
});
