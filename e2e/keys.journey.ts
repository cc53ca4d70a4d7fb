import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeApk } from '@mooring/apk/apk.factory';
import { runningDatabaseUrl } from '@mooring/server/platform/embedded-postgres/start-embedded-postgres';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { asOwner } from '../server/test/test-server.ts';
import { launchBrowser } from './browser.ts';
import { choose } from './choose.ts';
import { openMenu } from './menu.ts';
import { act, button, dialog, dialogField, look, openTab, rowOf, said, send } from './page-parts.ts';
import { type Stack, startDemo } from './stack.ts';
import { type Look, plainLook, visit } from './visit.ts';

/** A key from the request for it to its end, by two people in two browsers; its certificate is of an authority that openssl is. */
let stack: Stack;
let browser: Browser;
let password = '';
let officer: Page;
let second: Page;
let third: Page;
const folder = mkdtempSync(join(tmpdir(), 'mooring-keys-'));
const at = (name: string) => join(folder, name);
const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

beforeAll(async () => {
  ({ stack, password } = await startDemo());
  browser = await launchBrowser();
  writeFileSync(at('pay.apk'), await makeApk({ packageName: 'com.harbour.pay', signers: [] }));
  for (const name of ['root', 'other'])
    openssl('req', '-x509', ...newKey(name), '-subj', `/C=GB/O=Harbour Trust/CN=${name}`, '-days', '90');
  officer = await as('sam.signing');
  second = await as('hui.manager');
});
afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return;
  const place = join(import.meta.dirname, '../.cache/journeys', task.name.slice(0, 40));
  for (const [n, page] of [officer, second].entries()) await page.screenshot({ path: `${place} ${n}.png` });
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const newKey = (name: string) => ['-newkey', 'rsa:2048', '-nodes', '-keyout', `${name}.key`, '-out', `${name}.pem`];
async function as(account: string, look: Look = plainLook): Promise<Page> {
  return (await visit(browser, { url: stack.url, account, password, platform: 'centre', look })).page;
}
/** As whoever comes back to an open browser after a break. */
const proofsAge = () =>
  asOwner(runningDatabaseUrl(stack.dataDir) ?? '', (client) =>
    client.query(`update auth_session set proved_at = now() - interval '11 minutes'`),
  );
const state = (page: Page, words: string) =>
  page.locator('.m-page-head').filter({ visible: true }).getByText(words, { exact: true }).waitFor();
const fact = (page: Page, name: string) =>
  page
    .locator('.m-facts > div')
    .filter({ has: page.locator('dt', { hasText: new RegExp(`^${name}$`) }), visible: true })
    .locator('dd');

/** One of the acts in the head of the key's page, where they stand as buttons or in the menu beside them. */
async function actOfKey(page: Page, name: string) {
  const head = page.locator('.m-page-head').filter({ visible: true });
  await head.getByRole('button').first().waitFor();
  const own = head.getByRole('button', { name, exact: true });
  if ((await own.count()) === 0) {
    await head.getByRole('button', { name: /^More/ }).click();
    await page.getByRole('menuitem', { name, exact: true }).click();
  } else await own.click();
}

/** Whoever asked for it finds no way to approve it, and is told that it waits; the other one does. */
async function approve(what: RegExp): Promise<void> {
  const waiting = new RegExp(`${what.source}.*Waiting for approval`);
  const own = rowOf(officer, waiting);
  await own.getByRole('button', { name: /^Actions for/ }).click();
  expect(await officer.getByRole('menuitem').allInnerTexts()).toEqual(['Withdraw']);
  await officer.keyboard.press('Escape');
  await act(second, waiting, 'Approve');
  await look(second, `approve-${what.source.replaceAll(' ', '-')}`);
  await send(second, 'Approve');
  await said(second, 'Change approved and in effect');
  await dialog(second).waitFor({ state: 'hidden' });
}

