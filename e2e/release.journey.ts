import { createHash } from 'node:crypto';
import { mkdtempSync, openSync, readSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { partSize } from '@mooring/contract/file/kinds';
import { taskCalls, taskDeviceCalls } from '@mooring/contract/firmware/task-calls';
import { failingAmong } from '@mooring/terminal/flaws';
import { type Fleet, startFleet } from '@mooring/terminal/start-fleet';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Api, api, signIn } from './api.ts';
import { launchBrowser } from './browser.ts';
import { makeEstate } from './estate.ts';
import { openMenu } from './menu.ts';
import { type Stack, startStack, waitFor } from './stack.ts';

const PASSWORD = 'Harbour.Light7';
const TERMINALS = 200;
const FLAKY = 20;
/** Enough for a cut in the middle of its parts; each terminal reads and hashes all of it. */
const MEGABYTES = 40;
const PARTS = Math.ceil((MEGABYTES * 1024 * 1024) / partSize('disk'));

let stack: Stack;
let browser: Browser;
let page: Page;
let fleet: Fleet;
let admin: Api;
let folder: string;
let firmware: string;
let digest: string;

/** A firmware file of real program code: the beginning of this very runtime. */
function makeFirmware(): void {
  folder = mkdtempSync(join(tmpdir(), 'mooring-firmware-'));
  firmware = join(folder, 'a920-2.0.0.bin');
  const bytes = Buffer.alloc(MEGABYTES * 1024 * 1024);
  readSync(openSync(process.execPath, 'r'), bytes, 0, bytes.length, 0);
  writeFileSync(firmware, bytes);
  digest = createHash('sha256').update(bytes).digest('hex');
}

beforeAll(async () => {
  stack = await startStack({ fresh: true });
  makeFirmware();
  browser = await launchBrowser();
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-US' });
  page = await context.newPage();
});
afterAll(async () => {
  await fleet?.stop();
  await browser?.close();
  await stack?.stop();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

/** What was on the screen, and what the server had said, when a step failed. */
afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return;
  const place = join(import.meta.dirname, '../.cache/journeys', task.name.slice(0, 40));
  await page.screenshot({ path: `${place}.png` });
  writeFileSync(`${place}.log`, stack.output());
});

const button = (name: string | RegExp) => page.getByRole('button', { name });
const failed = () => page.locator('.m-shares-legend li', { hasText: 'Failed' }).locator('b');
const succeeded = () => page.locator('.m-shares-legend li', { hasText: 'Succeeded' }).locator('b');

