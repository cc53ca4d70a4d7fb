import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeApk, type TestApk } from '@mooring/apk/apk.factory';
import { makeSigner } from '@mooring/apk/signer.factory';
import { tokenCalls } from '@mooring/contract/account/token-calls';
import { deviceCalls } from '@mooring/contract/device/calls';
import { deptCalls } from '@mooring/contract/org/calls';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADMIN, api, signIn } from './api.ts';
import { tryCallback } from './app-callback.ts';
import { trySdk } from './app-sdk.ts';
import { launchBrowser } from './browser.ts';
import { choose } from './choose.ts';
import { addHolder } from './holder.ts';
import { openMenu } from './menu.ts';
import { type Stack, startDemo, waitFor } from './stack.ts';
import { plainLook, visit } from './visit.ts';

/** An app from its developer through its review to those it is for: each in a browser of their own. */
let stack: Stack;
let browser: Browser;
let dev: Page;
let reviewer: Page;
let password = '';
let version = '';
const folder = mkdtempSync(join(tmpdir(), 'mooring-app-'));
const at = (name: string) => join(folder, name);
const TILL = 'com.example.till';
const DEVELOPER = 'dana.developer';

let bench = '';
beforeAll(async () => {
  const demo = await startDemo({ live: true });
  ({ stack, password } = demo);
  const admin = api(stack.url, await signIn(stack.url, 'admin', ADMIN, 'manager'), 'manager', 1);
  const found = await waitFor(async () => {
    const { content } = await admin.call(deviceCalls.page, { criteria: { status: '3' }, page: { size: 100 } });
    return content.find(({ productName }) => productName.includes('A20'));
  }, 'a terminal of the product A20 to be online');
  bench = found.sn;
  await admin.call(deviceCalls.update, { id: found.id, revision: found.revision, name: found.name, tags: found.tags, testTerminal: true });
  const icon = await sharp({ create: { width: 96, height: 96, channels: 3, background: '#2a7' } })
    .png()
    .toBuffer();
  const shot = await sharp({ create: { width: 360, height: 640, channels: 3, background: '#247' } })
    .png()
    .toBuffer();
  const permissions = ['android.permission.INTERNET', 'android.permission.CAMERA'];
  const till = { packageName: TILL, labels: { '': 'Till', 'zh-CN': '收银台' }, permissions, icon, minSdk: 23, targetSdk: 30 };
  const files: Readonly<Record<string, TestApk>> = {
    'till-1.apk': { ...till, versionCode: 10, versionName: '1.0.4 [BETA]' },
    'till-2.apk': { ...till, versionCode: 20, versionName: '2.0', permissions: [...permissions, 'android.permission.READ_SMS'] },
    'built.apk': { ...till, versionCode: 40, versionName: '4.0' },
    'low.apk': { ...till, versionCode: 9, versionName: '0.9' },
    'foreign.apk': { ...till, versionCode: 21, versionName: '2.1', signers: [await makeSigner({ name: 'Thief' })] },
    'other.apk': { ...till, packageName: 'com.example.other', versionCode: 30, versionName: '3.0' },
  };
  for (const [name, of] of Object.entries(files)) writeFileSync(at(name), await makeApk(of));
  writeFileSync(at('zip.apk'), Buffer.from('PK\u0003\u0004 and nothing that Android reads'));
  writeFileSync(at('shot.png'), shot);
  writeFileSync(at('review.txt'), 'The camera is asked for on every screen.');
  browser = await launchBrowser();
  const here = async (account: string) => (await visit(browser, { url: stack.url, account, password: ADMIN, platform: 'centre' })).page;
  // Each holds the one role that comes with the product for it, and nothing besides.
  const [maker] = await admin.call(deptCalls.search, { text: 'Meridian Payments' });
  await addHolder(stack.url, admin, { account: DEVELOPER, name: 'Dana Brandt', role: 'Developer', deptId: maker?.id ?? 0 });
  await addHolder(stack.url, admin, { account: 'rene.reviewer', name: 'René Okafor', role: 'App reviewer', deptId: 1 });
  [dev, reviewer] = [await here(DEVELOPER), await here('rene.reviewer')];
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).filter({ visible: true });
const dialog = (page: Page) => page.getByRole('dialog').last();
const field = (page: Page, name: string) => page.getByLabel(new RegExp(`^${name}(?: ?\\(?optional\\)?)?$`)).filter({ visible: true });
const send = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true }).click();
const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).filter({ visible: true }).first();
const state = (page: Page, words: string) =>
  page.locator('.m-page-head').filter({ visible: true }).getByText(words, { exact: true }).waitFor();
