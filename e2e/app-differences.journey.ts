import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { appCalls, appVersionCalls, developerCalls } from '@mooring/contract/app/calls';
import { softAppTaskCalls } from '@mooring/contract/app/release-calls';
import { type Fleet, startFleet } from '@mooring/terminal/start-fleet';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADMIN, type Api, api, signIn } from './api.ts';
import { launchBrowser } from './browser.ts';
import { choose } from './choose.ts';
import { makeEstate } from './estate.ts';
import { listApp } from './list-app.ts';
import { type Stack, startDemo, waitFor } from './stack.ts';
import { plainLook, visit } from './visit.ts';

/** A newer version of an app by what differs: made, tried, used, and said so. */
const TERMINALS = 2;
const NAME = 'com.example.till';
let stack: Stack;
let browser: Browser;
let page: Page;
let fleet: Fleet;
let admin: Api;
let password = '';
let versionId = 0;

const line = (at: number) => createHash('sha256').update(String(at)).digest('hex');
/** Sixty kilobytes when packed, of which a line in thirty is another one from version to version. */
const menu = (apart: number) =>
  new TextEncoder().encode(
    Array.from({ length: 1800 }, (_, at) => `Espresso ${line(at % 30 === 0 ? at + apart : at)}${at % 30 === 0 ? apart : ''}`).join('\n'),
  );

beforeAll(async () => {
  const demo = await startDemo();
  ({ stack, password, admin } = demo);
  const { productId, code } = await makeEstate(stack.url, admin, ADMIN, TERMINALS);
  const pace = { installSeconds: 0.1, bootSeconds: 0.1 };
  fleet = startFleet({ server: stack.url, count: TERMINALS, code, product: 'A920', seed: 'appdiff', ...pace });
  await fleet.whenOnline(TERMINALS, 180);
  const token = await signIn(stack.url, 'olga.manager', password);
  const olga = api(stack.url, token, 'centre');
  const applied = await olga.call(developerCalls.apply, { contactName: 'Olga Brandt', email: 'olga@example.com' });
  await admin.call(developerCalls.accept, { id: applied.id });
  const of = { url: stack.url, admin, token, productId, packageName: NAME };
  const appId = await listApp({ ...of, versionCode: 10, versionName: '1.0', files: { 'assets/menu.txt': menu(0) } });
  await listApp({ ...of, versionCode: 20, versionName: '2.0', files: { 'assets/menu.txt': menu(5000) } });
  const { content } = await admin.call(appVersionCalls.page, { criteria: { appId } });
  const idOf = (wanted: number) => content.find(({ versionCode }) => versionCode === wanted)?.id ?? 0;
  versionId = idOf(20);
  await install(idOf(10));
  browser = await launchBrowser();
  ({ page } = await visit(browser, { url: stack.url, account: 'admin', password: ADMIN, platform: 'centre' }));
});
afterAll(async () => {
  await fleet?.stop();
  await browser?.close();
  await stack?.stop();
});

const codes = () => fleet.terminals.map(({ journal }) => journal.apps.get(NAME)?.versionCode);
/** The first version, in full, on all terminals. */
async function install(first: number): Promise<void> {
  const scope = { releaseScope: '2' as const, sns: fleet.terminals.map(({ sn }) => sn) };
  const task = await admin.call(softAppTaskCalls.add, { name: 'First', scope, content: { action: 'install', versionId: first } });
  await admin.call(softAppTaskCalls.submit, { id: task.id });
  await admin.call(softAppTaskCalls.enable, { id: task.id });
  await waitFor(() => codes().every((code) => code === 10), 'the first version on all terminals', 180);
}
const button = (name: string) => page.getByRole('button', { name, exact: true }).filter({ visible: true });
const step = (title: string) => page.getByRole('heading', { name: title, exact: true, level: 2 }).waitFor();
const dialog = () => page.getByRole('dialog').last();
const row = (method: string) => page.getByRole('row', { name: new RegExp(`1\\.0 \\(10\\).*${method}`) });
const journalOf = (at: number) => (fleet.terminals[at]?.body.runLog.select({ lines: 500 }) ?? []).map(({ text }) => text).join('\n');
async function look(name: string): Promise<void> {
  if (!process.env.LOOK) return;
  for (const [scheme, width] of [
    ['light', 1440],
    ['dark', 1440],
    ['light', 390],
    ['dark', 390],
  ] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize({ width, height: 900 });
    await page.screenshot({ path: join(process.env.LOOK, `${name}-${scheme}-${width}.png`), fullPage: true });
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1440, height: 900 });
}

