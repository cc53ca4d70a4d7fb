import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { alarmReceiverCalls } from '@mooring/contract/alert/receiver';
import { geofenceCalls } from '@mooring/contract/geofence/geofence';
import { geofenceAlarmCalls } from '@mooring/contract/geofence/geofence-alarm';
import { DEGREE } from '@mooring/contract/geofence/outline';
import { type Fleet, startFleet } from '@mooring/terminal/start-fleet';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MailBox, mailBox, wordsOf } from '../server/test/mail-server.ts';
import { ADMIN, type Api, administrator } from './api.ts';
import { axe } from './axe.ts';
import { launchBrowser } from './browser.ts';
import { choose } from './choose.ts';
import { makeEstate } from './estate.ts';
import { settled } from './settled.ts';
import { type Stack, startStack, waitFor } from './stack.ts';
import { type Look, visit } from './visit.ts';

const VANS = 3;
const BERLIN = { lat: 52.52, lon: 13.405 };
let box: MailBox;
let stack: Stack;
let browser: Browser;
let page: Page;
let admin: Api;
let fleet: Fleet | undefined;

beforeAll(async () => {
  box = await mailBox();
  stack = await startStack({ env: { SMTP_URL: box.url } });
  admin = await administrator(stack.url, stack.password);
  const { code } = await makeEstate(stack.url, admin, ADMIN, VANS, 10);
  await admin.call(alarmReceiverCalls.add, { name: 'Night desk', deptId: 1, emails: ['desk@example.com'] });
  const sns = Array.from({ length: VANS }, (_, at) => `VAN0000${at + 1}`);
  fleet = startFleet({ server: stack.url, count: VANS, code, product: 'A920', sns, heartbeatSeconds: 1 });
  for (const [at, { body }] of fleet.terminals.entries())
    body.held.position = { lat: BERLIN.lat + at * 0.001, lon: BERLIN.lon, accuracy: 10, source: 'gps' };
  await fleet.whenOnline(VANS);
  browser = await launchBrowser();
  ({ page } = await visit(browser, { url: stack.url, account: 'admin', password: ADMIN, platform: 'centre' }));
});
afterAll(async () => {
  await browser?.close();
  await fleet?.stop();
  await stack?.stop();
  await box?.stop();
});

const button = (name: string) => page.getByRole('button', { name, exact: true });
const dialog = () => page.getByRole('dialog').last();
const field = (name: string) => dialog().getByLabel(new RegExp(`^${name}(?: ?\\(?optional\\)?)?$`));
const send = (name: string) => dialog().getByRole('button', { name, exact: true }).click();
const tab = (name: string) => page.getByRole('tab', { name, exact: true }).click();
const row = (name: string) => page.getByRole('row', { name: new RegExp(name) });
async function look(name: string, of = page): Promise<void> {
  if (!process.env.LOOK) return;
  mkdirSync(process.env.LOOK, { recursive: true });
  await settled(of);
  await of.screenshot({ path: join(process.env.LOOK, `${name}.png`), fullPage: true });
}
/** The first van drives so many metres north, in steps that a terminal would tell. */
function drive(metres: number): void {
  const van = fleet?.terminals[0];
  if (van) van.body.held.position = { lat: BERLIN.lat + metres / DEGREE, lon: BERLIN.lon, accuracy: 10, source: 'gps' };
}
const alarms = () => admin.call(geofenceAlarmCalls.page, {});
const fenceNow = async (name: string) => (await admin.call(geofenceCalls.page, { criteria: { text: name } })).content[0];
const mails = () => box.arrived.filter(({ to }) => to.includes('desk@example.com'));

test('a circle is made by numbers, done wrong first, and says how many would be outside', async () => {
  await page.getByRole('link', { name: 'Map', exact: true }).first().click();
  await tab('Geofences');
  await page.getByText('No geofences yet').waitFor();
  await look('fences-empty');
  await button('Add geofence').first().click();
  await send('Add geofence');
  await dialog().getByText('Required').first().waitFor();
  await field('Name').fill('Depot');
  await choose(field('Organisation'), 'Mooring');
  await field('Radius \\(m\\)').fill('20');
  await field('Latitude').fill(String(BERLIN.lat));
  await field('Longitude').fill(String(BERLIN.lon));
  await send('Add geofence');
  await dialog().getByText(/50/).first().waitFor();
  await field('Radius \\(m\\)').fill('1000');
  await dialog()
    .getByText(/Now: 3 inside, 0 outside/)
    .waitFor();
  await choose(field('Receivers'), 'Night desk');
  await field('Repeat every \\(hours\\)').fill('4');
  await look('fence-form');
  expect(await axe(page)).toEqual([]);
  await send('Add geofence');
  await page.getByText('“Depot” added').waitFor();
  // Reloaded: the tab and its row are still there.
  await page.reload();
  await row('Depot').waitFor();
  await waitFor(async () => (await fenceNow('Depot'))?.inside === VANS, 'the vans inside');
  expect(await fenceNow('Depot')).toMatchObject({ repeatHours: 4, quietThrough: true });
  await look('fences');
});