const looks = [
  ['light', 1440],
  ['dark', 1440],
  ['light', 390],
] as const;
async function look(page: Page, name: string): Promise<void> {
  if (!process.env.LOOK) return;
  for (const [scheme, width] of looks) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize({ width, height: 900 });
    await page.screenshot({ path: join(process.env.LOOK, `${name}-${scheme}-${width}.png`), fullPage: true });
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1440, height: 900 });
}

/** Chooses a file and sends the dialog. */
async function upload(page: Page, file: string, act: string): Promise<void> {
  await dialog(page).locator('input[type=file]').setInputFiles(at(file));
  await dialog(page).locator('.m-uploads li').filter({ hasText: file }).getByText('Uploaded', { exact: true }).waitFor();
  await send(page, act);
}

test('an organisation applies to be a developer and is accepted', async () => {
  await openMenu(dev, 'Developer centre');
  await dev.getByText('Bring your apps to terminals').waitFor();
  await look(dev, 'dev-empty');
  await button(dev, 'Apply').click();
  await field(dev, 'Contact').fill('Olga Brandt');
  await field(dev, 'E-mail').fill('not an address');
  await send(dev, 'Apply');
  await dialog(dev)
    .getByText(/e-mail address/i)
    .first()
    .waitFor();
  await field(dev, 'E-mail').fill('olga@example.com');
  await look(dev, 'dev-apply');
  await dev.keyboard.press('Control+Enter');
  await dev.getByText('Application sent').waitFor();
  await dev.getByText(/Meridian Payments applied on/).waitFor();

  await openMenu(reviewer, 'App catalogue');
  await reviewer.getByText('No apps yet').waitFor();
  await reviewer.getByRole('tab', { name: 'Developers' }).click();
  await reviewer.getByRole('row', { name: /Meridian Payments/ }).waitFor();
  await look(reviewer, 'developers');
  await reviewer
    .getByRole('row', { name: /Meridian Payments/ })
    .getByRole('button', { name: /Actions|More/ })
    .click();
  await reviewer.getByRole('menuitem', { name: 'Accept' }).click();
  await reviewer.getByText('Meridian Payments can then upload packages').waitFor();
  await send(reviewer, 'Accept');
  await reviewer.getByText('Meridian Payments can upload apps now').waitFor();
  await button(dev, 'Upload app').first().waitFor();
});

test('a package is read, and what is no package is refused in words', async () => {
  await dev.reload();
  await button(dev, 'Upload app').first().click();
  await upload(dev, 'zip.apk', 'Upload app');
  await dialog(dev)
    .getByText('The file isn’t an Android package.')
    .or(dialog(dev).getByText('The package is damaged or incomplete.'))
    .first()
    .waitFor();
  await look(dev, 'upload-refused');
  await upload(dev, 'till-1.apk', 'Upload app');
  await dev.getByText('Version 1.0.4 [BETA] uploaded').waitFor();
  await state(dev, 'To be submitted');
  await dev.getByText('Camera', { exact: true }).waitFor();
  version = new URL(dev.url()).pathname;
  await look(dev, 'version-draft');
  await button(dev, 'Submit for review').click();
  await send(dev, 'Submit for review');
  await dev.getByText('Choose at least one product before you submit it.').first().waitFor();
  await dialog(dev).getByRole('button', { name: 'Cancel', exact: true }).click();
});

test('its listing is filled in, outlives a reload, and is submitted', async () => {
  await button(dev, 'Edit listing').click();
  await field(dev, 'Short text').fill('Takes payments');
  await field(dev, 'Name').fill('');
  await button(dev, 'Save changes').click();
  await dev
    .getByText(/Required|needed|Enter/)
    .first()
    .waitFor();
  await field(dev, 'Name').fill('Harbour Till');
  await field(dev, 'Description').fill('**Fast** and calm.');
  await dev.locator('input[type=file]').setInputFiles(at('shot.png'));
  await button(dev, 'Remove screenshot 1').waitFor();
  await choose(dev.getByRole('combobox', { name: /^Products/ }).filter({ visible: true }), 'A20');
  await dev.getByText('Chosen organisations').click();
  await choose(dev.getByRole('combobox', { name: /^Organisations/ }).filter({ visible: true }), 'Meridian Nordics');
  await look(dev, 'listing-form');
  await button(dev, 'Save changes').click();
  await dev.getByText('Listing saved').waitFor();
  await dev.reload();
  await dev.getByText('Takes payments').first().waitFor();
  await button(dev, 'Submit for review').click();
  await dialog(dev).getByRole('button', { name: 'Submit for review', exact: true }).dblclick();
  await dev.getByText('Version 1.0.4 [BETA] submitted for review').waitFor();
  await state(dev, 'Waiting for review');
});

