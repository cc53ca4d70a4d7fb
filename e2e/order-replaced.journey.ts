import { join } from 'node:path';
import { roleCalls } from '@mooring/contract/access/role-calls';
import { memberCalls } from '@mooring/contract/account/member-calls';
import { deviceCalls } from '@mooring/contract/device/calls';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
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

test('from the merchant’s page on a phone to the swapped terminal, and both sides have the closed order', async () => {
  await phone.goto(`${demo.stack.url}/merchant/${faulty.merchantId}`);
  await start(phone, 'Create order');
  await phone.waitForURL(/orderCreate\?merchantId=/);
  await choose(box(phone, 'Terminal'), faulty.sn);
  await choose(box(phone, 'Service partner'), 'Meridian Payments');
  await choose(box(phone, 'Fault'), 'Screen');
  const photo = await sharp({ create: { width: 320, height: 240, channels: 3, background: '#334' } })
    .png()
    .toBuffer();
  await phone.locator('input[type=file]').first().setInputFiles({ name: 'crack.png', mimeType: 'image/png', buffer: photo });
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
