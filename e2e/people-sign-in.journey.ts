import pg from 'pg';
import type { Browser, CDPSession, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MailBox, mailBox, wordsOf } from '../server/test/mail-server.ts';
import { launchBrowser } from './browser.ts';
import { type Stack, startDemo, waitFor } from './stack.ts';
import { totp } from './totp.ts';
import { arrive } from './visit.ts';

let box: MailBox;
let stack: Stack;
let browser: Browser;
let url = '';
let password = '';

beforeAll(async () => {
  box = await mailBox();
  ({ stack, password } = await startDemo({ env: { SMTP_URL: box.url } }));
  // Passkeys belong to a name, so the console is opened under one.
  url = stack.url.replace('127.0.0.1', 'localhost');
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
  await box?.stop();
});

async function inDatabase<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: stack.databaseUrl() });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function opened(): Promise<Page> {
  const { page } = await arrive(browser, url);
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  return page;
}

async function fillSignIn(page: Page, account: string, word: string): Promise<void> {
  await page.goto(`${url}/login`);
  await page.locator('#login-account').fill(account);
  await page.locator('#login-password').fill(word);
  await page.keyboard.press('Enter');
}

const codeMailedTo = (to: string, after: number) =>
  waitFor(() => {
    const mail = box.arrived.slice(after).find((one) => one.to.includes(to));
    return mail && /^(\d{6})\r?$/m.exec(wordsOf(mail.raw))?.[1];
  }, `a code for ${to}`);

test('a password is reset by mail', async () => {
  const page = await opened();
  const before = box.arrived.length;
  await page.getByRole('link', { name: 'Forgot password?' }).click();
  await page.locator('#code-email').fill('rosa.region@example.com');
  await page.getByRole('button', { name: 'Send code' }).click();
  await page.getByText('we’ve sent a code').waitFor();
  const code = await codeMailedTo('rosa.region@example.com', before);
  // Nothing, or too little, is told at the field; a reload goes on here.
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByText('Required', { exact: true }).waitFor();
  await page.locator('#mailed-code').fill('12');
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByText('Enter all digits of the code.').waitFor();
  await page.reload();
  await page.locator('#mailed-code').fill(code === '000000' ? '111111' : '000000');
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByText('This code is wrong').waitFor();
  await page.locator('#mailed-code').fill(code);
  await page.getByRole('button', { name: 'Next' }).click();
  const [next, repeat] = [page.getByLabel('New password', { exact: true }), page.getByLabel('Repeat new password')];
  await next.fill('qwe');
  expect(await page.locator('.m-check-failed').count()).toBe(3);
  await next.fill('Fresh.Word77');
  expect(await page.locator('.m-check-passed').count()).toBe(3);
  await repeat.fill('Fresh.Word77');
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.waitForURL('**/login');
  await fillSignIn(page, 'rosa.region', password);
  await page.getByText('Wrong account or password.').waitFor();
  await fillSignIn(page, 'rosa.region@example.com', 'Fresh.Word77');
  await page.waitForURL('**/welcome');
  await waitFor(() => box.arrived.some((one) => wordsOf(one.raw).includes('was changed')), 'the mail to the owner');
  await page.context().close();
});

test('at every second step of the door there is a way back to what was typed, with the keyboard in its field', async () => {
  const page = await opened();
  const isKept = async (field: Locator, typed: string) => {
    await field.waitFor();
    expect(await field.inputValue()).toBe(typed);
    await waitFor(() => field.evaluate((one) => one === document.activeElement), 'the field to have the keyboard');
  };
  const mistype = async (at: Page, typed: string) => {
    await at.locator('#code-email').fill(typed);
    await at.getByRole('button', { name: 'Send code' }).click();
    await at.locator('#mailed-code').waitFor();
    await at.getByRole('button', { name: 'Use another e-mail address' }).click();
    await isKept(at.locator('#code-email'), typed);
  };
  // A one-time code.
  const before = box.arrived.length;
  await page.getByRole('tab', { name: 'One-time code' }).click();
  await mistype(page, 'lina.lime@example.com');
  await page.locator('#code-email').fill('lina.line@example.com');
  await page.getByRole('button', { name: 'Send code' }).click();
  await page.locator('#mailed-code').fill(await codeMailedTo('lina.line@example.com', before));
  await page.keyboard.press('Enter');
  await page.waitForURL('**/welcome');
  // A new address of one's own.
  await page.context().close();
  const own = await opened();
  await fillSignIn(own, 'lina.line', password);
  await own.waitForURL('**/welcome');
  await own.goto(`${url}/accountSetting`);
  await own.getByRole('button', { name: 'Change: E-mail' }).click();
  await own.locator('#contact-to').fill('lina@elsewere.example');
  await own.getByRole('button', { name: 'Send a code' }).click();
  await own.getByRole('dialog').getByRole('button', { name: 'Use another e-mail address' }).click();
  await isKept(own.locator('#contact-to'), 'lina@elsewere.example');
  await own.context().close();
  // A password that is reset.
  const other = await opened();
  await other.getByRole('link', { name: 'Forgot password?' }).click();
  await mistype(other, 'lina.lime@example.com');
  await other.context().close();
});