test('a newcomer signs in with the one-time password and must change it first', async () => {
  await page.goto(stack.url);
  await page.waitForURL('**/login**');
  await page.getByRole('button', { name: /语言|Language/ }).click();
  await page.getByRole('menuitem', { name: 'English' }).click();
  await page.locator('#login-account').fill('admin');
  await page.locator('#login-password').fill(stack.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByText('Choose a new password').waitFor();
  await page.getByLabel('One-time password').fill(stack.password);
  await page.getByLabel('New password', { exact: true }).fill('short');
  await page.getByLabel('Repeat new password').fill('short');
  await button('Change password').click();
  expect(await page.getByText('Choose a new password').isVisible()).toBe(true);
  await page.getByLabel('New password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Repeat new password').fill(PASSWORD);
  await button('Change password').click();
  await page.waitForURL('**/welcome');
  admin = api(stack.url, await signIn(stack.url, 'admin', PASSWORD), 'centre');
});

/** What a machine with much else to do may take for so many terminals: how fast it is says `bench/`. */
const SLOW_S = 400;
const SLOW = { timeout: 900_000 };

test('200 virtual terminals come in by an enrolment code, and the list shows them without a reload', SLOW, async () => {
  await openMenu(page, 'Terminals');
  await page.waitForURL('**/device/device');
  const { code } = await makeEstate(stack.url, admin, PASSWORD, TERMINALS);
  fleet = startFleet({
    server: stack.url,
    count: TERMINALS,
    code,
    product: 'A920',
    seed: 'journey',
    firmware: '1.0.0',
    flaky: FLAKY,
    installSeconds: 0.5,
    bootSeconds: 0.2,
    speed: 64 * 1024 * 1024,
    atOnce: 20,
  });
  await fleet.whenOnline(TERMINALS, SLOW_S);
  await page
    .getByText(/of 200\b/)
    .first()
    .waitFor();
});

test('a firmware file is uploaded although the connection breaks in the middle', async () => {
  await page.getByRole('link', { name: 'Firmware packages' }).click();
  await page.waitForURL('**/device/fota/version');
  await button('Upload package').first().click();
  const dialog = page.getByRole('dialog');
  // Taken back in the middle: the row says so until its parts are gone.
  const removal = Promise.withResolvers<void>();
  await page.route('**/ops/file/cancelUpload', async (route) => {
    await removal.promise;
    await route.continue();
  });
  await dialog.locator('input[type=file]').setInputFiles(firmware);
  await page.waitForResponse('**/ops/file/uploadPart');
  await dialog.getByRole('button', { name: 'Cancel upload' }).click();
  await dialog.getByText('Removing', { exact: true }).waitFor();
  expect(await dialog.getByRole('button', { name: 'Cancel upload' }).count()).toBe(0);
  removal.resolve();
  await dialog.getByRole('button', { name: 'Choose files' }).waitFor();
  await page.unroute('**/ops/file/cancelUpload');
  let parts = 0;
  let cut = false;
  await page.route('**/ops/file/uploadPart', async (route) => {
    parts += 1;
    if (parts > 6 && !cut) return route.abort('connectionreset');
    return route.continue();
  });
  await dialog.locator('input[type=file]').setInputFiles(firmware);
  await dialog.getByRole('button', { name: 'Try again' }).waitFor();
  cut = true;
  const before = parts;
  await dialog.getByRole('button', { name: 'Try again' }).click();
  await dialog.getByText('Uploaded', { exact: true }).waitFor();
  // Only what was missing was sent again.
  expect(parts - before).toBeLessThanOrEqual(PARTS - 3);
  await page.unroute('**/ops/file/uploadPart');
  // The only product is chosen already.
  await dialog.getByText('Smart POS A920 (A920)', { exact: true }).waitFor();
  await dialog.getByLabel('Version', { exact: true }).fill('2.0.0');
  await dialog.getByRole('button', { name: 'Upload package' }).click();
  await page.getByRole('cell', { name: '2.0.0' }).first().waitFor();
});

test('it is published and released to all terminals; counts move by themselves', SLOW, async () => {
  await page
    .getByRole('row', { name: /2\.0\.0/ })
    .getByText('Published')
    .waitFor();
  await page
    .getByRole('row', { name: /2\.0\.0/ })
    .getByRole('button', { name: /^Actions/ })
    .click();
  expect(await page.getByRole('menuitem', { name: 'Publish', exact: true }).count()).toBe(0);
  await page.getByRole('menuitem', { name: 'Release', exact: true }).click();
  await page.waitForURL('**/taskmod/new?package=*');
  await page.getByLabel('Name', { exact: true }).fill('Release 2.0.0');
  await page
    .getByText(/Smart POS A920 · 2\.0\.0/)
    .first()
    .waitFor();
  await button('Next').click();
  await page.getByText('All terminals of the product').waitFor();
  await button('Next').click();
  await page.getByLabel('Automatic retries').fill('0');
  await page.getByLabel('Max concurrent terminals').fill('40');
  await button('Next').click();
  await button('Release to 200 terminals').click();
  await page.waitForURL(/taskmod\/\d+/);
  await waitFor(async () => Number(await succeeded().first().textContent()) > 0, 'the first success on the page', SLOW_S);
  expect(Number(await succeeded().first().textContent())).toBeLessThan(TERMINALS);
});

test('ten failures are seen with their reasons, tried again, and all succeed', SLOW, async () => {
  const wrong = failingAmong(FLAKY);
  await waitFor(
    async () =>
      (await failed().first().textContent()) === String(wrong) && (await succeeded().first().textContent()) === String(TERMINALS - wrong),
    'ten failures and the rest done',
    SLOW_S,
  );
  const id = Number(/taskmod\/(\d+)/.exec(page.url())?.[1]);
  const rows = await admin.call(taskDeviceCalls.page, { criteria: { taskId: id, state: '4' }, page: { size: 50 } });
  expect(rows.total).toBe(wrong);
  for (const row of rows.content) {
    expect(row.why.key).toBe('why.failed');
    expect(row.reason).toMatch(/^(hashWrong|installFailed|powerLost|noSpace|batteryLow)$/);
  }
  const release = page.url().split('?')[0];
  // A terminal's own page says it first, and has another try at hand.
  await page.goto(`${stack.url}/device/deviceDetail/${rows.content[0]?.deviceId}`);
  const note = page.locator('.m-note').filter({ hasText: 'The latest update, to 2.0.0, failed.' });
  await note.getByText(/^Reason: /).waitFor();
  await note.getByRole('link', { name: 'Release 2.0.0' }).waitFor();
  await note.getByRole('button', { name: 'Retry', exact: true }).click();
  await note.waitFor({ state: 'hidden' });
  await page.goto(`${release}?d.state=4`);
  await page
    .getByText(/^Reason: /)
    .first()
    .waitFor();
  await page.getByLabel('Select all rows on this page').check();
  await page
    .getByRole('button', { name: /^Retry \d+ terminals/ })
    .first()
    .click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Retry \d+ terminals/ })
    .last()
    .click();
  const detail = () => admin.call(taskCalls.detail, { id });
  // The task had finished already, with its failures: what counts is that it finishes without any.
  await waitFor(async () => (await detail()).tally['3'] === TERMINALS, 'the retried ones to succeed', SLOW_S);
  await waitFor(async () => (await detail()).state === 'finished', 'the task to finish');
  expect((await detail()).tally).toEqual({ '3': TERMINALS });
});

test('each terminal installed it exactly once, and its own digest is the file’s', () => {
  for (const terminal of fleet.terminals) {
    expect([terminal.sn, terminal.journal.installs.map((one) => one.version)]).toEqual([terminal.sn, ['2.0.0']]);
    expect(terminal.journal.installs[0]?.sha256).toBe(digest);
    expect(terminal.journal.firmware).toBe('2.0.0');
  }
});
