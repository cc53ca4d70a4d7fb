import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { deviceCalls } from '@mooring/contract/device/calls';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADMIN, type Api } from './api.ts';
import { launchBrowser } from './browser.ts';
import { choose } from './choose.ts';
import { settled } from './settled.ts';
import { type Stack, startDemo } from './stack.ts';
import { type Look, visit } from './visit.ts';

let stack: Stack;
let browser: Browser;
let page: Page;
let admin: Api;
beforeAll(async () => {
  ({ stack, admin } = await startDemo());
  browser = await launchBrowser();
  ({ page } = await visit(browser, { url: stack.url, account: 'admin', password: ADMIN, platform: 'centre' }));
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
const dialog = () => page.getByRole('dialog');
const inDialog = (name: string | RegExp) => dialog().getByRole('button', { name, exact: true });
async function look(name: string, of = page): Promise<void> {
  if (!process.env.LOOK) return;
  mkdirSync(process.env.LOOK, { recursive: true });
  await settled(of);
  await of.screenshot({ path: join(process.env.LOOK, `${name}.png`), fullPage: true });
}
/** Two terminals of one organisation. */
async function terminals(): Promise<{ dept: string; sns: string[] }> {
  const [first] = (await admin.call(deviceCalls.page, { criteria: { text: 'MRG', status: '2' } })).content;
  const { content } = await admin.call(deviceCalls.page, { criteria: { text: 'MRG', status: '2', deptId: first?.deptId } });
  return { dept: first?.deptName ?? '', sns: content.slice(0, 2).map(({ sn }) => sn) };
}

test('a group is filled from a list of serial numbers, of which what is wrong is said one by one', async () => {
  const {
    dept,
    sns: [first = '', second = ''],
  } = await terminals();
  await page.goto(`${stack.url}/device/deviceGrouping`);
  await page.getByText('Pilot shops').waitFor();
  await look('groups');
  await button('Add group').click();
  await inDialog('Add group').click();
  await dialog().getByText('Required').first().waitFor();
  await dialog().getByLabel('Name', { exact: true }).fill('Night shift');
  await choose(dialog().getByLabel('Owner', { exact: true }), dept);
  await inDialog('Add group').click();
  await dialog().waitFor({ state: 'hidden' });
  await page.getByRole('link', { name: 'Night shift' }).click();
  await page.getByText('No terminals in this group').waitFor();
  await look('group empty');
  await button('Add by serial number').click();
  await dialog().locator('textarea').fill(`${first}\n${first}\n${second}\nNOBODY-77`);
  await inDialog('Add by serial number').click();
  await dialog().getByText('2 serial numbers can’t be added. Nothing has been added yet.').waitFor();
  await dialog().getByText('Listed more than once').waitFor();
  await look('group serial numbers');
  await inDialog('Add the other 2').click();
  await page.getByRole('link', { name: second }).waitFor();
  expect(await page.locator('dd').filter({ hasText: /^2$/ }).count()).toBe(1);
  await look('group');
});

test('terminals leave it by selection, and come in from their list and from their page', async () => {
  const [first = '', second = ''] = (await terminals()).sns;
  await page.getByRole('checkbox', { name: new RegExp(second) }).click();
  await button(/^Remove 1 terminal from group/).click();
  await inDialog('Remove 1 terminal from group').click();
  await page.getByText('1 terminal removed from the group').waitFor();
  await page.getByRole('link', { name: first }).click();
  await page.getByRole('link', { name: 'Night shift' }).waitFor();
  await page.getByRole('button', { name: /^More/ }).filter({ visible: true }).click();
  await page.getByRole('menuitem', { name: 'Add to group' }).click();
  await choose(dialog().getByLabel('Name', { exact: true }), 'Pilot shops');
  await look('put in group');
  await inDialog('Cancel').click();
});

test('filters of the list are kept as a group by rule, which is for a release', async () => {
  await page.goto(`${stack.url}/device/device?firmware=4.1.0&status=2`);
  await button('Save filters as group').click();
  await dialog().getByLabel('Name', { exact: true }).fill('Old ones');
  await choose(dialog().getByLabel('Owner', { exact: true }), 'Region Europe');
  await dialog()
    .getByText(/terminals meet this rule now/)
    .waitFor();
  await look('rule');
  await inDialog('Add group').click();
  await dialog().waitFor({ state: 'hidden' });
  await page.goto(`${stack.url}/device/deviceGrouping`);
  await page.getByRole('link', { name: 'Old ones' }).click();
  await page.locator('dd').filter({ hasText: '4.1.0' }).first().waitFor();
  await look('group by rule');
  await button('Release to this group').click();
  await page.getByRole('heading', { name: 'Package', level: 2 }).waitFor();
});

test('what a list shows is kept as a view, and comes back with it', async () => {
  await page.goto(`${stack.url}/device/device?status=2&sort=sn`);
  await button('Views').click();
  await page.getByRole('menuitem', { name: 'Save these filters as a view' }).click();
  await inDialog('Save view').click();
  await dialog().getByText('Required').first().waitFor();
  await dialog().getByLabel('Name', { exact: true }).fill('Offline by SN');
  await look('save view');
  await inDialog('Save view').click();
  await page.getByText('View “Offline by SN” saved').waitFor();
  await page.goto(`${stack.url}/device/device`);
  await button('Views').click();
  await page.getByRole('menuitem', { name: 'Offline by SN' }).click();
  await page.waitForURL('**/device/device?status=2&sort=sn');
  await page.getByRole('button', { name: 'Offline by SN' }).click();
  await page.getByRole('menuitem', { name: 'Manage views' }).click();
  await dialog()
    .getByRole('row', { name: /Offline by SN/ })
    .waitFor();
  await look('manage views');
});

const looks: readonly Look[] = [
  { theme: 'dark', width: 1440, lang: 'zh-CN' },
  { theme: 'light', width: 390, lang: 'en' },
  { theme: 'dark', width: 390, lang: 'ar' },
];
test.each(process.env.LOOK ? looks : looks.slice(-1))('a group’s pages fit into $width px in $lang', async (as) => {
  const { context, page: other } = await visit(browser, {
    url: stack.url,
    account: 'admin',
    password: ADMIN,
    platform: 'centre',
    look: as,
  });
  const name = `${as.theme} ${as.width} ${as.lang}`;
  await other.goto(`${stack.url}/device/deviceGrouping`);
  await look(`groups ${name}`, other);
  await other.goto(`${stack.url}/device/deviceGrouping/5`);
  await look(`group ${name}`, other);
  await other.goto(`${stack.url}/device/device?do=group&firmware=4.1.0`);
  await look(`rule ${name}`, other);
  await settled(other);
  expect(await other.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0);
  await context.close();
});
