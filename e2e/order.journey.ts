import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { roleCalls } from '@mooring/contract/access/role-calls';
import { memberCalls } from '@mooring/contract/account/member-calls';
import { deviceCalls } from '@mooring/contract/device/calls';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from './browser.ts';
import { choose } from './choose.ts';
import { button, dialog, dialogField, field, send } from './page-parts.ts';
import { allDrawn, settled } from './settled.ts';
import { type Stack, startDemo } from './stack.ts';
import { plainLook, visit } from './visit.ts';

/** A terminal that an organisation has repaired by the one above it: both sides in a browser of their own. */
let stack: Stack;
let browser: Browser;
let shop: Page;
let desk: Page;
let sn = '';
let address = '';
let password = '';

beforeAll(async () => {
  const demo = await startDemo();
  ({ stack } = demo);
  const { admin } = demo;
  ({ password } = demo);
  const [mia] = (await admin.call(memberCalls.page, { criteria: { text: 'mia.member' } })).content;
  const roles = (await admin.call(roleCalls.page, { page: { size: 50 } })).content;
  const manager = roles.find(({ name }) => name === 'Organisation manager');
  if (!mia || !manager) throw new Error('the sample people');
  await admin.call(memberCalls.update, { id: mia.id, userName: 'Mia Lund', deptId: mia.deptId, roleIds: [manager.id] });
  const found = await admin.call(deviceCalls.page, { criteria: { deptId: mia.deptId }, page: { size: 50 } });
  sn = found.content.find(({ merchantId }) => merchantId !== null)?.sn ?? '';
  browser = await launchBrowser();
  const here = async (account: string) => (await visit(browser, { url: stack.url, account, password, platform: 'manager' })).page;
  [shop, desk] = [await here('mia.member'), await here('olga.manager')];
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

const box = (page: Page, name: string) => page.getByRole('combobox', { name }).filter({ visible: true });
const state = (page: Page, words: string) =>
  page.locator('.m-page-head').filter({ visible: true }).getByText(words, { exact: true }).waitFor();
async function drag(page: Page, what: Locator, to: string): Promise<void> {
  const [from, into] = [await what.boundingBox(), await page.getByRole('region', { name: to }).boundingBox()];
  if (!from || !into) throw new Error(`no place for ${to}`);
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(into.x + into.width / 2, into.y + into.height / 2, { steps: 12 });
  if (process.env.LOOK) await page.screenshot({ path: join(process.env.LOOK, `drag-${to}.png`) });
  await page.mouse.up();
}
const looks = [
  ['light', 1440],
  ['dark', 1440],
  ['light', 390],
] as const;
async function look(page: Page, name: string): Promise<void> {
  if (!process.env.LOOK) return;
  for (const [scheme, width] of looks) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize({ width, height: 900 });
    await page.screenshot({ path: join(process.env.LOOK, `${name}-${scheme}-${width}.png`), fullPage: true });
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1440, height: 900 });
}

/** The same screens in another language, for whoever looks at them. */
async function spoken(lang: 'zh-CN' | 'ar'): Promise<void> {
  if (!process.env.LOOK) return;
  const visitor = { url: stack.url, account: 'olga.manager', password, platform: 'manager', look: { ...plainLook, lang } } as const;
  const { page, context } = await visit(browser, visitor);
  for (const [name, path] of [
    ['list', '/ordersList'],
    ['order', address],
    ['form', '/orderCreate'],
  ] as const) {
    await page.goto(`${stack.url}${path}`);
    await settled(page);
    await look(page, `${lang}-${name}`);
  }
  await context.close();
}

