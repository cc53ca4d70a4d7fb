import { menuCalls } from '@mooring/contract/access/calls';
import { onlineCalls } from '@mooring/contract/access/online-calls';
import { roleCalls } from '@mooring/contract/access/role-calls';
import { userCalls } from '@mooring/contract/account/calls';
import { memberCalls } from '@mooring/contract/account/member-calls';
import { taskCalls } from '@mooring/contract/firmware/task-calls';
import type { Call } from '@mooring/contract/kit/call';
import { countryCalls, languageCalls } from '@mooring/contract/language/calls';
import { settingCalls } from '@mooring/contract/settings/calls';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { ADMIN, type Api, api, signIn } from './api.ts';
import { behindPrefix } from './behind-prefix.ts';
import { launchBrowser } from './browser.ts';
import { type Stack, startDemo, waitFor } from './stack.ts';
import { visit } from './visit.ts';

let stack: Stack;
let browser: Browser;
let password = '';
let admin: Api;
const open: BrowserContext[] = [];

beforeAll(async () => {
  ({ stack, password, admin } = await startDemo());
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});
afterEach(async () => {
  for (const context of open.splice(0)) await context.close();
});

/** A browser that has never been here. */
async function outsider(): Promise<Page> {
  const context = await browser.newContext({ reducedMotion: 'reduce' });
  open.push(context);
  return context.newPage();
}
async function as(account: string, platform: 'centre' | 'manager' = 'centre', url = stack.url): Promise<Page> {
  const word = account === 'admin' ? ADMIN : password;
  const { page, context } = await visit(browser, { url, account, password: word, platform });
  open.push(context);
  return page;
}
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const menuOf = (page: Page) => page.getByRole('navigation', { name: 'Menu' });
/** The call gets no answer, as where the line is cut. Gives it back. */
async function cut(page: Page, call: Call): Promise<() => Promise<void>> {
  const address = (url: URL) => url.pathname.endsWith(`/ops${call.path}`);
  await page.route(address, (route) => route.abort('connectionreset'));
  return () => page.unroute(address);
}

test('while texts are missing the overlay says so, counts ten seconds down, and offers to refresh', async () => {
  const page = await outsider();
  await page.clock.install();
  const mend = await cut(page, languageCalls.findByCriteria);
  await page.goto(stack.url);
  await page.getByRole('alert').getByText('The network is unstable').waitFor();
  await page.getByText('You can refresh in 10 s.').waitFor();
  expect(await button(page, 'Refresh').count()).toBe(0);
  await page.clock.runFor(4000);
  await page.getByText('You can refresh in 6 s.').waitFor();
  await page.clock.runFor(6000);
  await button(page, 'Refresh').waitFor();

  // A stored language wins; any but Chinese waits in English.
  await page.evaluate(() => localStorage.setItem('mooring.lang', 'zh-CN'));
  await page.reload();
  await page.getByRole('alert').getByText('网络不稳定').waitFor();
  await page.getByText('10 秒后可刷新').waitFor();
  await page.evaluate(() => localStorage.setItem('mooring.lang', 'fr'));
  await page.reload();
  await page.getByRole('alert').getByText('The network is unstable').waitFor();
  await page.clock.runFor(10_000);
  // The line is mended after the click: a line that is there ends the overlay by itself, and takes its button away.
  const again = page.waitForEvent('framenavigated');
  await button(page, 'Refresh').click();
  await again;
  await mend();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(await page.getByText('The network is unstable').count()).toBe(0);

  // What was here once needs no line to be shown again.
  await cut(page, languageCalls.findByCriteria);
  await page.reload();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
});

test('a line that comes back by itself ends the overlay without a hand', async () => {
  const page = await outsider();
  await page.clock.install();
  const mend = await cut(page, languageCalls.findByCriteria);
  await page.goto(`${stack.url}/password`);
  await page.getByRole('alert').getByText('The network is unstable').waitFor();
  await mend();
  await page.clock.runFor(3500);
  await page.getByRole('heading', { name: 'Reset password' }).waitFor();
  expect(await page.getByText('The network is unstable').count()).toBe(0);
});