test('the reviewer sends it back with words; edited, it is approved and listed', async () => {
  await reviewer.getByRole('tab', { name: 'Waiting for review' }).click();
  await look(reviewer, 'waiting');
  await link(reviewer, 'Harbour Till').click();
  await reviewer.getByText('The first version of this app: everything is new.').waitFor();
  await button(reviewer, 'Send back').click();
  await send(reviewer, 'Send back');
  await dialog(reviewer)
    .getByText(/Required|Enter|needed/)
    .first()
    .waitFor();
  await field(reviewer, 'What has to change').fill('Say what the camera is for.');
  await button(reviewer, 'Attach files').click();
  await dialog(reviewer).locator('input[type=file]').setInputFiles(at('review.txt'));
  await dialog(reviewer).getByRole('button', { name: 'Remove review.txt', exact: true }).waitFor();
  await look(reviewer, 'send-back');
  await send(reviewer, 'Send back');
  await reviewer.getByText('Version 1.0.4 [BETA] sent back').waitFor();
  await state(dev, 'Sent back');
  await dev.getByText('Say what the camera is for.').waitFor();
  await look(dev, 'version-sent-back');
  // What came with it stands in the history.
  await dev.getByRole('tab', { name: 'History' }).click();
  const given = dev.waitForEvent('download');
  await button(dev, 'review.txt').click();
  expect(readFileSync(await (await given).path(), 'utf8')).toBe('The camera is asked for on every screen.');
  await look(dev, 'version-history');
  await button(dev, 'Edit listing').click();
  await field(dev, 'Description').fill('**Fast** and calm. The camera reads QR codes.');
  await button(dev, 'Save changes').click();
  await state(dev, 'To be submitted');
  await button(dev, 'Submit for review').click();
  await send(dev, 'Submit for review');
  await state(dev, 'Waiting for review');
  await state(reviewer, 'Waiting for review');
  await button(reviewer, 'Approve').click();
  await look(reviewer, 'approve');
  await send(reviewer, 'Approve');
  await reviewer.getByText('Version 1.0.4 [BETA] approved').waitFor();
  await state(reviewer, 'Listed');
  await state(dev, 'Listed');
});

test('whom it is for sees it, others nothing', async () => {
  const here = async (account: string) => (await visit(browser, { url: stack.url, account, password, platform: 'centre' })).page;
  const [mia, hui] = [await here('mia.member'), await here('hui.manager')];
  for (const page of [mia, hui]) await openMenu(page, 'App catalogue');
  await link(mia, 'Harbour Till').click();
  await mia.getByRole('tab', { name: 'Listing' }).click();
  await mia.getByText('The camera reads QR codes.').waitFor();
  expect(await mia.getByRole('tab', { name: 'History' }).count()).toBe(0);
  await hui.getByText('No apps yet').waitFor();
  await hui.goto(stack.url + version);
  await hui
    .getByText(/doesn’t exist|not found|isn’t there/i)
    .first()
    .waitFor();
  await mia.context().close();
  await hui.context().close();
});