test('on the page of a version its delta packages are made from one that terminals run, tried, and put to use', async () => {
  await page.goto(`${stack.url}/app/version/${versionId}`);
  await page.getByRole('tab', { name: 'Delta packages' }).click();
  await page.getByText('No delta packages yet').waitFor();
  await look('app-differences-empty');
  await button('Create delta package').first().click();
  // Nothing chosen: it is said where it is missing, and nothing is begun.
  await dialog().getByRole('button', { name: 'Create delta package' }).click();
  await dialog().getByText('Required').or(dialog().getByText('Choose')).first().waitFor();
  await choose(dialog().getByLabel('From these versions', { exact: true }), `1.0 (10) · ${TERMINALS} terminals`);
  await dialog().getByLabel('Use it as soon as it is verified').click();
  await look('app-differences-add');
  await page.keyboard.press('Control+Enter');
  await page.getByText('2 delta packages are being generated').waitFor();
  await row('Contents').getByText('Ready, not in use', { exact: true }).waitFor();
  await row('Contents').getByText('Passed').waitFor();
  await row('Whole file').getByText('Saves too little').waitFor();
  await look('app-differences-ready');
  await page.reload();
  await row('Contents').getByText('Ready, not in use', { exact: true }).waitFor();
});

test('the preview of a release says that one waits; put to use, terminals fetch it, and their attempts say so', async () => {
  const address = page.url();
  await page.goto(`${stack.url}/task/create/softApp?appVersion=${versionId}`);
  await page.getByLabel('Name', { exact: true }).fill('Second');
  for (const title of ['Targets', 'Rollout', 'Review']) {
    await button('Next').click();
    await step(title);
  }
  await look('app-differences-review-idle');
  await page
    .getByRole('row', { name: /10.*Full package/ })
    .getByRole('link', { name: 'A delta package is ready, and not in use' })
    .click();
  await dialog().getByRole('button', { name: 'Leave', exact: true }).click();
  await page.waitForURL(/tab=differences/);
  expect(new URL(page.url()).pathname).toBe(new URL(address).pathname);
  await row('Contents').getByRole('button').last().click();
  await page.getByRole('menuitem', { name: 'Enable', exact: true }).click();
  await row('Contents').getByText('In use', { exact: true }).waitFor();

  await page.goto(`${stack.url}/task/create/softApp?appVersion=${versionId}`);
  await page.getByLabel('Name', { exact: true }).fill('Second');
  for (const title of ['Targets', 'Rollout', 'Review']) {
    await button('Next').click();
    await step(title);
  }
  await page.getByRole('row', { name: /10.*Delta package/ }).waitFor();
  await look('app-differences-review');
  await button(`Release to ${TERMINALS} terminals`).click();
  await page.getByText('Finished', { exact: true }).filter({ visible: true }).first().waitFor();
  expect(codes()).toEqual([20, 20]);
  for (const at of [0, 1]) expect(journalOf(at)).toContain('applied to 10');
  const { content } = await admin.call(appCalls.page, {});
  expect(content[0]?.versionCode).toBe(20);
  await page
    .getByRole('row', { name: new RegExp(fleet.terminals[0]?.sn ?? '') })
    .getByText('Succeeded', { exact: true })
    .click();
  await dialog()
    .getByText(/^Delta package, .* instead of /)
    .waitFor();
  await look('app-differences-attempts');
  await spoken();
});

/** The same screen in other languages, for whoever looks at it. */
async function spoken(): Promise<void> {
  if (!process.env.LOOK) return;
  for (const [lang, theme] of [
    ['zh-CN', 'dark'],
    ['ar', 'light'],
  ] as const) {
    const visitor = { url: stack.url, account: 'admin', password: ADMIN, platform: 'centre', look: { ...plainLook, lang, theme } } as const;
    const { page: on, context } = await visit(browser, visitor);
    await on.goto(`${stack.url}/app/version/${versionId}?tab=differences`);
    await on.getByText('1.0 (10)').first().waitFor();
    await on.screenshot({ path: join(process.env.LOOK, `app-differences-${lang}.png`), fullPage: true });
    await context.close();
  }
}

test('whoever only may have it from the catalogue is shown nothing of how it is made', async () => {
  const { page: other } = await visit(browser, {
    url: stack.url,
    account: 'hui.manager',
    password,
    platform: 'centre',
    at: `/app/version/${versionId}?tab=differences`,
  });
  await other.getByRole('tab').first().waitFor();
  expect(await other.getByRole('tab', { name: 'Delta packages' }).count()).toBe(0);
  await other.context().close();
});
