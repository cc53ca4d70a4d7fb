import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { deviceCalls } from '@mooring/contract/device/calls';
import { productModelCalls } from '@mooring/contract/product/model-calls';
import type { ThingModel } from '@mooring/contract/product/thing-model';
import { type Fleet, startFleet } from '@mooring/terminal/start-fleet';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADMIN, type Api, administrator, api, signIn } from './api.ts';
import { axe } from './axe.ts';
import { bareKeys } from './bare-keys.ts';
import { launchBrowser } from './browser.ts';
import { choose } from './choose.ts';
import { makeEstate } from './estate.ts';
import { settled } from './settled.ts';
import { type Stack, startStack } from './stack.ts';
import { visit } from './visit.ts';

const SN = 'THING0001';
const model = (most: number): ThingModel => ({
  properties: [
    { id: 'brightness', name: 'Screen brightness', access: 'rw', dataType: { kind: 'int', min: 0, max: most, step: 5, unit: '%' } },
    {
      id: 'printerTemperature',
      name: 'Printer temperature',
      access: 'r',
      dataType: { kind: 'float', min: -20, max: 120, step: null, unit: '°C' },
    },
    {
      id: 'receipt',
      name: 'Receipt',
      access: 'rw',
      dataType: {
        kind: 'struct',
        fields: [
          { id: 'copies', name: 'Copies', dataType: { kind: 'int', min: 1, max: 3, step: null, unit: null } },
          { id: 'lines', name: 'Lines at the end', dataType: { kind: 'array', maxItems: 4, item: { kind: 'text', maxLength: 40 } } },
        ],
      },
    },
    { id: 'beeper', name: 'Beeper', access: 'rw', dataType: { kind: 'bool', yes: 'On', no: 'Off' } },
  ],
  services: [
    {
      id: 'printTest',
      name: 'Print test page',
      sync: true,
      input: [{ id: 'copies', name: 'Copies', dataType: { kind: 'int', min: 1, max: 5, step: null, unit: null } }],
      output: [{ id: 'printed', name: 'Printed', dataType: { kind: 'bool', yes: 'Yes', no: 'No' } }],
    },
  ],
  events: [{ id: 'paperOut', name: 'Paper out', level: 'warning', params: [{ id: 'at', name: 'At', dataType: { kind: 'date' } }] }],
});

let stack: Stack;
let fleet: Fleet;
let browser: Browser;
let page: Page;
let manager: Api;
let code = '';
let stateFile = '';
let productId = 0;
let deviceId = 0;

/** The same terminal again, with what it keeps over a restart. */
const begin = () => startFleet({ server: stack.url, count: 1, code, product: 'A920', sns: [SN], heartbeatSeconds: 5, stateFile });

beforeAll(async () => {
  stack = await startStack();
  const centre = await administrator(stack.url, stack.password);
  const estate = await makeEstate(stack.url, centre, ADMIN, 1);
  productId = estate.productId;
  manager = api(stack.url, await signIn(stack.url, 'admin', ADMIN, 'manager'), 'manager', 1);
  browser = await launchBrowser();
  code = estate.code;
  stateFile = join(mkdtempSync(join(tmpdir(), 'mooring-thing-')), 'fleet.json');
  fleet = begin();
  await fleet.whenOnline(1);
  const { content } = await centre.call(deviceCalls.page, { criteria: { sn: SN } });
  deviceId = content[0]?.id ?? 0;
  ({ page } = await visit(browser, { url: stack.url, account: 'admin', password: ADMIN, platform: 'manager' }));
});
afterAll(async () => {
  await fleet?.stop();
  await browser?.close();
  await stack?.stop();
  if (stateFile) rmSync(dirname(stateFile), { recursive: true, force: true });
});