test('a newer version shows what it asks for beyond the listed one; a foreign, low or other package is refused', async () => {
  await link(dev, 'Harbour Till').click();
  await button(dev, 'Upload version').click();
  const refused = async (file: string, words: RegExp) => {
    await upload(dev, file, 'Upload version');
    await dialog(dev).getByText(words).first().waitFor();
  };
  await refused('other.apk', /This package is com\.example\.other; the app is com\.example\.till/);
  await refused('low.apk', /Version code 9 isn’t higher than 10/);
  await refused('foreign.apk', /Signed by another certificate/);
  await look(dev, 'upload-foreign');
  await upload(dev, 'till-2.apk', 'Upload version');
  await dev.getByText('Version 2.0 uploaded').waitFor();
  await dev.getByText('1 new dangerous permission').waitFor();
  await dev.getByText('Read text messages').waitFor();
  const audience = dev.getByRole('table', { name: 'Icon and audience' });
  await audience
    .getByRole('row', { name: /^Products/ })
    .getByText('Unchanged')
    .waitFor();
  await look(dev, 'version-changes');
  await button(dev, 'Submit for review').click();
  await send(dev, 'Submit for review');
  await state(dev, 'Waiting for review');

  await reviewer.goto(`${stack.url}/app?tab=waiting`);
  await link(reviewer, 'Harbour Till').click();
  await reviewer.getByText('Read text messages').waitFor();
  await button(reviewer, 'Try on test terminals').click();
  await send(reviewer, 'Install');
  await dialog(reviewer)
    .getByText(/Required|Enter|needed|Choose/)
    .first()
    .waitFor();
  await choose(dialog(reviewer).getByRole('combobox', { name: /^Test terminals/ }), bench);
  await look(reviewer, 'trial');
  await reviewer.keyboard.press('Control+Enter');
  await reviewer.getByText('Being installed on 1 test terminal').waitFor();
  await reviewer.getByRole('tab', { name: 'On terminals' }).click();
  const succeeded = reviewer.locator('.m-stat').filter({ hasText: 'Succeeded' }).filter({ visible: true });
  await succeeded.getByText('1', { exact: true }).waitFor();
  await look(reviewer, 'trial-succeeded');
  await button(reviewer, 'End trial').click();
  await send(reviewer, 'End trial');
  await reviewer.getByText('Trial of 2.0 ended').waitFor();
  const standing = reviewer.locator('.m-stat').filter({ hasText: 'With this version' }).filter({ visible: true });
  await standing.getByText('0', { exact: true }).waitFor();
  await button(reviewer, 'End trial').waitFor({ state: 'hidden' });
  await button(reviewer, 'Approve').click();
  await send(reviewer, 'Approve');
  await state(reviewer, 'Listed');
  await reviewer.locator('.m-page-head').filter({ visible: true }).getByRole('button', { name: /^More/ }).click();
  await reviewer.getByRole('menuitem', { name: 'Delist' }).click();
  await field(reviewer, 'Reason').fill('Reads text messages');
  await send(reviewer, 'Delist');
  await state(reviewer, 'Delisted');
  await state(dev, 'Delisted');
  await link(dev, 'Harbour Till').first().click();
  await look(dev, 'app');
  await dev.getByRole('tab', { name: 'History' }).click();
  await dev.getByText('Reads text messages').waitFor();
  await look(dev, 'history');
  await openMenu(dev, 'Developer centre');
  await dev.getByText('Upload from your build server').waitFor();
  await look(dev, 'dev');
  await openMenu(reviewer, 'App catalogue');
  await link(reviewer, 'Harbour Till').waitFor();
  await look(reviewer, 'catalogue');
  await spoken();
});

test('the command that the developer centre prints uploads from a build server, and fails with what is refused', async () => {
  await dev.goto(`${stack.url}/dev`);
  await link(dev, 'Your API tokens').click();
  await button(dev, 'Create token').waitFor();
  await dev.goBack();
  const command = (await dev.locator('.m-command code').filter({ visible: true }).textContent()) ?? '';
  const developer = api(stack.url, await signIn(stack.url, DEVELOPER, ADMIN, 'centre'), 'centre');
  const { token } = await developer.call(tokenCalls.add, { name: 'Build server', scopes: ['app:dev:add'], days: 1 });
  const build = async (file: string) => {
    copyFileSync(at(file), at('app.apk'));
    return promisify(execFile)('bash', ['-o', 'pipefail', '-c', command], { cwd: folder, env: { ...process.env, TOKEN: token } });
  };
  expect((await build('built.apk')).stdout).toContain('"versionName":"4.0"');
  await expect(build('zip.apk')).rejects.toMatchObject({ code: 1, stdout: expect.stringContaining('PACKAGE_UNREADABLE') });
  await dev.getByRole('link', { name: /Till/ }).filter({ visible: true }).first().click();
  await dev.getByRole('row', { name: /4\.0/ }).waitFor();
});

test('what developers build with is added, published, fetched by them, and withdrawn', async () => {
  // Who reviews apps publishes no tools.
  const { page, context } = await visit(browser, { url: stack.url, account: 'admin', password: ADMIN, platform: 'centre' });
  await trySdk({ url: stack.url, admin: page, dev, folder, look: (name) => look(page, name) });
  await context.close();
});

/** The same screens in other languages, for whoever looks at them. */
async function spoken(): Promise<void> {
  if (!process.env.LOOK) return;
  for (const lang of ['zh-CN', 'ar'] as const) {
    const visitor = { url: stack.url, account: DEVELOPER, password: ADMIN, platform: 'centre', look: { ...plainLook, lang } } as const;
    const { page, context } = await visit(browser, visitor);
    for (const [name, path] of [
      ['dev', '/dev'],
      ['catalogue', '/app'],
      ['version', version],
    ] as const) {
      await page.goto(stack.url + path);
      await page.locator('h1').filter({ visible: true }).first().waitFor();
      await page.waitForLoadState('networkidle');
      await page.screenshot({ path: join(process.env.LOOK ?? '', `${name}-${lang}.png`), fullPage: true });
    }
    await context.close();
  }
}

test('another system of its developer is told of an app: an address is set, wrong first, tried, rests, and is deleted', () =>
  tryCallback({ browser, url: stack.url, password, dev, look: (name) => look(dev, name) }));
