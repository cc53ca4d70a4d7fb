import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { roleCalls } from '@mooring/contract/access/role-calls';
import { memberCalls } from '@mooring/contract/account/member-calls';
import { appCalls, developerCalls } from '@mooring/contract/app/calls';
import { paramLevelCalls } from '@mooring/contract/paramfile/level-calls';
import { paramTemplateCalls } from '@mooring/contract/paramfile/template-calls';
import { androidParams } from '@mooring/terminal/settings';
import { type Fleet, startFleet } from '@mooring/terminal/start-fleet';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADMIN, type Api, api, settleIn, signIn } from './api.ts';
import { launchBrowser } from './browser.ts';
import { choose } from './choose.ts';
import { makeEstate } from './estate.ts';
import { listApp } from './list-app.ts';
import { openMenu } from './menu.ts';
import { toReview } from './page-parts.ts';
import { type Stack, startDemo, waitFor } from './stack.ts';
import { type Look, plainLook, visit } from './visit.ts';

/** Apps from the catalogue to terminals and off them again, and to organisations beside the developer's. */
const TERMINALS = 2;
const NAME = 'com.example.till';
let stack: Stack;
let browser: Browser;
let page: Page;
let fleet: Fleet;
let start: () => Fleet;
let admin: Api;
let olga: Api;
let password = '';
let productId = 0;
const folder = mkdtempSync(join(tmpdir(), 'mooring-soft-app-'));

