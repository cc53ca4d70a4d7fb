import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { missingPrograms } from '@mooring/apk/programs.factory';
import { iotCustomerCalls } from '@mooring/contract/customer/customer';
import { systemSettingCalls } from '@mooring/contract/settings/system-calls';
import { AWS_KEY, AWS_POLICY, AWS_REGION, AWS_SECRET, type Aws, awsServer } from '@mooring/server/modules/customer/aws.factory';
import { type Mosquitto, MQTT_PASSWORD, MQTT_USER, startMosquitto } from '@mooring/server/modules/customer/receivers.factory';
import { type Fleet, startFleet } from '@mooring/terminal/start-fleet';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ADMIN, type Api, administrator, api, signIn } from './api.ts';
import { launchBrowser } from './browser.ts';
import { choose } from './choose.ts';
import { makeEstate } from './estate.ts';
import { settled } from './settled.ts';
import { type Stack, startStack } from './stack.ts';
import { visit } from './visit.ts';

if (missingPrograms('mosquitto').length > 0) process.stderr.write('skipped: IoT platforms, because mosquitto is not installed\n');

describe.skipIf(missingPrograms('mosquitto').length > 0)('an outside IoT platform', () => {
  let stack: Stack;
  let fleet: Fleet;
  let broker: Mosquitto;
  let aws: Aws | undefined;
  let browser: Browser;
  let page: Page;
  let managing: Api;

  beforeAll(async () => {
    broker = await startMosquitto();
    stack = await startStack();
    const admin = await administrator(stack.url, stack.password);
    const { code } = await makeEstate(stack.url, admin, ADMIN, 1);
    managing = api(stack.url, await signIn(stack.url, 'admin', ADMIN, 'manager'), 'manager', 1);
    browser = await launchBrowser();
    ({ page } = await visit(browser, { url: stack.url, account: 'admin', password: ADMIN, platform: 'manager' }));
    fleet = startFleet({ server: stack.url, count: 1, code, product: 'A920', sns: ['IOT00001'], heartbeatSeconds: 5 });
    await fleet.whenOnline(1);
  });
  afterAll(async () => {
    await fleet?.stop();
    await browser?.close();
    await stack?.stop();
    await broker?.stop();
    await aws?.receiver.stop();
  });

  const button = (name: string) => page.getByRole('button', { name, exact: true }).filter({ visible: true });
  const field = (name: string) =>
    page
      .getByLabel(new RegExp(`^${name}(?: ?\\(?optional\\)?)?$`))
      .and(page.locator('input, textarea'))
      .filter({ visible: true });
  const pick = (name: string, value: string) => choose(page.getByRole('combobox', { name }), value);
  const heard = (name: string) => broker.got.filter(({ body }) => body.name === name);
  const say = (name: string) => fleet.terminals[0]?.agent()?.event(name, 'warning', { by: 'hand' });
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

  test('it is set up: what is wrong is said at its field, an address inside until it is allowed', async () => {
    await page.getByRole('link', { name: 'IoT platforms', exact: true }).first().click();
    await page.getByText('No IoT platforms yet').waitFor();
    await look('iot empty');
    await page.getByRole('link', { name: 'Add IoT platform' }).filter({ visible: true }).first().click();
    await field('Name').fill('Operations broker');
    await pick('Organisation', 'Mooring');
    await pick('Type', 'MQTT 5');
    await field('Address').fill('http://broker');
    await field('User or access key ID').fill(MQTT_USER);
    await button('Add IoT platform').click();
    await page.getByText('Enter an address that begins with https:// or mqtts://.').first().waitFor();
    await field('Address').fill(broker.url);
    await field('Secret').fill('wrong');
    await field('Trusted CA').fill(broker.ca);
    await field('Topic').fill('shops/#');
    await look('iot form');
    await button('Add IoT platform').click();
    await page.getByText('No + or #').first().waitFor();
    await field('Topic').fill('shops/{sn}/{kind}');
    await button('Add IoT platform').click();
    await page
      .getByText(/private network/)
      .first()
      .waitFor();
    await managing.call(systemSettingCalls.outbound, { iot: ['127.0.0.1'] });
    await field('Name').press('Control+Enter');
    await page.getByText('IoT platform added').waitFor();
    await page.getByText('Not started').first().waitFor();
  });

  test('a test message says what is wrong, and arrives once that is mended', async () => {
    await button('Send test message').click();
    await page.getByText('Not delivered: Access was denied. Check the sign-in.').waitFor();
    await button('Edit IoT platform').click();
    await page.getByRole('heading', { name: 'Edit IoT platform' }).waitFor();
    await field('Secret').fill(MQTT_PASSWORD);
    await page.getByRole('button', { name: /^Save/ }).filter({ visible: true }).click();
    await button('Send test message').click();
    await page.getByText(/Delivered in/).waitFor();
    await expect.poll(() => broker.got.at(-1)?.topic).toBe('shops/TEST/test');
  });

  test('an event of a terminal arrives at the broker; what is said while it is paused waits', async () => {
    await button('Start forwarding').click();
    await page.getByText('Forwarding to “Operations broker” started').waitFor();
    say('doorOpened');
    await expect.poll(() => heard('doorOpened').length).toBe(1);
    expect(heard('doorOpened')[0]).toMatchObject({
      topic: 'shops/IOT00001/event',
      body: { sn: 'IOT00001', level: 'warning', product: 'A920' },
    });
    await button('Pause').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Pause', exact: true }).click();
    await page.getByText('Forwarding to “Operations broker” paused').waitFor();
    say('doorClosed');
    await page.getByRole('tab', { name: 'Messages' }).click();
    await page.getByRole('row', { name: /IOT00001.*doorClosed.*Waiting/ }).waitFor();
    expect(heard('doorClosed')).toEqual([]);
    await page.reload();
    await page.getByRole('row', { name: /IOT00001.*doorOpened.*Delivered/ }).waitFor();
    await look('iot messages');
    await button('Start forwarding').click();
    await page.getByRole('row', { name: /IOT00001.*doorClosed.*Delivered/ }).waitFor();
    await expect.poll(() => heard('doorClosed').length).toBe(1);
  });

  test('a broker that is down is said with its reason, and everything arrives when it is back', async () => {
    await broker.down();
    say('whileDown');
    await page.getByRole('tab', { name: 'Overview' }).click();
    await page.getByText(/Nothing gets through since.*doesn’t accept connections/).waitFor();
    await page.getByRole('list').getByText('The address doesn’t accept connections.').first().waitFor();
    await look('iot failing');
    await broker.up();
    await expect.poll(() => heard('whileDown').length).toBeGreaterThan(0);
    await page.getByText(/Nothing gets through since/).waitFor({ state: 'hidden' });
    const numbers = broker.got.filter(({ body }) => body.sn === 'IOT00001').map(({ body }) => body.seq);
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    await look('iot overview');
  });

  test('a terminal is registered at AWS IoT Core with its own certificate, forwarded there, and taken back', async () => {
    aws = await awsServer();
    const { url, ca } = aws.receiver;
    const made = await managing.call(iotCustomerCalls.add, {
      name: 'Cloud',
      deptId: 1,
      kind: 'aws',
      endpoint: url,
      controlEndpoint: url,
      region: AWS_REGION,
      policy: AWS_POLICY,
      signIn: 'accessKey',
      userName: AWS_KEY,
      secret: AWS_SECRET,
      ca,
    });
    await managing.call(iotCustomerCalls.resume, { id: made.id });
    await page.goto(`${stack.url}/customerConfig/${made.id}?tab=terminals`);
    await page.getByText('No terminals registered').waitFor();
    await button('Register terminals').first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Register terminals' }).click();
    await dialog.locator('.m-field-error').first().waitFor();
    await choose(dialog.getByRole('combobox', { name: 'Chosen' }), 'IOT00001');
    await look('iot register');
    await dialog.getByRole('button', { name: 'Register terminals' }).click();
    await page.getByText('1 terminal is being registered').waitFor();
    await page.getByRole('row', { name: /IOT00001.*Registered/ }).waitFor();
    await look('iot terminals');
    expect([...aws.things]).toEqual(['IOT00001']);
    say('inTheCloud');
    const got = () => aws?.receiver.got.filter((one) => one.url === '/topics/mooring/A920/IOT00001/event?qos=1').length;
    await expect.poll(got).toBe(1);
    await page
      .getByRole('row', { name: /IOT00001/ })
      .getByRole('checkbox')
      .check();
    await button('Revoke').click();
    await dialog.getByRole('button', { name: 'Revoke', exact: true }).click();
    await page.getByRole('row', { name: /IOT00001.*Revoked/ }).waitFor();
    expect([...aws.certificates.values()].map(({ status }) => status)).toEqual(['INACTIVE']);
    expect(aws.wrong).toEqual([]);
    await managing.call(iotCustomerCalls.delete, { id: made.id });
    await page.goto(`${stack.url}/customerConfig`);
    await page.getByRole('link', { name: 'Operations broker' }).click();
  });

  test('what was delivered is replayed, the list says how it stands, and it is deleted by its name', async () => {
    await button('Replay').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Replay', exact: true }).click();
    await dialog.locator('.m-field-error').first().waitFor();
    await look('iot replay');
    await page.keyboard.press('Escape');
    const [row] = (await managing.call(iotCustomerCalls.page, {})).content;
    await managing.call(iotCustomerCalls.replay, { id: row?.id ?? 0, since: new Date(Date.now() - 3_600_000).toISOString() });
    await expect.poll(() => heard('doorOpened').length).toBe(2);
    expect(new Set(heard('doorOpened').map(({ body }) => body.id)).size).toBe(1);
    await page.goBack();
    await page.goto(`${stack.url}/customerConfig`);
    await page.getByRole('row', { name: /Operations broker.*MQTT 5.*Forwarding/ }).waitFor();
    await look('iot list');
    await page
      .getByRole('row', { name: /Operations broker/ })
      .getByRole('button', { name: /^(More|Actions)/ })
      .click();
    await page.getByRole('menuitem', { name: 'Delete IoT platform' }).click();
    await dialog.getByRole('textbox').fill('Operations broker');
    await dialog.getByRole('button', { name: 'Delete IoT platform', exact: true }).click();
    await page.getByText('No IoT platforms yet').waitFor();
  });
});