test('without a session every address leads to the door, and on to where it was meant', async () => {
  const page = await outsider();
  await page.goto(`${stack.url}/device/fota?name=x`);
  await page.waitForURL(`**/login?to=${encodeURIComponent('/device/fota?name=x')}`);
  await page.locator('#login-account').fill('mark.market');
  await page.locator('#login-password').fill(password);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/device/fota?name=x');
});

test('each step of the entry that fails: what must be there stops it, what may be missing does not', async () => {
  const page = await as('mark.market');
  for (const call of [userCalls.info, menuCalls.nav]) {
    const mend = await cut(page, call);
    await page.reload();
    await page.getByText(/控制台无法打开|The console could not be opened/).waitFor();
    expect(await menuOf(page).count()).toBe(0);
    await mend();
    await button(page, 'Try again').click();
    await menuOf(page).getByRole('link', { name: 'Terminals' }).waitFor();
  }
  for (const call of [settingCalls.projectConfig, countryCalls.countryMeta, languageCalls.supports, menuCalls.counts])
    await cut(page, call);
  await page.reload();
  await menuOf(page).getByRole('link', { name: 'Terminals' }).waitFor();
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  expect(await page.locator('.m-toast').count()).toBe(0);
});

test('the centre begins with organisation 0, the manager platform with one’s own; token in storage and header, no cookie', async () => {
  const headers: Record<string, string>[] = [];
  const seen = async (account: string, platform: 'centre' | 'manager') => {
    const page = await as(account, platform);
    const asked = page.waitForRequest((one) => one.url().includes('/ops/device/page'));
    await page.goto(`${stack.url}${platform === 'centre' ? '/device/device' : '/device/all'}`);
    headers.push(await (await asked).allHeaders());
    expect(await page.context().cookies()).toEqual([]);
    return page;
  };
  await seen('admin', 'centre');
  await seen('hui.manager', 'manager');
  const own = (await admin.call(memberCalls.page, { criteria: { text: 'hui.manager' } })).content[0]?.deptId;
  expect(headers).toMatchObject([
    { 'accept-deptid': '0', 'accept-platform': 'centre', productlineid: '2', authorization: expect.any(String) },
    { 'accept-deptid': String(own), 'accept-platform': 'manager', productlineid: '2', authorization: expect.any(String) },
  ]);
});

test('a session that was ended leads out of the open page at once, and back in to where it was', async () => {
  const page = await as('mark.market');
  await menuOf(page).getByRole('link', { name: 'Firmware releases' }).click();
  await page.waitForURL('**/device/fota');
  const manager = api(stack.url, await signIn(stack.url, 'admin', ADMIN, 'manager'), 'manager', 1);
  const session = (await manager.call(onlineCalls.list, { criteria: { text: 'mark.market' } })).content[0];
  await manager.call(onlineCalls.end, { id: session?.id });
  await page.waitForURL(/\/login\?ended=1&to=%2Fdevice%2Ffota/);
  await page.getByText('Your session has ended.').waitFor();
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('token')))).toEqual([]);
});

test('who loses the last page of the menu is told so in the open console', async () => {
  const role = { name: 'Only afar', menus: ['deviceAll'], platforms: ['manager'] };
  const { id } = await admin.call(roleCalls.add, { ...role, type: '2' });
  const found = (await admin.call(memberCalls.page, { criteria: { text: 'mia.member' } })).content[0];
  const page = await as('mia.member');
  await menuOf(page).getByRole('link', { name: 'Terminals' }).waitFor();
  await admin.call(memberCalls.update, { id: found?.id, userName: 'Mia Lund', deptId: found?.deptId, roleIds: [id] });
  await page.getByText('No menu permission').waitFor();
  expect(await menuOf(page).count()).toBe(0);
});

test('the menu shows where a page belongs, a list is kept as it was left, an unknown address says so', async () => {
  const page = await as('mark.market');
  const current = menuOf(page).locator('[aria-current=page]');
  await page.goto(`${stack.url}/device/device?text=MRG000000`);
  const row = page.getByRole('row').filter({ hasText: 'MRG0000003' });
  await row.waitFor();
  await page.locator('.m-slot:visible').evaluate((slot) => slot.setAttribute('data-kept', 'yes'));
  await row.getByRole('link').first().click();
  await page.waitForURL('**/device/deviceDetail/**');
  await waitFor(async () => (await current.textContent()) === 'Terminals', 'the list of the open device in the menu');
  await page.goBack();
  await row.waitFor();
  expect(await page.locator('.m-slot:visible').getAttribute('data-kept')).toBe('yes');
  expect(new URL(page.url()).search).toBe('?text=MRG000000');

  const task = (await admin.call(taskCalls.page, {})).content[0];
  if (task) {
    await page.goto(`${stack.url}/device/fota/taskmod/${task.id}`);
    await waitFor(async () => (await current.textContent()) === 'Firmware releases', 'the tasks in the menu');
  }
  await page.goto(`${stack.url}/device/no-such-page`);
  await page.waitForURL('**/error/not-found');
  await page.getByText('Page not found').waitFor();
});

