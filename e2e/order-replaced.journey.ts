import { join } from 'node:path';
import { roleCalls } from '@mooring/contract/access/role-calls';
import { memberCalls } from '@mooring/contract/account/member-calls';
import { deviceCalls } from '@mooring/contract/device/calls';
import type { OutputOf } from '@mooring/contract/kit/call';
import { orderCalls } from '@mooring/contract/order/calls';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Api, api, signIn } from './api.ts';
import { launchBrowser } from './browser.ts';
import { choose } from './choose.ts';
import { overflow } from './fits.ts';
import { type Demo, startDemo } from './stack.ts';
import { plainLook, visit } from './visit.ts';

/** A shop keeper on a phone, and the workshop of the organisation above at a desk. */
let demo: Demo;
let browser: Browser;
let phone: Page;
let desk: Page;
let faulty: { id: number; sn: string; merchantId: number };
let spare: { id: number; sn: string };
type Terminal = OutputOf<typeof deviceCalls.page>['content'][number];
/** Others of the shop's organisation, and what both sides do by calls. */
let terminals: Terminal[];
let shop: Api;
let workshop: Api;
let olgaId = 0;
let nordicsId = 0;
let paymentsId = 0;

beforeAll(async () => {
  demo = await startDemo();
  const { admin, stack, password } = demo;
  const [mia] = (await admin.call(memberCalls.page, { criteria: { text: 'mia.member' } })).content;
  const [olga] = (await admin.call(memberCalls.page, { criteria: { text: 'olga.manager' } })).content;
  const manager = (await admin.call(roleCalls.page, { page: { size: 50 } })).content.find(({ name }) => name === 'Organisation manager');
  if (!mia || !olga || !manager) throw new Error('the sample people');
  await admin.call(memberCalls.update, { id: mia.id, userName: 'Mia Lund', deptId: mia.deptId, roleIds: [manager.id] });
  const of = async (deptId: number, status?: string) =>
    (await admin.call(deviceCalls.page, { criteria: { deptId, ...(status ? { status } : {}) }, page: { size: 50 } })).content;
  const there = (await of(mia.deptId)).find(({ merchantId }) => merchantId !== null);
  const lying = (await of(olga.deptId, '5'))[0];
  if (!there?.merchantId || !lying) throw new Error('the sample terminals');
  faulty = { id: there.id, sn: there.sn, merchantId: there.merchantId };
  spare = { id: lying.id, sn: lying.sn };
  terminals = (await of(mia.deptId)).filter(({ id }) => id !== there.id);
  [olgaId, nordicsId, paymentsId] = [olga.id, mia.deptId, olga.deptId];
  const acts = async (account: string, deptId: number) =>
    api(stack.url, await signIn(stack.url, account, password, 'manager'), 'manager', deptId);
  [shop, workshop] = [await acts('mia.member', nordicsId), await acts('olga.manager', paymentsId)];
  browser = await launchBrowser();
  const here = { url: stack.url, password, platform: 'manager' } as const;
  ({ page: phone } = await visit(browser, { ...here, account: 'mia.member', look: { ...plainLook, width: 390 } }));
  ({ page: desk } = await visit(browser, { ...here, account: 'olga.manager' }));
});
afterAll(async () => {
  await browser?.close();
  await demo?.stack.stop();
});

const look = async (on: Page, name: string) => {
  if (process.env.LOOK) await on.screenshot({ path: join(process.env.LOOK, `replaced-${name}.png`), fullPage: true });
};
const button = (on: Page, name: string) => on.getByRole('button', { name, exact: true }).filter({ visible: true });
const dialog = (on: Page) => on.getByRole('dialog').last();
const send = (on: Page, name: string) => dialog(on).getByRole('button', { name, exact: true }).click();
const box = (on: Page, name: string | RegExp) => on.getByRole('combobox', { name }).filter({ visible: true });
const state = (on: Page, words: string) => on.locator('.m-page-head').filter({ visible: true }).getByText(words, { exact: true }).waitFor();
/** Where it stands open, or in the menu of what else there is. */
async function start(on: Page, name: string): Promise<void> {
  const open = on.getByRole('link', { name, exact: true }).or(button(on, name)).filter({ visible: true });
  const more = on.getByRole('button', { name: /^More/ }).filter({ visible: true }).first();
  await open.first().or(more).first().waitFor();
  if ((await open.count()) > 0) return open.first().click();
  await more.click();
  await on.getByRole('menuitem', { name, exact: true }).click();
}

const photo = async (name: string) => ({
  name,
  mimeType: 'image/png',
  buffer: await sharp({ create: { width: 320, height: 240, channels: 3, background: '#334' } })
    .png()
    .toBuffer(),
});
/** An order by a call, for a terminal that none was made for yet. */
const ordered = (fault: string, of: (one: Terminal) => boolean = () => true, partnerId = paymentsId) => {
  const at = terminals.findIndex(of);
  const [one] = terminals.splice(at, 1);
  if (at < 0 || !one) throw new Error('a terminal of the sample');
  return shop.call(orderCalls.add, { deviceId: one.id, partnerId, fault });
};
const openOrder = (on: Page, id: number) => on.goto(`${demo.stack.url}/orderDetail/${id}`);

