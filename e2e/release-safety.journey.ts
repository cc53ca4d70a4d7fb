import { join } from 'node:path';
import { blackoutCalls } from '@mooring/contract/blackout/calls';
import { deviceCalls } from '@mooring/contract/device/calls';
import { packageCalls } from '@mooring/contract/firmware/package-calls';
import { taskCalls, taskDeviceCalls } from '@mooring/contract/firmware/task-calls';
import { merchantCalls } from '@mooring/contract/merchant/calls';
import { deptCalls } from '@mooring/contract/org/calls';
import { addDays } from '@mooring/contract/shared/date-range';
import type { Fleet } from '@mooring/terminal/start-fleet';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Api } from './api.ts';
import { choose } from './choose.ts';
import { openMenu } from './menu.ts';
import { type ReleaseStack, startReleaseStack } from './release-stack.ts';
import { settled } from './settled.ts';
import { waitFor } from './stack.ts';

const TERMINALS = 3;
let of: ReleaseStack;
let page: Page;
let fleet: Fleet;
let root = { id: 0, name: '' };
let admin: Api;
const look = (name: string) => process.env.LOOK && page.screenshot({ path: join(process.env.LOOK, `${name}.png`), fullPage: true });

beforeAll(async () => {
  of = await startReleaseStack(TERMINALS, { seed: 'safety' });
  ({ admin, fleet, page } = of);
  [root = root] = (await admin.call(deptCalls.tree, {})).nodes;
  const { id: merchantId } = await admin.call(merchantCalls.add, { number: 'M-10', name: 'Corner Bakery', deptId: root.id });
  const ids = (await admin.call(deviceCalls.page, { criteria: {} })).content.map(({ id }) => id);
  await admin.call(merchantCalls.assign, { of: { ids }, merchantId });
});
afterAll(() => of?.stop());

const button = (name: string) => page.getByRole('button', { name, exact: true });
const menu = (name: string) => openMenu(page, name);
const step = (title: string) => page.getByRole('heading', { name: title, exact: true, level: 2 }).waitFor();
const today = () => new Date().toISOString().slice(0, 10);
const nextMonth = (date: number) => {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, date)).toISOString().slice(0, 10);
};
/** In the calendar of blackout dates. */
const day = (of: string) => page.getByRole('button', { name: new RegExp(`^${of},`) });

test('blackout dates are added from the menu; what is wrong is said at its field, and Escape asks before it forgets', async () => {
  await menu('Blackout dates');
  await page.getByText('No blackout dates').waitFor();
  await look('blackout empty');
  await button('Add blackout dates').first().click();
  const dialog = page.getByRole('dialog', { name: 'Add blackout dates' });
  await dialog.getByLabel('Name', { exact: true }).fill('Holidays');
  const day = async (label: string, text: string) => {
    await dialog.getByLabel(label, { exact: true }).fill(text);
    await page.keyboard.press('Tab');
  };
  await day('First day', addDays(today(), -1));
  await day('Last day', addDays(today(), -4));
  await page.keyboard.press('Escape');
  await button('Keep editing').click();
  const submit = dialog.getByRole('button', { name: 'Add blackout dates' });
  await submit.click();
  await dialog.getByText('Organisation').first().waitFor();
  await choose(dialog.getByLabel('Organisation', { exact: true }), root.name);
  await submit.click();
  await dialog.getByText('The last day is before the first.').first().waitFor();
  await day('Last day', addDays(today(), 1));
  await look('blackout dialog');
  await submit.click();
  await page.getByRole('row', { name: new RegExp(`Holidays.*${addDays(today(), -1)}.*${addDays(today(), 1)}`) }).waitFor();
  await look('blackout list');
});