test('an order is made by hand and keyboard, and what is missing is named', async () => {
  await shop.goto(`${stack.url}/ordersList`);
  await shop.getByText('No after-sales orders').waitFor();
  await look(shop, 'empty');
  await shop.getByRole('link', { name: 'Create order', exact: true }).first().click();
  await button(shop, 'Create order').click();
  await shop.getByText('Required').first().waitFor();
  await look(shop, 'form-wrong');
  await choose(box(shop, 'Terminal'), sn);
  await choose(box(shop, 'Service partner'), 'Meridian Payments');
  await choose(box(shop, 'Fault'), 'Printer');
  await field(shop, 'Description').fill('Prints half a receipt, then stops');
  await look(shop, 'form');
  await field(shop, 'Description').press('Control+Enter');
  await shop.getByText(`Order for ${sn} created`).waitFor();
  await state(shop, 'New');
  address = new URL(shop.url()).pathname;
  // A terminal is in one open order at most.
  await shop.goto(`${stack.url}/orderCreate`);
  await choose(box(shop, 'Terminal'), sn);
  await choose(box(shop, 'Service partner'), 'Meridian Payments');
  await choose(box(shop, 'Fault'), 'Other');
  await button(shop, 'Create order').click();
  await shop
    .getByText(/There is an open order for this terminal already: AS/)
    .first()
    .waitFor();
});

test('the partner finds and accepts it, and the other side sees that at once', async () => {
  await shop.goto(`${stack.url}${address}`);
  await state(shop, 'New');
  await button(shop, 'Edit order').click();
  await field(shop, 'Phone').fill('+46 8 1234567');
  await button(shop, 'Save changes').click();
  await shop.getByText('+46 8 1234567').waitFor();
  await desk.goto(`${stack.url}/ordersList`);
  await desk.getByRole('tab', { name: 'Board' }).click();
  const card = desk.getByRole('listitem').filter({ hasText: sn });
  await card.waitFor();
  // The board goes by the filters of the list, which the address keeps.
  await desk.getByPlaceholder('Order, SN, contact, merchant or shipment').fill('nothing like it');
  await card.waitFor({ state: 'detached' });
  await desk.reload();
  await desk.getByRole('region', { name: 'New', exact: true }).getByText('None').waitFor();
  await desk.getByPlaceholder('Order, SN, contact, merchant or shipment').fill(sn);
  await card.waitFor();
  await look(desk, 'board');
  const number = (await card.getByRole('link').textContent()) ?? '';
  // A step that isn't next is named; one that is opens its dialog.
  await drag(desk, card, 'In repair');
  await desk.getByText(`Order ${number} can’t go from “New” to “In repair”.`).waitFor();
  await look(desk, 'board-refused');
  await drag(desk, card, 'Accepted');
  await dialog(desk).getByRole('button', { name: 'Cancel', exact: true }).click();
  await desk.getByRole('region', { name: 'New', exact: true }).getByRole('listitem').filter({ hasText: sn }).waitFor();
  // The same by the menu of the card.
  await card.getByRole('button', { name: /^Actions/ }).press('Enter');
  await desk.locator('[role=menuitem]:focus', { hasText: 'Accept order' }).waitFor();
  await desk.keyboard.press('Enter');
  await choose(dialog(desk).getByRole('combobox', { name: /^Engineer/ }), 'Olga');
  await look(desk, 'accept');
  await send(desk, 'Accept order');
  await desk.getByRole('region', { name: 'Accepted' }).getByRole('listitem').filter({ hasText: sn }).getByRole('link').click();
  await state(desk, 'Accepted');
  await state(shop, 'Accepted');
  await button(shop, 'Enter shipping').click();
  await field(shop, 'Tracking number').fill('00340 1');
  await send(shop, 'Enter shipping');
  await desk.getByText('00340 1').first().waitFor();
});

test('of two at once one is told that the other was first', async () => {
  await shop.getByRole('button', { name: /^More/ }).filter({ visible: true }).click();
  await shop.getByRole('menuitem', { name: 'Cancel order' }).click();
  await dialog(shop)
    .getByLabel(/^Reason/)
    .fill('It works again');
  await button(desk, 'Mark as received').click();
  await state(desk, 'Received');
  await send(shop, 'Cancel order');
  await shop.getByText('The terminal has arrived at the service partner', { exact: false }).first().waitFor();
  await dialog(shop).getByRole('button', { name: 'Cancel', exact: true }).click();
  await state(shop, 'Received');
});