test('from the merchant’s page on a phone to the swapped terminal, and both sides have the closed order', async () => {
  await phone.goto(`${demo.stack.url}/merchant/${faulty.merchantId}`);
  await start(phone, 'Create order');
  await phone.waitForURL(/orderCreate\?merchantId=/);
  await choose(box(phone, 'Terminal'), faulty.sn);
  await choose(box(phone, 'Service partner'), 'Meridian Payments');
  await choose(box(phone, 'Fault'), 'Screen');
  await phone
    .locator('input[type=file]')
    .first()
    .setInputFiles(await photo('crack.png'));
  await phone.locator('.m-photo').first().waitFor();
  expect(await overflow(phone)).toEqual([]);
  await look(phone, 'form');
  await button(phone, 'Create order').click();
  await state(phone, 'New');
  expect(await overflow(phone)).toEqual([]);
  await look(phone, 'made');
  const address = new URL(phone.url()).pathname;

  await desk.goto(`${demo.stack.url}${address}`);
  await desk.locator('img.m-photo').first().waitFor();
  await start(desk, 'Accept order');
  await send(desk, 'Accept order');
  await state(desk, 'Accepted');
  await start(desk, 'Mark as received');
  await state(desk, 'Received');
  await start(desk, 'Enter diagnosis');
  await dialog(desk).getByLabel('Diagnosis', { exact: true }).fill('The display is cracked');
  await send(desk, 'Enter diagnosis');
  await button(desk, 'Start repair').waitFor();
  await start(desk, 'Start repair');
  await state(phone, 'In repair');
  await state(desk, 'In repair');
  await start(desk, 'Replace terminal');
  await choose(dialog(desk).getByRole('combobox', { name: /^Replace by/ }), spare.sn);
  await look(desk, 'choose');
  await send(desk, 'Replace terminal');
  await state(desk, 'On its way back');
  await start(desk, 'Enter shipping');
  await dialog(desk)
    .getByLabel(/^Tracking number/)
    .fill('BACK 9');
  await send(desk, 'Enter shipping');

  await phone.getByText('BACK 9').first().waitFor();
  await state(phone, 'On its way back');
  await start(phone, 'Confirm delivery');
  // What comes is the other one.
  await dialog(phone).getByText(`Confirm that ${spare.sn} is back.`, { exact: false }).waitFor();
  await send(phone, 'Confirm delivery');
  for (const [on, name] of [
    [phone, 'phone'],
    [desk, 'desk'],
  ] as const) {
    await state(on, 'Closed');
    await on.reload();
    await state(on, 'Closed');
    for (const words of [faulty.sn, spare.sn, 'The display is cracked', 'BACK 9']) await on.getByText(words).first().waitFor();
    await look(on, `closed-${name}`);
  }
  expect(await overflow(phone)).toEqual([]);

  // It stands where the faulty one stood, and that lies in the stock of the workshop.
  const [now, before] = await Promise.all([spare, faulty].map(({ id }) => demo.admin.call(deviceCalls.detail, { id })));
  expect(now).toMatchObject({ merchantId: faulty.merchantId, deptName: 'Meridian Nordics' });
  expect(before).toMatchObject({ merchantId: null, status: '5', deptName: 'Meridian Payments' });
  await phone.goto(`${demo.stack.url}/device/deviceDetail/${spare.id}`);
  await phone.getByText(spare.sn).first().waitFor();
});

test('the partner declines an order, and who ordered reads why', async () => {
  const { id } = await ordered('printer');
  await openOrder(phone, id);
  await state(phone, 'New');
  await openOrder(desk, id);
  await start(desk, 'Decline order');
  await send(desk, 'Decline order');
  await dialog(desk).getByText('Required').first().waitFor();
  await dialog(desk)
    .getByLabel(/^Reason/)
    .fill('No spare parts for this model');
  await look(desk, 'decline');
  await send(desk, 'Decline order');
  await state(desk, 'Cancelled');
  await state(phone, 'Cancelled');
  await phone.getByText('No spare parts for this model').first().waitFor();
});

test('a photo of the repair is added by the partner, and stands on the page of both', async () => {
  const { id } = await ordered('battery');
  await workshop.call(orderCalls.accept, { id });
  await workshop.call(orderCalls.receive, { id });
  await openOrder(phone, id);
  await state(phone, 'Received');
  expect(await phone.locator('img.m-photo').count()).toBe(0);
  await openOrder(desk, id);
  await start(desk, 'Add photos');
  await dialog(desk)
    .locator('input[type=file]')
    .setInputFiles(await photo('swollen.png'));
  await dialog(desk).locator('img.m-photo').waitFor();
  await look(desk, 'photos');
  await send(desk, 'Add photos');
  for (const on of [desk, phone]) {
    await on.locator('img.m-photo').filter({ visible: true }).first().waitFor();
    await on.getByText('Photos added', { exact: true }).first().waitFor();
  }
});

