import { join } from 'node:path';
import { userCalls } from '@mooring/contract/account/calls';
import { inviteCalls } from '@mooring/contract/account/member-calls';
import { deviceCalls } from '@mooring/contract/device/calls';
import pg from 'pg';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MailBox, mailBox, wordsOf } from '../server/test/mail-server.ts';
import { api, signIn } from './api.ts';
import { axe, bindingTags } from './axe.ts';
import { launchBrowser } from './browser.ts';
import { choose } from './choose.ts';
import { type Stack, startDemo, waitFor } from './stack.ts';
import { totp } from './totp.ts';
import { arrive } from './visit.ts';

let box: MailBox;
let stack: Stack;
let browser: Browser;
let password = '';
const WORD = 'Fresh.Water8';
const MANAGER = 'pia.pier@example.com';
const MEMBER = 'max.pier@example.com';

beforeAll(async () => {
  box = await mailBox();
  ({ stack, password } = await startDemo({ env: { SMTP_URL: box.url } }));
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
  await box?.stop();
});

async function opened(path = '/login'): Promise<Page> {
  const { page } = await arrive(browser, stack.url);
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  if (path !== '/login') await page.goto(`${stack.url}${path}`);
  return page;
}

async function enter(account: string, word: string, platform: 'centre' | 'manager' = 'centre'): Promise<Page> {
  const page = await opened();
  await page.locator('#login-account').fill(account);
  await page.locator('#login-password').fill(word);
  if (platform === 'manager') await page.getByText('Customer', { exact: false }).first().click();
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.pathname !== '/login');
  return page;
}

const mailed = (to: string, found: RegExp) =>
  waitFor(() => {
    const words = box.arrived.filter((one) => one.to.includes(to)).map((one) => wordsOf(one.raw));
    return words.map((text) => found.exec(text)?.[1]).find((one) => one !== undefined);
  }, `mail for ${to}`);

async function choosePassword(page: Page): Promise<void> {
  await page.getByLabel('New password', { exact: true }).fill(WORD);
  await page.getByLabel('Repeat new password').fill(WORD);
}

test('an organisation registers, waits, is approved by its unit, and its manager works', async () => {
  const page = await opened();
  await page.getByRole('link', { name: 'Create an account' }).click();
  await page.getByRole('radio', { name: /^An organisation/ }).check();
  await page.locator('#register-place').fill('Region Eur');
  await page.getByRole('button', { name: 'Find' }).click();
  await page.getByRole('radio', { name: 'Region Europe' }).waitFor();
  await page.getByRole('button', { name: 'Next' }).click();
  // A reload goes on where it was, with what was chosen and typed.
  await page.locator('#register-email').fill(MANAGER);
  await page.reload();
  expect(await page.locator('#register-email').inputValue()).toBe(MANAGER);
  await page.getByRole('button', { name: 'Back' }).click();
  expect(await page.getByRole('radio', { name: 'Region Europe' }).isChecked()).toBe(true);
  await page.getByRole('button', { name: 'Next' }).click();
  // A code that went to a mistyped address: back, mended there, and another one.
  await page.locator('#register-email').fill(`x${MANAGER}`);
  await page.getByRole('button', { name: 'Send code' }).click();
  await page.locator('#register-code').waitFor();
  await page.getByRole('button', { name: 'Back' }).click();
  expect(await page.locator('#register-email').inputValue()).toBe(`x${MANAGER}`);
  await page.locator('#register-email:focus').fill(MANAGER);
  await page.getByRole('button', { name: 'Send code' }).click();
  await page.locator('#register-code').waitFor();
  await page.reload();
  await page.locator('#register-code').fill(await mailed(MANAGER, /^(\d{6})\r?$/m));
  await page.locator('#register-org').fill('Pier Foods');
  await page.locator('#register-name').fill('Pia Pier');
  expect(await page.locator('#register-account').inputValue()).toBe('pia.pier');
  await choosePassword(page);
  await page.getByRole('button', { name: 'Submit registration' }).click();
  await page.waitForURL('**/wating/org');
  await page.getByText('In review').waitFor();
  expect(await axe(page, bindingTags)).toEqual([]);

  // Nothing else opens: neither a page nor a call.
  await page.goto(`${stack.url}/device/device`);
  await page.waitForURL('**/wating/org');
  const waiting = api(stack.url, await signIn(stack.url, MANAGER, WORD), 'centre');
  await expect(waiting.call(deviceCalls.page)).rejects.toThrow('is in review');

  await mailed('rosa.region@example.com', /(Pia Pier)/);
  const rosa = await enter('rosa.region', password);
  await rosa.goto(`${stack.url}/sys/dept?tab=applications`);
  await rosa.getByRole('button', { name: 'Actions for Pier Foods' }).click();
  await rosa.getByRole('menuitem', { name: 'Approve' }).click();
  await rosa.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  await rosa.getByText('No applications').waitFor();
  await rosa.context().close();

  await mailed(MANAGER, /(approved)/);
  await page.getByRole('button', { name: 'Continue to the console' }).click();
  await page.waitForURL('**/welcome');
  await page.context().close();
});

