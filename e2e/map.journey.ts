import { mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { deviceCalls } from '@mooring/contract/device/calls';
import { mapCalls } from '@mooring/contract/device/map/map-calls';
import { positionCalls } from '@mooring/contract/device/position/position-calls';
import { merchantCalls } from '@mooring/contract/merchant/calls';
import { shopCalls } from '@mooring/contract/merchant/shop';
import { type Fleet, startFleet } from '@mooring/terminal/start-fleet';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADMIN, type Api, administrator } from './api.ts';
import { axe } from './axe.ts';
import { bareKeys } from './bare-keys.ts';
import { launchBrowser } from './browser.ts';
import { choose } from './choose.ts';
import { makeEstate } from './estate.ts';
import { settled } from './settled.ts';
import { type Stack, startDemo, startStack, waitFor } from './stack.ts';
import { type Look, visit } from './visit.ts';

const TERMINALS = 12;
const HEARTBEAT = 2;
const [BERLIN, LISBON] = [
  { lat: 52.52, lon: 13.405 },
  { lat: 38.7223, lon: -9.1393 },
];
const looks: readonly Look[] = [
  { theme: 'light', width: 1440, lang: 'en' },
  { theme: 'dark', width: 1440, lang: 'zh-CN' },
  { theme: 'light', width: 390, lang: 'en' },
  { theme: 'dark', width: 390, lang: 'ar' },
];
let stack: Stack;
let admin: Api;
let fleet: Fleet;
let browser: Browser;
let page: Page;

const sns = Array.from({ length: TERMINALS }, (_, n) => `MAP${String(n + 1).padStart(5, '0')}`);

beforeAll(async () => {
  stack = await startStack();
  admin = await administrator(stack.url, stack.password);
  const { code } = await makeEstate(stack.url, admin, ADMIN, TERMINALS);
  browser = await launchBrowser();
  ({ page } = await visit(browser, { url: stack.url, account: 'admin', password: ADMIN, platform: 'centre' }));
  // The map is asked for anew every twenty seconds.
  await page.goto(`${stack.url}/device/amap`);
  await page.getByText('No terminals on the map', { exact: true }).waitFor();
  await look('map empty');
  fleet = startFleet({ server: stack.url, count: TERMINALS, code, product: 'A920', sns, heartbeatSeconds: HEARTBEAT });
  for (const [at, { body }] of fleet.terminals.entries()) {
    const city = at < 8 ? BERLIN : LISBON;
    // Two stand at one and the same counter.
    const step = at === 1 ? 0 : at;
    body.held.position = { lat: city.lat + step * 0.01, lon: city.lon + step * 0.01, accuracy: 10, source: 'gps' };
  }
  await fleet.whenOnline(TERMINALS);
});
afterAll(async () => {
  await fleet?.stop();
  await browser?.close();
  await stack?.stop();
});

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
const map = () => page.getByRole('application');
const places = () => page.getByRole('region', { name: 'Places in view' });
const stat = (name: string) => page.locator('.m-stat').filter({ hasText: name }).locator('.m-stat-value');
async function look(name: string, of = page): Promise<void> {
  if (!process.env.LOOK) return;
  mkdirSync(process.env.LOOK, { recursive: true });
  if (!/^(active|release)/.test(name)) await of.locator('.m-map[data-ready="true"]').waitFor();
  await settled(of);
  await of.screenshot({ path: join(process.env.LOOK, `${name}.png`), fullPage: true });
}
const zoom = () => Number(/at=[^&]*?(?:,|%2C)([\d.]+)(?:&|$)/.exec(page.url())?.[1]);

test('a fleet in two cities appears on the map by itself, and the map opens on it', async () => {
  await places().getByRole('row').nth(TERMINALS).waitFor();
  expect(await stat('On the map').textContent()).toBe(String(TERMINALS));
  await settled(page);
  expect([...(await axe(page)), ...(await bareKeys(page))]).toEqual([]);
  await look('map');
  await page.reload();
  await places().getByRole('link', { name: 'MAP00001' }).waitFor();
  await page.locator('.m-map[data-ready="true"]').waitFor();
});