test('errors of the browser are kept, newest first, fifty at most, and shown', async () => {
  const page = await as('mark.market');
  await page.evaluate(() => {
    for (let at = 1; at <= 55; at += 1) {
      const reason = new Error(`broken ${at}`);
      const promise = Promise.reject(reason);
      promise.catch(() => {});
      dispatchEvent(new PromiseRejectionEvent('unhandledrejection', { promise, reason }));
    }
    dispatchEvent(new ErrorEvent('error', { error: new Error('broken at last'), message: 'broken at last' }));
    document.body.append(Object.assign(new Image(), { src: '/ops/no-such-picture.png' }));
  });
  const kept = () => page.evaluate(() => JSON.parse(localStorage.getItem('mooring.errors') ?? '[]') as { kind: string; text: string }[]);
  await waitFor(async () => new Set((await kept()).map((one) => one.kind)).size === 3, 'each kind in the log');
  expect((await kept()).length).toBe(50);
  expect((await kept()).some((one) => one.text.includes('broken 1\n'))).toBe(false);
  await page.locator('.m-topbar').getByRole('button').last().click();
  await page.getByRole('menuitem', { name: 'About' }).click();
  const shown = page.getByRole('region', { name: 'Errors in this browser' });
  await shown.getByText(/broken at last/).waitFor();
  expect(await shown.getByRole('listitem').count()).toBe(50);
  await button(page, 'Clear').click();
  await page.getByText('No errors.').waitFor();
  expect(await kept()).toEqual([]);
});

test('behind a path prefix the console, its calls, its files and its live line work', async () => {
  const proxy = await behindPrefix('/test-eu', stack.url);
  try {
    const page = await as('mark.market', 'centre', proxy.url);
    const live = page.waitForEvent('websocket');
    await page.goto(`${proxy.url}/device/device?text=MRG0000003`);
    expect((await live).url()).toContain('/test-eu/ops/live');
    await page.getByRole('link', { name: 'MRG0000003' }).click();
    await page.waitForURL('**/test-eu/device/deviceDetail/**');
    await page.reload();
    await page.getByRole('heading', { name: /MRG0000003/ }).waitFor();
  } finally {
    await proxy.stop();
  }
});

test('an outage is said while it lasts, and the page goes on by itself', async () => {
  const page = await as('mark.market');
  await page.goto(`${stack.url}/device/device`);
  await page.getByRole('row').nth(5).waitFor();
  await stack.kill();
  const said = page.getByText('The server isn’t answering.', { exact: false });
  await waitFor(async () => {
    await button(page, 'Refresh').click();
    return said.isVisible();
  }, 'the outage to be said');
  expect(await page.getByRole('row').count()).toBeGreaterThan(5);
  await stack.start();
  await said.waitFor({ state: 'hidden', timeout: 60_000 });
  await button(page, 'Try again').waitFor({ state: 'hidden', timeout: 60_000 });
});

test('a list whose refresh failed shows what changed as soon as there is an answer, and nothing else need change for that', async () => {
  const page = await as('admin');
  await page.goto(`${stack.url}/sys/role`);
  await page.getByRole('row').nth(1).waitFor();
  let failed = 0;
  page.on('requestfailed', (request) => {
    if (request.url().endsWith(roleCalls.page.path)) failed += 1;
  });
  const mend = await cut(page, roleCalls.page);
  const name = 'Night watch';
  await admin.call(roleCalls.add, { name, menus: ['deviceAll'], platforms: ['centre'], type: '2' });
  // The first try and three more; after them nothing is under way.
  await waitFor(() => failed >= 4, 'the refresh to give up');
  await mend();
  await page.getByRole('row', { name }).waitFor();
});