/** All that a list shows under a filter are chosen, and one act is done to them. */
async function many(on: Page, filter: string, name: string): Promise<void> {
  await on.goto(`${demo.stack.url}/ordersList${filter}`);
  await on.getByLabel('Select all rows on this page').filter({ visible: true }).check();
  const bar = on.getByRole('region', { name: 'Selection' }).filter({ visible: true });
  const [open, more] = [bar.getByRole('button', { name, exact: true }), bar.getByRole('button', { name: /^More/ })];
  await open.or(more).first().waitFor();
  if ((await open.count()) > 0) await open.click();
  else {
    await more.click();
    await on.getByRole('menuitem', { name, exact: true }).click();
  }
  await dialog(on).waitFor();
}

test('several orders are accepted, assigned, confirmed and cancelled at once; those that it isn’t for are named', async () => {
  const made = [await ordered('printer'), await ordered('printer'), await ordered('screen'), await ordered('screen')];
  const [first, second, ...others] = made.map(({ id }) => id);
  await many(desk, '?state=created', 'Accept 4');
  await send(desk, 'Accept 4');
  await desk.getByText('4 orders accepted').waitFor();
  await many(desk, '?state=accepted', 'Assign 4');
  await choose(dialog(desk).getByRole('combobox', { name: /^Engineer/ }), 'Olga');
  await dialog(desk).getByText('4 of the 4 selected will be changed.').waitFor();
  await look(desk, 'assign');
  await send(desk, 'Assign 4');
  await desk.getByText('4 orders assigned').waitFor();
  for (const { id } of made)
    expect(await workshop.call(orderCalls.detail, { id })).toMatchObject({ state: 'accepted', engineerId: olgaId });

  for (const id of [first, second]) {
    await workshop.call(orderCalls.receive, { id });
    await workshop.call(orderCalls.refuse, { id, reason: 'Not worth it' });
  }
  await phone.setViewportSize({ width: 1440, height: 900 });
  await many(phone, '?state=returning', 'Confirm 2 deliveries');
  await send(phone, 'Confirm 2 deliveries');
  await phone.getByText('2 orders closed').waitFor();
  // Of all that there are two aren't with the partner yet, nor over.
  await many(phone, '', 'Cancel 7');
  await dialog(phone)
    .getByLabel(/^Reason/)
    .fill('They work again');
  await look(phone, 'cancel');
  await dialog(phone).getByText('2 of the 7 selected will be changed. 5 can’t be changed.').waitFor();
  await send(phone, 'Cancel 2');
  await dialog(phone).getByText('2 of 7 changed. 5 can’t be changed.').waitFor();
  await dialog(phone).getByRole('button', { name: 'Close', exact: true }).last().click();
  for (const id of others)
    expect(await workshop.call(orderCalls.detail, { id })).toMatchObject({ state: 'cancelled', reason: 'They work again' });
});

test('the statistics count what their filters leave, by who ordered, by partner and by product', async () => {
  // One that the shop repairs itself, and one of the workshop's own.
  const own = await ordered('network', () => true, nordicsId);
  const [theirs] = (await demo.admin.call(deviceCalls.page, { criteria: { deptId: paymentsId }, page: { size: 50 } })).content.filter(
    ({ id, productId }) => id !== spare.id && id !== faulty.id && productId !== null,
  );
  await workshop.call(orderCalls.add, { deviceId: theirs?.id, partnerId: paymentsId, fault: 'network' });
  const { content } = await workshop.call(orderCalls.page, { page: { size: 50 } });
  const ofProduct = content.filter(({ productName }) => productName === own.productName).length;
  await desk.goto(`${demo.stack.url}/ordersList?tab=statistic`);
  const figure = desk.locator('section').filter({ has: desk.getByRole('heading', { name: 'Orders by fault' }) });
  await figure.getByRole('button', { name: 'Table', exact: true }).click();
  const count = async () => (await figure.locator('tbody td').allTextContents()).reduce((sum, one) => sum + Number(one), 0);
  const counts = (n: number) => expect.poll(count).toBe(n);
  await counts(9);
  const clear = async () => {
    await button(desk, 'Clear filters').click();
    await counts(9);
  };
  await choose(box(desk, 'Ordered by'), 'Meridian Payments');
  await counts(1);
  await clear();
  await choose(box(desk, 'Service partner'), 'Meridian Nordics');
  await counts(1);
  await look(desk, 'statistics');
  await clear();
  await choose(box(desk, 'Product'), own.productName);
  await counts(ofProduct);
  expect(ofProduct).toBeLessThan(9);
  await desk.reload();
  await figure.getByRole('button', { name: 'Table', exact: true }).click();
  await counts(ofProduct);
});
