import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemSettingCalls } from '@mooring/contract/settings/system-calls';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADMIN, api, signIn } from './api.ts';
import { launchBrowser } from './browser.ts';
import { type Stack, startDemo, waitFor } from './stack.ts';
import { arrive, visit } from './visit.ts';

let stack: Stack;
let browser: Browser;
let receiver: Server;
const texted: { to: string; text: string }[] = [];

beforeAll(async () => {
  ({ stack } = await startDemo());
  receiver = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => {
      body += part.toString();
    });
    request.on('end', () => {
      if (request.url === '/sms') texted.push(JSON.parse(body) as { to: string; text: string });
      else response.statusCode = 503;
      response.end();
    });
  });
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done));
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
  await new Promise((done) => receiver?.close(done));
});

const settings = (page: Page, tab: string) => page.goto(`${stack.url}/system/settings?tab=${tab}`);
const field = (page: Page, name: string) => page.locator(`#field-${name}`);
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const said = (page: Page, text: string) => page.getByText(text).first().waitFor();

test('a number is confirmed by the code that came there, and signs in by a text message', async () => {
  const manager = api(stack.url, await signIn(stack.url, 'admin', ADMIN, 'manager'), 'manager', 1);
  await manager.call(systemSettingCalls.outbound, { allowed: ['127.0.0.0/8'] });
  const { page } = await visit(browser, { url: stack.url, account: 'admin', password: ADMIN, platform: 'manager' });
  await settings(page, 'sms');
  await page.getByText('Where a sign-in policy allows codes by text message').waitFor();
  await button(page, 'Send test message').click();
  expect(await page.getByRole('dialog').getByRole('button', { name: 'Send test message' }).isDisabled()).toBe(true);
  await page.keyboard.press('Escape');
  const gateway = (path: string) => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}${path}`;
  const outcomeOf = (to: string) => page.locator('.m-note', { hasText: to.replaceAll(' ', '') });
  const texts = async (to: string) => {
    await button(page, 'Send test message').click();
    await field(page, 'to').fill(to);
    await page.keyboard.press('Enter');
  };
  await field(page, 'url').fill(gateway('/busy'));
  await field(page, 'secret').fill('a secret of the gateway');
  await button(page, 'Save').click();
  await said(page, '“Text messages” saved');
  await texts('+49 170 5550198');
  await outcomeOf('+49 170 5550198').getByText('The SMS gateway rejected the message (HTTP 503)').waitFor();
  await field(page, 'url').fill(gateway('/sms'));
  await field(page, 'secret').fill('a secret of the gateway');
  await button(page, 'Save').click();
  await waitFor(
    async () => (await manager.call(systemSettingCalls.findByCriteria, { criteria: { type: 'sms' } }))[0]?.value.url === gateway('/sms'),
    'the other address',
  );
  const codeTo = (to: string) =>
    waitFor(() => /\d{6}/.exec(texted.filter((one) => one.to === to).at(-1)?.text ?? '')?.[0], 'a text message');
  await texts('+49 170 5550199');
  await outcomeOf('+49 170 5550199').getByText('Sent', { exact: true }).waitFor();
  expect(texted.find((one) => one.to === '+491705550199')?.text).toContain('text messages are working');

  await page.goto(`${stack.url}/manager/accountSetting`);
  await button(page, 'Set up: Mobile').click();
  await page.locator('#contact-to').fill('0170 5550123');
  await page.keyboard.press('Enter');
  await said(page, 'Enter the number with its country code');
  await page.locator('#contact-to').fill('+49 170 5550123');
  await page.keyboard.press('Enter');
  await page.locator('#contact-code').fill(await codeTo('+491705550123'));
  await page.keyboard.press('Enter');
  await said(page, '+491705550123');

  const { page: door, context } = await arrive(browser, stack.url);
  await door.getByRole('tab', { name: 'One-time code' }).click();
  const number = door.getByLabel('E-mail or mobile number').or(door.getByLabel('Mobile number'));
  await number.fill('0170 5550123');
  await door.keyboard.press('Enter');
  await door.getByText('with its country code').waitFor();
  texted.length = 0;
  await number.fill('+49 (170) 555-0123');
  await door.keyboard.press('Enter');
  await door.getByText('If +49 (170) 555-0123 belongs to an account').waitFor();
  await door.getByLabel('Verification code').fill(await codeTo('+491705550123'));
  await door.keyboard.press('Enter');
  await door.waitForURL('**/welcome');
  await context.close();
});
