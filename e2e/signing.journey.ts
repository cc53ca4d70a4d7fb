import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeApk } from '@mooring/apk/apk.factory';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from './browser.ts';
import { choose } from './choose.ts';
import { type Stack, startDemo } from './stack.ts';
import { type Look, plainLook, visit } from './visit.ts';

let stack: Stack;
let browser: Browser;
let password = '';
let officer: Page;
let second: Page;
const folder = mkdtempSync(join(tmpdir(), 'mooring-signing-'));
const apk = join(folder, 'pay.apk');

beforeAll(async () => {
  ({ stack, password } = await startDemo());
  browser = await launchBrowser();
  writeFileSync(apk, await makeApk({ packageName: 'com.harbour.pay', signers: [] }));
  officer = await as('sam.signing');
  second = await as('hui.manager');
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function as(account: string, look: Look = plainLook): Promise<Page> {
  const { page } = await visit(browser, { url: stack.url, account, password, platform: 'centre', look });
  return page;
}
const menu = (page: Page, name: RegExp) => page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name }).click();
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const dialog = (page: Page) => page.getByRole('dialog').last();
const field = (page: Page, name: string) => dialog(page).getByLabel(new RegExp(`^${name}(?: ?\\(?optional\\)?)?$`));
const send = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true }).click();
const said = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();
const tab = (page: Page, name: RegExp | string) => page.getByRole('tab', { name }).click();
const look = (page: Page, name: string) =>
  process.env.LOOK && page.screenshot({ path: join(process.env.LOOK, `${name}.png`), fullPage: true });
async function act(page: Page, row: RegExp, name: string) {
  await page
    .getByRole('row', { name: row })
    .first()
    .getByRole('button', { name: /^Actions for/ })
    .click();
  await page.getByRole('menuitem', { name, exact: true }).click();
}

/** The screens with what was done, as others have them. */
async function lookAround(): Promise<void> {
  if (!process.env.LOOK) return;
  for (const of of [
    { theme: 'dark', width: 1440, lang: 'en' },
    { theme: 'light', width: 390, lang: 'en' },
    { theme: 'light', width: 1440, lang: 'zh-CN' },
  ] as const) {
    const page = await as('sam.signing', of);
    for (const path of [
      '/keyStoreAdd',
      '/keyStoreAdd?tab=keys',
      '/keyStoreAdd?tab=changes',
      '/apkTool',
      '/apkTool?tab=verify',
      '/keypairAdd/1',
    ]) {
      await page.goto(`${stack.url}${path}`);
      await page.waitForLoadState('networkidle');
      await look(page, `${of.theme}-${of.width}-${of.lang}${path.replace(/[/?=]/g, '-')}`);
    }
    await page.context().close();
  }
}

test('one person makes a key store and a key, another one approves it', async () => {
  await menu(officer, /^Key stores/);
  await said(officer, 'No key stores yet');
  await look(officer, 'stores-empty');
  await button(officer, 'Create key store').first().click();
  await field(officer, 'Name').fill('Payment apps');
  await choose(field(officer, 'Organisation'), 'Harbour Bank');
  await send(officer, 'Create key store');
  await officer.getByRole('row', { name: /Payment apps/ }).waitFor();

  await button(officer, 'Generate key').first().click();
  await choose(field(officer, 'Key store'), 'Payment apps');
  await field(officer, 'Name').fill('Pay 2030');
  await field(officer, 'Subject').fill('nobody');
  await choose(field(officer, 'Algorithm'), 'EC P-256');
  await look(officer, 'generate');
  await send(officer, 'Generate key');
  await said(officer, 'Like CN=Acme Pay, O=Acme Ltd');
  await field(officer, 'Subject').fill('CN=Harbour Pay, O=Harbour Bank');
  await send(officer, 'Generate key');
  await said(officer, 'Sent for approval.');
  await tab(officer, 'Requests');
  await officer
    .getByRole('row', { name: /New signing key.*Waiting for approval/ })
    .getByRole('button', { name: /^Actions for/ })
    .click();
  // Nobody approves their own.
  expect(await officer.getByRole('menuitem').allInnerTexts()).toEqual(['Withdraw']);
  await officer.keyboard.press('Escape');

  await menu(second, /^Key stores/);
  await tab(second, 'Requests');
  await act(second, /New signing key/, 'Approve');
  await dialog(second)
    .getByRole('row', { name: /Subject.*CN=Harbour Pay/ })
    .waitFor();
  await look(second, 'approve-key');
  await send(second, 'Approve');
  await said(second, 'Change approved and in effect');
  await look(second, 'changes');

  await officer.getByRole('link', { name: 'Pay 2030' }).first().click();
  await officer.getByText('Active', { exact: true }).first().waitFor();
  await look(officer, 'key');
});

