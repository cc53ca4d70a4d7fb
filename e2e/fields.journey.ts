import { randomBytes } from 'node:crypto';
import { editTaskScreen, isGeneral, newTaskScreen } from '@mooring/contract/engines/rollout/task-kind';
import { packageCalls } from '@mooring/contract/firmware/package-calls';
import { androidParamKind } from '@mooring/contract/paramfile/android-kind';
import { productCalls } from '@mooring/contract/product/calls';
import { releaseKinds } from '@mooring/contract/release-kinds';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADMIN } from './api.ts';
import { launchBrowser } from './browser.ts';
import { choose } from './choose.ts';
import { uploadFirmware } from './estate.ts';
import { everyRow } from './every-row.ts';
import { whenPublished } from './published.ts';
import { beginsBeforeFields, refusedForm } from './refused-form.ts';
import { settled } from './settled.ts';
import { type Stack, startDemo, waitFor } from './stack.ts';
import { arrive, visit } from './visit.ts';

let stack: Stack;
let browser: Browser;
let page: Page;
let packageId: number;
let rows: Awaited<ReturnType<typeof everyRow>>;
beforeAll(async () => {
  const demo = await startDemo();
  const { admin } = demo;
  ({ stack } = demo);
  const productId = (await admin.call(productCalls.list, { text: 'MP-A20' }))[0]?.id ?? 0;
  const fileId = await uploadFirmware(stack.url, ADMIN, randomBytes(4000));
  packageId = (await admin.call(packageCalls.add, { productId, version: '4.3.0', fileId })).id;
  await admin.call(packageCalls.publish, { id: packageId });
  await whenPublished(admin, packageCalls, packageId);
  rows = await everyRow(demo);
  browser = await launchBrowser();
  ({ page } = await visit(browser, { url: stack.url, account: 'admin', password: ADMIN, platform: 'centre' }));
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

const next = () => page.getByRole('button', { name: 'Next', exact: true }).click();
const step = (title: string) => page.getByRole('heading', { name: title, exact: true, level: 2 }).waitFor();
const expires = () => page.getByLabel('Expires');
async function type(field: Locator, text: string, key = 'Tab'): Promise<void> {
  await field.click();
  await page.keyboard.press('Control+a');
  if (text === '') await page.keyboard.press('Delete');
  else await page.keyboard.type(text);
  expect(await field.inputValue()).toBe(text);
  await page.keyboard.press(key);
}
async function toRollout(): Promise<void> {
  // What an earlier test left unfinished isn't taken up.
  await page.evaluate("for (const key of Object.keys(sessionStorage)) if (key.includes('draft')) sessionStorage.removeItem(key)");
  await page.goto(`${stack.url}/device/fota/taskmod/new?package=${packageId}`);
  await page.getByLabel('Name', { exact: true }).fill('Spring release');
  await next();
  await step('Targets');
  await next();
  await step('Rollout');
}

test('a date that the keyboard empties is empty, and one that it types is kept', async () => {
  await toRollout();
  for (const key of ['Tab', 'Enter']) {
    await type(expires(), '2099-01-02 03:04');
    await next();
    await step('Review');
    await page.goBack();
    await step('Rollout');
    expect(await expires().inputValue()).toBe('2099-01-02 03:04');
    await type(expires(), '', key);
    // Enter closes the calendar; in a field of one line that is closed it goes on by itself.
    if (key === 'Tab') await next();
    else await page.keyboard.press('Enter');
    await step('Review');
    await page.goBack();
    await step('Rollout');
    expect(await expires().inputValue()).toBe('');
  }
});

test('Enter in an open panel confirms there alone: a moment, a day, a choice, several', async () => {
  const opened = () => page.locator('.ant-picker-dropdown, .ant-select-dropdown').filter({ visible: true });
  const wrong = () => page.locator('.m-problems, .m-field-error').allInnerTexts();
  /** The panel has closed, or the choice is taken; the form has been asked nothing. */
  const confirmed = async (stays: () => Promise<unknown>) => {
    const before = await wrong();
    await page.keyboard.press('Enter');
    await stays();
    expect(await wrong()).toEqual(before);
  };
  await toRollout();
  await expires().click();
  await opened().waitFor();
  await page.keyboard.type('2099-01-02 03:04');
  await confirmed(() => opened().waitFor({ state: 'hidden' }));
  expect(await expires().inputValue()).toBe('2099-01-02 03:04');
  expect(new URL(page.url()).searchParams.get('step')).toBe('how');

  await toRollout();
  await page.goBack();
  await step('Targets');
  await page.getByRole('radio', { name: /^Filtered/ }).check();
  const several = page.locator('.ant-select-multiple').first();
  await several.click();
  await opened().locator('.ant-select-item-option').first().waitFor();
  await confirmed(() => several.locator('.ant-select-selection-item').first().waitFor());
  await step('Targets');

  await page.goto(`${stack.url}/device/device`);
  await page.getByRole('button', { name: 'Add terminal' }).first().click();
  const product = page.getByRole('dialog').getByLabel('Product', { exact: true });
  await product.click();
  await opened().locator('.ant-select-item-option').first().waitFor();
  await confirmed(() => opened().waitFor({ state: 'hidden' }));
  await page.keyboard.press('Escape');

  await page.goto(`${stack.url}/auth/person`);
  const until = page.getByLabel('Valid until');
  await until.click();
  await opened().waitFor();
  await page.keyboard.type('2099-01-02');
  await confirmed(() => opened().waitFor({ state: 'hidden' }));
  expect(await until.inputValue()).toBe('2099-01-02');
});

test('a filter’s range that the keyboard empties is empty', async () => {
  await page.goto(`${stack.url}/device/fota?createdAt=2026-01-01..2026-01-31`);
  const from = page.locator('.m-filter .ant-picker-range input').first();
  await from.waitFor();
  await settled(page);
  await type(from, '');
  await page.keyboard.press('Tab');
  await expect.poll(() => new URL(page.url()).search).toContain('createdAt=..2026-01-31');
  expect(await from.inputValue()).toBe('');
});

test('filters that are set faster than the page is drawn all count', async () => {
  await page.goto(`${stack.url}/device/device`);
  await settled(page);
  await page.getByRole('combobox', { name: 'Status' }).click();
  await page.locator('.ant-select-dropdown .ant-select-item-option').nth(2).waitFor();
  await page.evaluate(() => {
    const search = document.querySelector<HTMLInputElement>('.m-search input');
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(search, 'MRG');
    search?.dispatchEvent(new Event('input', { bubbles: true }));
    const options = document.querySelectorAll<HTMLElement>('.ant-select-dropdown .ant-select-item-option');
    for (const at of [0, 1]) options[at]?.click();
  });
  await expect.poll(() => new URL(page.url()).searchParams.get('text')).toBe('MRG');
  expect(new URL(page.url()).searchParams.get('status')).toMatch(/^\d+,\d+$/);
});

test('each wrong field is counted and named, says what it expects, and its name leads to it', async () => {
  await toRollout();
  await type(expires(), 'tomorrow');
  await type(page.getByLabel('Max downloads per minute'), '0');
  await type(page.getByLabel('Max concurrent terminals'), '1.5');
  await type(page.getByLabel('Automatic retries'), 'abc');
  expect(await expires().inputValue()).toBe('tomorrow');
  await next();
  const problems = page.locator('.m-problems');
  await problems.waitFor();
  const text = await problems.textContent();
  expect(text).toContain('4 fields');
  for (const said of [
    'Expires: Enter a date and time such as 2026-05-31 14:30.',
    'Max downloads per minute: Enter a whole number from 1 to 1,000,000.',
    'Max concurrent terminals: Enter a whole number from 1 to 1,000,000.',
    'Automatic retries: Enter a whole number from 0 to 10.',
  ])
    expect(text).toContain(said);
  await problems.getByRole('button', { name: 'Automatic retries' }).click();
  expect(await page.getByLabel('Automatic retries').evaluate((field) => field === document.activeElement)).toBe(true);
  // A comma isn't left out: it would be ten times as many.
  await type(page.getByLabel('Automatic retries'), '1,0');
  await next();
  await problems.getByText(/Automatic retries: Enter a whole number/).waitFor();
});

test('an expiry in the past is refused at its field, on its step', async () => {
  await toRollout();
  await type(expires(), '2020-01-01 00:00');
  await next();
  await page.locator('.m-problems').getByText('Expires').click();
  await step('Rollout');
  expect(await expires().getAttribute('aria-invalid')).toBe('true');
  expect(await page.locator('.m-field-error').textContent()).toContain('in the past');
});

test('the last step says what is released', async () => {
  await toRollout();
  await type(expires(), '2099-01-02 03:04');
  await page.getByLabel('Automatic retries').fill('7');
  await next();
  await step('Review');
  const facts = await page.locator('section.m-panel').textContent();
  for (const said of ['Spring release', 'All terminals of the product', 'Package', '2099', 'Automatic retries', '7'])
    expect(facts).toContain(said);
});

test('a text that is longer than its field takes isn’t cut: the field says so', async () => {
  await page.goto(`${stack.url}/device/fota/taskmod/new`);
  await page.getByLabel('Name', { exact: true }).fill('n'.repeat(500));
  await page.getByText('At most 64 characters.').waitFor();
  expect((await page.getByLabel('Name', { exact: true }).inputValue()).length).toBe(500);
});

test('nor outside of the forms of the lists: at sign-in, in one’s own profile', async () => {
  const keeps = async (on: Page, label: string, most: number) => {
    const field = on.getByLabel(label, { exact: true });
    await field.fill('n'.repeat(500));
    await on.getByText(`At most ${most} characters.`).first().waitFor();
    expect((await field.inputValue()).length).toBe(500);
    await field.fill('n');
    await on.getByText(`At most ${most} characters.`).first().waitFor({ state: 'hidden' });
  };
  const outside = await arrive(browser, stack.url);
  await keeps(outside.page, 'Account or e-mail', 128);
  await outside.context.close();
  await page.goto(`${stack.url}/account`);
  await keeps(page, 'Name', 64);
});

test('a search that is longer than any says so, typed or in the address, and is kept', async () => {
  const box = page.getByLabel('SN, name, IMEI, MAC, ICCID or PN', { exact: true });
  const told = page.getByRole('alert').filter({ hasText: /64/ });
  await page.goto(`${stack.url}/device/device?text=${'x'.repeat(300)}`);
  await told.waitFor();
  expect((await box.inputValue()).length).toBe(300);
  await box.fill('y');
  await told.waitFor({ state: 'hidden' });
  await page.waitForURL(/text=y$/);
  await box.fill('z'.repeat(300));
  await told.waitFor();
  expect((await box.inputValue()).length).toBe(300);
});

const active = () =>
  page.evaluate(() => document.activeElement?.id || document.activeElement?.className || document.activeElement?.tagName);

test('the keyboard goes from one required field straight to the next', async () => {
  await page.goto(`${stack.url}/device/device`);
  await page.getByRole('button', { name: 'Add terminal' }).first().click();
  await choose(page.getByRole('dialog').getByLabel('Product', { exact: true }), 'Smart POS A20');
  await page.keyboard.press('Tab');
  expect(await active()).toBe('field-deptId');
});

test('a file that is missing is said by the button that chooses it, and leads there', async () => {
  await page.goto(`${stack.url}/apkTool`);
  await page.getByRole('button', { name: 'Request signature' }).first().click();
  const form = page.getByRole('dialog');
  await form.locator('input').first().waitFor();
  await form.getByRole('button', { name: 'Request signature' }).click();
  const wrong = form.locator('button[aria-invalid=true]');
  await waitFor(
    async () => (await wrong.count()) === 1 && (await wrong.evaluate((one) => one === document.activeElement)),
    'the way to it',
  );
  const [button, group] = ['Choose files', 'File'].map((name) =>
    form.getByRole(name === 'File' ? 'group' : 'button', { name, exact: true }),
  );
  for (const one of [button, group]) {
    const words = await one?.getAttribute('aria-describedby');
    expect(await form.locator(`[id="${words}"]`).textContent()).toContain('Required');
  }
});

test('what clears a filter is seen where the keyboard stands on it, and is named in the person’s language', async () => {
  await page.goto(`${stack.url}/device/device`);
  const status = page.getByRole('combobox', { name: 'Status' });
  await choose(status, 'Online');
  await page.waitForURL(/status=/);
  await page.locator('.ant-select', { has: status }).locator('.ant-select-clear').waitFor({ state: 'attached' });
  await page.keyboard.press('Tab');
  expect(await active()).toContain('ant-select-clear');
  const clear = page.locator('.ant-select-clear:focus');
  expect(await clear.getAttribute('aria-label')).toBe('Clear Status');
  await waitFor(async () => (await clear.evaluate((button) => getComputedStyle(button).opacity)) === '1', 'the button to be seen');
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => !url.search.includes('status='));
  expect(await page.evaluate(() => document.activeElement !== document.body)).toBe(true);
});

/** Each wizard, begun as a copy of a draft: its first step is filled in by that. */
function wizards(): string[] {
  const copyOf = (at: string, row: string | undefined) => (row ? [`${at}?copy=${/\d+/.exec(row)?.[0]}`] : []);
  // The draft of a general release is of one kind; the other kinds share its wizard.
  const begun = releaseKinds.filter((kind) => !isGeneral(kind) || kind === androidParamKind);
  return begun.flatMap((kind) => {
    const { task } = kind.screens;
    const draft = rows[editTaskScreen(kind, ':id')]?.[0];
    const pre = copyOf(`${task}/pre/new`, rows[`${task}/pre/:id/edit`]?.[0]);
    return [...copyOf(newTaskScreen(kind), draft), ...pre];
  });
}
const WIZARDS = 9;

test('every wizard stays where something lacks, goes back and not forward, and keeps what was typed over a reload', async () => {
  const found: string[] = [];
  const at = (name: string) => page.waitForURL((url) => (url.searchParams.get('step') ?? 'what') === name);
  const turn = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const scope = (name: RegExp) => page.getByRole('radio', { name }).check();
  const all = wizards();
  for (const address of all) {
    const walk = async () => {
      await page.goto(`${stack.url}${address}`);
      const name = page.getByLabel('Name', { exact: true });
      await waitFor(async () => (await name.inputValue()).includes('Not yet'), 'the copy');
      await name.fill('Typed by hand');
      await turn('Next');
      await step('Targets');
      await scope(/^Filtered/);
      await turn('Next');
      await page.getByText('Choose at least one condition.').first().waitFor();
      await at('whom');
      await scope(/^All/);
      await turn('Next');
      await step('Rollout');
      await turn('Back');
      await step('Targets');
      await page.goBack();
      await at('what');
      await waitFor(async () => (await name.inputValue()) === 'Typed by hand', 'the first step');
      await turn('Next');
      await step('Targets');
      await page.reload();
      await step('Targets');
      await turn('Back');
      await waitFor(async () => (await name.inputValue()) === 'Typed by hand', 'what was typed');
    };
    await walk().catch((error) => found.push(`${address}: ${String(error).split('\n')[0]}`));
  }
  expect(found).toEqual([]);
  expect(all).toHaveLength(WIZARDS);
});

/** The settings' forms have no address of their own: each is a part of one page. */
async function settingsOn(on: Page): Promise<string[]> {
  await on.goto(`${stack.url}/system/settings`);
  await on.locator('a.m-side-item').first().waitFor({ state: 'attached' });
  return on.locator('a.m-side-item').evaluateAll((items) => items.map((item) => item.getAttribute('href') ?? ''));
}

test('a refused form of the settings leads to what is wrong, and a part of them begins before its first field', async () => {
  const { page: on, context } = await visit(browser, { url: stack.url, account: 'admin', password: ADMIN, platform: 'manager' });
  const found: string[] = [];
  let tried = 0;
  for (const address of await settingsOn(on)) {
    await on.goto(`${stack.url}${address}`);
    await settled(on);
    const begins = await beginsBeforeFields(on);
    const refused = await refusedForm(on);
    if (refused) tried += 1;
    found.push(...[...begins, ...(refused ?? [])].map((one) => `${address} ${one}`));
  }
  await context.close();
  expect(found).toEqual([]);
  expect(tried).toBeGreaterThan(2);
});
