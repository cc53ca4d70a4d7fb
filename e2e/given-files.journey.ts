import { randomBytes } from 'node:crypto';
import { auditConfigCalls } from '@mooring/contract/approval/config-calls';
import { deviceCalls } from '@mooring/contract/device/calls';
import { packageCalls } from '@mooring/contract/firmware/package-calls';
import { taskCalls } from '@mooring/contract/firmware/task-calls';
import { orderCalls } from '@mooring/contract/order/calls';
import { productCalls } from '@mooring/contract/product/calls';
import { settingCalls } from '@mooring/contract/settings/calls';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADMIN, type Api, administrator, api, signIn } from './api.ts';
import { launchBrowser } from './browser.ts';
import { uploadFirmware } from './estate.ts';
import { button, toReview } from './page-parts.ts';
import { addPublished } from './published.ts';
import { type Stack, startStack } from './stack.ts';
import { arrive, visit } from './visit.ts';

/** What people give with an act, words and files, while they think over what else they chose. */
let stack: Stack;
let browser: Browser;
let page: Page;
let admin: Api;
let managing: Api;
let packageId = 0;

beforeAll(async () => {
  stack = await startStack();
  admin = await administrator(stack.url, stack.password);
  managing = api(stack.url, await signIn(stack.url, 'admin', ADMIN, 'manager'), 'manager', 1);
  await managing.call(auditConfigCalls.add, { deptId: 1, taskType: '1', enabled: true });
  const { id: productId } = await managing.call(productCalls.add, { code: 'H40', name: 'Harbour 40', category: 'smartPos', publish: true });
  for (const sn of ['HRB00041', 'HRB00042', 'HRB00043']) await admin.call(deviceCalls.add, { sn, productId, deptId: 1 });
  packageId = await addPublished(admin, packageCalls, {
    productId,
    version: '4.0.0',
    fileId: await uploadFirmware(stack.url, ADMIN, randomBytes(4000)),
  });
  browser = await launchBrowser();
  page = (await visit(browser, { url: stack.url, account: 'admin', password: ADMIN, platform: 'centre' })).page;
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

async function give(on: Page, name: string): Promise<void> {
  await button(on, 'Attach files').click();
  const chooser = on.waitForEvent('filechooser');
  await button(on, 'Choose files').click();
  await (await chooser).setFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(`${name} in words`) });
}

test('what is given with a release stays while its author changes their mind, over a reload, and goes nowhere with a draft', async () => {
  await page.goto(`${stack.url}/device/fota/taskmod/new?package=${packageId}`);
  await page.getByLabel('Name', { exact: true }).fill('Harbour 4.0');
  await toReview(page);
  const comment = page.getByLabel(/^Comment/);
  const given = button(page, 'Remove plan.txt');
  await comment.fill('Twenty terminals, then all');
  await give(page, 'plan.txt');
  await given.waitFor();
  const isThere = async () => {
    await given.waitFor();
    expect(await comment.inputValue()).toBe('Twenty terminals, then all');
  };
  const now = page.getByRole('switch', { name: 'Release now' });
  await now.click();
  await comment.waitFor({ state: 'detached' });
  await now.click();
  await isThere();
  await button(page, 'Back').click();
  await button(page, 'Next').click();
  await isThere();
  await page.reload();
  await isThere();
  await now.click();
  await button(page, 'Save as draft').click();
  await page.getByText('“Harbour 4.0” saved').waitFor();
  const { content } = await admin.call(taskCalls.page, { criteria: { name: 'Harbour 4.0' }, page: {} });
  expect(content.map(({ state }) => state)).toEqual(['draft']);
});

test('a file of a message about an order that didn’t come through says so at its field, and nothing is sent without it', async () => {
  const { content } = await admin.call(deviceCalls.page, { criteria: { text: 'HRB00041' }, page: {} });
  const order = await managing.call(orderCalls.add, { deviceId: content[0]?.id ?? 0, partnerId: 1, fault: 'printer' });
  const { page: desk } = await visit(browser, {
    url: stack.url,
    account: 'admin',
    password: ADMIN,
    platform: 'manager',
    at: `/orderDetail/${order.id}`,
  });
  await desk.getByLabel(/^Message to the other side/).fill('See the file');
  await give(desk, 'notes.exe');
  const files = desk.getByRole('group', { name: 'Files', exact: true });
  await files.getByText('Remove what couldn’t be uploaded, or try it again.').first().waitFor();
  await button(desk, 'Send').click();
  await button(desk, 'Send').click();
  expect(await desk.getByLabel(/^Message to the other side/).inputValue()).toBe('See the file');
  await desk.context().close();
});

test('the sign-in page draws nothing that isn’t offered and goes away again', async () => {
  const { context, page: door } = await arrive(browser, stack.url, { theme: 'light', width: 1440, lang: 'en' });
  await door.addInitScript(() => {
    const look = () => document.body?.textContent?.includes('Forgot password?') && document.documentElement.setAttribute('data-drawn', '');
    new MutationObserver(look).observe(document, { childList: true, subtree: true });
  });
  const way = Promise.withResolvers<void>();
  const settings = `**/ops${settingCalls.pageSetting.path}`;
  await door.route(settings, async (route) => {
    const found = await route.fetch();
    await way.promise;
    await route.fulfill({ response: found });
  });
  const asked = door.waitForRequest(settings);
  await door.goto(`${stack.url}/login`);
  await asked;
  way.resolve();
  await door.getByLabel('Account or e-mail').waitFor();
  expect(await door.locator('html[data-drawn]').count()).toBe(0);
  await context.close();
});