test('a policy is asked for, refused with a reason, asked for again and approved', async () => {
  const change = async () => {
    await button(officer, 'Change policy').click();
    await field(officer, 'Package names').fill('com.harbour.*');
    await officer.keyboard.press('Enter');
    await send(officer, 'Change policy');
    await said(officer, 'Sent for approval.');
  };
  await change();
  await act(second, /Policy of a signing key.*Waiting/, 'Reject');
  await send(second, 'Reject');
  await dialog(second).getByText('Required').first().waitFor();
  await field(second, 'Reason').fill('Which team?');
  await send(second, 'Reject');
  await said(second, 'Change rejected');
  await officer.getByRole('row', { name: /Rejected.*Which team/ }).waitFor();
  await change();
  await act(second, /Policy of a signing key.*Waiting/, 'Approve');
  await send(second, 'Approve');
  await officer.getByText('com.harbour.*').first().waitFor();
  await officer.reload();
  await officer.getByText('com.harbour.*').first().waitFor();
});

test('a package is signed by two people, downloaded by the first, and verified', async () => {
  await menu(officer, /^Signing tool/);
  await said(officer, 'No signatures yet');
  await button(officer, 'Request signature').first().click();
  await send(officer, 'Request signature');
  await dialog(officer).getByText('Required').first().waitFor();
  await dialog(officer).locator('input[type=file]').setInputFiles(apk);
  await dialog(officer).getByText('Uploaded', { exact: true }).waitFor();
  await choose(field(officer, 'Key'), 'Pay 2030');
  await look(officer, 'request');
  await send(officer, 'Request signature');
  await said(officer, 'You’re told when it’s signed.');
  await officer.getByRole('row', { name: /pay\.apk.*Waiting for approval/ }).waitFor();

  await menu(second, /^Signing tool/);
  await act(second, /pay\.apk/, 'Approve');
  await send(second, 'Approve');
  await said(second, 'Signature of pay.apk approved');

  await officer.getByRole('row', { name: /pay\.apk.*Signed/ }).waitFor();
  const [file] = await Promise.all([officer.waitForEvent('download'), act(officer, /pay\.apk/, 'Download signed file')]);
  const signed = join(folder, 'signed.apk');
  await file.saveAs(signed);
  expect(file.suggestedFilename()).toBe('pay-signed.apk');
  expect(createHash('sha256').update(readFileSync(signed)).digest('hex')).not.toBe(
    createHash('sha256').update(readFileSync(apk)).digest('hex'),
  );
  await officer
    .getByRole('row', { name: /pay\.apk/ })
    .getByText('pay.apk')
    .click();
  await officer.getByText('SHA-256 after').first().waitFor();
  await look(officer, 'job');
  await officer.keyboard.press('Escape');

  await tab(officer, 'Verify');
  await officer.locator('input[type=file]').setInputFiles(apk);
  await said(officer, 'The package isn’t signed.');
  await officer.reload();
  await officer.locator('input[type=file]').setInputFiles(signed);
  await said(officer, 'The signature is valid');
  await officer.getByRole('link', { name: 'Pay 2030' }).waitFor();
  await look(officer, 'verify');
});

test('a wrong password stands at its field', async () => {
  await menu(officer, /^Key stores/);
  await button(officer, 'Import key').click();
  const file = join(folder, 'broken.p12');
  writeFileSync(file, Buffer.from('feedfeed0000000200000000'.padEnd(80, '0'), 'hex'));
  await dialog(officer).locator('input[type=file]').setInputFiles(file);
  await dialog(officer).getByRole('textbox', { name: 'File password' }).fill('not this one');
  await dialog(officer).getByRole('button', { name: 'Read file' }).click();
  await dialog(officer).getByText('Wrong password.').first().waitFor();
  await look(officer, 'wrong-password');
  await officer.keyboard.press('Escape');
  await button(officer, 'Discard').click();
  await lookAround();
});