test('after failures the browser works by itself for a sign-in: said meanwhile, without a click, and the page stays quick', async () => {
  const page = await opened();
  for (let tries = 0; tries < 3; tries += 1) {
    await fillSignIn(page, 'aud.auditor', 'Not.Mine55');
    await page.getByText('Wrong account or password.').waitFor();
  }
  // As after eight: some seconds of work.
  await inDatabase((client) => client.query(`update auth_attempt set failures = 8 where key = 'typed:aud.auditor'`));
  await fillSignIn(page, 'aud.auditor', password);
  await page.getByRole('status').getByText('Running a security check').waitFor();
  const waited = await page.evaluate(
    () =>
      new Promise<number>((done) => {
        const began = performance.now();
        setTimeout(() => done(performance.now() - began), 0);
      }),
  );
  expect(waited).toBeLessThan(150);
  await page.waitForURL('**/welcome');
  await page.context().close();
});

test('wrong tries from elsewhere make only those wait; its person signs in from where they did before, and resets by mail', async () => {
  // Where this person has signed in before, others' tries count for nothing.
  const home = await opened();
  await fillSignIn(home, 'mia.member', password);
  await home.waitForURL('**/welcome');
  await home.context().close();
  const page = await opened();
  await inDatabase(async (client) => {
    await client.query(
      `insert into auth_policy (line, kind, value) select line, 'login', '{"maxTries":3,"captchaAfter":50}'::jsonb from unnest(array[1, 2]) line`,
    );
    await client.query(
      "update auth_session set ip = '198.51.100.7' where user_id = (select id from account_user where account = 'mia.member')",
    );
  });
  for (let tries = 0; tries < 3; tries += 1) {
    await fillSignIn(page, 'mia.member', 'Wrong.Word4');
    await page.getByText('Wrong account or password.').waitFor();
  }
  await fillSignIn(page, 'mia.member', password);
  await page.getByText(/^Too many attempts\./).waitFor();
  await waitFor(
    () => box.arrived.some((one) => one.to.includes('mia.member@example.com') && wordsOf(one.raw).includes('many failed attempts')),
    'the mail about the tries',
  );
  const before = box.arrived.length;
  await page.getByRole('link', { name: 'Forgot password?' }).click();
  await page.locator('#code-email').fill('mia.member@example.com');
  await page.getByRole('button', { name: 'Send code' }).click();
  await page.locator('#mailed-code').fill(await codeMailedTo('mia.member@example.com', before));
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByLabel('New password', { exact: true }).fill('Fresh.Word77');
  await page.getByLabel('Repeat new password').fill('Fresh.Word77');
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.waitForURL('**/login');
  await fillSignIn(page, 'mia.member', 'Fresh.Word77');
  await page.waitForURL('**/welcome');
  await inDatabase((client) => client.query('delete from auth_policy'));
  await page.context().close();
});

test('a second factor is bound and asked for; a proof that is too old is asked for again, and a recovery code works', async () => {
  const page = await opened();
  await fillSignIn(page, 'mark.market', password);
  await page.waitForURL('**/welcome');
  await page.getByRole('button', { name: 'Set up' }).click();
  await page.getByRole('region', { name: 'Second factor' }).getByRole('button', { name: 'Set up' }).click();
  await page.getByRole('img', { name: 'QR code' }).waitFor();
  const secret = ((await page.getByRole('dialog').textContent()) ?? '').match(/[A-Z2-7]{32}/)?.[0] ?? '';
  await page.locator('#bind-code').fill(totp(secret, -1));
  await page.getByRole('dialog').getByRole('button', { name: 'Set up' }).click();
  await page.locator('.m-codes li').first().waitFor();
  const recovery = await page.locator('.m-codes li').allInnerTexts();
  expect(recovery).toHaveLength(10);
  await page.getByRole('button', { name: 'I’ve saved them' }).click();
  await page.getByText('10 codes left').waitFor();

  const second = await opened();
  await fillSignIn(second, 'mark.market', password);
  await second.getByRole('heading', { name: 'Two-step verification' }).waitFor();
  await second.locator('#second-factor').fill('000000');
  await second.keyboard.press('Enter');
  await second.getByText('This code is wrong').waitFor();
  // Back at the first step the account is still there.
  await second.getByRole('button', { name: 'Back to sign in' }).click();
  expect(await second.locator('#login-account').inputValue()).toBe('mark.market');
  await second.locator('#login-password').fill(password);
  await second.keyboard.press('Enter');
  await second.locator('#second-factor').fill(totp(secret));
  await second.keyboard.press('Enter');
  await second.waitForURL('**/welcome');

  await inDatabase((client) => client.query(`update auth_session set proved_at = now() - interval '11 minutes'`));
  await page.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('dialog', { name: 'Confirm your identity' }).waitFor();
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.locator('#second-factor').fill(recovery[0] ?? '');
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.getByText('Authenticator app removed').waitFor();
  await page.getByText('Not set up').waitFor();
});

