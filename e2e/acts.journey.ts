import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deviceCalls } from '@mooring/contract/device/calls';
import { packageCalls } from '@mooring/contract/firmware/package-calls';
import { taskCalls } from '@mooring/contract/firmware/task-calls';
import { messageCalls } from '@mooring/contract/message/calls';
import { deptCalls } from '@mooring/contract/org/calls';
import { dictCalls } from '@mooring/contract/settings/dict-calls';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { ADMIN, type Api, api, signIn } from './api.ts';
import { launchBrowser } from './browser.ts';
import { uploadFirmware } from './estate.ts';
import { whenPublished } from './published.ts';
import { type Stack, startDemo, waitFor } from './stack.ts';
import { visit } from './visit.ts';

/** What acts say of themselves: never a success where nothing was done, and what went wrong can be read again. */

let stack: Stack;
let browser: Browser;
let password = '';
let admin: Api;
let shown: Page | undefined;

beforeAll(async () => {
  ({ stack, password, admin } = await startDemo({ live: true }));
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') {
    const place = join(import.meta.dirname, '../.cache/journeys', task.name.slice(0, 40));
    await shown?.screenshot({ path: `${place}.png` });
    writeFileSync(`${place}.log`, stack.output());
  }
  await shown?.context().close();
  shown = undefined;
});

async function as(account: string, platform: 'centre' | 'manager', at?: string): Promise<Page> {
  const { page } = await visit(browser, { url: stack.url, account, password: account === 'admin' ? ADMIN : password, platform, at });
  shown = page;
  return page;
}
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const deptNamed = async (text: string): Promise<number> =>
  (await admin.call(deptCalls.search, { text })).find((one) => one.name === text)?.id ?? 0;