test('it is moved and zoomed by mouse and by keyboard, and comes back where it was left', async () => {
  await waitFor(() => zoom() > 2, 'the opening view');
  // It goes there by steps.
  await settled(page);
  const before = zoom();
  await map().focus();
  await page.keyboard.press('+');
  await waitFor(() => zoom() > before, 'the zoom by key');
  await settled(page);
  const near = zoom();
  await page.keyboard.press('-');
  await waitFor(() => zoom() < near, 'the zoom back by key');
  const at = page.url();
  await page.keyboard.press('ArrowRight');
  await waitFor(() => page.url() !== at, 'the move by key');
  await button('Zoom in').click();
  await waitFor(() => zoom() > before, 'the zoom by button');
  const box = await map().boundingBox();
  await page.mouse.move((box?.x ?? 0) + 200, (box?.y ?? 0) + 200);
  const deep = zoom();
  await page.mouse.wheel(0, -600);
  await waitFor(() => zoom() > deep, 'the zoom by wheel');
  await page.reload();
  const kept = zoom();
  await page.locator('.m-map[data-ready="true"]').waitFor();
  await settled(page);
  expect(zoom()).toBeCloseTo(kept, 0);
  await button('Show all terminals').click();
  await places().getByRole('row').nth(TERMINALS).waitFor();
});

test('what stands at one point opens together, and each leads to its terminal', async () => {
  await page.goto(`${stack.url}/device/amap?at=${BERLIN.lat},${BERLIN.lon},15`);
  await page.locator('.m-map[data-ready="true"]').waitFor();
  await places().getByRole('link', { name: 'MAP00001' }).waitFor();
  const box = await map().boundingBox();
  await page.mouse.click((box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + (box?.height ?? 0) / 2);
  const here = page.getByRole('region', { name: 'Terminals here' });
  await here.getByRole('link', { name: 'MAP00001' }).waitFor();
  await here.getByRole('link', { name: 'MAP00002' }).waitFor();
  expect(await here.getByRole('link').count()).toBe(2);
  await look('map here');
  await here.getByRole('link', { name: 'MAP00002' }).click();
  await page.waitForURL('**/device/deviceDetail/*');
  await page.goBack();
  await places().getByRole('link', { name: 'MAP00001' }).waitFor();
});

test('shops stand in the streets with their terminals, and what failed is a map of its own', async () => {
  const [{ deptId = 0 } = {}] = (await admin.call(deviceCalls.page, {})).content;
  const merchant = await admin.call(merchantCalls.add, { number: 'B1', name: 'Books', deptId });
  await admin.call(shopCalls.add, { merchantId: merchant.id, number: 'B2', name: 'Books at the Gate', ...BERLIN });
  await page.goto(`${stack.url}/device/amap?at=${BERLIN.lat},${BERLIN.lon},16`);
  const shops = page.getByRole('region', { name: 'Shops in view' });
  await shops.getByRole('link', { name: 'Books at the Gate' }).waitFor();
  await shops.getByText('No terminals').waitFor();
  await settled(page);
  expect([...(await axe(page)), ...(await bareKeys(page))]).toEqual([]);
  await look('map shops');
  await page.getByRole('switch', { name: 'Shops' }).click();
  await shops.waitFor({ state: 'hidden' });
  expect(page.url()).toContain('shops=off');
  await page.getByRole('radio', { name: 'Failures' }).check();
  await page.getByText('Nothing failed in view').waitFor();
  expect(await button('Draw area').count()).toBe(0);
  await page.reload();
  await page.getByText('Nothing failed in view').waitFor();
  await settled(page);
  expect([...(await axe(page)), ...(await bareKeys(page))]).toEqual([]);
});

test('filters of the list hold for the map', async () => {
  await page.goto(`${stack.url}/device/amap?status=4`);
  await page.getByText('No terminals on the map match the filters').waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).last().click();
  await places().getByRole('row').nth(TERMINALS).waitFor();
});

test('a drawn area lists its terminals', async () => {
  await page.goto(`${stack.url}/device/amap?at=46,2,4`);
  await page.locator('.m-map[data-ready="true"]').waitFor();
  await places().getByRole('row').nth(TERMINALS).waitFor();
  await button('Draw area').click();
  await page.getByRole('menuitem', { name: 'Rectangle' }).click();
  await page.getByText('Drag across the map').waitFor();
  await page.keyboard.press('Escape');
  await page.getByText('Drag across the map').waitFor({ state: 'hidden' });
  await button('Draw area').click();
  await page.getByRole('menuitem', { name: 'Rectangle' }).click();
  const box = await map().boundingBox();
  const [x, y] = [(box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + (box?.height ?? 0) / 2];
  // From the middle of France to the north-east: Berlin and not Lisbon.
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 120, y - 120, { steps: 5 });
  await page.mouse.move(x + 240, y - 240, { steps: 5 });
  await page.mouse.up();
  const area = page.getByRole('region', { name: 'Terminals in the area' }).first();
  await area.getByRole('link', { name: 'MAP00008' }).waitFor();
  expect(await area.getByRole('link', { name: 'MAP00009' }).count()).toBe(0);
  await settled(page);
  expect(await axe(page)).toEqual([]);
  await look('map area');
  await page.reload();
  await area.getByRole('link', { name: 'MAP00008' }).waitFor();
});

