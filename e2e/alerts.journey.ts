import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { alarmCalls } from '@mooring/contract/alert/alarm';
import { deviceCalls } from '@mooring/contract/device/calls';
import { jobCalls } from '@mooring/contract/job/calls';
import { systemSettingCalls } from '@mooring/contract/settings/system-calls';
import { type Fleet, startFleet } from '@mooring/terminal/start-fleet';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MailBox, mailBox, wordsOf } from '../server/test/mail-server.ts';
import { ADMIN, type Api, administrator, api, signIn } from './api.ts';
import { launchBrowser } from './browser.ts';
import { choose } from './choose.ts';
import { makeEstate } from './estate.ts';
import { openMenu } from './menu.ts';
import { settled } from './settled.ts';
import { type Stack, startStack, waitFor } from './stack.ts';
import { type Look, plainLook, visit } from './visit.ts';

const STORM = 50;
let box: MailBox;
let stack: Stack;
let browser: Browser;
let page: Page;
let admin: Api;
let code = '';
let fleet: Fleet | undefined;

beforeAll(async () => {
  box = await mailBox();
  stack = await startStack({ env: { SMTP_URL: box.url } });
  admin = await administrator(stack.url, stack.password);
  ({ code } = await makeEstate(stack.url, admin, ADMIN, STORM + 1, 10));
  fleet = startFleet({ server: stack.url, count: 1, code, product: 'A920', sns: ['TILL0001'], heartbeatSeconds: 1 });
  await fleet.whenOnline(1);
  browser = await launchBrowser();
  ({ page } = await visit(browser, { url: stack.url, account: 'admin', password: ADMIN, platform: 'centre' }));
});
afterAll(async () => {
  await browser?.close();
  await fleet?.stop();
  await stack?.stop();
  await box?.stop();
});

/** The look of each minute, begun by hand. */
async function lookNow(): Promise<void> {
  const manager = api(stack.url, await signIn(stack.url, 'admin', ADMIN, 'manager'), 'manager', 1);
  const { content } = await manager.call(jobCalls.page, { page: { size: 100 } });
  await manager.call(jobCalls.run, { id: content.find(({ name }) => name === 'alert:watch')?.id }).catch(() => undefined);
}
const button = (name: string) => page.getByRole('button', { name, exact: true });
const dialog = () => page.getByRole('dialog').last();
const field = (name: string) => dialog().getByLabel(new RegExp(`^${name}(?: ?\\(?optional\\)?)?$`));
const send = (name: string) => dialog().getByRole('button', { name, exact: true }).click();
const tab = (name: string) => page.getByRole('tab', { name, exact: true }).click();
async function look(name: string, of = page): Promise<void> {
  if (!process.env.LOOK) return;
  mkdirSync(process.env.LOOK, { recursive: true });
  await settled(of);
  await of.screenshot({ path: join(process.env.LOOK, `${name}.png`), fullPage: true });
}
const body = () => {
  const terminal = fleet?.terminals[0];
  if (!terminal) throw new Error('no terminal');
  return terminal.body;
};
const subjects = () => box.arrived.map(({ raw }) => /^Subject: (.*(?:\r?\n .*)*)/m.exec(raw)?.[1]?.replace(/\r?\n /g, ' ') ?? '');

/** An address of another system is given, wrong first; it answers nothing that we trust, and that is told and kept. */
async function webhookTried(): Promise<void> {
  const manager = api(stack.url, await signIn(stack.url, 'admin', ADMIN, 'manager'), 'manager', 1);
  const row = page.getByRole('row', { name: /Night desk/ });
  const act = async (name: string) => {
    await row.getByRole('button', { name: /^Actions for/ }).click();
    await page.getByRole('menuitem', { name, exact: true }).click();
  };
  await act('Edit receivers');
  await field('Webhook').fill('http://127.0.0.1:9/alarms');
  await send('Save');
  await dialog().getByText('Enter an address that begins with https://.').waitFor();
  await field('Webhook').fill('https://127.0.0.1:9/alarms');
  await send('Save');
  await dialog().getByText('Reachable private networks').first().waitFor();
  await manager.call(systemSettingCalls.outbound, { allowed: [], webhooks: [], alarms: ['127.0.0.1'] });
  await send('Save');
  await dialog().getByText('Required').first().waitFor();
  await field('Signing secret').fill('short');
  await send('Save');
  await dialog().getByText('Enter a secret of at least 16 characters').waitFor();
  await look('receiver-webhook');
  await field('Signing secret').fill('a secret of the night desk');
  await send('Save');
  await page.getByText('“Night desk” saved').waitFor();
  await act('Send test');
  await page.getByText('“Night desk” didn’t take the test: Connection refused').waitFor();
  await look('receiver-tested');
  await row.getByText('Night desk').first().click();
  const sent = dialog().getByRole('row', { name: /Alarm · test.*Failed/ });
  await sent.waitFor();
  await look('receiver-sent');
  await sent.getByRole('button', { name: /^Actions for/ }).click();
  await page.getByRole('menuitem', { name: 'Resend', exact: true }).click();
  await page.getByText('Sending “Alarm · test” again').waitFor();
  await dialog()
    .getByRole('row', { name: /Alarm · test.*(Waiting|Sending)/ })
    .waitFor();
  await page.keyboard.press('Escape');
}