async function publish(of: ThingModel): Promise<void> {
  const { draft } = await manager.call(productModelCalls.current, { productId });
  const saved = await manager.call(productModelCalls.save, { productId, seen: draft?.revision ?? null, model: of });
  await manager.call(productModelCalls.publish, { id: saved.id, seen: saved.revision ?? 0, confirm: 'A920' });
}
const open = () => page.goto(`${stack.url}/device/deviceDetail/${deviceId}?tab=model`);
const property = (name: string) => page.getByRole('list', { name: 'Properties' }).getByRole('listitem').filter({ hasText: name }).first();
const things = () => {
  const found = fleet.terminals[0]?.body.things;
  if (!found) throw new Error('no virtual terminal');
  return found;
};
async function look(name: string): Promise<void> {
  if (!process.env.LOOK) return;
  mkdirSync(process.env.LOOK, { recursive: true });
  for (const [scheme, width] of [
    ['light', 1440],
    ['dark', 390],
  ] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize({ width, height: 900 });
    await settled(page);
    await page.screenshot({ path: join(process.env.LOOK, `${name} ${scheme} ${width}.png`), fullPage: true });
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1440, height: 900 });
}

test('a product without a thing model says so and leads to where it is made; what the terminal tells is shown apart', async () => {
  await open();
  await page.getByText('has no published thing model').waitFor();
  await page.getByText('Not in the thing model', { exact: true }).waitFor();
  await look('thing empty');
  await publish(model(100));
  await property('Screen brightness').getByText('70 %').waitFor();
  await property('Beeper').getByText('Not reported yet').waitFor();
});

test('a property is set on a live terminal, done wrong first, by the keyboard, and stays over a reload', async () => {
  await page.getByRole('button', { name: 'Set Screen brightness' }).focus();
  await page.keyboard.press('Enter');
  const form = page.getByRole('form', { name: 'Set Screen brightness' });
  await form.getByRole('spinbutton').first().fill('42');
  await page.keyboard.press('Enter');
  await form.getByText('In steps of 5').first().waitFor();
  await form.getByRole('spinbutton').first().fill('140');
  await page.keyboard.press('Enter');
  await form.locator('.m-field-error').getByText('At most 100').waitFor();
  await look('thing wrong');
  await form.getByRole('spinbutton').first().fill('45');
  await page.keyboard.press('Enter');
  await form.waitFor({ state: 'detached' });
  await property('Screen brightness').getByText('45 %', { exact: true }).waitFor();
  expect(things().values().brightness).toBe(45);
  await page.reload();
  await property('Screen brightness').getByText('45 %', { exact: true }).waitFor();
  await settled(page);
  expect([...(await axe(page)), ...(await bareKeys(page))]).toEqual([]);
});

test('a structure with a list is set part by part', async () => {
  await page.getByRole('button', { name: 'Set Receipt' }).click();
  const form = page.getByRole('form', { name: 'Set Receipt' });
  await form.getByRole('spinbutton', { name: 'Copies' }).fill('2');
  await form.getByRole('button', { name: 'Add item' }).click();
  await form.getByRole('textbox', { name: 'Item 2' }).fill('See you soon');
  await look('thing struct');
  await form.getByRole('button', { name: 'Set', exact: true }).click();
  await property('Receipt').getByText('Copies: 2 · Lines at the end: Thank you, See you soon').waitFor();
  expect(things().values().receipt).toEqual({ copies: 2, lines: ['Thank you', 'See you soon'] });
});

test('what the terminal refuses is said with its reason; what it doesn’t answer is wanted until it is withdrawn', async () => {
  await page.getByRole('button', { name: 'Set Beeper' }).click();
  // The terminal has never told it: nothing is preset.
  await choose(page.getByRole('form', { name: 'Set Beeper' }).getByRole('combobox'), 'On');
  await page.getByRole('form', { name: 'Set Beeper' }).getByRole('button', { name: 'Set', exact: true }).click();
  await property('Beeper').getByText('On wasn’t set: the terminal has no such property').waitFor();
  things().silent = true;
  await page.getByRole('button', { name: 'Set Screen brightness' }).click();
  const form = page.getByRole('form', { name: 'Set Screen brightness' });
  await form.getByRole('spinbutton').first().fill('80');
  await form.getByRole('button', { name: 'Set', exact: true }).click();
  await property('Screen brightness').getByText('Wanted: 80 %. Sent, not confirmed yet.').waitFor();
  await property('Screen brightness').getByText('45 %', { exact: true }).waitFor();
  await settled(page);
  expect([...(await axe(page)), ...(await bareKeys(page))]).toEqual([]);
  await look('thing wanted');
  await page.getByRole('button', { name: 'Withdraw: Screen brightness' }).click();
  await page.getByText('Wanted: 80 %').waitFor({ state: 'detached' });
  things().silent = false;
});