test('what stands in a drawn area becomes a release, to these and no others', async () => {
  const area = page.getByRole('region', { name: 'Terminals in the area' }).first();
  await area.getByRole('checkbox').first().check();
  await button('Release to 8 terminals').click();
  const dialog = page.getByRole('dialog', { name: 'Release to 8 terminals' });
  await dialog.waitFor();
  await look('map release');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  await button('Release to 8 terminals').focus();
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Network settings' }).focus();
  await page.keyboard.press('Enter');
  await page.getByLabel('Name', { exact: true }).fill('Wi-Fi in Berlin');
  // The address alone says less than what was handed over, and a reload keeps both.
  await page.reload();
  await choose(page.getByRole('combobox', { name: 'Setting' }), 'Allowed Wi-Fi networks');
  await page.getByRole('combobox', { name: 'Wi-Fi networks' }).fill('head office');
  await page.keyboard.press('Enter');
  await button('Next').click();
  await page.getByText('8 serial numbers').waitFor();
  await look('release whom');
  // The address changes before the page does: what is pressed between the two belongs to the step before.
  for (const step of ['Rollout', 'Review']) {
    await button('Next').click();
    await page.getByRole('heading', { name: step, exact: true, level: 2 }).waitFor();
  }
  await button('Release to 8 terminals').click();
  await page.getByText('Finished', { exact: true }).filter({ visible: true }).first().waitFor();
  const allowed = fleet.terminals.map(({ journal }) => journal.settings.has('networkConfig.wifiWhitelist'));
  expect(allowed).toEqual(sns.map((_, at) => at < 8));
  // Handed over to another tab the address names nobody: never all.
  const { context, page: other } = await visit(browser, {
    url: stack.url,
    account: 'admin',
    password: ADMIN,
    platform: 'centre',
    at: '/networkConfig/detail/new?targets=elsewhere',
  });
  await other.getByLabel('Name', { exact: true }).fill('To nobody');
  await choose(other.getByRole('combobox', { name: 'Setting' }), 'Allowed Wi-Fi networks');
  await other.getByRole('combobox', { name: 'Wi-Fi networks' }).fill('head office');
  await other.keyboard.press('Enter');
  await other.getByRole('button', { name: 'Next', exact: true }).click();
  await other.getByText('0 serial numbers').waitFor();
  await other.getByRole('button', { name: 'Next', exact: true }).click();
  await other.locator('.m-problems, .m-field-error').first().waitFor();
  await context.close();
  await page.goto(`${stack.url}/device/amap`);
});

test('where a terminal was is drawn on its page, and told point by point', async () => {
  const [first] = fleet.terminals;
  if (!first) throw new Error('no terminal');
  await places().getByRole('link', { name: 'MAP00001' }).click();
  await page.getByRole('tab', { name: 'Position' }).click();
  await page.getByRole('cell', { name: '52.52000, 13.40500' }).waitFor();
  const id = Number(/deviceDetail\/(\d+)/.exec(page.url())?.[1]);
  const kept = async () => (await admin.call(positionCalls.track, { criteria: { deviceId: id } })).total;
  first.body.held.position = { lat: 52.54, lon: 13.43, accuracy: 8, source: 'gps' };
  await waitFor(async () => (await kept()) > 1, 'the next point', 90);
  await page.reload();
  await page.getByRole('cell', { name: '52.54000, 13.43000' }).waitFor();
  await settled(page);
  expect([...(await axe(page)), ...(await bareKeys(page))]).toEqual([]);
  await look('position');
});

