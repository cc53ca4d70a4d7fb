import { deviceCalls } from '@mooring/contract/device/calls';
import { homeCalls } from '@mooring/contract/stats/calls';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADMIN, type Api, administrator } from './api.ts';
import { launchBrowser } from './browser.ts';
import { type Stack, startDemo, startStack, waitFor } from './stack.ts';
import { visit } from './visit.ts';

let stack: Stack;
let browser: Browser;
let admin: Api;
let password = '';

beforeAll(async () => {
  ({ stack, admin, password } = await startDemo({ live: true }));
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

const card = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });
const titles = (page: Page) => page.locator('.m-home-card > .m-panel-head h2').allTextContents();
const home = async (platform: 'centre' | 'manager' = 'centre') => {
  const { page, wrong } = await visit(browser, { url: stack.url, account: 'admin', password: ADMIN, platform });
  if (platform === 'manager') await page.goto(`${stack.url}/dashboard`);
  await card(page, 'Fleet').getByText('Terminals', { exact: true }).waitFor();
  return { page, wrong };
};

test('a new installation’s empty home leads on, and shows no card without terminals', async () => {
  const fresh = await startStack();
  try {
    await administrator(fresh.url, fresh.password);
    const { page, context } = await visit(browser, { url: fresh.url, account: 'admin', password: ADMIN, platform: 'centre' });
    await page.getByRole('heading', { name: 'Get started' }).waitFor();
    expect(await titles(page)).toEqual([]);
    await page.getByRole('link', { name: 'Open products' }).click();
    await page.waitForURL('**/device/product');
    await context.close();
  } finally {
    await fresh.stop();
  }
});

test('a living fleet’s figures are what the fleet knows, and each leads to its list', async () => {
  const { page, wrong } = await home();
  const online = async () => (await admin.call(deviceCalls.counts)).byStatus['3'] ?? 0;
  const all = await waitFor(async () => ((await online()) === 50 ? 50 : undefined), 'the living terminals');
  await waitFor(
    async () =>
      (await card(page, 'Fleet')
        .getByRole('link', { name: `Online ${all}` })
        .count()) > 0,
    'the figure to follow by itself',
  );
  await waitFor(async () => (await admin.call(homeCalls.fleet)).attention.silent > 0, 'the walk over the fleet', 90);
  await page.getByRole('button', { name: 'Refresh' }).click();
  const { attention } = await admin.call(homeCalls.fleet);
  await card(page, 'Needs attention')
    .getByRole('link', { name: new RegExp(`^Silent.* ${attention.silent}$`) })
    .click();
  await page.waitForURL('**/device/device?attention=silent');
  await page.getByText(`${attention.silent}`, { exact: false }).first().waitFor();
  const listed = await admin.call(deviceCalls.page, { criteria: { attention: 'silent' }, page: { size: 10 } });
  expect(listed.total).toBe(attention.silent);
  expect(wrong).toEqual([]);
  await page.context().close();
});

test('cards are arranged by mouse and by keyboard, hidden and shown; a reload finds them so', async () => {
  const { page } = await home('manager');
  const before = await titles(page);
  expect(before.slice(0, 2)).toEqual(['Fleet', 'Needs attention']);
  await page.getByRole('button', { name: 'Arrange cards' }).click();
  const handle = (name: string) => page.getByRole('button', { name: `Move ${name}`, exact: true });
  await handle('Fleet').focus();
  await page.keyboard.press('Space');
  await page.getByText('Fleet is at place 1 of', { exact: false }).waitFor({ state: 'attached' });
  await page.keyboard.press('ArrowRight');
  await page.getByText('Fleet is at place 2 of', { exact: false }).waitFor({ state: 'attached' });
  await page.keyboard.press('Space');
  await waitFor(async () => (await titles(page))[0] === 'Needs attention', 'the order by keyboard');
  const from = await handle('Waiting for you').boundingBox();
  const to = await handle('Needs attention').boundingBox();
  if (!from || !to) throw new Error('no handles');
  await page.mouse.move(from.x + 10, from.y + 10);
  await page.mouse.down();
  await page.mouse.move(from.x, from.y - 30, { steps: 5 });
  await page.mouse.move(to.x + 10, to.y + 10, { steps: 15 });
  await page.mouse.up();
  await waitFor(async () => (await titles(page))[0] === 'Waiting for you', 'the order by mouse');
  await page.getByRole('button', { name: 'Hide Statistics' }).click();
  await page.getByRole('button', { name: 'Show Statistics' }).waitFor();
  const saved = page.waitForResponse('**/form/individuation/config/save');
  await page.getByRole('button', { name: 'Done' }).click();
  await saved.catch(() => undefined);
  const arranged = await titles(page);
  await page.reload();
  await card(page, 'Fleet').getByText('Terminals', { exact: true }).waitFor();
  expect(await titles(page)).toEqual(arranged);
  expect(arranged).not.toContain('Statistics');
  const other = await home('manager');
  expect(await titles(other.page)).toEqual(arranged);
  await other.page.getByRole('button', { name: 'Arrange cards' }).click();
  await other.page.getByRole('button', { name: 'Restore default' }).click();
  await waitFor(async () => (await titles(other.page)).join() === before.join(), 'the order as it was');
  await other.page.context().close();
  await page.context().close();
});

test('who may only look on is offered no release', async () => {
  const none = '/welcome?product=999999';
  const offered = async (account: string, word: string) => {
    const { page, context } = await visit(browser, { url: stack.url, account, password: word, platform: 'centre', at: none });
    await page.getByText('No release in progress').waitFor();
    const count = await page.getByRole('link', { name: 'New release' }).count();
    await context.close();
    return count;
  };
  expect(await offered('admin', ADMIN)).toBeGreaterThan(0);
  expect(await offered('aud.auditor', password)).toBe(0);
});
