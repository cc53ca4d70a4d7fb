import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { auditConfigCalls } from '@mooring/contract/approval/config-calls';
import { deviceCalls } from '@mooring/contract/device/calls';
import { packageCalls } from '@mooring/contract/firmware/package-calls';
import { taskCalls } from '@mooring/contract/firmware/task-calls';
import { productCalls } from '@mooring/contract/product/calls';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MailBox, mailBox, wordsOf } from '../server/test/mail-server.ts';
import { ADMIN, type Api, api, signIn } from './api.ts';
import { axe, bindingTags } from './axe.ts';
import { bareKeys } from './bare-keys.ts';
import { launchBrowser } from './browser.ts';
import { uploadFirmware } from './estate.ts';
import { addPublished } from './published.ts';
import { settled } from './settled.ts';
import { type Stack, startDemo, waitFor } from './stack.ts';
import { arrive, visit } from './visit.ts';
import { closeAll, readDialog } from './walk-dialogs.ts';

/** A release that three people approve in three browsers and the customer by mail, with a return for changes at its second stage. */
let box: MailBox;
let stack: Stack;
let browser: Browser;
let admin: Api;
let region: Page;
let line: Page;
let market: Page;
let taskId = 0;
let password = '';
let address = '';

beforeAll(async () => {
  box = await mailBox();
  ({ stack, admin, password } = await startDemo({ env: { SMTP_URL: box.url } }));
  browser = await launchBrowser();
  const managing = api(stack.url, await signIn(stack.url, 'admin', ADMIN, 'manager'), 'manager', 1);
  await managing.call(auditConfigCalls.add, { deptId: 1, taskType: '1', enabled: true, hours1: 48 });
  const here = async (account: string) => (await visit(browser, { url: stack.url, account, password, platform: 'centre' })).page;
  [region, line, market] = [await here('rosa.region'), await here('lina.line'), await here('mark.market')];
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
  await box?.stop();
});

/** What is given with a return, and with what is handed in again. */
const report = { name: 'load test.pdf', bytes: randomBytes(3000) };
const plan = { name: 'plan.txt', bytes: Buffer.from('Twenty terminals a minute, then all.') };
const looks = [
  { theme: 'light', width: 1440 },
  { theme: 'dark', width: 390 },
] as const;
async function picture(page: Page, name: string): Promise<void> {
  if (!process.env.LOOK) return;
  for (const { theme, width } of looks) {
    await page.emulateMedia({ colorScheme: theme });
    await page.setViewportSize({ width, height: 900 });
    await settled(page);
    await page.screenshot({ path: join(process.env.LOOK, `${name}-${theme}-${width}.png`), fullPage: true });
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1440, height: 900 });
}

const state = (page: Page, words: string) => page.locator('.m-page-head').getByText(words, { exact: true }).waitFor();
/** A file that a person has chosen by the mouse. */
async function attach(page: Page, name: string, buffer: Buffer): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Attach files', exact: true }).click();
  const chooser = page.waitForEvent('filechooser');
  await dialog.getByRole('button', { name: /Choose files/ }).click();
  await (await chooser).setFiles({ name, mimeType: 'application/octet-stream', buffer });
  await dialog.getByRole('button', { name: `Remove ${name}`, exact: true }).waitFor();
}
/** What another person's browser saves of it. */
async function saved(page: Page, name: string): Promise<Buffer> {
  const coming = page.waitForEvent('download');
  await page.getByRole('button', { name, exact: true }).filter({ visible: true }).click();
  const download = await coming;
  expect(download.suggestedFilename()).toBe(name);
  return readFileSync(await download.path());
}
async function decide(
  page: Page,
  button: string,
  comment?: string,
  file?: { readonly name: string; readonly bytes: Buffer },
): Promise<void> {
  await page.goto(`${stack.url}${address}`);
  await page.getByRole('button', { name: button, exact: true }).click();
  const dialog = page.getByRole('dialog');
  if (comment) await dialog.getByLabel('Comment').fill(comment);
  if (file) {
    await attach(page, file.name, file.bytes);
    await picture(page, 'attached');
  }
  await dialog.getByRole('button', { name: button, exact: true }).click();
  await dialog.waitFor({ state: 'hidden' });
}
async function approve(stage: string): Promise<void> {
  await decide(region, 'Confirm');
  await decide(line, 'Approve');
  await decide(market, 'Approve');
  await state(market, `${stage}: result check`);
}
const links = () =>
  box.arrived
    .filter((one) => one.to.includes('hui.manager@example.com'))
    .flatMap((one) => /(\/approveTaskEmail\/\S+\?sign=[\w-]+)/.exec(wordsOf(one.raw))?.[1] ?? []);