test('a passkey is made and signs in without a name or password', async () => {
  const page = await opened();
  const client: CDPSession = await page.context().newCDPSession(page);
  await client.send('WebAuthn.enable');
  await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await fillSignIn(page, 'aud.auditor', password);
  await page.waitForURL('**/welcome');
  await page.goto(`${url}/accountSetting`);
  await page.getByRole('button', { name: 'Add passkey' }).click();
  await page.locator('#passkey-name').fill('Work laptop');
  await page.getByRole('dialog').getByRole('button', { name: 'Add passkey' }).click();
  await page.getByText('Work laptop').waitFor();
  await page.getByRole('button', { name: /Aud/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.waitForURL('**/welcome');
  await page.goto(`${url}/accountSetting`);
  await page.getByText(/last used/).waitFor();

  // After the password the same passkey is the second step.
  await page.getByRole('button', { name: /Aud/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await fillSignIn(page, 'aud.auditor', password);
  await page.getByRole('heading', { name: 'Two-step verification' }).waitFor();
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await page.waitForURL('**/welcome');
  await page.context().close();
});

test('where a second factor is required nothing else works before it is bound', async () => {
  await inDatabase((client) =>
    client.query(
      `insert into auth_policy (line, kind, value) select line, 'login', '{"mfa":"required"}'::jsonb from unnest(array[1, 2]) line`,
    ),
  );
  const page = await opened();
  await fillSignIn(page, 'kim.keys', password);
  await page.getByRole('heading', { name: 'Set up a second factor' }).waitFor();
  await page.goto(`${url}/device/device`);
  await page.getByRole('heading', { name: 'Set up a second factor' }).waitFor();
  await page.getByRole('img', { name: 'QR code' }).waitFor();
  const secret = ((await page.locator('main').textContent()) ?? '').match(/[A-Z2-7]{32}/)?.[0] ?? '';
  await page.locator('#bind-code').fill(totp(secret));
  await page.getByRole('button', { name: 'Set up' }).click();
  await page.getByRole('button', { name: 'I’ve saved them' }).click();
  await page.getByRole('link', { name: 'Welcome' }).waitFor();
  await inDatabase((client) => client.query('delete from auth_policy'));
  await page.context().close();
});

test('a new address counts once its code came back; a cancelled account is taken back at the door', async () => {
  const page = await opened();
  await fillSignIn(page, 'lina.line', password);
  await page.waitForURL('**/welcome');
  await page.goto(`${url}/accountSetting`);
  const before = box.arrived.length;
  await page.getByRole('button', { name: 'Change: E-mail' }).click();
  await page.locator('#contact-to').fill('not an address');
  await page.getByRole('button', { name: 'Send a code' }).click();
  await page.getByRole('dialog').locator('.m-field-error').waitFor();
  await page.locator('#contact-to').fill('lina@elsewhere.example');
  await page.getByRole('button', { name: 'Send a code' }).click();
  await page.locator('#contact-code').fill(await codeMailedTo('lina@elsewhere.example', before));
  await page.getByRole('dialog').getByRole('button', { name: 'Set up' }).click();
  await page.getByText('lina@elsewhere.example').waitFor();
  await waitFor(() => box.arrived.slice(before).some((one) => one.to.includes('lina.line@example.com')), 'the mail to the address before');

  await page.getByRole('button', { name: 'Delete my account' }).click();
  const confirm = page.getByRole('dialog').getByRole('button', { name: 'Delete my account' });
  expect(await confirm.isDisabled()).toBe(true);
  await page.getByLabel(/to confirm/).fill('lina.line');
  await confirm.click();
  await page.waitForURL('**/login**');
  await fillSignIn(page, 'lina.line', password);
  await page.getByRole('button', { name: 'Restore account' }).click();
  await page.getByText('Account restored').waitFor();
  await fillSignIn(page, 'lina@elsewhere.example', password);
  await page.waitForURL('**/welcome');
  await page.context().close();
});
