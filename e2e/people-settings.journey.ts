import { writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { messageCalls } from '@mooring/contract/message/calls';
import { productLineCalls } from '@mooring/contract/org/unit-calls';
import { systemSettingCalls } from '@mooring/contract/settings/system-calls';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type MailBox, mailBox } from '../server/test/mail-server.ts';
import { ADMIN, type Api, api, signIn } from './api.ts';
import { axe, bindingTags } from './axe.ts';
import { launchBrowser } from './browser.ts';
import { choose } from './choose.ts';
import { settled, turn } from './settled.ts';
import { type Stack, startDemo, waitFor } from './stack.ts';
import { arrive, visit } from './visit.ts';

let stack: Stack;
let browser: Browser;
let box: MailBox;
let password = '';
let admin: Api;
let shown: Page | undefined;
let receiver: Server;
const got: { headers: IncomingHttpHeaders; body: string }[] = [];

beforeAll(async () => {
  ({ stack, password, admin } = await startDemo());
  box = await mailBox();
  receiver = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => {
      body += part.toString();
    });
    request.on('end', () => {
      got.push({ headers: request.headers, body });
      response.end('ok');
    });
  });
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done));
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
  await box?.stop();
  await new Promise((done) => receiver?.close(done));
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') {
    const place = join(import.meta.dirname, '../.cache/journeys', task.name.slice(0, 40));
    await shown?.screenshot({ path: `${place}.png` });
    writeFileSync(`${place}.log`, stack.output());
  }
  await shown?.context().close();
  shown = undefined;
});

async function as(account: string, platform: 'centre' | 'manager', at?: string): Promise<Page> {
  const { page } = await visit(browser, { url: stack.url, account, password: account === 'admin' ? ADMIN : password, platform, at });
  shown = page;
  return page;
}
const settings = (page: Page, tab: string) => page.goto(`${stack.url}/system/settings?tab=${tab}`);
const field = (page: Page, name: string) => page.locator(`#field-${name}`);
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' });
const said = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();

test('the brand shows while it is typed, and at the door once it is saved', async () => {
  const page = await as('admin', 'manager', '/system/settings?tab=branding');
  await field(page, 'systemName').fill('Harbour Console');
  await page.getByRole('complementary', { name: 'Preview' }).getByText('Harbour Console').first().waitFor();
  const logo = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#aa3300' } })
    .png()
    .toBuffer();
  await page.locator('input[type=file]').first().setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: logo });
  await button(page, 'Change').waitFor();
  await button(page, 'Save').click();
  await said(page, '“Branding” saved');
  await page.context().clearCookies();
  const door = await (await browser.newContext()).newPage();
  await door.goto(`${stack.url}/login`);
  await door.getByText('Harbour Console').first().waitFor();
  const logoAtSignIn = door.locator('img[src*="/unLogin/pageSetting/picture/"]').first();
  // Drawn when it has come, which the words don't wait for.
  await waitFor(async () => (await logoAtSignIn.evaluate((image: HTMLImageElement) => image.naturalWidth)) === 64, 'the logo at the door');
  await door.context().close();
});

test('the project fields are saved, and the file source says what it is and where that comes from', async () => {
  const manager = api(stack.url, await signIn(stack.url, 'admin', ADMIN, 'manager'), 'manager', 1);
  await manager.call(systemSettingCalls.project, { projectKey: 'for programs' });
  const page = await as('admin', 'manager', '/system/settings?tab=project');
  await field(page, 'afterSalesUrl').fill('https://repairs.example.com');
  const source = page.getByRole('region', { name: 'File storage' });
  await source.getByText(stack.dataDir).waitFor();
  await source.getByText('S3_ENDPOINT').waitFor();
  await button(page, 'Save').click();
  await said(page, '“Support links” saved');
  // What the form doesn't offer stays as it is.
  const [saved] = await manager.call(systemSettingCalls.findByCriteria, { criteria: { type: 'project' } });
  expect(saved?.value).toMatchObject({ afterSalesUrl: 'https://repairs.example.com', projectKey: 'for programs' });
  await source.getByRole('link', { name: 'View storage' }).click();
  await page.getByRole('heading', { name: 'Storage', exact: true }).waitFor();
});

