import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { androidParams } from '@mooring/terminal/settings';
import { type Fleet, startFleet } from '@mooring/terminal/start-fleet';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { ADMIN, administrator } from './api.ts';
import { launchBrowser } from './browser.ts';
import { choose } from './choose.ts';
import { makeEstate } from './estate.ts';
import { openMenu } from './menu.ts';
import { toReview } from './page-parts.ts';
import { type Stack, startStack } from './stack.ts';
import { visit } from './visit.ts';

const TERMINALS = 2;
const PIN = 'Tpk-5F2A';
let stack: Stack;
let browser: Browser;
let page: Page;
let wrong: readonly string[];
let fleet: Fleet;
const folder = mkdtempSync(join(tmpdir(), 'mooring-android-'));
let start: () => Fleet;

beforeAll(async () => {
  stack = await startStack();
  const admin = await administrator(stack.url, stack.password);
  const { code } = await makeEstate(stack.url, admin, ADMIN, TERMINALS);
  const pace = { installSeconds: 0.1, bootSeconds: 0.1 };
  start = () =>
    startFleet({ server: stack.url, count: TERMINALS, code, product: 'A920', seed: 'android', stateFile: join(folder, 'state'), ...pace });
  fleet = start();
  await fleet.whenOnline(TERMINALS, 180);
  browser = await launchBrowser();
  ({ page, wrong } = await visit(browser, { url: stack.url, account: 'admin', password: ADMIN, platform: 'centre' }));
});
afterAll(async () => {
  await fleet?.stop();
  await browser?.close();
  await stack?.stop();
  rmSync(folder, { recursive: true, force: true });
});

afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return;
  const place = join(import.meta.dirname, '../.cache/journeys', task.name.slice(0, 40));
  await page?.screenshot({ path: `${place}.png`, fullPage: true });
  writeFileSync(`${place}.log`, [...wrong, stack.output()].join('\n'));
});

const button = (name: string) => page.getByRole('button', { name, exact: true });
const step = (title: string) => page.getByRole('heading', { name: title, exact: true, level: 2 }).waitFor();
const menu = (name: string) => openMenu(page, name);
const card = (name: string) => page.getByRole('group', { name, exact: true });
const cards = () => page.locator('fieldset.m-ring > legend').allTextContents();
const paramsOf = (one: Fleet['terminals'][number] | undefined) =>
  Object.fromEntries([...androidParams(one?.journal.settings ?? new Map())].map(([key, { value }]) => [key, value]));