test('streets come from the server that is named, and from no other', async () => {
  const tile = await sharp({ create: { width: 256, height: 256, channels: 3, background: '#cfe3d6' } })
    .png()
    .toBuffer();
  const asked: string[] = [];
  const streets = createServer((request, answer) => {
    asked.push(request.url ?? '');
    answer.writeHead(200, { 'content-type': 'image/png' }).end(tile);
  });
  await new Promise<void>((done) => streets.listen(0, '127.0.0.1', done));
  const origin = `http://127.0.0.1:${(streets.address() as AddressInfo).port}`;
  const outside: string[] = [];
  const { context, page: other } = await visit(browser, { url: stack.url, account: 'admin', password: ADMIN, platform: 'manager' });
  other.on('request', (request) => !request.url().startsWith(stack.url) && /^http/.test(request.url()) && outside.push(request.url()));
  try {
    await other.goto(`${stack.url}/device/amap`);
    await other.locator('.m-map[data-ready="true"]').waitFor();
    await settled(other);
    expect(outside).toEqual([]);
    await other.goto(`${stack.url}/system/settings?tab=map`);
    await other.getByLabel(/^Address of the tiles/).fill('https://tiles.example.com;x/{z}/{x}/{y}');
    await other.getByRole('button', { name: 'Save', exact: true }).click();
    // At its field, and named above the form: the press that left the field counts.
    await other.locator('.m-field-error').getByText('Enter an http(s) address with all of z, x and y in braces.').waitFor();
    await other.getByRole('alert').getByText('Address of the tiles').waitFor();
    await other.getByLabel(/^Address of the tiles/).fill(`${origin}/{z}/{x}/{y}.png?key={key}`);
    await other.getByLabel(/^Key/).fill('k1');
    await other.getByLabel(/^Attribution/).fill('© Street makers');
    await other.getByRole('button', { name: 'Save', exact: true }).click();
    await other.getByText('“Map” saved').waitFor();
    if (process.env.LOOK) await other.screenshot({ path: join(process.env.LOOK, 'map settings.png'), fullPage: true });
    // The policy of pages is kept for some seconds.
    const policy = async () => (await fetch(`${stack.url}/device/amap`)).headers.get('content-security-policy') ?? '';
    await waitFor(async () => (await policy()).includes(origin), 'the policy');
    await other.goto(`${stack.url}/device/amap`);
    await other.getByText('© Street makers').waitFor();
    await waitFor(async () => asked.length > 0, 'the tiles');
    expect(asked[0]).toMatch(/^\/\d+\/\d+\/\d+\.png\?key=k1$/);
    expect(outside.every((one) => one.startsWith(origin))).toBe(true);
    await look('map streets', other);
  } finally {
    await context.close();
    streets.close();
  }
});

test('nobody sees another organisation’s points', async () => {
  const demo = await startDemo({ live: true });
  try {
    const all = await demo.admin.call(mapCalls.figures, {});
    const { context, page: other } = await visit(browser, {
      url: demo.stack.url,
      account: 'hui.manager',
      password: demo.password,
      platform: 'manager',
    });
    await other.goto(`${demo.stack.url}/device/amap`);
    const own = other.locator('.m-stat').filter({ hasText: 'On the map' }).locator('.m-stat-value');
    await waitFor(async () => /^[\d,]+$/.test((await own.textContent()) ?? ''), 'the figures');
    const n = Number((await own.textContent())?.replaceAll(',', ''));
    expect(n).toBeGreaterThan(0);
    expect(n).toBeLessThan(all.placed.total);
    await look('map manager', other);
    // Over Berlin, where others have theirs.
    await other.goto(`${demo.stack.url}/device/amap?at=${BERLIN.lat},${BERLIN.lon},8`);
    await other.getByText('No terminals in view').waitFor();
    await context.close();
    for (const as of process.env.LOOK ? looks : looks.slice(-1)) {
      const seen = await visit(browser, {
        url: demo.stack.url,
        account: 'admin',
        password: ADMIN,
        platform: 'centre',
        look: as,
        at: '/device/amap',
      });
      await seen.page.locator('.m-map[data-ready="true"]').waitFor();
      await look(`map full ${as.theme} ${as.width} ${as.lang}`, seen.page);
      await seen.page.goto(`${demo.stack.url}/device/amap?at=31.2,121.5,9&placed=false`);
      await look(`map city ${as.theme} ${as.width} ${as.lang}`, seen.page);
      await seen.page.goto(`${demo.stack.url}/device/active`);
      await look(`active ${as.theme} ${as.width} ${as.lang}`, seen.page);
      await seen.page.goto(`${demo.stack.url}/device/deviceDetail/41?tab=position`);
      await look(`position ${as.theme} ${as.width} ${as.lang}`, seen.page);
      await settled(seen.page);
      expect(await seen.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0);
      await seen.context.close();
    }
  } finally {
    await demo.stack.stop();
  }
});