const more = async (page: Page, act: string) => {
  await page.getByRole('button', { name: /^More/ }).filter({ visible: true }).click();
  await page.getByRole('menuitem', { name: act }).click();
};

test('what was marked as received by mistake is expected again', async () => {
  await more(desk, 'Mark as not received');
  await send(desk, 'Mark as not received');
  await dialog(desk).getByText('Required').first().waitFor();
  await dialog(desk)
    .getByLabel(/^Reason/)
    .fill('That was another parcel');
  await look(desk, 'unreceive');
  await send(desk, 'Mark as not received');
  await state(shop, 'Accepted');
  await shop.getByText('That was another parcel').waitFor();
  await button(desk, 'Mark as received').click();
  await state(shop, 'Received');
});

test('costs are entered, wrong money is refused, and they are approved before the repair', async () => {
  await button(desk, 'Enter diagnosis').click();
  await dialog(desk).getByText('No warranty on record covers this repair', { exact: false }).waitFor();
  await send(desk, 'Enter diagnosis');
  await dialog(desk).getByText('Required').first().waitFor();
  await field(desk, 'Diagnosis').fill('The paper roller is worn');
  await dialog(desk).getByRole('textbox', { name: 'Labour' }).fill('x30,50');
  // A comma is taken for the dot, and what is no money isn't taken at all.
  expect(await dialog(desk).getByRole('textbox', { name: 'Labour' }).inputValue()).toBe('30.50');
  await dialog(desk).getByRole('textbox', { name: 'Labour' }).fill('30');
  await dialog(desk).getByRole('button', { name: 'Add part' }).click();
  await dialog(desk).getByRole('textbox', { name: 'Part', exact: true }).fill('Paper roller');
  await dialog(desk).getByRole('textbox', { name: 'Unit price' }).fill('12,50');
  // Said against the record it needs a reason.
  await dialog(desk)
    .getByRole('switch', { name: /^Covered by warranty/ })
    .click();
  await send(desk, 'Enter diagnosis');
  await dialog(desk).getByText('Required').first().waitFor();
  await dialog(desk)
    .getByRole('switch', { name: /^Covered by warranty/ })
    .click();
  await field(desk, 'Reason for the warranty decision').fill('Opened by somebody else');
  await look(desk, 'quote');
  await send(desk, 'Enter diagnosis');
  await desk.getByText('Waiting for approval').waitFor();
  await look(desk, 'detail');
  // The other side disputes it, and is answered with the costs anew.
  await shop.getByText('Opened by somebody else').first().waitFor();
  await shop.getByRole('button', { name: /^More/ }).filter({ visible: true }).click();
  await shop.getByRole('menuitem', { name: 'Dispute warranty decision' }).click();
  await dialog(shop)
    .getByLabel(/^Reason/)
    .fill('It came like that');
  await look(shop, 'dispute');
  await send(shop, 'Dispute warranty decision');
  await desk.getByText('It came like that').waitFor();
  await look(desk, 'disputed');
  await button(desk, 'Change diagnosis').click();
  await send(desk, 'Change diagnosis');
  await button(shop, 'Approve costs').click();
  await dialog(shop).getByText(`You agree to pay ¥42.50 for the repair of ${sn}.`, { exact: false }).waitFor();
  await look(shop, 'approve');
  await send(shop, 'Approve costs');
  await button(desk, 'Start repair').click();
  await state(shop, 'In repair');
});

