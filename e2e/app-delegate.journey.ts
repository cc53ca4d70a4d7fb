import { join } from 'node:path';
import { makeApk } from '@mooring/apk/apk.factory';
import { memberCalls } from '@mooring/contract/account/member-calls';
import { appVersionCalls, developerCalls } from '@mooring/contract/app/calls';
import { absenceCalls } from '@mooring/contract/approval/absence-calls';
import type { OutputOf } from '@mooring/contract/kit/call';
import { productCalls } from '@mooring/contract/product/calls';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADMIN, type Api, api, settleIn, signIn } from './api.ts';
import { axe } from './axe.ts';
import { bareKeys } from './bare-keys.ts';
import { launchBrowser } from './browser.ts';
import { settled } from './settled.ts';
import { type Stack, startDemo } from './stack.ts';
import { visit } from './visit.ts';

/** A reviewer of apps is away: their delegate is told for whom they decide, and the version and the history say it afterwards. */
let stack: Stack;
let browser: Browser;
let page: Page;
let wrong: string[];
let version: OutputOf<typeof appVersionCalls.submit>;

async function bringVersion(url: string, developer: Api, token: string, productId: number): Promise<typeof version> {
  const form = new FormData();
  form.append('req', '{}');
  const bytes = await makeApk({ packageName: 'com.example.desk', labels: { '': 'Desk' }, versionCode: 10, versionName: '1.0', minSdk: 24 });
  form.append('file', new Blob([new Uint8Array(bytes)]), 'desk.apk');
  const headers = { authorization: token, 'accept-platform': 'centre' };
  const answer = await fetch(`${url}/ops${appVersionCalls.upload.path}`, { method: 'POST', headers, body: form });
  const { body } = (await answer.json()) as { body: OutputOf<typeof appVersionCalls.upload> };
  await developer.call(appVersionCalls.update, { id: body.id, listing: { en: { name: 'Desk' } }, productIds: [productId] });
  return developer.call(appVersionCalls.submit, { id: body.id });
}

beforeAll(async () => {
  const demo = await startDemo();
  stack = demo.stack;
  const { url } = stack;
  const managing = api(url, await signIn(url, 'admin', ADMIN, 'manager'), 'manager', 1);
  const admin = (await managing.call(memberCalls.page, { criteria: { text: 'admin' } })).content.find(({ account }) => account === 'admin');
  const roleIds = admin?.roles.map((role) => role.id);
  const added = await managing.call(memberCalls.add, { account: 'ada.second', userName: 'Ada Second', deptId: admin?.deptId, roleIds });
  await settleIn(url, 'ada.second', added.password ?? '');
  const ada = api(url, await signIn(url, 'ada.second', ADMIN), 'centre');
  const times = { fromAt: new Date().toISOString(), untilAt: new Date(Date.now() + 86_400_000).toISOString() };
  await ada.call(absenceCalls.add, { delegateId: admin?.id, ...times });
  const token = await signIn(url, 'olga.manager', demo.password);
  const olga = api(url, token, 'centre');
  const { id } = await olga.call(developerCalls.apply, { contactName: 'Olga Brandt', email: 'olga@example.com' });
  await demo.admin.call(developerCalls.accept, { id });
  const [product] = await olga.call(productCalls.list, { text: 'MP-A20' });
  version = await bringVersion(url, olga, token, product?.id ?? 0);
  browser = await launchBrowser();
  ({ page, wrong } = await visit(browser, { url, account: 'admin', password: ADMIN, platform: 'centre' }));
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

async function look(name: string): Promise<void> {
  await settled(page);
  expect([...(await axe(page)), ...(await bareKeys(page))]).toEqual([]);
  if (process.env.LOOK) await page.screenshot({ path: join(process.env.LOOK, `${name}.png`), fullPage: true });
}
const button = (name: string) => page.getByRole('button', { name, exact: true }).filter({ visible: true });

test('the delegate sees whom they decide for, and everyone afterwards who was away', async () => {
  await page.goto(`${stack.url}/app/version/${version.id}`);
  await page.getByText('You decide on behalf of Ada Second, who is away.').waitFor();
  await look('app-stands-in');
  await button('Approve').click();
  await page.getByRole('dialog').last().getByRole('button', { name: 'Approve', exact: true }).click();
  await page.getByText('Decided on behalf of', { exact: true }).waitFor();
  await page.getByText('Ada Second', { exact: true }).waitFor();
  expect(await page.getByText('You decide on behalf of').count()).toBe(0);
  await look('app-decided-for');
  await page.goto(`${stack.url}/app/detail/${version.appId}`);
  await page.getByRole('tab', { name: 'History' }).click();
  await page.getByText(/on behalf of Ada Second$/).waitFor();
  await page.setViewportSize({ width: 390, height: 900 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await look('app-history-dark-390');
  expect(wrong).toEqual([]);
});
