import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeApk } from '@mooring/apk/apk.factory';
import { developerCalls } from '@mooring/contract/app/calls';
import type { Page } from 'playwright-core';
import { type Api, api, signIn } from './api.ts';
import { choose } from './choose.ts';
import { openMenu } from './menu.ts';
import { act, button, dialog, dialogField, look, said, send } from './page-parts.ts';

interface People {
  readonly url: string;
  readonly password: string;
  readonly admin: Api;
  /** Who approves, and who asks: of an organisation that brings apps from now on. */
  readonly officer: Page;
  readonly second: Page;
  readonly folder: string;
}
/** From an unsigned build over its signature to the developer centre, and from there back to the signing tool. */
export async function signAndList({ url, password, admin, officer, second, folder }: People): Promise<void> {
  const hui = api(url, await signIn(url, 'hui.manager', password), 'centre');
  const { id } = await hui.call(developerCalls.apply, { contactName: 'Hui Lin', email: 'hui@example.com' });
  await admin.call(developerCalls.accept, { id });
  const build = join(folder, 'build.apk');
  writeFileSync(build, await makeApk({ packageName: 'com.harbour.till', versionCode: 3, minSdk: 24, signers: [] }));
  await openMenu(second, 'Signing tool');
  await button(second, 'Request signature').first().click();
  await dialog(second).locator('input[type=file]').setInputFiles(build);
  await dialog(second).getByText('Uploaded', { exact: true }).waitFor();
  await choose(dialogField(second, 'Key'), 'Pay 2030');
  await send(second, 'Request signature');
  await said(second, 'You’re told when it’s signed.');
  await openMenu(officer, 'Signing tool');
  await act(officer, /build\.apk/, 'Approve');
  await send(officer, 'Approve');
  await said(officer, 'Signature of build.apk approved');
  await second.getByRole('row', { name: /build\.apk.*Signed/ }).waitFor();

  await act(second, /build\.apk/, 'Upload as app version');
  await dialog(second).getByText('build-signed.apk').waitFor();
  await look(second, 'signed-as-version');
  await send(second, 'Upload app');
  await said(second, /^Version .* uploaded$/);

  await second.locator('.m-page-head').filter({ visible: true }).getByRole('button', { name: /^More/ }).click();
  await second.getByRole('menuitem', { name: 'Request signature', exact: true }).click();
  await dialog(second).getByText('build-signed.apk').waitFor();
  await look(second, 'version-to-sign');
  await second.keyboard.press('Escape');
  await button(second, 'Discard').click();
  await dialog(second).getByText('build-signed.apk').waitFor({ state: 'detached' });
}