test('its manager invites a member, who registers by the link and can do no more than was given', async () => {
  const page = await enter(MANAGER, WORD);
  await page.getByRole('link', { name: 'Members' }).click();
  await page.getByRole('button', { name: 'Invite', exact: true }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.locator('#field-email').fill(MEMBER);
  await choose(page.getByRole('dialog').getByRole('combobox', { name: 'Organisation', exact: true }), 'Pier Foods');
  await choose(page.getByRole('dialog').getByRole('combobox', { name: 'Roles', exact: true }), 'Organisation member');
  await dialog.getByRole('button', { name: 'Send invitation' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('tab', { name: 'Invitations' }).click();
  await page.getByRole('row', { name: /max\.pier@example\.com.*Pia Pier/ }).waitFor();
  await page.context().close();

  const link = new URL(await mailed(MEMBER, /(http\S+\/reg\?invite=[\w-]+)/));
  const invited = await opened(`${link.pathname}${link.search}`);
  await invited.getByText('Pia Pier invites max.pier@example.com to Pier Foods.').waitFor();
  await invited.locator('#register-name').fill('Max Pier');
  await choosePassword(invited);
  await invited.getByRole('button', { name: 'Register', exact: true }).click();
  await invited.waitForURL('**/welcome');
  await invited.goto(`${stack.url}/device/device`);
  await invited.getByRole('heading', { name: 'Terminals' }).first().waitFor();
  expect(await invited.getByRole('button', { name: 'Add terminal' }).count()).toBe(0);
  await invited.context().close();

  const again = await opened(`${link.pathname}${link.search}`);
  await again.getByText('This invitation is no longer valid').waitFor();
  await again.context().close();

  const member = api(stack.url, await signIn(stack.url, MEMBER, WORD), 'centre');
  const { relateDept } = await member.call(userCalls.info);
  await expect(
    member.call(inviteCalls.add, { email: 'x@example.com', deptId: relateDept.deptId, roleIds: [await memberRole()] }),
  ).rejects.toThrow('403');
  await expect(member.call(deviceCalls.add, { sn: 'PIER0001', productId: 1 })).rejects.toThrow('403');
  await expect(api(stack.url, await signIn(stack.url, MEMBER, WORD), 'manager').call(deviceCalls.page)).rejects.toThrow('403');
});

async function memberRole(): Promise<number> {
  const client = new pg.Client({ connectionString: stack.databaseUrl() });
  await client.connect();
  try {
    const { rows } = await client.query<{ id: string }>("select id from access_role where code = 'orgMember'");
    return Number(rows[0]?.id);
  } finally {
    await client.end();
  }
}

async function handIn(page: Page): Promise<void> {
  await page.getByLabel('Name as in the document').fill('Max Pier');
  await page.getByRole('combobox', { name: 'Document' }).click();
  await page.locator('.ant-select-item-option-content', { hasText: 'Passport' }).click();
  await page.getByLabel('Document number').fill('P7712349876');
  await page.getByLabel('Valid until').fill('2031-05-31');
  await page.keyboard.press('Enter');
  const file = join(stack.dataDir, 'passport.png');
  await sharp({ create: { width: 900, height: 600, channels: 3, background: '#2b6f77' } })
    .png()
    .toFile(file);
  for (const which of [0, 1]) {
    await page.locator('input[type=file]').nth(which).setInputFiles(file);
    await page.locator('img.m-document').nth(which).waitFor();
  }
  await page.getByRole('button', { name: 'Submit', exact: true }).click();
  await page.getByText('In review.').waitFor();
}

async function decide(act: (page: Page) => Promise<void>): Promise<void> {
  const page = await enter('aud.auditor', password, 'manager');
  await page.goto(`${stack.url}/authAudit?outcome=waiting`);
  await page.getByRole('link', { name: 'Max Pier' }).click();
  await page
    .getByRole('button', { name: /^View(?!s)/ })
    .first()
    .click();
  await page.getByAltText('Picture of the document: Front').waitFor();
  await page.getByRole('button', { name: 'Show number' }).click();
  await page.getByText('P7712349876').waitFor();
  await act(page);
  await page.context().close();
}

test('a real name is handed in, refused with a reason, handed in again and approved', async () => {
  const page = await enter(MEMBER, WORD);
  await page.goto(`${stack.url}/auth/person`);
  await handIn(page);
  await decide(async (auditor) => {
    await auditor.getByRole('button', { name: 'Reject' }).click();
    const dialog = auditor.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Reject' }).click();
    await dialog.getByText('Give at least one reason.').waitFor();
    await dialog.getByLabel('Front').fill('Blurred');
    await dialog.getByRole('button', { name: 'Reject' }).click();
    await auditor.getByText('Rejected', { exact: true }).first().waitFor();
  });
  await page.reload();
  await page.getByText('Rejected. Correct').waitFor();
  await page.getByText('Blurred').waitFor();
  await handIn(page);
  await decide(async (auditor) => {
    await auditor.getByRole('button', { name: 'Approve' }).click();
    await auditor.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
    await auditor.getByText('Approved', { exact: true }).first().waitFor();
  });
  await page.reload();
  await page.getByText('Verified (person)').waitFor();
  await page.getByText('••••9876').waitFor();
  await mailed(MEMBER, /(Your identity is verified)/);
  await page.context().close();
});

test('the member binds a second factor, is asked for it, and still opens nothing that was not given', async () => {
  const page = await enter(MEMBER, WORD);
  await page.goto(`${stack.url}/accountSetting`);
  await page.getByRole('region', { name: 'Second factor' }).getByRole('button', { name: 'Set up' }).click();
  await page.getByRole('img', { name: 'QR code' }).waitFor();
  const secret = ((await page.getByRole('dialog').textContent()) ?? '').match(/[A-Z2-7]{32}/)?.[0] ?? '';
  await page.locator('#bind-code').fill(totp(secret, -1));
  await page.getByRole('dialog').getByRole('button', { name: 'Set up' }).click();
  await page.getByRole('button', { name: 'I’ve saved them' }).click();
  await page.getByText('10 codes left').waitFor();
  await page.context().close();

  const again = await opened();
  await again.locator('#login-account').fill(MEMBER);
  await again.locator('#login-password').fill(WORD);
  await again.keyboard.press('Enter');
  await again.getByRole('heading', { name: 'Two-step verification' }).waitFor();
  await again.locator('#second-factor').fill(totp(secret));
  await again.keyboard.press('Enter');
  await again.waitForURL('**/welcome');
  await again.getByRole('link', { name: 'Roles' }).click();
  await again.getByRole('cell', { name: 'Organisation member', exact: true }).waitFor();
  expect(await again.getByRole('button', { name: /^Add role/ }).count()).toBe(0);
  // Who may read members may look who holds a role, and nothing else.
  await again
    .getByRole('button', { name: /^Actions for/ })
    .first()
    .click();
  expect(await again.getByRole('menuitem').filter({ visible: true }).allTextContents()).toEqual(['View holders']);
  await again.keyboard.press('Escape');
  for (const path of ['/sys/role/new', '/device/fota/taskmod/new', '/system/settings']) {
    await again.goto(`${stack.url}${path}`);
    await again.getByRole('heading', { name: 'You don’t have access to this page' }).waitFor();
  }
  await again.context().close();
});
