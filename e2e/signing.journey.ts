import { createHash, generateKeyPairSync, privateEncrypt, sign } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeApk } from '@mooring/apk/apk.factory';
import { keyChangeCalls } from '@mooring/contract/signing/change-calls';
import { signingProfileCalls } from '@mooring/contract/signing/profile';
import { pem, selfSigned } from '@mooring/server/modules/signing/api';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Api, api, signIn } from './api.ts';
import { launchBrowser } from './browser.ts';
import { choose } from './choose.ts';
import { openMenu } from './menu.ts';
import { act, button, dialog, dialogField, look, openTab, said, send } from './page-parts.ts';
import { signAndList } from './sign-and-list.ts';
import { type Stack, startDemo } from './stack.ts';
import { type Look, plainLook, visit } from './visit.ts';

let stack: Stack;
let browser: Browser;
let password = '';
let admin: Api;
let officer: Page;
let second: Page;
const folder = mkdtempSync(join(tmpdir(), 'mooring-signing-'));
const apk = join(folder, 'pay.apk');

beforeAll(async () => {
  ({ stack, password, admin } = await startDemo());
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
/** The screens with what was done, as others have them. */
async function lookAround(): Promise<void> {
  if (!process.env.LOOK) return;
  for (const of of [
    { theme: 'dark', width: 1440, lang: 'en' },
    { theme: 'light', width: 390, lang: 'en' },
    { theme: 'light', width: 1440, lang: 'zh-CN' },
    { theme: 'dark', width: 390, lang: 'zh-CN' },
  ] as const) {
    const page = await as('sam.signing', of);
    for (const path of [
      '/keyStoreAdd',
      '/keyStoreAdd?tab=keys',
      '/keyStoreAdd?tab=changes',
      '/apkTool',
      '/apkTool?tab=verify',
      '/apkTool?tab=profiles',
      '/apkTool?tab=changes',
      '/keypairAdd/1',
    ]) {
      await page.goto(`${stack.url}${path}`);
      await page.waitForLoadState('networkidle');
      await look(page, `${of.theme}-${of.width}-${of.lang}${path.replace(/[/?=]/g, '-')}`);
    }
    await button(page, of.lang === 'en' ? 'Change policy' : '变更策略').click();
    await dialog(page).getByText('Smart POS A20').waitFor();
    await look(page, `${of.theme}-${of.width}-${of.lang}-policy`);
    await page.context().close();
  }
}

test('one person makes a key store and a key, another one approves it', async () => {
  await openMenu(officer, 'Key stores');
  await said(officer, 'No key stores yet');
  await look(officer, 'stores-empty');
  await button(officer, 'Create key store').first().click();
  await dialogField(officer, 'Name').fill('Payment apps');
  await choose(dialogField(officer, 'Organisation'), 'Harbour Bank');
  await send(officer, 'Create key store');
  await officer.getByRole('row', { name: /Payment apps/ }).waitFor();

  await button(officer, 'Generate key').first().click();
  await choose(dialogField(officer, 'Key store'), 'Payment apps');
  await dialogField(officer, 'Name').fill('Pay 2030');
  await dialogField(officer, 'Subject').fill('nobody');
  await choose(dialogField(officer, 'Algorithm'), 'EC P-256');
  await look(officer, 'generate');
  await send(officer, 'Generate key');
  await said(officer, 'Like CN=Acme Pay, O=Acme Ltd');
  await dialogField(officer, 'Subject').fill('CN=Harbour Pay, O=Harbour Bank');
  await send(officer, 'Generate key');
  await said(officer, 'Sent for approval.');
  await openTab(officer, 'Requests');
  await officer
    .getByRole('row', { name: /New signing key.*Waiting for approval/ })
    .getByRole('button', { name: /^Actions for/ })
    .click();
  // Nobody approves their own.
  expect(await officer.getByRole('menuitem').allInnerTexts()).toEqual(['Withdraw']);
  await officer.keyboard.press('Escape');

  await openMenu(second, 'Key stores');
  await openTab(second, 'Requests');
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
    await dialogField(officer, 'Package names').fill('com.harbour.*');
    await officer.keyboard.press('Enter');
    await send(officer, 'Change policy');
    await said(officer, 'Sent for approval.');
  };
  await change();
  await act(second, /Policy of a signing key.*Waiting/, 'Reject');
  await send(second, 'Reject');
  await dialog(second).getByText('Required').first().waitFor();
  await dialogField(second, 'Reason').fill('Which team?');
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
  await openMenu(officer, 'Signing tool');
  await said(officer, 'No signatures yet');
  await button(officer, 'Request signature').first().click();
  await send(officer, 'Request signature');
  await dialog(officer).getByText('Required').first().waitFor();
  await dialog(officer).locator('input[type=file]').setInputFiles(apk);
  await dialog(officer).getByText('Uploaded', { exact: true }).waitFor();
  await choose(dialogField(officer, 'Key'), 'Pay 2030');
  await look(officer, 'request');
  await send(officer, 'Request signature');
  await said(officer, 'You’re told when it’s signed.');
  await officer.getByRole('row', { name: /pay\.apk.*Waiting for approval/ }).waitFor();

  await openMenu(second, 'Signing tool');
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

  await openTab(officer, 'Verify');
  await officer.locator('input[type=file]').setInputFiles(apk);
  await said(officer, 'The package isn’t signed.');
  await officer.reload();
  await officer.locator('input[type=file]').setInputFiles(signed);
  await said(officer, 'The signature is valid');
  await officer.getByRole('link', { name: 'Pay 2030' }).waitFor();
  await look(officer, 'verify');
});

test('a signed package becomes a version of its app, and a version is taken to be signed, without a download', () =>
  signAndList({ url: stack.url, password, admin, officer, second, folder }));

/** Sent by the officer's dialog, and approved by the second person. */
async function approveProfile(): Promise<void> {
  await dialog(officer).waitFor({ state: 'hidden' });
  const hui = api(stack.url, await signIn(stack.url, 'hui.manager', password), 'centre');
  const [change] = (await hui.call(keyChangeCalls.page, { criteria: { state: 'waiting', of: 'profile' } })).content;
  await hui.call(keyChangeCalls.approve, { id: change?.id });
}

test('a profile asks for a signature beside the file, and the request asks for nothing that it says', async () => {
  await openMenu(officer, 'Signing tool');
  await openTab(officer, 'Profiles');
  await said(officer, 'No profiles yet');
  await button(officer, 'Create profile').first().click();
  await dialogField(officer, 'Name').fill('Meridian acquiring');
  await choose(dialogField(officer, 'Organisation'), 'Harbour Bank');
  await dialogField(officer, 'Root certificate \\(PEM\\)').fill('not a certificate');
  await send(officer, 'Create profile');
  await dialog(officer).getByText('Paste exactly one certificate (PEM).').first().waitFor();
  await choose(dialogField(officer, 'What it asks for'), 'Detached signature (CMS)');
  await choose(dialogField(officer, 'Key'), 'Pay 2030');
  await look(officer, 'profile');
  await send(officer, 'Create profile');
  await said(officer, 'Sent for approval.');
  await openTab(officer, 'Profile requests');
  await officer.getByRole('row', { name: /New signing profile.*Meridian acquiring.*Waiting/ }).waitFor();
  await openMenu(second, 'Key stores');
  await openTab(second, 'Requests');
  await act(second, /New signing profile.*Meridian acquiring.*Waiting/, 'Approve');
  await dialog(second)
    .getByRole('row', { name: /What it asks for.*Detached signature/ })
    .waitFor();
  await look(second, 'approve-profile');
  await send(second, 'Approve');
  await said(second, 'Change approved and in effect');
  await openTab(officer, 'Profiles');
  await officer.getByRole('row', { name: /Meridian acquiring.*Detached signature/ }).waitFor();
  await look(officer, 'profiles');

  await button(officer, 'Request signature').first().click();
  await choose(dialogField(officer, 'Profile'), 'Meridian acquiring');
  await dialog(officer).getByText('Signature type').waitFor({ state: 'detached' });
  await dialog(officer).locator('input[type=file]').setInputFiles(apk);
  await dialog(officer).getByText('Uploaded', { exact: true }).waitFor();
  await look(officer, 'request-by-profile');
  await send(officer, 'Request signature');
  await openTab(officer, 'Signatures');
  await officer.getByRole('row', { name: /pay\.apk.*Meridian acquiring/ }).waitFor();
});

/** An RSA key of somebody else, its certificate, and how it signs a checksum (RFC 8017, section 9.2). */
async function externalKey() {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const of = { algorithm: 'rsa2048', publicKey: publicKey.export({ type: 'spki', format: 'der' }) } as const;
  const subject = { subject: 'CN=Acquirer Signer, O=Acquirer', years: 1, now: new Date() };
  const raw = await selfSigned(of, subject, async (digest, data) => sign(digest, data, privateKey));
  const SHA256 = '3031300d060960864801650304020105000420';
  const signs = (checksum: string) => privateEncrypt(privateKey, Buffer.from(SHA256 + checksum, 'hex')).toString('base64');
  return { certificate: pem('CERTIFICATE', raw), signs };
}

test('a package is signed by a key that is elsewhere: its checksums go out, signatures come back', async () => {
  const { certificate, signs } = await externalKey();
  await openMenu(officer, 'Signing tool');
  await openTab(officer, 'Profiles');
  await button(officer, 'Create profile').first().click();
  await dialogField(officer, 'Name').fill('Outside acquirer');
  await choose(dialogField(officer, 'Organisation'), 'Harbour Bank');
  await choose(dialogField(officer, 'What it asks for'), 'Signature by an external key');
  await send(officer, 'Create profile');
  await dialog(officer).getByText('Required').first().waitFor();
  await dialogField(officer, 'Certificates of the external key \\(PEM\\)').fill('not a certificate');
  await send(officer, 'Create profile');
  await dialog(officer).getByText('There’s no readable certificate in it.').first().waitFor();
  await dialogField(officer, 'Certificates of the external key \\(PEM\\)').fill(certificate);
  await look(officer, 'external-profile');
  await send(officer, 'Create profile');
  await approveProfile();
  await officer.getByRole('row', { name: /Outside acquirer.*Signature by an external key/ }).waitFor();

  await button(officer, 'Request signature').first().click();
  await choose(dialogField(officer, 'Profile'), 'Outside acquirer');
  await dialogField(officer, 'Key').waitFor({ state: 'detached' });
  await dialog(officer).locator('input[type=file]').setInputFiles(apk);
  await dialog(officer).getByText('Uploaded', { exact: true }).waitFor();
  await send(officer, 'Request signature');
  await openTab(officer, 'Signatures');
  const row = /pay\.apk.*Outside acquirer/;
  await officer.getByRole('row', { name: row }).waitFor();
  await openMenu(second, 'Signing tool');
  await act(second, row, 'Approve');
  await dialog(second).getByText('Outside acquirer').first().waitFor();
  await send(second, 'Approve');

  // Android before 7 wants a signature within the archive, of which the other two are made.
  for (const many of [1, 2]) {
    await officer.getByRole('row', { name: /pay\.apk.*Waiting for external signature.*Outside acquirer/ }).waitFor();
    await act(officer, row, 'Deliver signatures');
    const checksums = dialog(officer).locator('.m-command code');
    await checksums.nth(many - 1).waitFor();
    const [saved] = await Promise.all([officer.waitForEvent('download'), button(officer, 'Download checksums').click()]);
    expect(
      readFileSync(await saved.path(), 'utf8')
        .trim()
        .split('\n'),
    ).toEqual(await checksums.allInnerTexts());
    if (many === 1) {
      await dialogField(officer, 'Signatures \\(Base64\\)').fill('AAAA');
      await send(officer, 'Deliver signatures');
      await dialog(officer).getByText('Signature 1 isn’t one of checksum 1').first().waitFor();
    }
    await dialogField(officer, 'Signatures \\(Base64\\)').fill((await checksums.allInnerTexts()).map(signs).join('\n'));
    await look(officer, `deliver-${many}`);
    await send(officer, 'Deliver signatures');
    await said(officer, 'Signatures for pay.apk delivered');
    await dialog(officer).waitFor({ state: 'hidden' });
  }
  await officer.getByRole('row', { name: /pay\.apk.*Signed.*Outside acquirer/ }).waitFor();
  const [file] = await Promise.all([officer.waitForEvent('download'), act(officer, row, 'Download signed file')]);
  const signed = join(folder, 'outside.apk');
  await file.saveAs(signed);
  await openTab(officer, 'Verify');
  await officer.locator('input[type=file]').setInputFiles(signed);
  await said(officer, 'The signature is valid');
  await said(officer, 'CN=Acquirer Signer');
});

test('a key for certain products signs by a profile for those alone', async () => {
  await openMenu(officer, 'Key stores');
  await openTab(officer, 'Keys');
  await officer.getByRole('link', { name: 'Pay 2030' }).first().click();
  await button(officer, 'Change policy').click();
  await choose(dialogField(officer, 'Products'), 'Smart POS A20');
  await look(officer, 'policy-products');
  await send(officer, 'Change policy');
  await said(officer, 'Sent for approval.');
  await openMenu(second, 'Key stores');
  await openTab(second, 'Requests');
  await act(second, /Policy of a signing key.*Waiting/, 'Approve');
  await dialog(second)
    .getByRole('row', { name: /Products.*Smart POS A20 \(MP-A20\)/ })
    .waitFor();
  await look(second, 'approve-products');
  await send(second, 'Approve');
  await said(second, 'Change approved and in effect');
  await officer.reload();
  await officer.getByText(/com\.harbour\.\* · Smart POS A20/).waitFor();

  await openMenu(officer, 'Signing tool');
  await openTab(officer, 'Profiles');
  await button(officer, 'Create profile').first().click();
  await dialogField(officer, 'Name').fill('A20 apps');
  await choose(dialogField(officer, 'Organisation'), 'Harbour Bank');
  await choose(dialogField(officer, 'What it asks for'), 'Nothing in particular');
  await choose(dialogField(officer, 'Products'), 'Smart POS A20');
  await send(officer, 'Create profile');
  await approveProfile();
  await officer.getByRole('row', { name: /A20 apps/ }).waitFor();

  await button(officer, 'Request signature').first().click();
  await dialog(officer).locator('input[type=file]').setInputFiles(apk);
  await dialog(officer).getByText('Uploaded', { exact: true }).waitFor();
  await choose(dialogField(officer, 'Key'), 'Pay 2030');
  await send(officer, 'Request signature');
  await dialog(officer).getByText('It signs by a profile for those alone.').first().waitFor();
  await look(officer, 'request-outside-products');
  await choose(dialogField(officer, 'Profile'), 'A20 apps');
  await send(officer, 'Request signature');
  await openTab(officer, 'Signatures');
  const row = /pay\.apk.*Waiting for approval.*A20 apps/;
  await officer.getByRole('row', { name: row }).waitFor();
  await openMenu(second, 'Signing tool');
  await act(second, row, 'Approve');
  await dialog(second).getByText('Smart POS A20').waitFor();
  await look(second, 'approve-for-products');
  await send(second, 'Approve');
  await officer.getByRole('row', { name: /pay\.apk.*Signed.*A20 apps/ }).waitFor();
});

test('a request says that its profile was changed since', async () => {
  const sam = api(stack.url, await signIn(stack.url, 'sam.signing', password), 'centre');
  const [profile] = (await sam.call(signingProfileCalls.page, { criteria: { text: 'Meridian' } })).content;
  await sam.call(signingProfileCalls.update, { id: profile?.id, name: profile?.name, productIds: [], remark: '', keyId: null });
  await approveProfile();
  await openMenu(officer, 'Signing tool');
  await openTab(officer, 'Signatures');
  const row = officer.getByRole('row', { name: /pay\.apk.*Profile changed.*Meridian acquiring/ });
  await row.getByText('pay.apk').click();
  await said(officer, 'The signing profile was changed after this signature was requested.');
  await look(officer, 'outdated');
  await officer.keyboard.press('Escape');
});

test('a wrong password stands at its field', async () => {
  await openMenu(officer, 'Key stores');
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