test('receivers and a rule for low batteries are made, done wrong first', async () => {
  await openMenu(page, 'Alarms');
  await page.getByRole('heading', { name: 'No open alarms' }).waitFor();
  await look('alarms-empty');
  await tab('Receivers');
  await page.getByText('No receivers yet').waitFor();
  await button('Add receivers').first().click();
  await field('Name').fill('Night desk');
  await choose(field('Organisation'), 'Mooring');
  await send('Add receivers');
  await dialog().getByText('Choose people, or enter an e-mail address or a webhook.').first().waitFor();
  await field('E-mail addresses outside').fill('desk@example.com');
  await page.keyboard.press('Enter');
  await look('receiver-form');
  await send('Add receivers');
  await page.getByText('“Night desk” added').waitFor();
  await look('receivers');
  await webhookTried();

  await tab('Rules');
  await page.getByText('No rules yet').waitFor();
  await button('Add rule').first().click();
  await send('Add rule');
  await dialog().getByText('Required').first().waitFor();
  await field('Name').fill('Low battery at the till');
  await choose(field('Organisation'), 'Mooring');
  await choose(field('Condition'), 'Low battery');
  await field('Below').fill('0');
  await field('Raise after \\(minutes\\)').fill('0');
  await field('Close after \\(minutes\\)').fill('0');
  await choose(field('Receivers'), 'Night desk');
  await look('rule-form');
  await send('Add rule');
  await dialog().getByText('Enter values within their limits.').first().waitFor();
  await field('Below').fill('20');
  await dialog().getByText('None of 1 terminal meets the condition now.').waitFor();
  await look('rule-matching');
  await send('Add rule');
  await page.getByText('“Low battery at the till” added').waitFor();
  await look('rules');
  // Gone back and reloaded: the tab and its row are still there.
  await page.reload();
  await page.getByRole('row', { name: /Low battery at the till/ }).waitFor();
});

test('the battery falls: the alarm shows by itself, its mail comes, and it is acknowledged on a telephone', async () => {
  await tab('Open');
  Object.assign(body().held, { battery: 12, charging: false });
  await waitFor(async () => {
    await lookNow();
    return (await admin.call(alarmCalls.page, {})).content.length > 0;
  }, 'the alarm');
  // Nobody reloads the page.
  await page
    .getByRole('row', { name: /TILL0001/ })
    .getByText('Battery at 12%, below 20%')
    .waitFor();
  await look('alarms');
  // A test went there before.
  const isIt = ({ to, raw }: MailBox['arrived'][number]) =>
    to.includes('desk@example.com') && wordsOf(raw).includes('Battery at 12%, below 20%');
  await waitFor(() => box.arrived.some(isIt), 'the mail');

  const phone = await visit(browser, {
    url: stack.url,
    account: 'admin',
    password: ADMIN,
    platform: 'centre',
    look: { ...plainLook, width: 390 },
  });
  await phone.page.goto(`${stack.url}/device/alertPush`);
  await phone.page.getByText('TILL0001').first().click();
  const small = phone.page.getByRole('dialog').last();
  await small.getByRole('button', { name: 'Acknowledge' }).waitFor();
  await look('alarm-phone', phone.page);
  await small.getByRole('button', { name: 'Acknowledge' }).click();
  await phone.page.getByRole('dialog').last().getByLabel(/^Note/).fill('Charger is on its way');
  await phone.page.getByRole('dialog').last().getByRole('button', { name: 'Acknowledge', exact: true }).click();
  await phone.page.getByText('Alarm of “TILL0001” acknowledged').waitFor();
  await phone.context.close();
  await page
    .getByRole('row', { name: /TILL0001/ })
    .getByText('Acknowledged')
    .waitFor();
});