test('a polygon is drawn by clicks, one that crosses itself is refused, and it is corrected by keyboard', async () => {
  await button('Add geofence').first().click();
  await field('Name').fill('Quarter');
  await choose(field('Organisation'), 'Mooring');
  await choose(field('Shape'), 'Polygon');
  const map = dialog().getByRole('application');
  await dialog().locator('.m-map[data-ready="true"]').waitFor();
  await map.scrollIntoViewIfNeeded();
  await settled(page);
  const frame = await map.boundingBox();
  if (!frame) throw new Error('no map');
  const at = (x: number, y: number) => [frame.x + frame.width * x, frame.y + frame.height * y] as const;
  const click = (x: number, y: number) => page.mouse.click(...at(x, y), { delay: 30 });
  // Two that are wrong are taken back, by a key and by the button.
  await click(0.3, 0.3);
  await click(0.7, 0.7);
  await click(0.5, 0.8);
  await page.keyboard.press('Backspace');
  await click(0.7, 0.3);
  await click(0.8, 0.5);
  await dialog().getByRole('button', { name: 'Remove last corner' }).click();
  await click(0.3, 0.7);
  await click(0.3, 0.3);
  await dialog()
    .getByLabel(/Corners: latitude/)
    .waitFor();
  await waitFor(
    async () =>
      (
        await dialog()
          .getByLabel(/Corners: latitude/)
          .inputValue()
      ).split('\n').length === 4,
    'four corners',
  );
  await send('Add geofence');
  await dialog().getByText('The outline crosses itself. Move its corners.').first().waitFor();
  await look('fence-crossed');
  await dialog()
    .getByLabel(/Corners: latitude/)
    .fill('52.4,13.2\n52.6, 13.2\n52.6,13.6\n52.4,13.6');
  await dialog()
    .getByText(/Now: 3 inside, 0 outside/)
    .waitFor();
  await look('fence-polygon');
  await send('Add geofence');
  await page.getByText('“Quarter” added').waitFor();
  await page.locator('.m-map[data-ready="true"]').waitFor();
  await row('Quarter').getByText('Quarter').click();
  await waitFor(() => page.url().includes('fence='), 'the chosen fence');
  await look('fences-two');
});

test('a van drives out: one alarm opens by itself, its mail comes, and it is acknowledged', async () => {
  await tab('Geofence alarms');
  await page.getByText('No open geofence alarms').waitFor();
  await look('fence-alarms-empty');
  for (const metres of [400, 900, 1050]) {
    drive(metres);
    await settled(page);
  }
  drive(2500);
  // Nobody reloads the page.
  await row('VAN00001').getByText('Left “Depot”').waitFor();
  const mail = await waitFor(() => mails()[0], 'the mail');
  expect(wordsOf(mail.raw)).toContain('Left “Depot”');
  await look('fence-alarms');
  await row('VAN00001')
    .getByRole('button', { name: /^Actions for/ })
    .click();
  await page.getByRole('menuitem', { name: 'Acknowledge', exact: true }).click();
  await dialog().getByLabel(/^Note/).fill('The driver is called');
  await send('Acknowledge');
  await page.getByText('Alarm of “VAN00001” acknowledged').waitFor();
  await row('VAN00001').getByText('Acknowledged').waitFor();
  await tab('Geofences');
  await row('Depot').waitFor();
  await look('fences-alarm');
});

test('it drives back: the alarm closes by itself, and there was one alarm and one mail of it', async () => {
  drive(1050);
  await tab('Geofence alarms');
  await settled(page);
  expect((await alarms()).content).toMatchObject([{ state: 'acknowledged' }]);
  drive(0);
  await row('VAN00001').getByText('It came back').waitFor();
  expect((await alarms()).content).toMatchObject([{ state: 'closed', count: 1, reason: 'back', note: 'The driver is called' }]);
  expect(mails()).toHaveLength(1);
  await look('fence-alarms-closed');
  // The page of the terminal says where it stands.
  await row('VAN00001').getByText('Left “Depot”').click();
  await page.getByRole('heading', { name: 'VAN00001' }).first().waitFor();
  await tab('Geofences');
  await page.getByText('Depot', { exact: true }).waitFor();
  await look('device-fences');
});

test('a fence is copied, disabled and deleted', async () => {
  await page.goto(`${stack.url}/device/amap?tab=fences`);
  const act = async (name: string, what: string) => {
    await row(name)
      .getByRole('button', { name: /^Actions for/ })
      .click();
    await page.getByRole('menuitem', { name: what, exact: true }).click();
  };
  await act('Depot', 'Copy');
  expect(await field('Name').inputValue()).toBe('Depot (copy)');
  await send('Add geofence');
  await page.getByText('“Depot (copy)” added').waitFor();
  await act('Quarter', 'Disable');
  await send('Disable');
  await page.getByText('Geofence “Quarter” disabled').waitFor();
  await act('Depot \\(copy\\)', 'Delete');
  await send('Delete');
  await row('Depot \\(copy\\)').waitFor({ state: 'detached' });
  expect((await admin.call(geofenceCalls.page, {})).content.map(({ name, enabled }) => ({ name, enabled }))).toEqual([
    { name: 'Depot', enabled: true },
    { name: 'Quarter', enabled: false },
  ]);
  if (process.env.LOOK) await pictures();
});

const looks: readonly [string, Look][] = [
  ['dark', { theme: 'dark', width: 1440, lang: 'en' }],
  ['zh', { theme: 'light', width: 1440, lang: 'zh-CN' }],
  ['ar', { theme: 'light', width: 1440, lang: 'ar' }],
  ['phone-dark', { theme: 'dark', width: 390, lang: 'zh-CN' }],
  ['phone', { theme: 'light', width: 390, lang: 'en' }],
];
async function pictures(): Promise<void> {
  for (const [name, of] of looks) {
    const there = await visit(browser, { url: stack.url, account: 'admin', password: ADMIN, platform: 'centre', look: of });
    for (const [key, path] of [
      ['map', '/device/amap'],
      ['fences', '/device/amap?tab=fences'],
      ['alarms', '/device/amap?tab=fenceAlarms'],
      ['form', '/device/amap?tab=fences&do=add'],
    ] as const) {
      await there.page.goto(`${stack.url}${path}`);
      await look(`${key}-${name}`, there.page);
    }
    await there.context.close();
  }
}