test('a release to a merchant on a blackout date is downloaded and waits; its own window says when it opens next', async () => {
  await menu('Version compliance');
  const row = page.getByRole('row', { name: /A920.*1\.0\.0.*Behind/ });
  await row.waitFor();
  await settled(page);
  await look('compliance');
  await row.getByRole('link', { name: 'Release 2.0.0' }).click();
  await page.waitForURL(/taskmod\/new/);
  await page.locator('#field-name').fill('Up to date');
  await button('Next').click();
  await step('Targets');
  await page.getByText('1.0.0').filter({ visible: true }).first().waitFor();
  await choose(page.getByRole('combobox', { name: /^Merchants/ }), 'Corner Bakery');
  await page.getByText(`${TERMINALS} terminals`).first().waitFor();
  await look('targets');
  await button('Next').click();
  await step('Rollout');
  await button('Every day').click();
  // The organisation is closed until tomorrow.
  await page.getByText(`Opens next: ${addDays(today(), 2)} 02:00`).waitFor();
  const closed = page.getByRole('combobox', { name: 'Blackout dates', exact: true });
  await closed.fill('tomorrow');
  await page.keyboard.press('Enter');
  await button('Next').click();
  await page.locator('.m-problems').getByText('Install window').waitFor();
  await look('window wrong');
  // For a quarter of a second after a key the field takes no Backspace: nobody who types on deletes by it.
  const removed = async () => {
    await closed.press('Backspace');
    return page.getByText('tomorrow', { exact: true }).filter({ visible: true }).count();
  };
  await expect.poll(removed, { interval: 400, timeout: 30_000 }).toBe(0);
  await closed.fill(`${today()}/${addDays(today(), 2)}`);
  await page.keyboard.press('Enter');
  await button('Calendar').click();
  await expect.poll(() => day(today()).getAttribute('aria-pressed')).toBe('true');
  // By the keyboard: one day, and with Shift those up to another one; then two of them go again.
  await button('Next month').click();
  await day(nextMonth(10)).focus();
  for (const key of ['Enter', 'ArrowDown', 'ArrowLeft', 'ArrowLeft', 'Shift+Enter']) await page.keyboard.press(key);
  const pressed = () => Promise.all([9, 10, 12, 14, 15, 16].map((at) => day(nextMonth(at)).getAttribute('aria-pressed')));
  await expect.poll(pressed).toEqual(['false', 'true', 'true', 'true', 'true', 'false']);
  await day(nextMonth(15)).click();
  await day(nextMonth(14)).click({ modifiers: ['Shift'] });
  await expect.poll(pressed).toEqual(['false', 'true', 'true', 'false', 'false', 'false']);
  await look('window');
  await button('Next').click();
  await step('Review');
  await page.locator('.m-facts').getByText(addDays(today(), 1)).waitFor();
  await page.locator('.m-facts').getByText('Corner Bakery').waitFor();
  await button(`Release to ${TERMINALS} terminals`).click();
  await page.waitForURL(/taskmod\/\d+$/);
  const id = Number(/(\d+)$/.exec(new URL(page.url()).pathname)?.[1]);
  const waiting = async () => {
    const { content } = await admin.call(taskDeviceCalls.page, { criteria: { taskId: id } });
    return content.length === TERMINALS && content.every((one) => one.phase === 'waiting' && one.reason === 'window');
  };
  await waitFor(waiting, 'the terminals to wait for their window', 180);
  expect(fleet.terminals.every((one) => one.journal.firmware === '1.0.0')).toBe(true);
  await admin.call(taskCalls.cancel, { id });
});

test('dates that are deleted let terminals that wait go on, without a new release', async () => {
  const { content } = await admin.call(packageCalls.page, { criteria: { version: '2.0.0' } });
  const asked = {
    name: 'After the holidays',
    packageId: content[0]?.id ?? 0,
    scope: { releaseScope: '0' as const },
    delivery: {},
    release: true,
  };
  const { id } = await admin.call(taskCalls.add, asked);
  const waiting = async () => {
    const shown = await admin.call(taskDeviceCalls.page, { criteria: { taskId: id } });
    return shown.content.length === TERMINALS && shown.content.every((one) => one.phase === 'waiting' && one.reason === 'window');
  };
  await waitFor(waiting, 'the terminals to wait for the end of the holidays', 180);
  expect(fleet.terminals.every((one) => one.journal.firmware === '1.0.0')).toBe(true);
  const [holidays] = (await admin.call(blackoutCalls.page, {})).content;
  await admin.call(blackoutCalls.delete, { id: holidays?.id ?? 0 });
  await waitFor(() => fleet.terminals.every((one) => one.journal.firmware === '2.0.0'), 'the terminals to go on', 180);
});

test('organisations below stand with their figures; without a release to make nothing is offered', async () => {
  await admin.call(deptCalls.add, { parentId: root.id, name: 'Harbour' });
  await menu('Version compliance');
  await page.reload();
  await page.getByRole('row', { name: /^Harbour\b.*0/ }).waitFor();
  await look('compliance depts');
  // The same of what terminals have beside their firmware.
  await choose(page.getByRole('combobox', { name: 'Versions of' }), 'Apps');
  await page.waitForURL(/kind=app/);
  await page.getByRole('heading', { name: 'Apps in use' }).waitFor();
  await page.getByRole('columnheader', { name: 'Installations' }).first().waitFor();
  await look('compliance apps');
});