test('each product line has its own policy, and what was typed for one is not lost on the way to another', async () => {
  await api(stack.url, await signIn(stack.url, 'admin', ADMIN, 'manager'), 'manager', 1).call(productLineCalls.add, {
    name: 'Cash registers',
  });
  const page = await as('admin', 'manager');
  // One's own is open; what the address names and isn't one's own is nobody else's in its place.
  await settings(page, 'login-policy&line=999999');
  await page.getByText('isn’t yours, or that doesn’t exist').waitFor();
  await settings(page, 'login-policy');
  await page
    .locator('.ant-select', { has: page.getByLabel('For people of', { exact: true }) })
    .getByText('(platform)')
    .waitFor();
  // Codes by text message are allowed from the beginning, and nothing sends them yet.
  await page.getByText('No SMS gateway is set').waitFor();
  await choose(page.getByLabel('For people of', { exact: true }), 'Cash registers');
  await page.waitForURL('**line=*');
  await page.locator('.m-panel').getByText('Cash registers').filter({ visible: true }).first().waitFor();
  await field(page, 'maxTries').fill('4');
  // A span is read and entered in the unit that people would say.
  const session = field(page, 'totalMinutes');
  expect(await session.inputValue()).toBe('7');
  const unit = page.locator('.m-span', { has: session }).locator('.ant-select');
  await unit.getByText('days').waitFor();
  await session.fill('100');
  await session.press('Tab');
  await page.getByText('From 15 minutes to 90 days.').waitFor();
  await choose(unit.getByRole('combobox'), 'hours');
  await page.getByText('From 15 minutes to 90 days.').waitFor({ state: 'hidden' });
  await page.getByRole('link', { name: 'Password policy' }).click();
  await button(page, 'Stay').click();
  await button(page, 'Save').click();
  await said(page, '“Sign-in policy · Cash registers” saved. It applies immediately.');
  await said(page, 'so no code goes by text message yet');
  await choose(page.getByLabel('For people of', { exact: true }), 'Payment terminals');
  await waitFor(async () => (await field(page, 'maxTries').inputValue()) !== '4', 'the policy of the other line');
  await choose(page.getByLabel('For people of', { exact: true }), 'Cash registers');
  await waitFor(async () => (await field(page, 'totalMinutes').inputValue()) === '100', 'the session of 100 hours');
  await unit.getByText('hours').waitFor();
});

test('a test mail goes through the mail server of the settings, with the brand', async () => {
  const page = await as('admin', 'manager');
  // Without one nothing is sent: the door offers no way by mail, and a dialog says what to do.
  const { page: outsider } = await arrive(browser, stack.url);
  const ways = outsider.getByRole('link', { name: 'Forgot password?' }).or(outsider.getByRole('tab', { name: 'One-time code' }));
  await waitFor(async () => (await ways.count()) === 0, 'a door without a way by mail');
  await settings(page, 'mail');
  await button(page, 'Send test mail').click();
  await page.getByRole('dialog').getByText('No mail server is set').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Send test mail', disabled: true }).waitFor();
  await page.keyboard.press('Escape');
  await field(page, 'host').fill('127.0.0.1');
  await button(page, 'Save').click();
  await page.getByText('If the address is inside your own network').waitFor();
  await page.getByRole('link', { name: 'Reachable private networks' }).last().click();
  await page.getByRole('button', { name: 'Leave', exact: true }).click();
  // A server of one's own network is reached once the list allows it.
  await page.getByLabel('For mail, text messages, log forwarding and single sign-on').fill('127.0.0.0/8');
  await page.keyboard.press('Enter');
  await button(page, 'Save').click();
  await said(page, '“Reachable private networks” saved');
  await settings(page, 'mail');
  await field(page, 'host').fill('127.0.0.1');
  await field(page, 'port').fill(String(box.port));
  await choose(page.getByLabel('Encryption', { exact: true }).last(), 'None (this machine only)');
  await field(page, 'fromAddress').fill('console@example.com');
  await button(page, 'Save').click();
  await said(page, '“Mail server” saved');
  await button(page, 'Send test mail').click();
  await field(page, 'to').fill('ann@example.com');
  await page.keyboard.press('Enter');
  await waitFor(() => box.arrived[0], 'the mail');
  await outsider.reload();
  await ways.first().waitFor();
  await outsider.context().close();
  expect(box.arrived[0]).toMatchObject({ from: 'console@example.com', to: ['ann@example.com'] });
  expect(box.arrived[0]?.raw).toContain('Harbour Console');
  await settings(page, 'outbox');
  await page.getByRole('row', { name: /ann@example.com.*Sent/ }).waitFor();
});

test('a language pack is checked, taken and offered; a text is edited, and the console says it', async () => {
  const page = await as('admin', 'manager', '/labelManage?tab=texts&lang=de');
  await button(page, 'Import').click();
  const pack = {
    'menu.systemSettings': 'Systemeinstellungen',
    'menu.paramsDic': 'Codelisten',
    'no.such.key': 'x',
    'fault.TOO_MANY': '{nope}',
  };
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'de.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(pack)) });
  await said(page, 'no.such.key');
  await said(page, 'It uses a placeholder that this text doesn’t have.');
  await button(page, 'Import 2 texts').click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.goto(`${stack.url}/labelManage?l.text=German`);
  await page
    .getByRole('row', { name: /Deutsch/ })
    .getByRole('button', { name: /^Actions for/ })
    .click();
  await page.getByRole('menuitem', { name: 'Publish' }).click();
  await page.getByRole('row', { name: /Deutsch.*Published/ }).waitFor();
  await page.reload();
  await button(page, 'Language').click();
  await page.getByRole('menuitem', { name: 'Deutsch' }).click();
  await page.getByRole('link', { name: 'Systemeinstellungen' }).waitFor();
  await page.getByRole('link', { name: 'Codelisten' }).waitFor();
  await button(page, 'Language').click();
  await page.getByRole('menuitem', { name: 'English' }).click();
  await page.getByRole('link', { name: 'System settings' }).waitFor();
});