test('a service is called and answers; what happened comes as an event', async () => {
  const form = page.getByRole('form', { name: 'Call Print test page' });
  await form.getByRole('button', { name: 'Call' }).click();
  await form.getByText('Required').waitFor();
  await form.getByRole('spinbutton', { name: 'Copies' }).fill('2');
  await page.keyboard.press('Enter');
  await page.getByRole('list', { name: 'Last calls: Print test page' }).getByText('Printed: Yes').waitFor();
  things().useUpPaper();
  await page.getByRole('region', { name: 'Events' }).getByText('Paper out').first().waitFor();
  await settled(page);
  expect([...(await axe(page)), ...(await bareKeys(page))]).toEqual([]);
  await look('thing called');
});

test('values are asked for', async () => {
  await page.getByRole('button', { name: 'Request values' }).click();
  await page.getByText(`Values requested from ${SN}`).first().waitFor();
  await page.getByText('waiting for').waitFor({ state: 'detached' });
});

test('a property is set on a selection of one product, done wrong first', async () => {
  await page.goto(`${stack.url}/device/all`);
  await page.getByRole('checkbox', { name: new RegExp(SN) }).click();
  const act = page.getByRole('button', { name: /^Set a property on 1 terminal/ });
  if (!(await act.isVisible())) await page.getByRole('button', { name: /^More/ }).last().click();
  await act
    .or(page.getByRole('menuitem', { name: /^Set a property on 1 terminal/ }))
    .first()
    .click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Choose a product first.').waitFor();
  await choose(dialog.getByLabel('Product', { exact: true }), 'Smart POS A920 (A920)');
  await choose(dialog.getByRole('combobox', { name: 'Property' }), 'Screen brightness');
  await dialog.getByRole('spinbutton').first().fill('62');
  await dialog.getByText('In steps of 5').waitFor();
  await look('thing many');
  await dialog.getByRole('spinbutton').first().fill('60');
  await dialog.getByRole('button', { name: /^Set a property on 1 terminal/ }).click();
  await page.getByText('Property sent to 1 terminal').waitFor();
  await expect.poll(() => things().values().brightness).toBe(60);
  await open();
  await property('Screen brightness').getByText('60 %', { exact: true }).waitFor();
});

test('a thing model changes under a living fleet: what is shown and what waits are held against the new one', async () => {
  await fleet.stop();
  await page.getByRole('button', { name: 'Set Screen brightness' }).click();
  const form = page.getByRole('form', { name: 'Set Screen brightness' });
  await form.getByRole('spinbutton').first().fill('90');
  await form.getByRole('button', { name: 'Set', exact: true }).click();
  await property('Screen brightness')
    .getByText(/^Wanted: 90 %/)
    .waitFor();
  await publish(model(40));
  await page.getByText('Version 2 of Smart POS A920').waitFor();
  await property('Screen brightness').getByText('Doesn’t fit the thing model: At most 40').waitFor();
  await property('Screen brightness').getByText('It no longer fits the thing model and won’t be sent').waitFor();
  await look('thing changed');
  fleet = begin();
  await property('Screen brightness').getByText('the thing model changed before the terminal answered').waitFor();
  expect(things().values().brightness).toBe(60);
  if (process.env.LOOK) await pictures();
});

/** The whole tab in Chinese and Arabic, and on a phone. */
async function pictures(): Promise<void> {
  for (const [name, of] of [
    ['zh', { theme: 'light', width: 1440, lang: 'zh-CN' }],
    ['ar', { theme: 'light', width: 1440, lang: 'ar' }],
    ['phone', { theme: 'dark', width: 390, lang: 'en' }],
  ] as const) {
    const there = await visit(browser, { url: stack.url, account: 'admin', password: ADMIN, platform: 'manager', look: of });
    await there.page.setViewportSize({ width: of.width, height: 2600 });
    await there.page.goto(`${stack.url}/device/deviceDetail/${deviceId}?tab=model`);
    await there.page.getByText('brightness', { exact: true }).waitFor();
    await there.page.getByRole('listitem').filter({ hasText: 'receipt' }).getByRole('button').first().click();
    await settled(there.page);
    await there.page.screenshot({ path: join(process.env.LOOK ?? '', `thing all ${name}.png`) });
    await there.context.close();
  }
}
