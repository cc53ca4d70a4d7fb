import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deviceCalls } from '@mooring/contract/device/calls';
import { merchantCalls } from '@mooring/contract/merchant/calls';
import { shopCalls } from '@mooring/contract/merchant/shop';
import { paramTemplateCalls } from '@mooring/contract/paramfile/template-calls';
import { androidParams } from '@mooring/terminal/settings';
import { type Fleet, startFleet } from '@mooring/terminal/start-fleet';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { ADMIN, administrator } from './api.ts';
import { axe } from './axe.ts';
import { bareKeys } from './bare-keys.ts';
import { launchBrowser } from './browser.ts';
import { choose } from './choose.ts';
import { makeEstate } from './estate.ts';
import { openMenu } from './menu.ts';
import { settled } from './settled.ts';
import { type Stack, startStack } from './stack.ts';
import { type Look, visit } from './visit.ts';

let stack: Stack;
let browser: Browser;
let page: Page;
let wrong: readonly string[];
let fleet: Fleet;
let templateId = 0;
let shop = '';
const folder = mkdtempSync(join(tmpdir(), 'mooring-levels-'));

beforeAll(async () => {
  stack = await startStack();
  const admin = await administrator(stack.url, stack.password);
  const { code } = await makeEstate(stack.url, admin, ADMIN, 2);
  const pace = { installSeconds: 0.1, bootSeconds: 0.1 };
  fleet = startFleet({ server: stack.url, count: 2, code, product: 'A920', seed: 'levels', stateFile: join(folder, 'state'), ...pace });
  await fleet.whenOnline(2, 180);
  const { id: merchantId } = await admin.call(merchantCalls.add, { number: 'M-1', name: 'Corner Bakery', deptId: 1 });
  for (const [no, name] of ['Harbour', 'Market'].entries()) {
    const { id: shopId } = await admin.call(shopCalls.add, { merchantId, number: `S-${no}`, name });
    const found = await admin.call(deviceCalls.page, { criteria: { text: fleet.terminals[no]?.sn ?? '' } });
    await admin.call(merchantCalls.assign, { of: { ids: [found.content[0]?.id ?? 0] }, merchantId, shopId });
  }
  ({ id: templateId } = await admin.call(paramTemplateCalls.add, {
    name: 'Till',
    fields: [
      { key: 'host', label: 'Host', type: 'text', required: true, pattern: '[a-z.]+' },
      { key: 'receipt', label: 'Receipt', type: 'text', default: 'Thank you' },
      { key: 'pin', label: 'PIN', type: 'secret' },
    ],
  }));
  browser = await launchBrowser();
  ({ page, wrong } = await visit(browser, { url: stack.url, account: 'admin', password: ADMIN, platform: 'centre' }));
});
afterAll(async () => {
  await fleet?.stop();
  await browser?.close();
  await stack?.stop();
  rmSync(folder, { recursive: true, force: true });
});
afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return;
  const place = join(import.meta.dirname, '../.cache/journeys', task.name.slice(0, 40));
  await page?.screenshot({ path: `${place}.png`, fullPage: true });
  writeFileSync(`${place}.log`, [...wrong, stack.output()].join('\n'));
});

const button = (name: string) => page.getByRole('button', { name, exact: true });
const dialog = () => page.getByRole('dialog').last();
const field = (name: string) => dialog().getByLabel(new RegExp(`^${name}(?: ?\\(?optional\\)?)?$`));
const send = (name: string) => dialog().getByRole('button', { name, exact: true }).click();
const menu = (name: string) => openMenu(page, name);
const tab = (name: string) => page.getByRole('tab', { name }).click();
const look = (name: string) => process.env.LOOK && page.screenshot({ path: join(process.env.LOOK, `${name}.png`), fullPage: true });
const sns = () => fleet.terminals.map((one) => one.sn);
const paramsOf = (no: number) =>
  Object.fromEntries([...androidParams(fleet.terminals[no]?.journal.settings ?? new Map())].map(([key, { value }]) => [key, value]));

async function giveFor(level: string, name: string): Promise<void> {
  await button('Give values for…').first().click();
  await dialog().getByRole('radio', { name: level }).check();
  await choose(dialog().getByRole('combobox', { name: level }), name);
  await send('Continue');
  await field('Host').or(dialog().getByText('Locked by')).first().waitFor();
}

test('the wizard says which terminals lack a required value, as long as no place gives one', async () => {
  const there = await visit(browser, {
    url: stack.url,
    account: 'admin',
    password: ADMIN,
    platform: 'centre',
    at: `/task/create/androidParam?template=${templateId}&mode=own`,
  });
  await there.page.getByLabel('Name', { exact: true }).fill('Too early');
  for (const next of ['Targets', 'Rollout', 'Review']) {
    await there.page.getByRole('button', { name: 'Next', exact: true }).click();
    await there.page.getByRole('heading', { name: next, exact: true, level: 2 }).waitFor();
    if (next === 'Rollout') continue;
    await there.page.getByText('2 terminals lack a required value').filter({ visible: true }).first().waitFor();
    await there.page.getByText(`${sns()[0]}: Host`).filter({ visible: true }).first().waitFor();
    if (process.env.LOOK) await there.page.screenshot({ path: join(process.env.LOOK, `lacking-${next}.png`), fullPage: true });
  }
  await there.context.close();
});