test('the battery recovers and the alarm closes by itself', async () => {
  Object.assign(body().held, { battery: 95, charging: true });
  await waitFor(async () => {
    await lookNow();
    return (await admin.call(alarmCalls.page, { criteria: { state: 'closed' } })).content.length > 0;
  }, 'the end of the alarm');
  await page.getByRole('heading', { name: 'No open alarms' }).waitFor();
  await tab('History');
  await page
    .getByRole('row', { name: /TILL0001/ })
    .getByText('Closed')
    .waitFor();
  await page
    .getByRole('row', { name: /TILL0001/ })
    .getByText('Battery at 12%')
    .click();
  await dialog().getByText('Charger is on its way').waitFor();
  await dialog().getByText('By itself').waitFor();
  await look('alarm-closed');
  await page.keyboard.press('Escape');
  await tab('Statistics');
  await page.getByText('Alarms by day').first().waitFor();
  await look('alarm-charts');
  await page.goto(`${stack.url}/welcome`);
  await page.getByRole('heading', { name: 'Alarms', exact: true }).waitFor();
});

test('fifty terminals fall silent: one mail says how many', async () => {
  const sns = Array.from({ length: STORM }, (_, at) => `STORM${String(at).padStart(4, '0')}`);
  const many = startFleet({ server: stack.url, count: STORM, code, product: 'A920', sns, heartbeatSeconds: 5 });
  await many.whenOnline(STORM, 90);
  await many.stop();
  const silent = async () => {
    const { content } = await admin.call(deviceCalls.page, { criteria: { text: 'STORM', status: '2' }, page: { size: 100 } });
    return content.length === STORM && content.every(({ lastSeenAt }) => Date.parse(String(lastSeenAt)) < Date.now() - 61_000);
  };
  await waitFor(silent, 'the silence', 150, 1000);
  await page.goto(`${stack.url}/device/alertPush?tab=rules`);
  await button('Add rule').first().click();
  await field('Name').fill('Silent tills');
  await choose(field('Organisation'), 'Mooring');
  await choose(field('Condition'), 'Terminal silent');
  await field('Minutes').fill('1');
  await field('Raise after \\(minutes\\)').fill('0');
  await choose(field('Receivers'), 'Night desk');
  await send('Add rule');
  await page.getByText('“Silent tills” added').waitFor();
  await waitFor(async () => (await admin.call(alarmCalls.page, { criteria: { kind: 'silent' } })).total === STORM, 'the storm', 180, 1000);
  await waitFor(() => subjects().some((one) => /Silent tills: \d+ alarms/.test(one)), 'the summary', 90);
  expect(subjects().filter((one) => one.includes('Silent tills'))).toEqual([expect.stringContaining('Silent tills: 50 alarms')]);
  await tab('Open');
  await page.getByText('Silent for more than 1 minute').first().waitFor();
  await look('alarms-many');
  if (process.env.LOOK) await pictures();
});

const looks: readonly [string, Look][] = [
  ['dark', { theme: 'dark', width: 1440, lang: 'en' }],
  ['zh', { theme: 'light', width: 1440, lang: 'zh-CN' }],
  ['ar', { theme: 'light', width: 1440, lang: 'ar' }],
  ['phone-dark', { theme: 'dark', width: 390, lang: 'zh-CN' }],
];
async function pictures(): Promise<void> {
  for (const [name, of] of looks) {
    const there = await visit(browser, { url: stack.url, account: 'admin', password: ADMIN, platform: 'centre', look: of });
    for (const [key, path] of [
      ['alarms', '/device/alertPush'],
      ['rules', '/device/alertPush?tab=rules'],
      ['charts', '/device/alertPush?tab=charts'],
      ['home', '/welcome'],
    ] as const) {
      await there.page.setViewportSize({ width: of.width, height: key === 'home' || key === 'charts' ? 2000 : 900 });
      await there.page.goto(`${stack.url}${path}`);
      await look(`${key}-${name}`, there.page);
    }
    await there.page.goto(`${stack.url}/device/alertPush?tab=receivers`);
    await there.page.getByText('Night desk').first().click();
    await there.page.getByRole('dialog').last().waitFor();
    await look(`receiver-sent-${name}`, there.page);
    await there.context.close();
  }
}
