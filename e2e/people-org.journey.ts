import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { roleCalls } from '@mooring/contract/access/role-calls';
import { memberCalls } from '@mooring/contract/account/member-calls';
import { deptCalls } from '@mooring/contract/org/calls';
import { trustCalls } from '@mooring/contract/org/trust-calls';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { ADMIN, type Api, api, signIn } from './api.ts';
import { launchBrowser } from './browser.ts';
import { choose } from './choose.ts';
import { type Stack, startDemo, waitFor } from './stack.ts';
import { visit } from './visit.ts';

let stack: Stack;
let browser: Browser;
let password = '';
let admin: Api;
const open: Page[] = [];

beforeAll(async () => {
  ({ stack, password, admin } = await startDemo());
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

async function as(account: string, platform: 'centre' | 'manager', at?: string): Promise<Page> {
  const { page } = await visit(browser, { url: stack.url, account, password: account === 'admin' ? ADMIN : password, platform, at });
  open.push(page);
  return page;
}
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
const combobox = (page: Page, name: string) => page.getByRole('dialog').getByRole('combobox', { name, exact: true });
const field = (page: Page, name: string) => page.locator(`#field-${name}`);
const deptNamed = async (text: string): Promise<number> =>
  (await admin.call(deptCalls.search, { text })).find((one) => one.name === text)?.id ?? 0;

test('an administrator makes a unit, a role and a member, whose one-time password is shown once', async () => {
  const page = await as('admin', 'centre', '/sys/dept');
  await page.getByLabel('Search by name', { exact: true }).fill('Harbour Bank');
  await page.getByRole('treeitem', { name: 'Harbour Bank', exact: true }).click();
  await page.getByRole('heading', { name: /^Harbour Bank/ }).waitFor();
  await button(page, 'Add organisation').click();
  await field(page, 'name').fill('Harbour West');
  await page.getByRole('dialog').getByRole('button', { name: 'Add organisation' }).click();
  await page.getByRole('heading', { name: /^Harbour West/ }).waitFor();

  await page.goto(`${stack.url}/sys/role/new`);
  await field(page, 'name').fill('Till keeper');
  await page.getByRole('treeitem', { name: 'Welcome', exact: true }).click();
  await page.getByRole('treeitem', { name: 'Terminals', exact: true }).nth(1).click();
  await page.getByRole('region', { name: 'Pages and actions' }).getByText('Welcome').waitFor();
  await button(page, /^Add role/).click();
  await page.waitForURL('**/sys/role');
  await page.getByRole('row', { name: /Till keeper/ }).waitFor();

  await page
    .getByRole('row', { name: /Till keeper/ })
    .getByRole('button', { name: /^Actions for/ })
    .click();
  await page.getByRole('menuitem', { name: 'Duplicate', exact: true }).click();
  await page.waitForURL('**/sys/role/new?copy=*');
  await waitFor(async () => (await field(page, 'name').inputValue()) === 'Copy of Till keeper', 'the copied role');
  await page.getByRole('region', { name: 'Pages and actions' }).getByText('Welcome').waitFor();
  await field(page, 'name').fill('Counter clerk');
  await button(page, /^Add role/).click();
  await page.getByRole('row', { name: /Counter clerk/ }).waitFor();

  await page.goto(`${stack.url}/sys/member`);
  await button(page, 'Add member').click();
  await field(page, 'account').fill('wes.till');
  await field(page, 'userName').fill('Wes Till');
  await choose(combobox(page, 'Organisation'), 'Harbour West');
  await choose(combobox(page, 'Roles'), 'Till keeper');
  await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click();
  const shown = page.getByRole('dialog', { name: /^One-time password of / });
  await shown.waitFor();
  const oneTime = /[A-Za-z\d]{14}/.exec((await shown.textContent()) ?? '')?.[0] ?? '';
  await button(page, 'Done').click();
  await page.getByRole('row', { name: /wes\.till/ }).waitFor();
  expect(await signIn(stack.url, 'wes.till', oneTime)).not.toBe('');
});

test('a role is edited, and the open console of its holder changes at once', async () => {
  const found = (await admin.call(memberCalls.page, { criteria: { text: 'mia.member' } })).content[0];
  const role = (await admin.call(roleCalls.page, { criteria: { text: 'Till keeper' } })).content[0];
  await admin.call(memberCalls.update, {
    id: found?.id,
    userName: 'Mia Lund',
    deptId: found?.deptId,
    roleIds: [role?.id],
  });
  const holder = await as('mia.member', 'centre');
  const menu = holder.getByRole('navigation', { name: 'Menu' });
  await menu.getByRole('link', { name: 'Terminals' }).waitFor();
  expect(await menu.getByRole('link', { name: 'Members' }).count()).toBe(0);
  const page = await as('admin', 'centre', `/sys/role/${role?.id}`);
  await page.getByLabel('Page or action', { exact: true }).fill('Members');
  await page.getByRole('treeitem', { name: 'Members', exact: true }).first().click();
  await button(page, /^Save changes/).click();
  await page.waitForURL('**/sys/role');
  await menu.getByRole('link', { name: 'Members' }).waitFor();
  await menu.getByRole('link', { name: 'Members' }).click();
  await holder.getByRole('heading', { name: 'Members' }).waitFor();
  expect(await holder.getByRole('button', { name: 'Add member' }).count()).toBe(1);
});

test('an organisation is given into trust, its trustee acts for it, and it is taken back', async () => {
  const [giver, trustee] = [await deptNamed('Meridian Payments'), await deptNamed('Harbour Bank')];
  const owner = api(stack.url, await signIn(stack.url, 'olga.manager', password), 'centre');
  const helper = await as('hui.manager', 'manager');
  await helper
    .getByRole('link', { name: /^(VDEMO-|MRG)/ })
    .first()
    .waitFor();
  expect(await helper.locator('.m-topbar-switch').count()).toBe(0);
  await owner.call(trustCalls.give, { deptId: giver, trusteeId: trustee, until: new Date(Date.now() + 86_400_000).toISOString() });
  await helper.locator('.m-topbar-switch').click();
  await helper.getByTitle('Meridian Payments').last().click();
  await helper
    .getByRole('row', { name: /Meridian/ })
    .first()
    .waitFor();
  const page = await as('olga.manager', 'centre', '/sys/dept?tab=trust');
  await page
    .getByRole('row', { name: /Harbour Bank/ })
    .getByRole('button', { name: /^Actions for/ })
    .click();
  await page.getByRole('menuitem', { name: 'End delegation' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'End delegation' }).click();
  await helper.locator('.m-topbar-switch').waitFor({ state: 'detached' });
  await helper
    .getByRole('row', { name: /Harbour Bank/ })
    .first()
    .waitFor();
});

test('an organisation that two people edit keeps what the first saved, and the second is told', async () => {
  const [bank] = await admin.call(deptCalls.search, { text: 'Meridian' });
  const open = async () => {
    const page = await as('admin', 'centre', `/sys/dept?id=${bank?.id}`);
    await page.getByRole('button', { name: 'Edit', exact: true }).first().click();
    await page.getByRole('dialog').waitFor();
    return page;
  };
  const [first, second] = [await open(), await open()];
  await field(first, 'contactName').fill('Ann First');
  await first.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await first.getByRole('dialog').waitFor({ state: 'detached' });
  await field(second, 'address').fill('Quay 2');
  await second.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await second.getByRole('dialog').getByText('Someone else has changed this in the meantime').waitFor();
  expect(await field(second, 'address').inputValue()).toBe('Quay 2');
  expect(await admin.call(deptCalls.detail, { id: bank?.id ?? 0 })).toMatchObject({ contactName: 'Ann First', address: '' });
});