beforeAll(async () => {
  const demo = await startDemo();
  ({ stack, password, admin } = demo);
  const estate = await makeEstate(stack.url, admin, ADMIN, TERMINALS);
  ({ productId } = estate);
  const pace = { installSeconds: 0.1, bootSeconds: 0.1 };
  start = () =>
    startFleet({
      server: stack.url,
      count: TERMINALS,
      code: estate.code,
      product: 'A920',
      seed: 'apps',
      stateFile: join(folder, 'state'),
      ...pace,
    });
  fleet = start();
  await fleet.whenOnline(TERMINALS, 180);
  const token = await signIn(stack.url, 'olga.manager', password);
  olga = api(stack.url, token, 'centre');
  const applied = await olga.call(developerCalls.apply, { contactName: 'Olga Brandt', email: 'olga@example.com' });
  await admin.call(developerCalls.accept, { id: applied.id });
  await listApp({ url: stack.url, admin, token, productId, packageName: NAME, versionCode: 10, versionName: '1.0 [BETA]' });
  browser = await launchBrowser();
  ({ page } = await visit(browser, { url: stack.url, account: 'admin', password: ADMIN, platform: 'centre' }));
});
afterAll(async () => {
  await fleet?.stop();
  await browser?.close();
  await stack?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const button = (name: string, on = page) => on.getByRole('button', { name, exact: true }).filter({ visible: true });
const menu = (name: string, on = page) => openMenu(on, name);
const field = (name: string, on = page) => on.getByLabel(new RegExp(`^${name}(?: ?\\(?optional\\)?)?$`)).filter({ visible: true });
const step = (title: string) => page.getByRole('heading', { name: title, exact: true, level: 2 }).waitFor();
const dialog = (on = page) => on.getByRole('dialog').last();
const codes = () => fleet.terminals.map(({ journal }) => journal.apps.get(NAME)?.versionCode);
async function look(on: Page, name: string): Promise<void> {
  if (!process.env.LOOK) return;
  for (const [scheme, width] of [
    ['light', 1440],
    ['dark', 1440],
    ['light', 390],
  ] as const) {
    await on.emulateMedia({ colorScheme: scheme });
    await on.setViewportSize({ width, height: 900 });
    await on.screenshot({ path: join(process.env.LOOK, `${name}-${scheme}-${width}.png`), fullPage: true });
  }
  await on.emulateMedia({ colorScheme: 'light' });
  await on.setViewportSize({ width: 1440, height: 900 });
}

/** An act of the page's head, which may have slid under _More_. */
async function act(on: Page, name: string): Promise<void> {
  const own = button(name, on);
  const more = on.locator('.m-page-head').filter({ visible: true }).getByRole('button', { name: /^More/ });
  await own.or(more).first().waitFor();
  if (await own.isVisible()) return own.click();
  await more.click();
  await on.getByRole('menuitem', { name, exact: true }).click();
}

/** Of the list: the home page, which stands until the list is there, offers releases of another kind by the same words. */
async function newAppRelease(): Promise<void> {
  await menu('General releases');
  await page.getByRole('heading', { name: 'General releases', level: 1, exact: true }).waitFor();
  await page.getByRole('link', { name: 'New release' }).filter({ visible: true }).first().click();
  await page.getByRole('link', { name: 'App', exact: true }).click();
}

/** From the chosen content to the terminals. */
async function release(count: number): Promise<void> {
  await toReview(page);
  await look(page, 'app-release-review');
  await button(`Release to ${count} ${count === 1 ? 'terminal' : 'terminals'}`).click();
  await page.getByText('Finished', { exact: true }).filter({ visible: true }).first().waitFor();
}

test('a version of the catalogue is released, installed for real, and outlives a restart', async () => {
  await newAppRelease();
  await field('Name').fill('Till on all');
  await button('Next').click();
  await page.locator('.m-field-error').filter({ visible: true }).first().waitFor();
  await choose(page.getByRole('combobox', { name: /^App version/ }).filter({ visible: true }), 'Till');
  await look(page, 'app-release-content');
  await release(TERMINALS);
  await page.getByText('Till 1.0 [BETA] (10)').first().waitFor();
  expect(codes()).toEqual([10, 10]);
  await look(page, 'app-release');
  await fleet.stop();
  fleet = start();
  await fleet.whenOnline(TERMINALS, 180);
  expect(codes()).toEqual([10, 10]);
});

test('a terminal’s page and the list of terminals say what is installed', async () => {
  const sn = fleet.terminals[0]?.sn ?? '';
  await menu('Terminals');
  await page.getByRole('link', { name: sn, exact: true }).first().click();
  await page.getByRole('tab', { name: 'Versions' }).click();
  const row = page.getByRole('row', { name: new RegExp(NAME) });
  await row.getByText('1.0 [BETA]', { exact: true }).waitFor();
  await row.getByText('10', { exact: true }).waitFor();
  // And which release brought it.
  await row.getByRole('link', { name: '1.0 [BETA] (10)' }).waitFor();
  await look(page, 'app-on-terminal');
  await page.goto(`${stack.url}/device/device?app=${NAME}&appBelow=11`);
  await page.getByRole('link', { name: sn, exact: true }).waitFor();
  await page.goto(`${stack.url}/device/device?app=${NAME}&appBelow=10`);
  await page
    .getByText(/No terminals match|Nothing found|no match/i)
    .first()
    .waitFor();
});

test('it is uninstalled from that terminal alone, and then from all of them', async () => {
  const [first] = fleet.terminals;
  await menu('Terminals');
  await page
    .getByRole('link', { name: first?.sn ?? '', exact: true })
    .first()
    .click();
  await page.getByRole('tab', { name: 'Versions' }).click();
  await page
    .getByRole('row', { name: new RegExp(NAME) })
    .getByRole('link', { name: 'Uninstall' })
    .click();
  await field('Name').fill('Till off one');
  await release(1);
  await page.getByText('Uninstall Till').filter({ visible: true }).first().waitFor();
  await waitFor(() => first?.journal.apps.get(NAME) === null, 'the app to be gone');
  expect(codes().filter((code) => code === 10)).toHaveLength(TERMINALS - 1);
  await newAppRelease();
  await field('Name').fill('Till off all');
  await choose(page.getByRole('combobox', { name: /^Action/ }).filter({ visible: true }), 'Uninstall');
  await choose(page.getByRole('combobox', { name: /^Installed app/ }).filter({ visible: true }), 'Till');
  await release(TERMINALS - 1);
  await waitFor(() => codes().every((code) => code === undefined), 'the app to be gone');
});

const looks: readonly [string, Look][] = [
  ['dark', { theme: 'dark', width: 1440, lang: 'en' }],
  ['phone', { theme: 'light', width: 390, lang: 'en' }],
  ['zh', { theme: 'light', width: 1440, lang: 'zh-CN' }],
  ['phone-dark-zh', { theme: 'dark', width: 390, lang: 'zh-CN' }],
  ['ar', { theme: 'light', width: 1440, lang: 'ar' }],
];
/** The wizard's step and the release's page, as others see them. */
async function pictures(task: string): Promise<void> {
  if (!process.env.LOOK) return;
  for (const [name, of] of looks) {
    const { page: on } = await visit(browser, { url: stack.url, account: 'admin', password: ADMIN, platform: 'centre', look: of });
    for (const [key, path] of [
      ['step', `/task/create/softApp?copy=${task}`],
      ['page', `/task/detail/${task}`],
    ] as const) {
      await on.goto(`${stack.url}${path}`);
      await on.getByText('Till settings').filter({ visible: true }).first().waitFor();
      await on.screenshot({ path: join(process.env.LOOK, `app-params-${key}-${name}.png`), fullPage: true });
    }
    await on.context().close();
  }
}

test('an app comes with its parameters, and where it is there already they come alone', async () => {
  const { id: templateId } = await admin.call(paramTemplateCalls.add, {
    name: 'Till settings',
    fields: [{ key: 'host', label: 'Host', type: 'text', required: true }],
  });
  const params = () =>
    fleet.terminals.map(({ journal }) => Object.fromEntries([...androidParams(journal.settings)].map(([key, { value }]) => [key, value])));
  await newAppRelease();
  await field('Name').fill('Till with parameters');
  await choose(page.getByRole('combobox', { name: /^App version/ }).filter({ visible: true }), 'Till');
  await choose(page.getByRole('combobox', { name: /^Parameters/ }).filter({ visible: true }), 'Till settings');
  await look(page, 'app-params-step');
  for (const title of ['Targets', 'Rollout', 'Review']) {
    await button('Next').click();
    await step(title);
  }
  // Nobody has given them a host yet.
  await page.getByText(`${TERMINALS} terminals lack a required value`).filter({ visible: true }).first().waitFor();
  await look(page, 'app-params-lacking');
  await admin.call(paramLevelCalls.give, { templateId, deptId: 1, values: { host: 'a.example' } });
  await button(`Release to ${TERMINALS} terminals`).click();
  await page.getByText('Finished', { exact: true }).filter({ visible: true }).first().waitFor();
  expect([codes(), params()]).toEqual([
    [10, 10],
    [{ host: 'a.example' }, { host: 'a.example' }],
  ]);
  const task = /\/(\d+)(?:\?|$)/.exec(page.url())?.[1] ?? '';
  await look(page, 'app-params-page');
  await page.locator('#main').getByRole('link', { name: 'Till settings', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Till settings', exact: true }).waitFor();

  await admin.call(paramLevelCalls.give, { templateId, deptId: 1, values: { host: 'b.example' } });
  await page.goto(`${stack.url}/task/create/softApp?copy=${task}`);
  for (const title of ['Targets', 'Rollout', 'Review']) {
    await button('Next').click();
    await step(title);
  }
  await page.getByRole('row', { name: new RegExp(`10 ${TERMINALS} Parameters only`) }).waitFor();
  await look(page, 'app-params-review');
  await button(`Release to ${TERMINALS} terminals`).click();
  await page.getByText('Finished', { exact: true }).filter({ visible: true }).first().waitFor();
  expect([codes(), params()]).toEqual([
    [10, 10],
    [{ host: 'b.example' }, { host: 'b.example' }],
  ]);
  await pictures(task);

  // Who may not release parameters is offered none, and a copy brings the app alone.
  const menus = ['welcome', 'generalTask', 'tms:softApp:page', 'tms:softApp:add', 'tms:softApp:enable', 'app'];
  const { id: role } = await admin.call(roleCalls.add, { name: 'Apps alone', platforms: ['centre'], menus });
  const clerk = 'carl.clerk';
  const made = await admin.call(memberCalls.add, { account: clerk, userName: 'Carl Clerk', deptId: 1, roleIds: [role] });
  await settleIn(stack.url, clerk, made.password ?? '', 'centre');
  const { page: on } = await visit(browser, {
    url: stack.url,
    account: clerk,
    password: ADMIN,
    platform: 'centre',
    look: plainLook,
    at: '/task',
  });
  await on.getByText('Till 1.0 [BETA] (10) + Till settings').filter({ visible: true }).first().waitFor();
  await look(on, 'app-params-list');
  await on.goto(`${stack.url}/task/create/softApp?copy=${task}`);
  await on
    .locator('.ant-select')
    .filter({ hasText: /^Till 1\.0/, visible: true })
    .waitFor();
  expect(await on.getByRole('combobox', { name: /^Parameters/ }).count()).toBe(0);
  await button('Next', on).click();
  await on.getByText(`Nothing to change on ${TERMINALS} of them`).filter({ visible: true }).first().waitFor();
  await on.context().close();
});

test('an organisation beside the developer’s subscribes, gets key and link, and is shut out', async () => {
  const { content } = await olga.call(appCalls.page, {});
  const here = async (account: string) => {
    const { page: on } = await visit(browser, { url: stack.url, account, password, platform: 'centre', look: plainLook });
    return on;
  };
  const [hui, owner] = [await here('hui.manager'), await here('olga.manager')];
  await menu('App catalogue', owner);
  await owner.getByRole('link', { name: 'Till', exact: true }).first().click();
  await button('How others subscribe', owner).click();
  await look(owner, 'subscription-mode');
  await choose(dialog(owner).getByRole('combobox'), 'When accepted');
  await dialog(owner).getByRole('button', { name: 'Save', exact: true }).click();
  await owner.getByText('Subscriptions of Till saved').waitFor();
  expect((await olga.call(appCalls.detail, { id: content[0]?.id ?? 0 })).subscription).toBe('asked');

  await menu('App subscriptions', hui);
  await hui.getByText('No subscriptions yet').waitFor();
  await look(hui, 'subscriptions-empty');
  await button('Subscribe to app', hui).first().click();
  await dialog(hui).getByRole('button', { name: 'Subscribe to app', exact: true }).click();
  await choose(dialog(hui).getByRole('combobox', { name: /^App/ }), 'Till');
  await look(hui, 'subscribe');
  await hui.keyboard.press('Escape');
  await button('Discard', hui).click();
  await dialog(hui).waitFor({ state: 'detached' });
  // From the page of the app, where it needs no choosing: by the mouse and away again, then by keys alone.
  await menu('App catalogue', hui);
  await hui.getByRole('link', { name: 'Till', exact: true }).first().click();
  await button('Subscribe', hui).click();
  expect(await dialog(hui).getByRole('combobox', { name: /^App/ }).count()).toBe(0);
  await dialog(hui)
    .getByRole('combobox', { name: /^Version/ })
    .waitFor();
  await look(hui, 'subscribe-here');
  await hui.keyboard.press('Escape');
  await dialog(hui).waitFor({ state: 'detached' });
  await button('Subscribe', hui).focus();
  await hui.keyboard.press('Enter');
  await dialog(hui).getByLabel(/^Note/).fill('For our tills');
  await dialog(hui).getByRole('button', { name: 'Subscribe to app', exact: true }).focus();
  await hui.keyboard.press('Enter');
  await hui.getByText('Asked to subscribe to Till. Its owner has to accept.').waitFor();
  await hui.getByText('Requested', { exact: true }).filter({ visible: true }).first().waitFor();
  await button('Subscribe', hui).waitFor({ state: 'detached' });
  await look(hui, 'subscribed-here');
  expect(await button('Subscribe', owner).count()).toBe(0);
  await hui.getByRole('link', { name: 'Your subscription', exact: true }).click();
  await hui.getByText('For our tills').filter({ visible: true }).first().waitFor();
  await menu('App subscriptions', hui);
  await look(hui, 'subscriptions');

  await menu('App subscriptions', owner);
  await owner
    .getByRole('row', { name: /Requested/ })
    .getByText('Till')
    .first()
    .click();
  await act(owner, 'Accept');
  await dialog(owner).getByRole('button', { name: 'Accept', exact: true }).click();
  await owner.getByText(/^Subscription of .* accepted$/).waitFor();

  await hui
    .getByRole('row', { name: /Active/ })
    .getByText('Till')
    .first()
    .click();
  await hui.getByText('Valid', { exact: true }).filter({ visible: true }).first().waitFor();
  await look(hui, 'subscription');
  await act(hui, 'New secret');
  await dialog(hui).getByRole('button', { name: 'New secret', exact: true }).click();
  const again = dialog(hui).getByLabel('Password', { exact: true });
  await again.or(hui.getByText('Copy it now. It can’t be shown again.')).first().waitFor();
  if (await again.isVisible()) {
    await again.fill(password);
    await hui.keyboard.press('Enter');
  }
  await hui.getByText('Copy it now. It can’t be shown again.').waitFor();
  await look(hui, 'subscription-secret');
  await dialog(hui).getByRole('button', { name: 'Close', exact: true }).last().click();
  await hui.getByText('Set', { exact: true }).waitFor();

  await act(owner, 'Term and blacklist');
  await look(owner, 'subscription-term');
  await choose(dialog(owner).getByRole('combobox', { name: /^Blacklist/ }), 'Blacklisted');
  await dialog(owner).getByRole('button', { name: 'Save', exact: true }).click();
  await owner.getByText('Blacklisted', { exact: true }).filter({ visible: true }).first().waitFor();
  await hui.getByText('Blacklisted', { exact: true }).filter({ visible: true }).first().waitFor();
  await hui.context().close();
  await owner.context().close();
});