const handle = (name: string) => page.getByRole('button', { name: `Move ${name}`, exact: true });
async function dragOver(name: string, other: string): Promise<void> {
  // All cards stand on the screen: what is outside of it no mouse reaches.
  await page.setViewportSize({ width: 1440, height: 1800 });
  const [from, to] = [await handle(name).boundingBox(), await handle(other).boundingBox()];
  if (!from || !to) throw new Error('no handles');
  await page.mouse.move(from.x + 10, from.y + 10);
  await page.mouse.down();
  await page.mouse.move(from.x + 10, from.y + 20, { steps: 3 });
  await page.mouse.move(to.x + 10, to.y + 12, { steps: 12 });
  await page.getByText(new RegExp(`^${name} is at place`)).waitFor({ state: 'attached' });
  await page.mouse.up();
  await page.setViewportSize({ width: 1440, height: 900 });
}
test('a template is made by hand, released as a general release, and terminals keep its parameters', async () => {
  await menu('Parameter templates');
  await page.getByText('No parameter templates yet').waitFor();
  await page.getByRole('link', { name: 'Add template', exact: true }).first().click();
  await page.getByLabel('Name', { exact: true }).fill('Till');
  // Added while the field before still holds the focus: one more card, and no second empty one.
  await card('Parameter 1').getByLabel('Key', { exact: true }).fill('port');
  await button('Add parameter').click();
  await card('Parameter 2').getByLabel('Key', { exact: true }).fill('port');
  await button('Add parameter').click();
  await expect.poll(cards).toEqual(['port', 'port', 'Parameter 3']);
  await card('Parameter 3').getByLabel('Key', { exact: true }).fill('pin');
  await button('Add template').click();
  await page.getByText('Another parameter has this key.').first().waitFor();
  await expect.poll(cards).toEqual(['port', 'port', 'pin']);
  await card('port').nth(1).getByLabel('Key', { exact: true }).fill('host');
  await card('host').getByLabel('Label').fill('Host');
  await card('host').getByLabel('Format').fill('[a-z.]+');
  await card('host').getByRole('switch', { name: 'Required' }).click();
  await choose(card('port').getByLabel('Type'), 'Number');
  await card('port').getByLabel('At most').fill('65535');
  await card('port').getByLabel('Default').fill('443');
  await choose(card('pin').getByLabel('Type'), 'Secret');
  await card('pin').getByRole('switch', { name: 'Required' }).click();
  // By a button, and by the keyboard.
  await page.getByRole('button', { name: 'Move up: host' }).click();
  await expect.poll(cards).toEqual(['host', 'port', 'pin']);
  await handle('pin').focus();
  await page.keyboard.press('Space');
  await page.getByText('pin is at place 3 of 3.').waitFor({ state: 'attached' });
  await page.keyboard.press('ArrowUp');
  await page.getByText('pin is at place 2 of 3.').waitFor({ state: 'attached' });
  await page.keyboard.press('Space');
  await expect.poll(cards).toEqual(['host', 'pin', 'port']);
  expect(await card('port').getByLabel('Default').inputValue()).toBe('443');
  await dragOver('host', 'port');
  await expect.poll(cards).toEqual(['pin', 'port', 'host']);
  await dragOver('host', 'pin');
  await expect.poll(cards).toEqual(['host', 'pin', 'port']);
  await button('Add parameter').click();
  await page.getByRole('button', { name: /^Remove.*Parameter 4/ }).click();
  await expect.poll(cards).toEqual(['host', 'pin', 'port']);
  await button('Add template').click();
  await page.getByRole('link', { name: 'Till', exact: true }).waitFor();
  await page.getByRole('link', { name: 'Till', exact: true }).click();
  await page.getByRole('row', { name: /host.*Host.*Text/ }).waitFor();

  await menu('General releases');
  await page.getByText('No general releases yet').waitFor();
  await page.getByRole('link', { name: 'New release', exact: true }).filter({ visible: true }).first().click();
  // What is to be released is asked first; a person who may release one kind alone comes straight to its wizard.
  await page.getByRole('main').getByRole('link', { name: 'Android parameters', exact: true }).click();
  await page.waitForURL('**/task/create/androidParam');
  await page.getByLabel('Name', { exact: true }).fill('Tills of May');
  await choose(page.getByRole('group', { name: 'Parameter template', exact: true }).getByRole('combobox'), 'Till');
  const values = page.getByRole('group', { name: 'Values', exact: true });
  await values.getByLabel('Host').fill('PAY');
  expect(await values.getByLabel('port').inputValue()).toBe('443');
  await button('Next').click();
  await values.getByText('“Host” doesn’t have the format that its template asks for.').waitFor();
  await values.getByText('Required', { exact: true }).waitFor();
  await values.getByLabel('Host').fill('pay.example');
  await values.getByLabel('port').fill('8443');
  await values.locator('input[type=password]').fill(PIN);
  await toReview(page);
  await page.getByText('Till · host: pay.example, port: 8443, pin: Set').filter({ visible: true }).first().waitFor();
  await button(`Release to ${TERMINALS} terminals`).click();
  await page.getByRole('tab', { name: 'Progress over time' }).waitFor();
  await page.getByText('Finished', { exact: true }).filter({ visible: true }).first().waitFor();
  const set = { host: 'pay.example', port: 8443, pin: PIN };
  for (const one of fleet.terminals) expect(paramsOf(one)).toEqual(set);
  expect(page.url()).toMatch(/\/task\/detail\/\d+$/);

  // A copy keeps the secret without showing it; taken up again before it goes out.
  await page.getByRole('link', { name: 'Copy to a new release', exact: true }).or(button('Copy to a new release')).first().click();
  await page.waitForURL('**/task/create/androidParam?copy=*');
  await values.getByText('Already set; leave empty to keep it').waitFor();
  await values.getByLabel('Host').fill('b.example');
  for (const next of ['Targets', 'Rollout', 'Review']) {
    await button('Next').click();
    await step(next);
  }
  await page.getByRole('switch', { name: 'Release now' }).click();
  await button('Save as draft').click();
  await page.getByText('Draft', { exact: true }).filter({ visible: true }).first().waitFor();
  await page.getByRole('link', { name: 'Edit', exact: true }).or(button('Edit')).first().click();
  await page.waitForURL(/\/task\/update\/\d+/);
  await values.getByText('Already set; leave empty to keep it').waitFor();
  await values.getByLabel('port').fill('70000');
  await button('Save changes').click();
  await values.getByText('“port” must be at most 65,535.').waitFor();
  await values.getByLabel('port').fill('');
  await button('Save changes').click();
  await page.waitForURL(/\/task\/detail\/\d+$/);
  await page.locator('#main').getByRole('button', { name: 'Release', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Release', exact: true }).click();
  await page.getByText('Finished', { exact: true }).filter({ visible: true }).first().waitFor();
  const changed = { host: 'b.example', pin: PIN };
  for (const one of fleet.terminals) expect(paramsOf(one)).toEqual(changed);

  await menu('General releases');
  await page.getByRole('row', { name: /Tills of May Android parameters.*Finished/ }).waitFor();
  await page.goto(`${stack.url}/device/device`);
  await page
    .getByRole('link', { name: fleet.terminals[0]?.sn ?? '', exact: true })
    .first()
    .click();
  await page.getByRole('tab', { name: 'Versions' }).click();
  await page.getByRole('row', { name: /host b\.example/ }).waitFor();
  await page.getByRole('row', { name: /pin Set/ }).waitFor();
  expect(await page.content()).not.toContain(PIN);
  // Over a restart of the terminals, too.
  await fleet.stop();
  fleet = start();
  await fleet.whenOnline(TERMINALS, 180);
  for (const one of fleet.terminals) expect(paramsOf(one)).toEqual(changed);
});