/** The link of a mail while it works, as every other door is looked at: in each look, its dialogs opened and left, and nothing decided. */
async function walkLink(link: string): Promise<void> {
  const looks = [
    { theme: 'light', width: 1440, lang: 'en' },
    { theme: 'dark', width: 390, lang: 'zh-CN' },
    { theme: 'light', width: 390, lang: 'ar' },
  ] as const;
  for (const look of looks) {
    const { context, page, wrong } = await arrive(browser, stack.url, look);
    await page.goto(`${stack.url}${link}`);
    await page.getByRole('heading', { name: 'Harbour 3.9' }).waitFor();
    await settled(page);
    const found = [...(await axe(page)), ...(await bareKeys(page))];
    const answers = page.locator('.m-approval-decide button');
    expect(await answers.count()).toBe(2);
    for (const answer of await answers.all()) {
      await answer.click();
      found.push(...(await readDialog(page)));
      await closeAll(page);
    }
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    await context.close();
    expect({ ...look, found, wrong, wide: Math.max(0, wide) }).toEqual({ ...look, found: [], wrong: [], wide: 0 });
  }
}
/** The same history in another language, for whoever looks at it. */
async function chinese(): Promise<void> {
  if (!process.env.LOOK) return;
  const look = { theme: 'light', width: 1440, lang: 'zh-CN' } as const;
  const { context, page } = await visit(browser, { url: stack.url, account: 'lina.line', password, platform: 'centre', look, at: address });
  await page.getByRole('tab').last().click();
  await page.getByText('Twenty a minute').waitFor();
  await settled(page);
  await page.screenshot({ path: join(process.env.LOOK, 'history-zh.png'), fullPage: true });
  await context.close();
}
/** The customer says by mail that the result is right, on a phone. */
async function confirmByMail(no: number, file?: typeof plan): Promise<Page> {
  const link = await waitFor(() => links()[no - 1], 'the mail of the customer', 90);
  const { page, wrong } = await arrive(browser, stack.url, { theme: 'light', width: 390, lang: 'en' });
  await page.goto(`${stack.url}${link}`);
  await page.getByRole('heading', { name: 'Harbour 3.9' }).waitFor();
  expect(await axe(page, bindingTags)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  if (file) {
    expect(await saved(page, file.name)).toEqual(file.bytes);
    await picture(page, 'mail');
  }
  await page.getByRole('button', { name: 'Confirm result' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Confirm result' }).click();
  await page.getByRole('heading', { name: 'Your decision was recorded' }).waitFor();
  await page.goto(`${stack.url}${link}`);
  await page.getByRole('heading', { name: 'This link no longer works' }).waitFor();
  expect(wrong).toEqual([]);
  return page;
}

test('handed in, it waits in the list of who confirms it, and says so on its own page', async () => {
  const managing = api(stack.url, await signIn(stack.url, 'admin', ADMIN, 'manager'), 'manager', 1);
  const product = await managing.call(productCalls.add, { code: 'H39', name: 'Harbour 39', category: 'smartPos', publish: true });
  const depts = (await admin.call(deviceCalls.page, { criteria: {}, page: { size: 200 } })).content;
  const deptId = depts.find((one) => one.deptName === 'Harbour Bank')?.deptId;
  const sns = ['HRB00001', 'HRB00002', 'HRB00003'];
  for (const sn of sns) await admin.call(deviceCalls.add, { sn, productId: product.id, deptId });
  const fileId = await uploadFirmware(stack.url, ADMIN, randomBytes(4000));
  const packageId = await addPublished(admin, packageCalls, { productId: product.id, version: '3.9.0', fileId });
  const rings = [{ sns: [sns[0]], openAt: 0 }, { sns: [sns[1]], openAt: 0 }, {}];
  const task = await admin.call(taskCalls.add, {
    name: 'Harbour 3.9',
    packageId,
    scope: { releaseScope: '0' },
    delivery: { rings },
    release: true,
  });
  taskId = task.id;
  await region.goto(`${stack.url}/approveTask/1/list`);
  await region.getByRole('link', { name: 'Harbour 3.9' }).first().click();
  await region.waitForURL('**/process/**');
  address = new URL(region.url()).pathname;
  await state(region, 'Sample: region confirms');
  await region.getByText('Waiting for: Region maintainer').waitFor();
  await line.goto(`${stack.url}/device/fota/taskmod/${taskId}`);
  await line.getByText('Approval: Sample: region confirms').waitFor();
});

/** A moment as it is typed. */
const typed = (days: number) => {
  const at = new Date(Date.now() + days * 86_400_000);
  const two = (count: number) => String(count).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} 08:00`;
};

test('who keeps the rules gives the decision longer, with a reason that stands in the history; absences are one click away', async () => {
  const { page, wrong } = await visit(browser, { url: stack.url, account: 'admin', password: ADMIN, platform: 'manager' });
  const look = async (name: string) => {
    await settled(page);
    expect([...(await axe(page)), ...(await bareKeys(page))]).toEqual([]);
    if (process.env.LOOK) await page.screenshot({ path: join(process.env.LOOK, `${name}.png`), fullPage: true });
  };
  await page.goto(`${stack.url}/approveList`);
  await page.getByRole('link', { name: 'Absence', exact: true }).click();
  await page.waitForURL('**/absence');
  await page.goBack();
  await page.getByRole('link', { name: 'Harbour 3.9' }).first().click();
  await page.getByRole('button', { name: 'Extend time limit', exact: true }).click();
  const dialog = page.getByRole('dialog').last();
  const send = () => dialog.getByRole('button', { name: 'Extend time limit', exact: true }).click();
  await send();
  await dialog.getByText('Required').first().waitFor();
  await look('extend-empty');
  await dialog.getByLabel('New due time', { exact: true }).fill(typed(1));
  await page.keyboard.press('Enter');
  await dialog.getByLabel('Reason', { exact: true }).fill('Public holiday in the north');
  await send();
  await dialog.getByText('Choose a time after the present limit').first().waitFor();
  await look('extend-wrong');
  await dialog.getByLabel('New due time', { exact: true }).fill(typed(9));
  await page.keyboard.press('Enter');
  await send();
  await page.getByText('Time limit of “Harbour 3.9” extended').waitFor();
  await page.getByRole('tab', { name: 'History' }).click();
  await page.getByText(/Time limit extended: due .*/).waitFor();
  await page.getByText('Public holiday in the north').waitFor();
  await look('extended');
  // A refused time is answered as such, and nothing else went wrong.
  expect(wrong.filter((one) => !one.includes('400'))).toEqual([]);
  await page.context().close();
});

test('the sample is approved by three people, and confirmed by the customer from a mail that works once', async () => {
  await approve('Sample');
  await waitFor(async () => (await admin.call(taskCalls.detail, { id: taskId })).state === 'running', 'ring 1');
  await walkLink(await waitFor(() => links()[0], 'the mail of the customer', 90));
  await confirmByMail(1);
});

test('the trial comes back for a change, and is handed in again at its stage', async () => {
  const author = await visit(browser, { url: stack.url, account: 'admin', password: ADMIN, platform: 'centre' });
  await decide(author.page, 'Apply for trial');
  await decide(region, 'Confirm');
  await decide(line, 'Return for changes', 'Slower, please', report);
  await state(line, 'Trial: returned');
  const { name, scope, delivery, package: of } = await admin.call(taskCalls.detail, { id: taskId });
  await admin.call(taskCalls.edit, {
    id: taskId,
    name,
    packageId: of?.id,
    scope,
    delivery: { ...delivery, pacePerMinute: 20 },
    remark: '',
  });
  await author.page.goto(`${stack.url}/device/fota/taskmod/${taskId}`);
  await author.page.getByRole('button', { name: 'Submit for approval' }).click();
  const asked = author.page.getByRole('dialog');
  await asked.getByLabel('Comment').fill('Twenty a minute');
  await attach(author.page, plan.name, plan.bytes);
  await asked.getByRole('button', { name: 'Submit for approval' }).click();
  await author.page.getByText('Approval: Trial: region confirms').waitFor();
  await region.goto(`${stack.url}${address}`);
  await region.getByText('Changed since it was last submitted: rollout').waitFor();
  await region.getByRole('tab', { name: 'History' }).click();
  await region.getByText('Twenty a minute').waitFor();
  expect(await saved(region, plan.name)).toEqual(plan.bytes);
  await market.goto(`${stack.url}${address}`);
  await market.getByRole('tab', { name: 'History' }).click();
  expect(await saved(market, report.name)).toEqual(report.bytes);
  expect(await saved(market, plan.name)).toEqual(plan.bytes);
  expect(await axe(market, bindingTags)).toEqual([]);
  await picture(market, 'history');
  await chinese();
  await approve('Trial');
  // On a phone, by whoever isn't signed in.
  await confirmByMail(2, plan);
  await decide(author.page, 'Apply for full release');
});

test('full release opens the last ring, and the line says who did what', async () => {
  await approve('Full release');
  await waitFor(async () => (await admin.call(taskCalls.detail, { id: taskId })).openRing === 3, 'ring 3');
  await confirmByMail(3);
  await market.reload();
  await market.getByRole('tab', { name: 'History' }).click();
  await market.getByText('Slower, please').waitFor();
  expect(await market.getByText('(by e-mail)').count()).toBe(3);
  expect(await axe(market, bindingTags)).toEqual([]);
});