test('the platform gives a host and locks it, a shop gives its receipt, and each says where it comes from', async () => {
  await menu('Parameter templates');
  await page.getByRole('link', { name: 'Till', exact: true }).click();
  await tab('Values');
  await page.getByText('No values yet').waitFor();
  await look('levels-empty');
  await button('Give values for…').first().click();
  await send('Continue');
  await dialog().getByText('Required', { exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await giveFor('Organisation', 'Mooring');
  await field('Host').fill('PAY');
  await send('Save');
  await dialog().getByText('“Host” doesn’t have the format that its template asks for.').first().waitFor();
  await look('level-wrong');
  // Gone back: what was typed is asked about first.
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Keep editing' }).click();
  await field('Host').fill('pay.example');
  await dialog().locator('input[type=password]').fill('Tpk-9A');
  // By the keyboard.
  await dialog().getByRole('checkbox', { name: 'Lock Host for everything below' }).focus();
  await page.keyboard.press('Space');
  await look('level-form');
  await dialog().getByRole('button', { name: 'Save', exact: true }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('Values of Mooring saved').waitFor();
  await giveFor('Shop', 'Harbour');
  await dialog().getByText('Locked by Mooring').waitFor();
  await dialog().getByText('Inherited: Thank you · Default of the template').waitFor();
  await field('Receipt').fill('Harbour says thanks');
  await look('level-locked');
  await send('Save');
  await page.getByText('Values of Harbour saved').waitFor();
  await page.reload();
  await page.getByRole('row', { name: /Harbour.*Shop.*1/ }).waitFor();
  await page.getByRole('row', { name: /Mooring.*Organisation.*2/ }).waitFor();
  await look('levels');
  await tab('Terminals');
  await page.getByText('No terminal is behind').waitFor();
  await choose(page.getByRole('combobox', { name: 'Terminal' }), sns()[1] ?? '');
  await page.getByRole('row', { name: /Receipt.*Thank you.*Default of the template/ }).waitFor();
  await look('result');
});

test('a shop’s page shows what it gives and what it inherits, and a merchant’s gives values there', async () => {
  await menu('Merchants');
  await page.getByRole('link', { name: 'M-1', exact: true }).click();
  await page.getByRole('link', { name: 'S-0', exact: true }).click();
  await page.waitForURL(/\/merchant\/shop\/\d+/);
  shop = `${page.url().split('?')[0]}?tab=params`;
  await tab('Parameters');
  await page.getByRole('row', { name: /Host.*pay\.example.*From Mooring.*Locked by Mooring/ }).waitFor();
  await page.getByRole('row', { name: /Receipt.*Harbour says thanks.*From Harbour/ }).waitFor();
  await settled(page);
  expect([...(await axe(page)), ...(await bareKeys(page))]).toEqual([]);
  await look('shop-params');
  await page.getByRole('link', { name: 'Corner Bakery', exact: true }).click();
  // The shop's page, which is being left, has a tab of that name too.
  await page.getByRole('heading', { level: 1, name: 'Corner Bakery', exact: true }).waitFor();
  await tab('Parameters');
  await page.getByText('Nothing is given for Corner Bakery itself').waitFor();
  await look('merchant-params-empty');
  await button('Give values').click();
  await field('Receipt').fill('Bakery says thanks');
  await dialog().getByRole('checkbox', { name: 'Lock Receipt for everything below' }).check();
  await send('Save');
  await page.getByText('Values of Corner Bakery saved').waitFor();
  await page.getByRole('row', { name: /Receipt.*Bakery says thanks.*From Corner Bakery.*Locked for everything below/ }).waitFor();
  await look('merchant-params');
  await page.goto(shop);
  await page
    .getByRole('row', { name: /Receipt.*Bakery says thanks.*Kept here and not in force: Harbour.*Locked by Corner Bakery/ })
    .waitFor();
  await look('shop-params-locked');
  await menu('Merchants');
  await page.getByRole('link', { name: 'M-1', exact: true }).click();
  await tab('Parameters');
  await button('Edit values').click();
  await dialog().getByRole('checkbox', { name: 'Lock Receipt for everything below' }).uncheck();
  await dialog().getByRole('button', { name: 'Use inherited value: Receipt' }).click();
  await send('Save');
  await page.getByText('Nothing is given for Corner Bakery itself').waitFor();
});

test('a terminal’s page shows its result and its sources, a release sends each its own, and what changes later is shown as behind', async () => {
  await page.goto(`${stack.url}/device/device`);
  await page.getByRole('link', { name: sns()[0] ?? '', exact: true }).click();
  await page.waitForURL(/\/device\/deviceDetail\/\d+/);
  const device = page.url().split('?')[0] ?? '';
  await tab('Parameters');
  await page.getByRole('row', { name: /Host.*pay\.example.*From Mooring · Locked by Mooring/ }).waitFor();
  await page.getByRole('row', { name: /Receipt.*Harbour says thanks.*From Harbour/ }).waitFor();
  await page.getByText('Not received yet').first().waitFor();
  await look('device-params');

  await menu('Parameter templates');
  await page.getByRole('link', { name: 'Till', exact: true }).click();
  await page
    .locator('#main')
    .getByRole('link', { name: 'Release', exact: true })
    .or(page.locator('#main').getByRole('button', { name: 'Release', exact: true }))
    .first()
    .click();
  await page.waitForURL('**/task/create/androidParam?template=*');
  await page.getByLabel('Name', { exact: true }).fill('Own values');
  await page.getByText('Each terminal’s own result').click();
  await look('wizard-own');
  for (const next of ['Targets', 'Rollout', 'Review']) {
    await button('Next').click();
    await page.getByRole('heading', { name: next, exact: true, level: 2 }).waitFor();
  }
  await page.getByText('Till · Each terminal’s own result').filter({ visible: true }).first().waitFor();
  await look('wizard-review');
  await button('Release to 2 terminals').click();
  await page.getByText('Finished', { exact: true }).filter({ visible: true }).first().waitFor();
  expect([paramsOf(0), paramsOf(1)]).toEqual([
    { host: 'pay.example', receipt: 'Harbour says thanks', pin: 'Tpk-9A' },
    { host: 'pay.example', receipt: 'Thank you', pin: 'Tpk-9A' },
  ]);

  await page.goto(`${device}?tab=params`);
  await page.getByRole('row', { name: /Receipt.*Up to date/ }).waitFor();
  await page
    .getByRole('button', { name: sns()[0] ?? '', exact: true })
    .last()
    .click();
  await field('Receipt').fill('Till one');
  await send('Save');
  await page.getByRole('row', { name: /Receipt.*Till one.*Harbour says thanks.*Behind/ }).waitFor();
  await look('device-behind');
  expect(await page.content()).not.toContain('Tpk-9A');

  await menu('Parameter templates');
  await page.getByRole('link', { name: 'Till', exact: true }).click();
  await tab('Terminals');
  await page.getByText('Terminals behind: 1').waitFor();
  await page.getByRole('row', { name: sns()[0] ?? '' }).waitFor();
  await look('behind');
  await button('Release to this terminal').click();
  await page.waitForURL('**/task/create/androidParam?template=*');
  await page.getByLabel('Name', { exact: true }).fill('Catching up');
  await page.locator('.ant-select').filter({ hasText: /^Till/, visible: true }).waitFor();
  for (const next of ['Targets', 'Rollout', 'Review']) {
    await button('Next').click();
    await page.getByRole('heading', { name: next, exact: true, level: 2 }).waitFor();
  }
  await page.getByText('Till · Each terminal’s own result').filter({ visible: true }).first().waitFor();
  await button('Release to 1 terminal').click();
  await page.getByText('Finished', { exact: true }).filter({ visible: true }).first().waitFor();
  expect(paramsOf(0)).toEqual({ host: 'pay.example', receipt: 'Till one', pin: 'Tpk-9A' });
  await menu('Parameter templates');
  await page.getByRole('link', { name: 'Till', exact: true }).click();
  await tab('Terminals');
  await page.getByText('No terminal is behind').waitFor();
  const template = page.url().split('?')[0] ?? '';
  if (process.env.LOOK) await pictures(template, device);
});

const looks: readonly [string, Look][] = [
  ['dark', { theme: 'dark', width: 1440, lang: 'en' }],
  ['zh', { theme: 'light', width: 1440, lang: 'zh-CN' }],
  ['ar', { theme: 'light', width: 1440, lang: 'ar' }],
  ['phone-dark', { theme: 'dark', width: 390, lang: 'zh-CN' }],
];
async function pictures(template: string, device: string): Promise<void> {
  for (const [name, of] of looks) {
    const there = await visit(browser, { url: stack.url, account: 'admin', password: ADMIN, platform: 'centre', look: of });
    const picture = (key: string) => there.page.screenshot({ path: join(process.env.LOOK ?? '', `${key}-${name}.png`), fullPage: true });
    for (const [key, path] of [
      ['versions', `${template}?tab=versions`],
      ['device', `${device}?tab=params`],
      ['shop', shop],
      ['values', `${template}?tab=values`],
    ] as const) {
      await there.page.goto(path);
      await there.page.getByRole('tab', { selected: true }).waitFor();
      await there.page.locator('tbody tr, .m-card').first().waitFor();
      await picture(key);
    }
    await there.page.getByRole('button', { name: 'Harbour', exact: true }).click();
    await there.page.getByRole('dialog').locator('input').first().waitFor();
    await picture('form');
    await there.context.close();
  }
}