test('an entry of a code list is offered where the list is used', async () => {
  const page = await as('admin', 'manager', '/paramsDic');
  await page.getByRole('row', { name: /Industries/ }).click();
  await button(page, 'Add entry').click();
  await field(page, 'value').fill('fishery');
  await page.getByLabel('English', { exact: true }).fill('Fishery');
  await page.getByRole('dialog').last().getByRole('button', { name: 'Add entry' }).click();
  await page.getByRole('row', { name: /fishery/ }).waitFor();
  await page.goto(`${stack.url}/device/product/new`);
  await choose(field(page, 'industry'), 'Fishery');
});

test('a message reaches another person’s open console, and its popup shows once, or until it is read', async () => {
  const page = await as('olga.manager', 'centre');
  await button(page, /Messages: none unread/)
    .or(page.getByRole('link', { name: /Messages: none unread/ }))
    .waitFor();
  await admin.call(messageCalls.send, { title: 'Storm at noon', text: 'Make fast.', channels: ['popup'] });
  await page.getByRole('link', { name: /Messages: 1 unread/ }).waitFor();
  await said(page, /Storm at noon: Make fast/);
  await page.getByRole('link', { name: /Messages: 1 unread/ }).click();
  const asked = { read: 0, count: 0 };
  page.on('request', (request) => {
    if (request.url().endsWith(messageCalls.detail.path)) asked.read = performance.now();
    if (request.url().endsWith(messageCalls.count.path)) asked.count = performance.now();
  });
  await page
    .getByRole('row', { name: /Storm at noon/ })
    .getByText('Storm at noon', { exact: true })
    .click();
  await page.getByRole('link', { name: /Messages: none unread/ }).waitFor();
  await waitFor(() => asked.read > 0 && asked.count - asked.read >= 500, 'the count half a second after the act');
  // A long one stays, shortened, until it is closed or opened.
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await admin.call(messageCalls.send, { title: 'Second storm', text: `${'Stay ashore. '.repeat(200)}Over.`, channels: ['popup'] });
  await said(page, /^Second storm: Stay ashore/);
  const staying = page.getByRole('region', { name: 'Messages' });
  expect(await staying.getByText('Over.').count()).toBe(0);
  // It lies over nothing: below the page there is room for it.
  const [body, below] = [await page.getByRole('main').boundingBox(), await staying.boundingBox()];
  expect((body?.y ?? 0) + (body?.height ?? 0)).toBeLessThanOrEqual(below?.y ?? 0);
  for (const [theme, width] of [
    ['light', 1440],
    ['dark', 390],
  ] as const) {
    await turn(page, theme, width);
    expect(await axe(page, bindingTags)).toEqual([]);
    if (process.env.LOOK) await page.screenshot({ path: join(process.env.LOOK, `staying-${width}.png`) });
  }
  await turn(page, 'light', 1440);
  await staying.locator('.m-toast', { hasText: 'Second storm' }).getByRole('button', { name: 'Open' }).click();
  await page.getByRole('dialog').getByText('Over.').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  // One of high priority is over everything until it is read.
  const third = await admin.call(messageCalls.send, { title: 'Third storm', text: 'Come home.', priority: '1', channels: ['popup'] });
  const popup = page.getByRole('dialog', { name: 'Third storm' });
  await popup.getByText('Come home.').waitFor();
  await page.keyboard.press('Escape');
  await page.reload();
  await popup.getByText('Come home.').waitFor();
  await popup.getByRole('button', { name: 'Mark as read' }).click();
  await popup.waitFor({ state: 'detached' });
  // Over nobody else's pages from here on.
  await admin.call(messageCalls.recall, { id: third.id });
});