test('costs that are found during the repair wait for approval again, and the return address changes meanwhile', async () => {
  await more(desk, 'Change diagnosis');
  await dialog(desk).getByRole('textbox', { name: 'Labour' }).fill('45');
  await look(desk, 'requote');
  await send(desk, 'Change diagnosis');
  await state(shop, 'Received');
  await shop.getByText('Repair waits for the ordering side').first().waitFor();
  await look(desk, 'interrupted');
  await more(shop, 'Change contact');
  await dialogField(shop, 'Return address').fill('x'.repeat(201));
  await send(shop, 'Change contact');
  await dialog(shop).locator('[aria-invalid=true]').first().waitFor();
  await dialogField(shop, 'Return address').fill('5 Quay Street');
  await look(shop, 'contact');
  await send(shop, 'Change contact');
  await desk.getByText('5 Quay Street', { exact: false }).first().waitFor();
  await button(shop, 'Approve costs').click();
  await dialog(shop).getByText(`You agree to pay ¥57.50 for the repair of ${sn}.`, { exact: false }).waitFor();
  await send(shop, 'Approve costs');
  await button(desk, 'Start repair').click();
  await state(shop, 'In repair');
});

test('both write, the terminal comes back, and its history is there after a reload', async () => {
  const message = shop.getByLabel('Message to the other side');
  await message.fill('When will it be ready?');
  await message.press('Control+Enter');
  await desk.getByText('When will it be ready?').waitFor();
  // What one side notes for itself is nowhere on the other's page, also not after it is read anew.
  await desk.getByRole('checkbox', { name: 'Internal note' }).check();
  const note = desk.getByLabel('Internal note', { exact: true }).and(desk.locator('textarea'));
  await note.fill('Third roller this year');
  await look(desk, 'note');
  await note.press('Control+Enter');
  await desk.getByText('Internal note added').waitFor();
  await desk.getByText('Third roller this year').waitFor();
  await button(desk, 'Mark as repaired').click();
  await field(desk, 'Work done').fill('Roller replaced, test print fine');
  await field(desk, 'Tracking number').fill('BACK 7');
  await send(desk, 'Mark as repaired');
  await state(shop, 'On its way back');
  await button(shop, 'Confirm delivery').click();
  await send(shop, 'Confirm delivery');
  await state(shop, 'Closed');
  await shop.reload();
  await shop.getByText('When will it be ready?').waitFor();
  expect(await shop.getByText('Third roller this year').count()).toBe(0);
  await look(shop, 'closed');
  await shop.getByRole('button', { name: /^More/ }).filter({ visible: true }).click();
  const [paper] = await Promise.all([shop.waitForEvent('download'), shop.getByRole('menuitem', { name: 'Download PDF' }).click()]);
  expect(paper.suggestedFilename()).toMatch(/^AS\d{4}-\d{5}\.pdf$/);
  const kept = await readFile(await paper.path());
  expect(kept.subarray(0, 5).toString()).toBe('%PDF-');
  if (process.env.LOOK) await paper.saveAs(join(process.env.LOOK, 'order.pdf'));
  await shop.emulateMedia({ media: 'print' });
  expect(await shop.getByLabel('Message to the other side').isVisible()).toBe(false);
  await look(shop, 'print');
  await shop.emulateMedia({ media: 'screen' });
  expect(await shop.getByRole('button', { name: 'Confirm delivery' }).count()).toBe(0);
  await shop.goto(`${stack.url}/ordersList`);
  await shop.getByRole('row', { name: new RegExp(`${sn}.*Printer`) }).waitFor();
  await look(shop, 'list');
  await shop.getByRole('tab', { name: 'Statistics' }).click();
  await shop.getByRole('heading', { name: 'Orders by fault' }).waitFor();
  await shop.reload();
  await shop.getByText('From order to delivery:', { exact: false }).waitFor();
  // Charts are drawn when they come into sight.
  await allDrawn(shop);
  await shop.locator('svg text', { hasText: 'Cloud Speaker' }).first().waitFor();
  await look(shop, 'statistics');
  await spoken('zh-CN');
  await spoken('ar');
});
