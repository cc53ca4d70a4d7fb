import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeApk } from '@mooring/apk/apk.factory';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, test } from 'vitest';
import { launchBrowser } from './browser.ts';
import { choose } from './choose.ts';
import { openMenu } from './menu.ts';
import { act, button, dialog, dialogField, look, openTab, said, send } from './page-parts.ts';
import { type Stack, startDemo } from './stack.ts';
import { type Look, plainLook, visit } from './visit.ts';

let stack: Stack;
let browser: Browser;
let password = '';
let officer: Page;
let second: Page;
const folder = mkdtempSync(join(tmpdir(), 'mooring-rotation-'));
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
async function key(name: string): Promise<void> {
  await button(officer, 'Generate key').first().click();
  await choose(dialogField(officer, 'Key store'), 'Payment apps');
  await dialogField(officer, 'Name').fill(name);
  await dialogField(officer, 'Subject').fill(`CN=Harbour ${name}, O=Harbour Bank`);
  await send(officer, 'Generate key');
  await said(officer, 'Sent for approval.');
  await act(second, new RegExp(`New signing key.*${name}.*Waiting`), 'Approve');
  await send(second, 'Approve');
  await second.getByRole('row', { name: new RegExp(`New signing key.*${name}.*Approved`) }).waitFor();
}

test('a key names the next one by two people, and both pages say so', async () => {
  await openMenu(officer, 'Key stores');
  await button(officer, 'Create key store').first().click();
  await dialogField(officer, 'Name').fill('Payment apps');
  await choose(dialogField(officer, 'Organisation'), 'Harbour Bank');
  await send(officer, 'Create key store');
  await officer.getByRole('row', { name: /Payment apps/ }).waitFor();
  await openMenu(second, 'Key stores');
  await openTab(second, 'Requests');
  await key('Pay 2030');
  await key('Pay 2040');

  await openTab(officer, 'Keys');
  await officer.getByRole('link', { name: 'Pay 2030' }).first().click();
  await button(officer, 'Name next key').click();
  await choose(dialogField(officer, 'Next key'), 'Pay 2040');
  await look(officer, 'next-key');
  await send(officer, 'Name next key');
  await said(officer, 'Sent for approval.');
  await act(second, /Next key of a signing key.*Waiting/, 'Approve');
  await dialog(second)
    .getByRole('row', { name: /Next key.*Pay 2040/ })
    .first()
    .waitFor();
  await look(second, 'approve-next-key');
  await send(second, 'Approve');
  await officer.reload();
  await look(officer, 'key-with-next');
  await officer.getByRole('link', { name: 'Pay 2040' }).first().click();
  await said(officer, 'Follows');
  await officer.getByRole('link', { name: 'Pay 2030' }).first().waitFor();
  await look(officer, 'key-that-follows');
});

test('a detached signature is verified, and one of another file is seen', async () => {
  const at = (name: string) => join(folder, name);
  const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: ['ignore', 'ignore', 'ignore'] });
  openssl(
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-keyout',
    at('k.pem'),
    '-out',
    at('c.pem'),
    '-subj',
    '/O=Acquirer/CN=Elsewhere',
  );
  openssl('cms', '-sign', '-binary', '-in', apk, '-signer', at('c.pem'), '-inkey', at('k.pem'), '-outform', 'DER', '-out', at('pay.p7s'));
  await openMenu(officer, 'Signing tool');
  await openTab(officer, 'Verify');
  await officer.getByText('Detached (.p7s)', { exact: true }).click();
  const [content, signature] = [officer.locator('input[type=file]').first(), officer.locator('input[type=file]').last()];
  await content.setInputFiles(apk);
  await signature.setInputFiles(apk);
  await said(officer, 'It isn’t a CMS signature (.p7s), or it’s damaged.');
  await signature.setInputFiles(at('pay.p7s'));
  await said(officer, 'Signed by this certificate, and unchanged since');
  await said(officer, 'CN=Elsewhere, O=Acquirer');
  await look(officer, 'verify-beside');
  writeFileSync(at('other.apk'), await makeApk({ packageName: 'com.harbour.other', signers: [] }));
  await content.setInputFiles(at('other.apk'));
  await said(officer, 'The file isn’t the one that was signed');
});