test('a bulk act whose rows are gone meanwhile, and a deletion that finds nothing, are no successes', async () => {
  const page = await as('olga.manager', 'manager');
  const [device] = (await admin.call(deviceCalls.page, { criteria: { text: 'MRG', deptId: await deptNamed('Meridian Payments') } }))
    .content;
  await page.goto(`${stack.url}/device/all?text=${device?.sn}`);
  await page.getByLabel('Select all rows on this page').check();
  await button(page, 'Disable 1 terminal').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('1 of the 1 selected will be changed.').waitFor();
  await admin.call(deviceCalls.move, { of: { ids: [device?.id] }, deptId: await deptNamed('Silk Road Retail') });
  await dialog.getByRole('button', { name: 'Disable 1 terminal' }).click();
  await dialog.getByText(/^Nothing was changed/).waitFor();
  expect(await page.locator('.m-toast-done').count()).toBe(0);

  await admin.call(messageCalls.send, { title: 'Maintenance', text: 'Tonight at two.' });
  await page.goto(`${stack.url}/message`);
  await page.getByRole('cell', { name: 'Maintenance', exact: true }).waitFor();
  for (const said of [/deleted$/, 'There is nothing to change.']) {
    await button(page, 'Delete').first().click();
    await page.getByRole('menuitem', { name: 'Delete all', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await page.locator('.m-toast').getByText(said).waitFor();
  }

  // Messages keep away from the buttons at the end of a dialog.
  const place = async (width: number) => {
    await page.setViewportSize({ width, height: 900 });
    return page.locator('.m-toasts').boundingBox();
  };
  expect(await place(390)).toMatchObject({ y: 0 });
  expect(await place(1440)).toMatchObject({ x: 0 });
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  expect((await place(1440))?.x).toBeGreaterThan(720);
  // A menu that is opened where a word still stands lies above it.
  await button(page, 'Delete').first().click();
  const menu = await page.getByRole('menu').boundingBox();
  await page.setViewportSize({ width: 1440, height: Math.ceil((menu?.y ?? 0) + (menu?.height ?? 0)) + 8 });
  await page.getByRole('menuitem').last().click({ trial: true, timeout: 6000 });
});

test('a sent message can be read again, with who has read it', async () => {
  await admin.call(messageCalls.send, { title: 'Window on Sunday', text: 'From two to four, all terminals restart.' });
  const token = await signIn(stack.url, 'olga.manager', password, 'manager');
  const reader = api(stack.url, token, 'manager', await deptNamed('Meridian Payments'));
  await waitFor(async () => (await reader.call(messageCalls.readAll)).changed > 0, 'the message to be delivered');
  const page = await as('admin', 'centre', '/message?tab=sent');
  await button(page, 'Window on Sunday').first().click();
  const dialog = page.getByRole('dialog', { name: 'Window on Sunday' });
  await dialog.getByText('From two to four, all terminals restart.').waitFor();
  const rows = dialog.locator('tbody tr');
  await rows.filter({ hasText: 'Unread' }).first().waitFor();
  expect(await rows.first().textContent()).toMatch(/^Olga Brandt\d{4}-/);
});

test('a picklist is edited from its row', async () => {
  const manager = api(stack.url, await signIn(stack.url, 'admin', ADMIN, 'manager'), 'manager', 1);
  await manager.call(dictCalls.add, { code: 'colours', name: 'Colours' });
  const page = await as('admin', 'manager', '/paramsDic?text=colours');
  await button(page, 'Actions for Colours').press(' ');
  await page.getByRole('menuitem', { name: 'Edit', exact: true }).press(' ');
  const dialog = page.getByRole('dialog', { name: 'Edit “Colours”' });
  await dialog.getByLabel('Name').fill('Case colours');
  await dialog.getByLabel('Remark').fill('Of the housing');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('row', { name: /Case colours.*Of the housing/ }).waitFor();
});

test('a terminal’s timeline names its releases; they are linked where they are', async () => {
  const [device] = (await admin.call(deviceCalls.page, { criteria: { status: '3' } })).content;
  const fileId = await uploadFirmware(stack.url, ADMIN, randomBytes(40_000));
  const { id: packageId } = await admin.call(packageCalls.add, { productId: device?.productId, version: '7.1.0', fileId });
  await admin.call(packageCalls.publish, { id: packageId });
  await whenPublished(admin, packageCalls, packageId);
  await admin.call(taskCalls.add, { name: 'Evening', packageId, scope: { releaseScope: '2', sns: [device?.sn] }, release: true });
  const update = async () =>
    (await admin.call(deviceCalls.timeline, { id: device?.id })).content.some((one) => one.kind === 'task' && one.name === 'Evening');
  await waitFor(update, 'the release in the timeline');
  for (const [platform, links] of [
    ['manager', 0],
    ['centre', 1],
  ] as const) {
    const page = await as('admin', platform, `/device/deviceDetail/${device?.id}?tab=timeline`);
    const named = page.getByRole('tabpanel').getByText('Evening', { exact: false });
    await named.first().waitFor();
    expect([platform, Math.sign(await page.locator('main a[href*="/taskmod/"]').count())]).toEqual([platform, links]);
    await page.context().close();
  }
});

test('a number that was taken out is asked for, and its default doesn’t come back unsaid', async () => {
  const page = await as('admin', 'manager', '/system/settings?tab=storage');
  const months = page.getByLabel('State changes');
  await months.fill('');
  await button(page, 'Save').last().click();
  await page.locator('main').getByText('Required', { exact: true }).first().waitFor();
  expect([await months.inputValue(), await page.locator('.m-toast-done').count()]).toEqual(['', 0]);
  await months.fill('18');
  await button(page, 'Save').last().click();
  await page.locator('.m-toast-done').waitFor();
  await page.context().close();

  const release = await as('admin', 'centre');
  const packages = (await admin.call(packageCalls.page, { page: { size: 100 } })).content;
  const ready = packages.find((one) => one.publishState === '1');
  await release.goto(`${stack.url}/device/fota/taskmod/new?package=${ready?.id}`);
  await release.getByLabel('Name', { exact: true }).fill('Evening again');
  for (const step of ['Targets', 'Rollout']) {
    await button(release, 'Next').click();
    // The address changes before the page does.
    await release.getByRole('heading', { name: step, exact: true }).waitFor();
  }
  await release.getByLabel('Automatic retries').fill('');
  await button(release, 'Next').click();
  await release.locator('main').getByText('Required', { exact: true }).first().waitFor();
  expect(new URL(release.url()).searchParams.get('step')).toBe('how');
  await release.getByLabel('Automatic retries').fill('1');
  await button(release, 'Next').click();
  await release.waitForURL((url) => url.searchParams.get('step') === 'check');
});

test('the bar under the free storage shows what is used, and says so', async () => {
  const page = await as('admin', 'centre');
  const [device] = (await admin.call(deviceCalls.page, { criteria: { status: '3' }, page: { size: 1 } })).content;
  const { health } = await admin.call(deviceCalls.detail, { id: device?.id ?? 0 });
  await page.goto(`${stack.url}/device/deviceDetail/${device?.id}`);
  const bar = page.getByRole('progressbar', { name: 'Used storage' });
  await bar.waitFor();
  const used = 100 * (1 - (health.storageFree ?? 0) / (health.storageTotal ?? 1));
  expect(Math.abs(Number(await bar.getAttribute('aria-valuenow')) - used)).toBeLessThan(2);
});

test('an import invites sheets, and says at once what it can’t read', async () => {
  const page = await as('admin', 'manager');
  for (const path of ['/merchant', '/ordersList']) {
    await page.goto(`${stack.url}${path}`);
    await button(page, 'Import').click();
    const chosen = page.getByRole('dialog').locator('input[type=file]');
    await chosen.waitFor({ state: 'attached' });
    expect([path, await chosen.getAttribute('accept')]).toEqual([path, '.xlsx,.csv']);
    await page.keyboard.press('Escape');
  }
});