/** Tab after Tab, as whoever has no mouse. */
async function tabTo(page: Page, to: Locator): Promise<void> {
  for (let presses = 0; presses < 120; presses += 1) {
    if (await to.evaluateAll((found) => found.includes(document.activeElement as HTMLElement))) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab leads nowhere near ${to}`);
}

/** The screens with what was done, as others have them. */
async function lookAround(): Promise<void> {
  if (!process.env.LOOK) return;
  for (const of of [
    { theme: 'dark', width: 1440, lang: 'en' },
    { theme: 'light', width: 390, lang: 'en' },
    { theme: 'dark', width: 390, lang: 'zh-CN' },
    { theme: 'light', width: 1440, lang: 'zh-CN' },
  ] as const) {
    const page = await as('sam.signing', of);
    for (const path of ['/keypairAdd/1', '/keypairAdd/2', '/keyStoreAdd', '/keyStoreAdd?tab=changes', '/keyStoreAdd?tab=keys']) {
      await page.goto(`${stack.url}${path}`);
      await page.waitForLoadState('networkidle');
      await look(page, `${of.theme}-${of.width}-${of.lang}${path.replace(/[/?=]/g, '-')}`);
    }
    await button(page, of.lang === 'en' ? 'Import key' : '导入密钥').click();
    await dialog(page).waitFor();
    await look(page, `${of.theme}-${of.width}-${of.lang}-import`);
  }
}

test('a key is asked for by one, who proves to be it first, and approved by another', async () => {
  await openMenu(officer, 'Key stores');
  await button(officer, 'Create key store').first().click();
  await dialogField(officer, 'Name').fill('Payment apps');
  await choose(dialogField(officer, 'Organisation'), 'Harbour Bank');
  await send(officer, 'Create key store');
  await officer.getByRole('row', { name: /Payment apps/ }).waitFor();

  await proofsAge();
  await button(officer, 'Generate key').first().click();
  await choose(dialogField(officer, 'Key store'), 'Payment apps');
  await dialogField(officer, 'Name').fill('Pay 2031');
  await dialogField(officer, 'Subject').fill('CN=Harbour Pay, O=Harbour Bank, C=GB');
  await choose(dialogField(officer, 'Algorithm'), 'EC P-384');
  await dialogField(officer, 'Exportable').click();
  await dialogField(officer, 'Package names').fill('com.harbour.*');
  await officer.keyboard.press('Enter');
  await look(officer, 'key-new');
  await send(officer, 'Generate key');
  const proof = officer.getByRole('dialog', { name: 'Confirm your identity' });
  await proof.getByLabel('Password').fill('not mine');
  await look(officer, 'proof');
  await officer.keyboard.press('Enter');
  await proof
    .getByText(/password is wrong|Wrong password|isn’t right/i)
    .first()
    .waitFor();
  await proof.getByLabel('Password').fill(password);
  await officer.keyboard.press('Enter');
  await said(officer, 'Sent for approval.');

  await openTab(officer, 'Keys');
  await officer.getByRole('link', { name: 'Pay 2031' }).click();
  await state(officer, 'Waiting for approval');
  await look(officer, 'key-waiting');
  await openMenu(second, 'Key stores');
  await openTab(second, 'Requests');
  await act(second, /New signing key.*Waiting/, 'Approve');
  await dialog(second).getByRole('row', { name: 'Package names com.harbour.*' }).waitFor();
  await dialog(second).getByRole('row', { name: 'Signature types Any' }).waitFor();
  await look(second, 'approve-new-key');
  await send(second, 'Approve');
  await second.getByRole('dialog', { name: 'Confirm your identity' }).getByLabel('Password').fill(password);
  await second.keyboard.press('Enter');
  await said(second, 'Change approved and in effect');
  await state(officer, 'Active');
  expect(await fact(officer, 'Uses').textContent()).toBe('0');
  expect(await fact(officer, 'Subject').textContent()).toBe('CN=Harbour Pay, O=Harbour Bank, C=GB');
  expect(await fact(officer, 'Created by').textContent()).toContain('Sam');
  await rowOf(officer, /New signing key.*Approved.*Hui/).waitFor();
  await second.getByRole('link', { name: 'Pay 2031' }).first().click();
});

test('its request goes to an authority, whose certificate is installed: a wrong one is refused at its field', async () => {
  await actOfKey(officer, 'Create signing request');
  await look(officer, 'csr');
  const [csr] = await Promise.all([officer.waitForEvent('download'), send(officer, 'Download request')]);
  expect(csr.suggestedFilename()).toBe('Pay 2031.csr');
  await csr.saveAs(at('pay.csr'));
  // From the country down, as an authority writes names.
  expect(openssl('req', '-in', 'pay.csr', '-noout', '-verify', '-subject', '-nameopt', 'sep_comma_plus_space')).toContain(
    'subject=C=GB, O=Harbour Bank, CN=Harbour Pay',
  );
  const [certificate, root, other] = [
    openssl('x509', '-req', '-in', 'pay.csr', '-CA', 'root.pem', '-CAkey', 'root.key', '-days', '40'),
    openssl('x509', '-in', 'root.pem'),
    openssl('x509', '-in', 'other.pem'),
  ];
  await actOfKey(officer, 'Install certificates');
  for (const [text, words] of [
    ['a letter', 'There’s no readable certificate in it.'],
    [root, 'None of the certificates is for this key.'],
    [certificate + other, 'The certificates don’t form one chain'],
  ] as const) {
    await dialogField(officer, 'Certificates \\(PEM\\)').fill(text);
    await send(officer, 'Install certificates');
    await dialog(officer).locator('.m-field').filter({ hasText: 'Certificates (PEM)' }).getByText(words).first().waitFor();
  }
  await look(officer, 'certificate-refused');
  await dialogField(officer, 'Certificates \\(PEM\\)').fill(root + certificate);
  await send(officer, 'Install certificates');
  await said(officer, 'Sent for approval.');
  await dialog(officer).waitFor({ state: 'hidden' });
  await approve(/Certificates of a signing key/);
  await fact(officer, 'Issuer').getByText('CN=root, O=Harbour Trust, C=GB').waitFor();
  await officer.reload();
  await fact(officer, 'Issuer').getByText('CN=root, O=Harbour Trust, C=GB').waitFor();
  await look(officer, 'key-active');
  await openTab(officer, 'Certificate');
  const [chain] = await Promise.all([officer.waitForEvent('download'), button(officer, 'Download certificates').click()]);
  await chain.saveAs(at('chain.pem'));
  expect(openssl('verify', '-CAfile', 'root.pem', 'chain.pem')).toContain('OK');
  await look(officer, 'key-certificate');
  await officer.goBack();
  await rowOf(officer, /Pay 2031.*Active/).waitFor();
  await officer.goForward();
  await openTab(officer, 'Requests');
  await rowOf(officer, /Certificates of a signing key.*Approved/).waitFor();
});

test('its policy is changed by two; the page says what it may sign', async () => {
  expect(await fact(officer, 'Policy').textContent()).toBe('com.harbour.*');
  await actOfKey(officer, 'Change policy');
  await dialogField(officer, 'Maximum uses').fill('5');
  await look(officer, 'policy');
  await send(officer, 'Change policy');
  await said(officer, 'Sent for approval.');
  await dialog(officer).waitFor({ state: 'hidden' });
  expect(await fact(officer, 'Policy').textContent()).toBe('com.harbour.*');
  await approve(/Policy of a signing key/);
  await fact(officer, 'Policy').getByText('com.harbour.* · Maximum uses: 5').waitFor();
});

test('a signature counts as a use', async () => {
  await requestSignature(officer);
  await send(officer, 'Request signature');
  await officer.getByRole('row', { name: /pay\.apk.*Waiting for approval/ }).waitFor();
  await openMenu(second, 'Signing tool');
  await act(second, /pay\.apk/, 'Approve');
  await send(second, 'Approve');
  await officer.getByRole('row', { name: /pay\.apk.*Signed/ }).waitFor();
  await openKey(officer);
  await openKey(second);
  await fact(officer, 'Uses').getByText('1', { exact: true }).waitFor();
  await openTab(officer, 'Signatures');
  await rowOf(officer, /pay\.apk.*Signed/).waitFor();
  await openTab(officer, 'Requests');
});

async function requestSignature(page: Page): Promise<void> {
  await openMenu(page, 'Signing tool');
  await button(page, 'Request signature').first().click();
  await dialog(page).locator('input[type=file]').setInputFiles(at('pay.apk'));
  await dialog(page).getByText('Uploaded', { exact: true }).waitFor();
  await choose(dialogField(page, 'Key'), 'Pay 2031');
}
async function openKey(page: Page): Promise<void> {
  await openMenu(page, 'Key stores');
  await openTab(page, 'Keys');
  await page.getByRole('link', { name: 'Pay 2031' }).filter({ visible: true }).first().click();
  await page.locator('h1', { hasText: 'Pay 2031' }).filter({ visible: true }).waitFor();
}

test('it leaves in two halves: the file to who asked, its password to who approved', async () => {
  await actOfKey(officer, 'Export key');
  await look(officer, 'export');
  await send(officer, 'Export key');
  await said(officer, 'Sent for approval.');
  await approve(/Export of a signing key/);
  await officer.reload();
  await state(officer, 'Active');
  expect(await button(officer, 'Show export password').count()).toBe(0);
  const [file] = await Promise.all([officer.waitForEvent('download'), actOfKey(officer, 'Download exported key')]);
  expect(file.suggestedFilename()).toBe('Pay 2031.p12');
  await file.saveAs(at('pay.p12'));
  await second.reload();
  await state(second, 'Active');
  expect(await button(second, 'Download exported key').count()).toBe(0);
  await actOfKey(second, 'Show export password');
  const words = await dialog(second).locator('code, .m-mono').first().textContent();
  await look(second, 'export-password');
  await dialog(second).getByRole('button', { name: 'Close' }).last().click();
  writeFileSync(at('words'), words?.trim() ?? '');
  expect(() => openssl('pkcs12', '-in', 'pay.p12', '-passin', 'pass:wrong', '-nodes')).toThrow();
  const opened = openssl('pkcs12', '-in', 'pay.p12', '-passin', 'file:words', '-nodes');
  writeFileSync(at('opened.pem'), opened);
  expect(openssl('pkey', '-in', 'opened.pem', '-pubout')).toBe(openssl('req', '-in', 'pay.csr', '-pubkey', '-noout'));
});

test('a key file comes in: a wrong password stands at its field, the right one shows what is in it', async () => {
  await officer.goto(`${stack.url}/keyStoreAdd`);
  openssl('req', '-x509', ...newKey('brought'), '-subj', '/C=DE/ST=Hamburg/O=Elbe GmbH/OU=Tills/CN=Elbe Till', '-days', '50');
  openssl(
    'pkcs12',
    '-export',
    '-in',
    'brought.pem',
    '-inkey',
    'brought.key',
    '-name',
    'till',
    '-passout',
    'pass:Right.One',
    '-out',
    'brought.p12',
  );
  await button(officer, 'Import key').click();
  await choose(dialogField(officer, 'Key store'), 'Payment apps');
  await dialog(officer).locator('input[type=file]').setInputFiles(at('brought.p12'));
  const words = dialog(officer).getByRole('textbox', { name: 'File password' });
  await words.fill('Wrong.One');
  await send(officer, 'Read file');
  await dialog(officer).locator('.m-field').filter({ hasText: 'File password' }).getByText('Wrong password.').first().waitFor();
  await look(officer, 'import-wrong');
  // Sent without having been read: it says the same, at the same place.
  await words.fill('Wrong.Too');
  await dialogField(officer, 'Name').fill('Brought');
  await send(officer, 'Import key');
  await dialog(officer).locator('.m-field').filter({ hasText: 'File password' }).getByText('Wrong password.').first().waitFor();
  await words.fill('Right.One');
  await send(officer, 'Read file');
  await dialog(officer)
    .getByText(/till: rsa2048|till: RSA 2048/)
    .waitFor();
  await look(officer, 'import-read');
  await send(officer, 'Import key');
  await said(officer, 'Sent for approval.');
  await openTab(officer, 'Requests');
  await second.goto(`${stack.url}/keyStoreAdd?tab=changes`);
  await approve(/New signing key/);
  await openTab(officer, 'Keys');
  await officer.getByRole('row', { name: /Brought.*CN=Elbe Till, OU=Tills, O=Elbe GmbH, ST=Hamburg, C=DE/ }).waitFor();
  await look(officer, 'keys');
});

/** Whoever chose the key while it was active is told what it is by now. */
async function refusedAs(words: string): Promise<void> {
  await send(third, 'Request signature');
  await dialog(third).locator('.m-field').filter({ hasText: /^Key/ }).getByText(words).first().waitFor();
}

test('it is stopped by one without a mouse, and says why it signs nothing; it goes on, retires and is destroyed by two', async () => {
  third = await as('sam.signing');
  await requestSignature(third);
  await openKey(officer);
  await openKey(second);
  await tabTo(officer, button(officer, 'Suspend'));
  await officer.keyboard.press('Enter');
  const sure = dialog(officer).getByRole('button', { name: 'Suspend', exact: true });
  await sure.waitFor();
  await look(officer, 'suspend');
  await tabTo(officer, sure);
  await officer.keyboard.press('Enter');
  await said(officer, 'Key Pay 2031 suspended');
  await state(officer, 'Suspended');
  expect(await fact(officer, 'Suspended by').textContent()).toContain('Sam');
  await look(officer, 'key-suspended');
  await refusedAs('This key is suspended. It signs nothing until two people resume it.');
  await look(third, 'request-suspended');
  for (const [name, what, now, refusal] of [
    ['Resume', /Resume signing key/, 'Active', undefined],
    ['Retire', /Retire signing key/, 'Retired', 'This key was retired. It signs nothing more: choose another one.'],
    ['Destroy', /Destroy signing key/, 'Destroyed', 'This key was destroyed. Choose another one.'],
  ] as const) {
    await actOfKey(officer, name);
    if (name === 'Destroy') await dialog(officer).getByRole('textbox').fill('Pay 2031');
    await look(officer, `ask-${name}`);
    await send(officer, name);
    await said(officer, 'Sent for approval.');
    await approve(what);
    await state(officer, now);
    await look(officer, `key-${now}`);
    if (refusal) await refusedAs(refusal);
  }
  await officer.reload();
  await state(officer, 'Destroyed');
  await rowOf(officer, /Destroy signing key.*Approved.*Sam.*Hui/).waitFor();
  await lookAround();
});