test('a webhook is added with its secret shown once, and its test arrives signed', async () => {
  const page = await as('admin', 'manager', '/system/settings?tab=outbound');
  await page.getByLabel('For webhooks').fill('127.0.0.0/8');
  await page.keyboard.press('Enter');
  await button(page, 'Save').click();
  await said(page, '“Reachable private networks” saved');
  await settings(page, 'webhooks');
  await button(page, 'Add webhook').first().click();
  await field(page, 'name').fill('Ledger');
  await field(page, 'url').fill(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`);
  await choose(page.getByLabel('Organisation', { exact: true }).last(), 'Mooring');
  await choose(page.getByLabel('Events', { exact: true }).last(), 'Release · any change');
  await page.getByRole('dialog').getByRole('button', { name: 'Add webhook' }).click();
  const secret = await page
    .getByText(/^whsec_/)
    .first()
    .textContent();
  await button(page, 'Close').last().click();
  await page
    .getByRole('row', { name: /Ledger/ })
    .getByRole('button', { name: /^Actions for/ })
    .click();
  await page.getByRole('menuitem', { name: 'Send test event' }).click();
  await waitFor(() => got[0], 'the webhook');
  const event = new Webhook(secret ?? '').verify(got[0]?.body ?? '', (got[0]?.headers ?? {}) as Record<string, string>);
  expect(event).toMatchObject({ type: 'webhook.test' });
  await page.getByRole('cell', { name: 'Ledger' }).first().click();
  await page.getByRole('row', { name: /Webhook · test.*Delivered/ }).waitFor();
});

test('a key for another system is made, works, and is revoked', async () => {
  const page = await as('mark.market', 'centre', '/accountSetting');
  await button(page, 'Create token').first().click();
  await field(page, 'name').fill('Robot');
  await choose(page.getByLabel('Permissions', { exact: true }).last(), 'Terminals › View');
  await page.getByRole('dialog').getByRole('button', { name: 'Create token' }).click();
  // The list behind shows its beginning already.
  const token = (await page.getByRole('dialog').getByText(/^mtk_/).first().textContent()) ?? '';
  const ask = () =>
    fetch(`${stack.url}/ops/device/page`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: '{}',
    });
  const answer = await ask();
  expect(((await answer.json()) as { code: number }).code).toBe(200);
  expect(answer.headers.get('ratelimit')).toMatch(/r=599/);
  await button(page, 'Close').last().click();
  await page
    .getByRole('row', { name: /Robot/ })
    .getByRole('button', { name: /^Actions for/ })
    .click();
  await page.getByRole('menuitem', { name: 'Revoke' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('row', { name: /Robot.*Revoked/ }).waitFor();
  expect(((await (await ask()).json()) as { code: number }).code).toBe(401);
});

test('what was done stands in the log, the chain is verified, and a footprint tells the way', async () => {
  const page = await as('admin', 'centre', '/sys/log?text=webhook');
  await page.getByRole('cell', { name: 'Add a webhook' }).first().click();
  await page.getByText('/hook').first().waitFor();
  await page.keyboard.press('Escape');
  await button(page, 'Verify log integrity').click();
  await said(page, 'Verification started');
  await page.goto(`${stack.url}/task/export`);
  await page.getByRole('row', { name: /Verification of the audit log.*Completed/ }).waitFor();
});

test('a setting is found by its words, and what somebody else saves takes nothing of what is being typed', async () => {
  const page = await as('admin', 'manager', '/system/settings?tab=branding');
  const list = page.getByRole('navigation', { name: 'System settings' });
  await list.getByRole('textbox').fill('retention');
  expect(await list.getByRole('link').allInnerTexts()).toContain('Storage and retention');
  expect(await list.getByRole('link', { name: 'Text messages' }).count()).toBe(0);
  await list.getByRole('textbox').fill('');
  await list.getByRole('link', { name: 'Support links' }).click();
  await page.getByRole('heading', { name: 'Support links' }).waitFor();
  await field(page, 'supportWebUrl').fill('https://help.example.com');
  const other = await as('admin', 'manager', '/system/settings?tab=project');
  await field(other, 'afterSalesUrl').fill('https://repair.example.com');
  await button(other, 'Save').click();
  await said(other, '“Support links” saved');
  await page.getByText('Someone else has changed').waitFor();
  expect(await field(page, 'supportWebUrl').inputValue()).toBe('https://help.example.com');
  await button(page, 'Save').click();
  await page.getByText('Someone else has changed this in the meantime').first().waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'Support links' }).waitFor();
  expect(await field(page, 'afterSalesUrl').inputValue()).toBe('https://repair.example.com');
});

test('who may only look at the settings can change none of them, and is offered no Save', async () => {
  const page = await as('aud.auditor', 'manager');
  await settings(page, 'branding');
  await settled(page);
  const enabled = page.locator('main form :is(input:not([hidden]), textarea, button):enabled');
  const found: string[] = [];
  const parts = page.locator('.m-side-item');
  for (const [at, name] of (await parts.allInnerTexts()).entries()) {
    await parts.nth(at).click();
    await settled(page);
    for (const one of await enabled.all()) found.push(`${name}: ${await one.evaluate((element) => element.outerHTML.slice(0, 120))}`);
  }
  expect(found).toEqual([]);
  expect(await parts.count()).toBeGreaterThan(10);
});
